"""What readers must not drop, and what they must not take for text."""

import pytest
import spacy

import spacy_thematic
from spacy_thematic.articles import html, markdown
from spacy_thematic.articles.documents import clean, decode
from spacy_thematic.articles.html import decode_html, parse_html
from spacy_thematic.articles.mail import parse_mail
from spacy_thematic.articles.markdown import parse_markdown
from spacy_thematic.articles.sources import ReadLog
from spacy_thematic.chunking.source import read_source
from spacy_thematic.pipeline.texts import make_doc, read_texts

SHIPS, KINGS = "Ships sail to the sea.", "Kings wage wars in spring."
MORE = "Storms tear the sails of all ships that cross the sea in winter."


def read_html(text, **settings):
    article = parse_html(text.encode(), "file", "", **{"lists": True, **settings})
    return [paragraph for section in article.sections for paragraph in section.paragraphs]


def read_markdown(text, **settings):
    article = parse_markdown(text.encode(), "file", "", **{"lists": True, **settings})
    return [paragraph for section in article.sections for paragraph in section.paragraphs]


@pytest.mark.parametrize(
    "page",
    [
        f"<table><tr><td>{SHIPS}<td><table><tr><td><p>{KINGS}</table></table>",
        f"<table><tr><td><a>4 knots</a><tr><td>{SHIPS}<tr><td><ul><li>{KINGS}</ul></table>",
        f"<pre>\n{SHIPS}\n\n{KINGS}\n</pre><pre>for x in y:\n    a[x] = f(y)\n</pre>",
        f"<blockquote><div>{SHIPS}</div>{KINGS}</blockquote>",
        f"<main></main><div>{SHIPS}</div><p>{KINGS}",
        f"<main><h1>Home</h1></main><p>{SHIPS}<p>{KINGS}",
        f"<html><head><title/></head><body><p>{SHIPS}</p><script src='a'/><p>{KINGS}</p></body>",
        f"<div>{SHIPS}<br><br>{KINGS}</div>",
        f"<dialog><p>No.</dialog><noscript><p>No.</noscript><p>{SHIPS}<button><p>No.</button><p>{KINGS}",
        f"<div><p>{SHIPS}<span hidden>No. <i>Nor</i> this.</div>{KINGS}",
        f"<table><tr><td>{SHIPS}</div></p></ul><tr><td>{KINGS}</table>",
        f"<p title='a > b' lang=en data-a=\"<p hidden>\">{SHIPS}<ul><li>{KINGS}</li></ul>",
        f"<details><summary>{SHIPS}</summary>{KINGS}</details>",
        f"<p>{SHIPS}<p hidden>Nobody sees it.</p><div aria-hidden=true><div>Nor</div> this.</div>"
        f"<p style='Display: none'>Nor that.</p><template><p>Nor it.</template><p>{KINGS}",
    ],
)
def test_pages_are_read_whole_and_hidden_text_is_not(page):
    assert read_html(page) == [SHIPS, KINGS]


@pytest.mark.parametrize(
    "link, is_menu",
    [
        ("", False),
        ("<a id=a>", False),
        ("<a href='/'>Sea</a>", False),
        (f"<a href='/'>{MORE}", True),
    ],
)
def test_text_of_a_page_without_a_menu_is_read_whole(link, is_menu):
    page = (
        f"<div>Dear Ann:</div>{f'<p>{MORE}</p>' * 3}<blockquote><div>LEO</div></blockquote>"
        f"<div><a id=ann>Leo Lee</a></div><table><td>1</table><div>{link}</div>"
    )
    menu = [MORE] if is_menu else []
    others = [] if is_menu else ["LEO", "Leo Lee"]
    assert read_html(page) == ["Dear Ann:"] * (not is_menu) + [MORE] * 3 + others + menu


def test_spaces_around_a_link_are_no_text():
    page = f"<p>{SHIPS}</p><div>See: {' ' * 30}<a href='/'>Other ships</a></div>"
    assert read_html(page) == [SHIPS]


@pytest.mark.parametrize(
    "attributes",
    [
        "class=answer aria-hidden=true",
        "role=tabpanel hidden",
        "style='display:none' class='panel-collapse collapse'",
        "class='tab-content' hidden",
        "id=p1 role=region aria-labelledby=h1 hidden",
    ],
)
def test_answers_that_unfold_are_read(attributes):
    page = f"<h2>Where do ships sail?</h2><div {attributes}><p>{SHIPS}</div><p>{KINGS}"
    assert read_html(page) == [SHIPS, KINGS]


@pytest.mark.parametrize(
    "hidden",
    [
        f"<div hidden><p>{SHIPS}</div>",
        f"<div class='modal fade' role=dialog aria-labelledby=a aria-hidden=true><p>{SHIPS}</div>",
        f"<div class='menu-panel' hidden><p>{SHIPS}</div>",
        f"<div role=region aria-label=a class=cookie-tab hidden><p>{SHIPS}</div>",
        f"<div class='slide cloned' role=tabpanel aria-hidden=true><p>{SHIPS}</div>",
        f"<div class=table hidden><p>{SHIPS}</div>",
        f"<p>{KINGS}<span class=tab aria-hidden=true>{SHIPS}</span></p>",
        f"<ul class=collapse hidden><li>{SHIPS}</ul>",
    ],
)
def test_other_hidden_parts_are_not_read(hidden):
    assert SHIPS not in read_html(f"{hidden}<p>{KINGS}")[0]


LONG = "Ships of all the harbours sail to the sea in spring and come back late in autumn."


@pytest.mark.parametrize(
    "page",
    [
        f"<main><p>{LONG}</main><div><p>All pages of this site.</div>",
        f"<div><h2>Sailing</h2><p>{LONG}</div><ul><li>Read what others read</ul>",
        f"<p>{LONG}</p><div class='a comments-b'><p>I was on one of these ships, too.</div>",
        f"<div id=sidebar><p>Follow all that we do in this harbour.</p></div><p>{LONG}",
    ],
)
def test_what_stands_beside_the_text_of_a_page_is_left_out_and_noted(page):
    log = ReadLog()
    assert read_html(page, log=log) == [LONG]
    assert "side part" in log.describe_left_out()[0]
    assert read_html(page.replace(LONG, "A ship.")) != ["A ship."]


def test_a_paragraph_of_links_is_no_text_unless_it_is_a_sentence():
    page = f"<p>{LONG}<p><a href=a>Read more of it</a> <a>Related tags</a><p><a>{KINGS}</a>"
    log = ReadLog()
    assert read_html(page, log=log) == [LONG, KINGS]
    assert "1 linked or short part: 21 %" in log.describe_left_out()[0]


def test_a_heading_above_the_text_of_a_page_is_its_title():
    head = "<title>Ships - A page</title><h1>Ships</h1>"
    page = f"{head}<div><p>{LONG}<p>{LONG}</div><h2>More</h2><p>Nothing else."
    article = parse_html(page.encode(), "file", "", lists=True)
    assert (article.title, [s.title for s in article.sections]) == ("Ships", [""])


@pytest.mark.parametrize(
    "notes",
    [
        "ol class='references'",
        "section class='footnotes' role=doc-endnotes",
        "div class='a reflist'",
    ],
)
def test_footnotes_of_a_page_are_asides(notes):
    page = f"<p>{LONG}</p><{notes}><li><p>{KINGS}</p></li></{notes.split()[0]}><p>{SHIPS}</p>"
    (section,) = parse_html(page.encode(), "file", "", lists=True).sections
    assert section.paragraphs == [LONG, KINGS, SHIPS]
    assert section.kinds == {1: "aside"}
    page = page.replace("class", "data-class").replace("role", "id")
    (section,) = parse_html(page.encode(), "file", "", lists=True).sections
    assert section.kinds.get(1) != "aside"


@pytest.mark.parametrize("name", ["sidenote", "marginnote", "side-note"])
def test_a_note_that_is_shown_beside_its_sentence_is_a_footnote(name):
    toggle = '<label class="margin-toggle">&#8853;</label><input class="margin-toggle"/>'
    note = f'<span class="{name}">So <span>did</span> <a href="a">Ann &amp; I</a>.</span>'
    page = f"<p>Ships sail{toggle}{note} to the sea.</p><p>{KINGS}</p><p>{note}</p>"
    assert [(block.kind, block.text) for block in html.find_blocks(page).blocks] == [
        ("paragraph", "Ships sail to the sea."),
        ("aside", "So did Ann & I."),
        ("paragraph", KINGS),
        ("aside", "So did Ann & I."),
    ]


def test_links_that_only_lead_back_are_no_text_and_a_footnote_with_one_is_an_aside():
    back = "<a href='speech.htm#f1'>Return to text</a>"
    page = (
        f"<p>{LONG} <a href='#'>Back to top</a></p><p>1. {KINGS} {back}</p>"
        f"<p>{SHIPS} <a href=x>Return to text</a></p>"
    )
    (section,) = parse_html(page.encode(), "file", "", lists=True).sections
    assert section.paragraphs == [LONG, f"1. {KINGS}", f"{SHIPS} Return to text"]
    assert section.kinds == {1: "aside"}


@pytest.mark.parametrize(
    "number",
    [
        "<span class='pageno' id=p9>9</span>",
        "<a class=pagenum id=p9>[Pg ix]</a>",
        "<a href='notes.xhtml#n9' epub:type=noteref>9</a>",
        "<sup id=r9><a href='#n9'>9</a></sup>",
        "<a href='#n9'><sup>*</sup></a>",
        "<sup>12</sup>",
    ],
)
def test_numbers_of_pages_and_notes_are_no_part_of_words(number):
    page = f"<h2>Kings{number}</h2><p>Ships{number} sail.{number}</p>"
    *_, section = parse_html(page.encode(), "file", "", lists=True).sections
    assert (section.title, section.paragraphs) == ("Kings", ["Ships sail."])


def test_other_numbers_stay():
    page = (
        "<p>H<sub>2</sub>O, x<sup>2</sup>, 9 km<sup>2</sup>, 10<sup>6</sup>, in chapter "
        "<a href='#c5'>5</a>, the 21<sup>st</sup> of <a href='#y'>May</a>.</p>"
    )
    assert read_html(page) == ["H2O, x2, 9 km2, 106, in chapter 5, the 21st of May."]


def test_a_bold_line_at_the_head_of_a_paragraph_may_be_a_heading():
    page = (
        f"<p><strong>Kings </strong><br />{KINGS}</p><p>{LONG}</p><p><b>Ships</b><br>{SHIPS}</p>"
        f"<p><b>Note</b> of {SHIPS}<br>{LONG}</p><p><b>Lee<br>Ann</b></p>"
    )
    sections = parse_html(page.encode(), "file", "").sections
    assert [section.title for section in sections] == ["", "Kings", "Ships"]
    assert not sections[0].paragraphs


@pytest.mark.parametrize("page", ["<body>Test", "<div>Ships and kings</div><pre>a = b</pre>"])
def test_no_page_with_text_is_blank(page):
    assert len(read_html(page)) == 1


def test_long_text_need_not_end_as_a_sentence_does_if_it_is_no_list_of_links():
    words = "ships and kings " * 10
    assert read_html(f"<p>{SHIPS}<div>{words}</div><div><a>{words}</a></div>") == [
        SHIPS,
        words.strip(),
    ]


@pytest.mark.parametrize(
    "declared, codec, text",
    [
        ("gb2312", "gbk", "囧朱镕基"),
        ("iso-8859-1", "cp1252", "“Ships” – kings"),
        ("iso-8859-9", "cp1254", "“Gemi” ığş"),
        ("shift_jis", "cp932", "①髙い"),
        ("euc-kr", "cp949", "펲시콜라"),
        ("utf-16", "utf-8", "Köln"),
        ("gb2312", "utf-8", "河流"),
    ],
)
def test_charsets_are_read_as_browsers_read_them(declared, codec, text):
    page = f"<meta charset={declared}><p>{text}"
    assert decode_html(page.encode(codec)) == page
    page = f'<?xml version="1.0" encoding="{declared}"?><p>{text}'
    assert decode_html(page.encode(codec)) == page


def test_a_page_with_a_few_damaged_bytes_is_read_and_one_of_another_charset_is_not():
    page = f"<meta charset=euc-jp><p>{SHIPS * 20}".encode()
    assert decode_html(page + b"\xff").endswith("\ufffd")
    with pytest.raises(ValueError, match="not EUC-JP"):
        decode_html(page + b"\xff" * 20)


def test_buttons_are_no_part_of_headings():
    page = "".join(f"<h2>{name} <span>[<a>edit</a>]</span></h2><p>{SHIPS}" for name in "AB")
    assert [heading.text for heading in read_source(page, "html").headings] == ["A", "B"]
    sections = parse_html(page.encode(), "file", "").sections
    assert [section.title for section in sections] == ["", "A", "B"]
    text = f"Seas\n\nA[edit]\n\n{SHIPS}\n\nB[edit]\n\n{KINGS}\n"
    assert [heading.text for heading in read_source(text, "auto").headings] == ["Seas", "A", "B"]
    text = "# Arrays [0]\n\n# A [modifier]\n\n# B [modifier]\n"
    headings = read_source(text, "markdown").headings
    assert [heading.text for heading in headings] == ["Arrays [0]", "A", "B"]


def test_characters_that_show_nothing_divide_no_word():
    assert read_html("<p>Moun\xadtains and riv\u200bers.") == ["Mountains and rivers."]
    assert read_markdown("Moun\xadtains and riv\u200bers.") == ["Mountains and rivers."]
    assert (
        clean("Moun\xad\ntains and ri\xad\nv\xad\ners.\xad\n\nA") == "Mountains\nand rivers.\n\nA"
    )


@pytest.mark.parametrize(
    "text",
    [
        f"---\n{SHIPS}\n\n---\n{KINGS}",
        f"---\n\n{SHIPS}\n\n---\n\n{KINGS}",
        f"---\ntags:\n- a\n# sea\ntitle: 'Of ships'\ndate: 2024-01-02\n\n---\n{SHIPS}\n\n{KINGS}",
        f'+++\ntitle = "A"\ntags = [\n"a"\n]\n[more]\n+++\n{SHIPS}\n\n{KINGS}',
        f"---\ntitle: A\ntags: [a]\n...\n\n{SHIPS}\n\n{KINGS}",
        f'\r\n+++\r\nimage ="a.png"\r\n+++\r\n{SHIPS}\n\n{KINGS}',
        f'---\n{{"publish":true,"link":"/a/"}}\n---\n\n{SHIPS}\n\n{KINGS}',
        f'---\nabout: "The sea.\n\nIt is wide."\n---\n{SHIPS}\n\n{KINGS}',
        f"Title: A\nDate: 2024-01-02\nAbout: The sea.\n  It is wide.\n\n{SHIPS}\n\n{KINGS}",
        f"%% Not yet. %%\n\n{SHIPS}\n\n![[sea.png|100]]\n\n==Kings== wage wars in %%more%% spring.",
        "[[Ships]] sail to [[#A|the sea]].\n\n[[a b/c|Kings]] wage [[wars]] in spring.",
        f"{SHIPS}\n\n> [!WARNING]\n> {KINGS}",
        f"- [x] {SHIPS}\n- [ ] {KINGS}",
        f":::tip[Sea]\n{SHIPS}\n:::\n\n::: note\n\n{KINGS}\n\n:::",
        f'!!! note "Sea"\n    {SHIPS}\n\n{{% include a.md %}}\n\n{{{{< fig >}}}}{KINGS}',
        f'{SHIPS}\n\n{{% include figure.html alt="{"the sea " * 50}" %}}\n\n{KINGS}',
        f'{SHIPS}\n\n  {{% include a.html\n  b="<p>The [sea](a).</p>"\n%}}\n\n{KINGS}',
        f"{{{{#title The sea}}}}\n\n{SHIPS}\n\n{{{{#include a.md:21:24}}}}\n\n{KINGS}",
        f"{SHIPS}\n\n{{/* more */}}\n\n{KINGS}",
        f"{SHIPS}\n\n[Kings]({{% page '/a' %}}){KINGS[5:]}",
        f"[Ships](http://a.b/c-\nd.html){SHIPS[5:]}\n\n[Kings]({{{{ site.a }}}}){KINGS[5:]}",
        f"[Ships][all]{SHIPS[5:]}\n\n{{% include a.md %}}\n[sea]: b.md\n\n[Kings][]{KINGS[5:]}",
        f'[Ships]({{{{< ref "a" >}}}}){SHIPS[5:]}\n\n[Kings]({{{{% ref "a" %}}}}){KINGS[5:]}',
        f"{SHIPS}\n\n[Kings]({{{{ site.a }}}}/b/{{{{ c | d('e') }}}}#f){KINGS[5:]}",
        f"{SHIPS}[^1]\n\n[^a]: {KINGS}",
        f"{SHIPS}\n\n<aside>\n{KINGS}\n</aside>",
        f"<details>\n<summary>{SHIPS}</summary>\n{KINGS}\n</details>",
        f"<div align=center>\n<p>{SHIPS}</p>\n</div>\n\n{KINGS}",
        f"Ships ~~sail~~ to<br>the sea.\n\n{KINGS}".replace(" to<br>", "<br>to "),
        f"- a\n\n  # {SHIPS}\n- {KINGS}".replace("- a\n\n  ", "- "),
        f"import A from './a'\n\nexport const b = 1\n\n{SHIPS}\n\n{KINGS}",
    ],
)
def test_markdown_is_read_whole(text):
    assert read_markdown(text) == [SHIPS, KINGS]


def test_prose_that_begins_like_code_is_prose():
    text = "export duties rose (a tax).\n\nimport goods from abroad."
    assert read_markdown(text) == ["export duties rose (a tax).", "import goods from abroad."]


@pytest.mark.parametrize(
    "before, after", [("```\n", "\n```"), ("```text\n", "\n```"), ("    ", "")]
)
def test_prose_in_code_is_read(before, after):
    text = f"# Ships\n\n{KINGS}\n\n{before}{MORE}{after}\n\n```\na = f(x)\n```"
    assert read_markdown(text) == [KINGS, MORE]
    assert (
        read_markdown(text.replace("```text", "```py")) == [KINGS, MORE][: 1 + ("text" not in text)]
    )


@pytest.mark.parametrize("tag", ['<div class="note" markdown="1">', "<div class='a' markdown>"])
def test_markdown_within_html_is_read_as_such(tag):
    text = f"# A\n\n{tag}\n- [{SHIPS}](a.md)\n- **{KINGS}**\n</div>\n"
    assert read_markdown(text) == [SHIPS, KINGS]


def test_a_letter_without_full_stops_in_code_is_read():
    letter = (
        "Dear Ann I take up my pen to let you know that we are all well and that the ship is in "
    )
    letter = f"{letter}\n{letter}\n{letter}\n{letter}"
    assert read_markdown(f"# A\n\n```\n{letter}\n```") == [" ".join(letter.split())]
    assert read_markdown(f"# A\n\n```\n{{ {letter} }}\n```") == []


def test_html_that_goes_on_below_a_blank_line_is_read():
    text = f"# Ships\n\n<div>\n\n    <p>{SHIPS}</p>\n\n    <p>{KINGS}</p>\n\n</div>"
    assert read_markdown(text) == [SHIPS, KINGS]


def test_a_line_may_end_with_two_carriage_returns():
    lines = [f"Ann said that {MORE}", f"And Ben said that {MORE}"]
    assert decode("\r\r\n".join(lines).encode()) == "\r\n".join(lines)


def test_links_of_lines_to_themselves_say_nothing():
    lines = "".join(
        f'<li id="l{n}"><a href="#l{n}">#</a> {text}</li>' for n, text in enumerate((SHIPS, KINGS))
    )
    assert read_html(f"<ol>{lines}</ol>") == [SHIPS, KINGS]


def test_what_stands_below_a_heading_in_its_group_is_one():
    page = f"<hgroup><h2>I</h2><p>The Sea</p></hgroup><p>{SHIPS}</p>"
    article = parse_html(page.encode(), "file", "", lists=True)
    assert [section.title for section in article.sections] == ["", "I", "The Sea"]
    assert read_html(page) == [SHIPS]


def test_tooltips_of_doxygen_are_hidden():
    tooltip = f'<div class="ttc" id="a"><div class="ttdoc">{MORE}</div></div>'
    assert read_html(f"<p>{SHIPS}</p><div>{KINGS}</div>{tooltip}") == [SHIPS, KINGS]


def test_a_page_is_no_markdown():
    style = "<style>\nul { color: red; }\n\nli { margin: 0; }\n</style>"
    text = f"<html>\n{style}\n<p>{SHIPS}</p></html>"
    assert read_markdown(text) == [SHIPS]


def test_brackets_that_lead_nowhere_stay():
    text = "See [1](as\nfar) and [2](in {3} of 4) or `[a]({% b %})`."
    assert read_markdown(text) == [text.replace("\n", " ").replace("`", "")]


@pytest.mark.parametrize(
    "text",
    [
        "Note: ships sail.\n---\n\nKings rule.",
        "---\nShips sail: far.\nKings rule.\n...",
        "Title: A\nShips sail to the sea.\n\nKings rule.",
        "Ann: Ships sail.\nLeo: Kings rule.\n\nThe end.",
    ],
)
def test_what_looks_like_front_matter_is_read(text):
    assert markdown.measure_front_matter(text) == 0


def test_front_matter_may_begin_with_a_blank_line():
    text = f"---\n\ntitle: Ships\n\ntags:\n  - sea\n\n---\n\n{SHIPS}"
    assert read_markdown(text) == [SHIPS]
    assert read_markdown(f"---\n\n{SHIPS}\n\n---\n\n{KINGS}") == [SHIPS, KINGS]


def test_front_matter_of_internet_drafts_ends_at_the_abstract():
    head = "---\ntitle: Seas\nabbrev: S\n\nauthor:\n -\n    ins: A. Lee\n\n"
    article = parse_markdown(f"{head}--- abstract\n\n{SHIPS}\n".encode(), "a", "")
    assert (article.title, article.text()) == ("Seas", SHIPS)


@pytest.mark.parametrize("title", ["Title: Seas", "Title:Seas"])
def test_front_matter_without_rules_says_title_and_date(title):
    article = parse_markdown(f"{title}\nDate: 2024-01-02\n\n{SHIPS}".encode(), "a", "")
    assert (article.title, article.settings["date"]) == ("Seas", "2024-01-02")
    assert article.text() == SHIPS


@pytest.mark.parametrize(
    "stated, title",
    [
        ("title: 'It''s a boat' # new", "It's a boat"),
        ('title: "Of \\"Laso\\""', 'Of "Laso"'),
        ("Title: >\n  Ships\n  and sails", "Ships and sails"),
        ("title: Ships: and sails", "Ships: and sails"),
        ("title: 2024", "2024"),
    ],
)
def test_titles_are_read_as_yaml_says_them(stated, title):
    assert parse_markdown(f"---\n{stated}\n---\n\n{SHIPS}".encode(), "a", "").title == title


def test_titles_are_read_as_toml_says_them():
    text = f'+++\ntitle = "Of \\"Laso\\""\n+++\n\n{SHIPS}'
    assert parse_markdown(text.encode(), "a", "").title == 'Of "Laso"'


@pytest.mark.parametrize("fence", ["~~~~~~", "```"])
def test_a_fence_that_nothing_closes_is_no_code(fence):
    assert read_markdown(f"title=Seas\n\n{fence}\n\n{SHIPS}") == ["title=Seas", SHIPS]
    assert read_markdown(f"{KINGS}\n\n{fence}\n{SHIPS}\n{fence}\n") == [KINGS]
    assert read_markdown(f"{KINGS}\n\n{fence}python\n{SHIPS}\n") == [KINGS]
    assert read_markdown(f"{KINGS}\n\n{fence}") == [KINGS]
    assert read_markdown(f"A\x0cb.\u2028\r\n\r\n{fence}\r\n{SHIPS}")[-1] == SHIPS


def test_links_of_wikis_show_what_their_writers_say():
    text = "See [[Ships#Masts]], [[#Sails]], [[Oars#^a1]], [[Kings|the kings]]."
    assert read_markdown(text) == ["See Ships > Masts, Sails, Oars, the kings."]
    assert (
        read_markdown("Since [[2024-03-02|spring]] and [[2024-03-03]].")[0][-11:] == "2024-03-03."
    )
    others = (
        "If [[ -f a ]], x[[i]], [[:alpha:]], `[[a]]`, [[1, 2], [3]], 5 == 5, a==b==c, 100%% of 9%%."
    )
    assert read_markdown(others) == [others.replace("`", "")]
    assert read_markdown("A [[1]](b.md) note.") == ["A [1] note."]


def test_a_sentence_that_a_note_wraps_is_one():
    assert read_markdown(f"> [!TIP] Ships sail to\n> the sea.\n\n#Seas\n\n{KINGS}") == [
        SHIPS,
        "#Seas",
        KINGS,
    ]


PAGE = f"{LONG}\n\n{LONG}\n\n{LONG}"


@pytest.mark.parametrize(
    "menu",
    [
        "- [Home](/)\n- [About us](/about)\n- [The last news](/news)",
        "[Home](/) | [About us](/about) | **[News](/news)**",
        "[Home](/)\n\n![Logo](a.png)\n\n[About us](/about)\n\n[News](/news)",
        "Related:\n\n- [[Seas]]\n- [[Rivers of the north]]\n  - [[Lakes]]",
    ],
)
@pytest.mark.parametrize("place", range(3))
def test_menus_of_markdown_are_left_out_and_counted(menu, place):
    parts = PAGE.split("\n\n")
    log = ReadLog()
    found = read_markdown("\n\n".join([*parts[:place], menu, *parts[place:]]), log=log)
    assert [part for part in found if part != "Related:"] == parts
    assert "3 navigation links" in log.describe_left_out()[0]


@pytest.mark.parametrize(
    "links",
    [
        "- [How ships sail to the sea](/a)\n- [Why kings wage wars](/b)\n- [Old maps](/c)",
        "- [Cod](/cod)\n- [Salt](/salt)\n- [Cream](/cream)\n- two spoons of flour",
        "- [Seas](/seas)\n  - They are wide.\n- [Rivers](/rivers)\n  - They are long.",
        "[Seas](/seas), [rivers](/rivers) and [lakes](/lakes)",
        "- [Seas](/seas)\n- [Rivers](/rivers)",
    ],
)
def test_other_links_of_markdown_are_read(links):
    assert len(read_markdown(f"{PAGE}\n\n{links}")) > 3
    assert len(read_markdown("- [Home](/)\n- [News](/news)\n- [Help](/help)")) == 3


def test_links_to_places_that_a_sentence_leads_to_are_read():
    links = "- [Sails](#sails)\n- [Oars](#oars)"
    ways = f"Boats can go by any of these:\n\n{links}"
    assert read_markdown(f"## Boats\n\n{ways}\n\n{LONG}")[1:3] == ["Sails", "Oars"]
    for text in (
        f"# Boats\n\n{ways}\n\n{LONG}",
        f"## Boats\n\n{ways}\n\n## Sails\n\n{LONG}",
        f"## Boats\n\nTable of contents:\n\n{links}\n\n{LONG}",
    ):
        assert "Sails" not in read_markdown(text) and LONG in read_markdown(text)


def test_a_byte_order_mark_hides_no_heading():
    for text in ("\ufeff# Ships\n\nThey sail.", "\ufeff---\na: b\n---\n# Ships\n\nThey sail."):
        layout = read_source(text, "auto")
        assert [heading.text for heading in layout.headings] == ["Ships"]
        assert len(layout.prose) == len(text) and not layout.prose.startswith("\ufeff")
    assert read_source("\ufeff<h1>Ships</h1>", "auto").headings


CELLS = [
    ["Name", "Purpose", "Kept for"],
    ["_ga", "Tells visitors of the site apart", "2 years"],
    ["lang", "Remembers which language was chosen on the last visit", "a year"],
]


def write_table(rows, ending):
    if ending == "md":
        lines = [f"|{'|'.join(row)}|\n" for row in rows]
        return "".join([lines[0], "|-" * len(rows[0]), "|\n", *lines[1:]])
    first, *others = (f"<tr><td>{'<td>'.join(row)}" for row in rows)
    return f"<table>{first.replace('td>', 'th>')}{''.join(others)}</table>"


@pytest.mark.parametrize("ending", ["md", "html"])
def test_cells_that_say_something_are_read(tmp_path, ending):
    def read(rows):
        path = tmp_path / f"a.{ending}"
        path.write_text(f"<p>Ships cross the seas.</p>\n\n{write_table(rows, ending)}\n")
        (text,) = read_texts([path], ReadLog())
        return text.paragraphs[1:]

    assert read(CELLS) == [" – ".join(row) for row in CELLS[1:]]
    short = [["When", "What"], ["10:46", "Old nodes were killed by a script."], ["10:55", "Lost"]]
    assert read(short) == [" – ".join(row) for row in short[1:]]
    numbers = [[*row, "1 2 3 4 5 6 7", "9", "10", "11"] for row in CELLS]
    assert read(numbers) == []
    numbers[1][1] += "."
    assert read(numbers) == [numbers[1][1]]
    assert read([["a", "b", "c"], *([["x = a + b / c"] * 3] * 3)]) == []


def test_html_that_is_only_mentioned_makes_no_page():
    text = "# Ships\n\nA page begins with `<html>`.\n\n# Kings\n"
    assert len(read_source(text, "auto").headings) == 2
    page = "<?xml version='1.0'?>\n<!-- <p>a -->\n<!DOCTYPE html><h1>Ships</h1>"
    assert [heading.text for heading in read_source(page, "auto").headings] == ["Ships"]
    page = "<title/><h1>Ships</h1>"
    assert [heading.text for heading in read_source(page, "html").headings] == ["Ships"]


@pytest.mark.parametrize(
    "rows, shown",
    [
        # Rows that say something, and a header that is part of it.
        (f"<tr><th>Sea<td>{SHIPS}", [f"Sea – {SHIPS}"]),
        (f"<tr><td>{SHIPS}<td>Ann", [f"{SHIPS} Ann"]),
        (f"<tr><th>{SHIPS}<th>Ann<tr><td>{KINGS}", [f"{SHIPS} Ann", KINGS]),
        # Links, and cells of several blocks, as in pages that a table lays out.
        (f"<tr><td><a>Home</a><td><a>Us</a><tr><td>{SHIPS}<td>Ann", [f"{SHIPS} Ann"]),
        (f"<tr><td>Menu<td>{SHIPS}<br><br>{KINGS}", [SHIPS, KINGS]),
        (f"<tr><td><div>{SHIPS}</div><div>Ann</div><td>Leo", [SHIPS]),
        # Numbers with one cell of text.
        (f"<tr><td>1 2 3 4 5 6<td>{SHIPS}<td>7 8 9 10 11 12", [SHIPS]),
    ],
)
def test_rows_of_plain_cells_are_read_whole(rows, shown):
    assert read_html(f"<table>{rows}</table>") == shown


def test_two_breaks_in_a_cell_of_markdown_divide_paragraphs():
    text = write_table([["Text", "Note"], [f"**4. Fees**<br><br>{SHIPS}<br>{KINGS}", "Pay"]], "md")
    assert read_markdown(text, lists=True) == ["4. Fees", f"{SHIPS} {KINGS} Pay"]


def test_what_is_left_out_is_told():
    log = ReadLog()
    text = write_table([["When", "What"], ["10:55", "Old nodes were lost today"]], "md")
    read_markdown(text, lists=True, log=log)
    assert log.describe_left_out() == ["Left out of the texts: 1 table header: 22 % of the words"]
    log = ReadLog()
    read_html(f"<p>{SHIPS}<table><tr><td>4<td>5</table><nav><a>Home</a> <a>Sea</a></nav>", log=log)
    assert log.describe_left_out() == ["Left out of the texts: 1 menu, 1 table: 44 % of the words"]
    log = ReadLog()
    read_html(f"<p>{SHIPS}<table><tr><td>4<td>5</table><div><a href='/'>Home</a></div>", log=log)
    assert log.describe_left_out() == [
        "Left out of the texts: 1 linked or short part, 1 table: 38 % of the words"
    ]
    log = ReadLog()
    read_markdown(f"{SHIPS}\n\n```\na\n```\n\n|a|b|\n|-|-|\n\n```\nb\n```\n", log=log)
    assert log.describe_left_out() == [
        "Left out of the texts: 2 code blocks, 1 table: 44 % of the words"
    ]
    log = ReadLog()
    read_markdown(f"{SHIPS}\n\n<p>{KINGS}</p>\n", log=log)
    assert not log.describe_left_out() and log.words == 10
    read_markdown(f"---\nsea: Of ships\n---\n{SHIPS}", log=log)
    assert log.describe_left_out() == [
        "Left out of the texts: 1 front-matter block: 17 % of the words"
    ]


@pytest.mark.parametrize(
    "name, text",
    [
        ("a.md", f"{SHIPS}\n\n> {KINGS}\n\n- {SHIPS}\n- {KINGS}\n"),
        ("a.html", f"<p>{SHIPS}<blockquote>{KINGS}</blockquote><ul><li>{SHIPS}<li>{KINGS}</ul>"),
    ],
)
def test_quotations_and_items_are_such_in_the_layout_of_a_doc(tmp_path, name, text):
    (tmp_path / name).write_text(text)
    nlp = spacy.blank("en")
    nlp.add_pipe("thematic_layout")
    (found,) = read_texts([tmp_path / name], ReadLog())
    doc = nlp(make_doc(nlp, found))
    assert [block.label_ for block in doc.spans["thematic_layout"]] == [
        "paragraph",
        "quote",
        "item",
        "item",
    ]


def test_names_below_a_title_of_attendance_are_asides(tmp_path):
    path = tmp_path / "a.md"
    path.write_text(f"# Members present\n\n- Ann Lee (chair)\n- Leo\n\n{SHIPS}\n\n# Ann\n\nLeo\n")
    nlp = spacy.blank("en")
    nlp.add_pipe("thematic_layout")
    (found,) = read_texts([path], ReadLog())
    doc = nlp(make_doc(nlp, found))
    assert [(block.text, block.label_) for block in doc.spans["thematic_layout"]] == [
        ("Ann Lee (chair)", "aside"),
        ("Leo", "aside"),
        (SHIPS, "paragraph"),
        ("Leo", "paragraph"),
    ]


def test_blocks_have_their_places_in_the_markup():
    text = f"# A &amp; *b*\n\n{SHIPS}\n\n> {KINGS}\n> More.\n\n    x = 1\n\n|a|b|\n|-|-|\n|1|2|\n"
    assert [
        (block.kind, text[block.start : block.end]) for block in markdown.find_blocks(text)
    ] == [
        ("heading", "# A &amp; *b*\n"),
        ("paragraph", f"{SHIPS}\n"),
        ("quote", f"> {KINGS}\n> More.\n"),
        ("code", "    x = 1\n"),
        ("table", "|a|b|\n"),
        ("table", "|1|2|\n"),
    ]
    text = f"<div><h1>A &amp; <i>b</i></h1>{SHIPS}<pre>x = 1\ny = 2</pre><table><td>1<td>2</table>"
    blocks = html.find_blocks(text).blocks
    assert [(block.kind, text[block.start : block.end]) for block in blocks] == [
        ("heading", "<div><h1>A &amp; <i>b"),
        ("paragraph", SHIPS),
        ("code", "<pre>x = 1\ny = 2"),
        ("table", "<table><td>1"),
        ("table", "<td>2"),
    ]
    first, second = html.find_blocks("<p>Caf&eacute;s<br><br>and <b>t</b>ea").blocks
    assert [*html.find_pieces(*first.pieces, 0, 5)] == [(0, 3), (3, 6), (4, 14)]
    assert (second.text, [*html.find_pieces(*second.pieces, 0, 7)]) == (
        "and tea",
        [(0, 23), (4, 30), (5, 35)],
    )


def test_markup_within_a_word_parts_no_word_of_a_chunk():
    page = "<p>Moun<b>tains</b> of caf&eacute;s.</p><div hidden>No.</div><pre>a\n  b</pre>"
    (chunk,) = spacy_thematic.chunk(page, markup="html")
    assert (chunk.text, chunk.start, chunk.end) == ("Mountains of cafés.\na\n  b", 0, len(page))


@pytest.mark.parametrize("ending", ["md", "html"])
def test_a_table_of_contents_is_left_out(tmp_path, ending):
    path = tmp_path / f"guide.{ending}"
    path.write_text(
        "# Guide\n\n- [How do ships sail to the sea?](#ships)\n- [The kings of the North](#kings)\n"
        "- [How do rivers rise in spring?](rivers.md)\n\n## Ships\n\nShips sail to the sea.\n"
        if ending == "md"
        else "<h1>Guide</h1><ul><li><a href='#ships'>How do ships sail to the sea?</a></li>"
        "<li><a class=x href=#kings>The kings of the North</a></li>"
        "<li><a href='rivers.html'>How do rivers rise in spring?</a></li></ul>"
        "<h2 id=ships>Ships</h2><p>Ships sail to the sea.</p>"
    )
    ((text),) = read_texts([path], ReadLog())
    words = " ".join(text.paragraphs)
    assert "rivers rise" in words and "Ships sail to" in words
    assert "How do ships" not in words and "kings" not in words


def test_messages_and_texts_within_a_mail_are_read_and_what_is_attached_is_told():
    def mix(kind, *parts):
        return f"Content-Type: multipart/{kind}; boundary={kind}\n\n" + "".join(
            f"--{kind}\n{part}\n" for part in (*parts, "")
        )

    text, page = f"\n{SHIPS}\n", f"Content-Type: text/html\n\n<p>{KINGS}</p>\n"
    within = f"Content-Type: message/rfc822\n\nSubject: B\n\n{LONG}\n"
    file = "Content-Disposition: attachment; filename=a.txt\n\nOne two three four five six.\n"
    picture = "Content-Type: image/png\n\nabc\n"
    log = ReadLog()
    mail = mix("mixed", mix("alternative", text, page), file, picture, within, page)
    assert parse_mail(f"Subject: A\n{mail}".encode(), log).text.split() == (
        f"{SHIPS} {LONG} {KINGS}".split()
    )
    assert log.describe_left_out() == ["Left out of the texts: 2 attachments: 18 % of the words"]


FRENCH = "Le café était fermé — “déjà vu” à l’hôtel."


@pytest.mark.parametrize(
    "name, content",
    [
        ("a.txt", FRENCH),
        ("a.md", f"# Ville\n\n{FRENCH}"),
        ("a.html", f"<h1>Ville</h1><p>{FRENCH}</p>"),
        ("a.csv", f"text,title\n{FRENCH},Ville\nRivers flow.,"),
        ("a.srt", f"1\n00:00:01,000 --> 00:00:02,000\n{FRENCH}\n"),
    ],
)
def test_what_declares_no_charset_and_is_no_utf8_is_read_as_windows_1252(tmp_path, name, content):
    path = tmp_path / name
    path.write_bytes(content.encode("cp1252"))
    log = ReadLog()
    text, *_ = read_texts([path], log)
    assert text.paragraphs == [FRENCH]
    assert "read as windows-1252" in log.problems[0]
    assert name in log.problems[0]


def test_a_line_that_is_no_utf8_is_windows_1252_among_others_that_are(tmp_path):
    path, log = tmp_path / "a.txt", ReadLog()
    path.write_bytes(
        f"The café’s claims were late.\n{FRENCH}\n".encode("cp1252") + "Naïve: é.".encode()
    )
    (text,) = read_texts([path], log)
    assert text.paragraphs == [f"The café’s claims were late.\n{FRENCH}\nNaïve: é."]
    assert log.problems == [f"{path}: 2 lines are not UTF-8, and were read as windows-1252"]


@pytest.mark.parametrize("row", ["Öl für 5 €", "„ok“ – “5 €”", "… – “”"])
@pytest.mark.parametrize("is_first", [True, False])
def test_a_short_row_is_windows_1252_as_the_others_are(tmp_path, row, is_first):
    path, log = tmp_path / "a.csv", ReadLog()
    others = [f"{FRENCH} The rivers flood the valley."] * 3
    rows = [row, *others] if is_first else [*others, row]
    path.write_bytes("\n".join(["id,text", *(f"1,{one}" for one in rows)]).encode("cp1252"))
    assert [text.paragraphs for text in read_texts([path], log)] == [[one] for one in rows]
    assert "4 lines are not UTF-8" in log.problems[0]


def test_a_row_in_another_charset_is_refused(tmp_path):
    rows = [b"text,id", b"Ships sail.,1", "Москва слезам не верит,2".encode("cp1251")]
    (tmp_path / "a.csv").write_bytes(b"\n".join(rows))
    with pytest.raises(ValueError, match="line 3: not a row: not UTF-8"):
        list(read_texts([tmp_path / "a.csv"], ReadLog()))


@pytest.mark.parametrize(
    "content",
    [
        "Москва слезам не верит, said he".encode("cp1251"),
        "中国abc人民共和国".encode("gb18030"),
        "Ελλάδα και Αθήνα".encode("cp1253"),
        f"{FRENCH} It ends in half a character: ".encode() + b"\xe2\x80",
    ],
)
def test_other_charsets_and_damaged_utf8_are_not_read_as_windows_1252(tmp_path, content):
    path = tmp_path / "a.txt"
    path.write_bytes(content)
    with pytest.raises(ValueError, match="not UTF-8"):
        list(read_texts([path], ReadLog()))


NOTES = """\
!!! note "Sea"

    Ships sail to the sea.

    - They carry salt.

    ```
    code = 1
    ```

=== "Kings"

    The king rules.

A paragraph.

    code = 2
"""


def test_the_indented_text_of_a_note_is_read_and_code_is_not():
    blocks = [block for block in markdown.find_blocks(NOTES) if block.text.strip()]
    assert [(block.kind, block.text) for block in blocks] == [
        ("paragraph", "Ships sail to the sea."),
        ("item", "They carry salt."),
        ("code", "code = 1\n"),
        ("paragraph", "The king rules."),
        ("paragraph", "A paragraph."),
        ("code", "code = 2\n"),
    ]
    for block in blocks:
        assert block.text.strip() in NOTES[block.start : block.end]
        assert NOTES[block.start - 1] == "\n"


def test_tags_of_mdx_with_braces_are_no_text():
    text = """\
<Tabs items={["one", "two"]} style={{color: {a: "red"}}}>

Ships sail. <Link to={url("a")} {...rest} onClick={() => go()} /> Kings rule.

</Tabs>

The tag `<Tabs items={x}>` holds {two} parts, and 1 <b {c.
"""
    paragraphs = parse_markdown(text.encode(), "a", "a.mdx").sections[0].paragraphs
    assert paragraphs == [
        "Ships sail. Kings rule.",
        "The tag <Tabs items={x}> holds {two} parts, and 1 <b {c.",
    ]


def test_lines_of_markdown_that_somebody_says_are_paragraphs_at_their_places():
    lines = [f"[Ann] [0:12] {SHIPS}", f"[Leo] [0:15] {KINGS}", f"[Ann] [0:19] {SHIPS}"]
    text = "\n".join(["# A talk", "", *lines, "", "Ships", "sail."])
    assert read_markdown(text) == [*lines, "Ships sail."]
    of_lines = markdown.find_blocks(text)[1:-1]
    assert [text[block.start : block.end].strip() for block in of_lines] == lines


def name_sections(text):
    if text.startswith("<"):
        article = parse_html(text.encode(), "file", "", lists=True)
    else:
        article = parse_markdown(text.encode(), "file", "", lists=True)
    return [(section.level, section.title) for section in article.sections if section.title]


@pytest.mark.parametrize(
    "text, titles",
    [
        (f"A\n-\n**1. Sea**\n\n{SHIPS}\n\n__Roads__:\n\n- {KINGS}", ["1. Sea", "Roads:"]),
        (f"<h2>A</h2><p><b>Sea</b></p><p>{SHIPS}<p><b>Cod</b>:<ul><li>{KINGS}", ["Sea", "Cod:"]),
        (f"<h2>A</h2><div><b>Sea</b></div><p>{SHIPS}<p><b>Roads</b><p>{KINGS}", []),
        (f"## A\n\n**Sea**\n\n{SHIPS}\n\n**Roads** and more\n\n{KINGS}", []),
        (f"## A\n\n**¿Why “so” ?**\n\n{SHIPS}\n\n**How?**\n\n{KINGS}", ["¿Why “so” ?", "How?"]),
        (f"## A\n\n**Why?**\n\n{SHIPS}\n\n**They go.**\n\n{KINGS}\n\n**Fig. 1. A**\n\n{KINGS}", []),
        (f"## A\n\n- **Sea**\n\n  {SHIPS}\n\n> **Roads**\n>\n> {KINGS}\n\n**End**", []),
        (f"## A\n\n**The sea**\n\n**The ships**\n\n**The wind**\n\n{SHIPS}", []),
        ("## A\n\n" + "**Ann:**\n\nNo.\n\n**Leo:**\n\nYes.\n\n" * 3 + "**Eve:**\n\nNo.", []),
        ("<h2>A</h2>" + f"<p><b>Ann</b><p>{SHIPS}<p><b>Leo</b><p>{KINGS}" * 2, []),
        (f"## A\n\n**Roads**\n\n{SHIPS}\n\n**Code**\n\n```\na = 1\n```\n\n{KINGS}", []),
    ],
)  # fmt: skip
def test_bold_paragraphs_that_read_like_headings_are_such(text, titles):
    found = name_sections(text)
    assert found == [(2, "A"), *((3, title) for title in titles)]
    layout = read_source(text, "html" if text.startswith("<") else "markdown")
    assert len(layout.headings) == 1 + len(titles)


@pytest.mark.parametrize("mark", ["### ", "**", "## "])
def test_the_name_of_an_author_below_a_title_is_no_heading(mark):
    end = mark.strip("# ")
    text = f"## Ships\n\n{mark}By the Hon. ANN LEE.{end}\n\n{SHIPS}\n\n"
    text += f"## Kings\n\n{mark}By LEO B. LEE, author of “Wars.”{end}\n\n{KINGS}"
    assert name_sections(text) == [(2, "Ships"), (2, "Kings")]
    assert len(read_source(text, "markdown").headings) == 2
    assert SHIPS in read_markdown(text) and "By the Hon. ANN LEE." in read_markdown(text)
    groups = f"# Boats\n\n{SHIPS}\n\n## Fees\n\n### By Age Group\n\n{SHIPS}\n\n"
    assert len(name_sections(groups)) == 2
    assert len(name_sections(f"{groups}### By Size Of Boats\n\n{KINGS}")) == 3


@pytest.mark.parametrize(
    "lines, is_code",
    [
        ([f"*   {SHIPS}", "", f"    * {KINGS}"], False),
        ([f"  *{SHIPS}", f"  *{KINGS}"], False),
        ([f"1. {SHIPS}", f"2. {KINGS}"], False),
        (["- name: Ships", "  state: at sea"], True),
        (["$ make ships", "- done"], True),
        (["-> sail", "--fast"], True),
    ],
)
def test_indented_lists_are_no_code(lines, is_code):
    text = "".join(f"    {line}\n" for line in lines)
    kinds = {block.kind for block in markdown.find_blocks(f"## Talk\n\nOf ships:\n\n{text}")}
    assert ("code" in kinds) == is_code


def test_indented_verse_is_no_code():
    verse = (
        "The laws of justice bind\n         Oppressor with oppressed;\n         And sin is near."
    )
    code = "    Import(x)\n    Run the test.\n"
    assert read_markdown(f"{SHIPS}\n\n         {verse}\n\n{KINGS}\n\n{code}") == [
        SHIPS,
        " ".join(verse.split()),
        KINGS,
    ]


def test_a_paragraph_above_a_rule_is_no_heading():
    text = f"# A\n\n## Sea\n{SHIPS}\n---\n## Roads\n{KINGS}\n---\n\nThe end\n-------\n\n{SHIPS}"
    assert name_sections(text) == [(2, "Sea"), (2, "Roads"), (2, "The end")]
    assert read_markdown(text) == [SHIPS, KINGS, SHIPS]


@pytest.mark.parametrize(
    "code",
    [
        "<pre>pip install the small package</pre>",
        "<pre>Used 4 GB</pre>",
        "<pre>SELECT name and date FROM table</pre><pre>a[x] = f(y); b();</pre>",
    ],
)
def test_code_between_pre_tags_is_not(code):
    assert read_html(f"<p>{SHIPS}</p>{code}<p>{KINGS}</p>") == [SHIPS, KINGS]


@pytest.mark.parametrize(
    "text",
    [
        "13:16 < ann> <leo>: that logic is in the wallet",
        "It copies the vector<int> of seeds and a List<String>.",
        "Run the clone of <repository> there.",
    ],
)
def test_what_is_no_tag_of_html_is_text_of_markdown(text):
    assert read_markdown(text) == [text]


@pytest.mark.parametrize(
    "text",
    [
        "Ships <b>sail</b> to<br>the <u>sea</u>.",
        "Ships <Note>sail</Note> to <x-mark>the</x-mark> sea.",
        'Ships <Icon name="boat"/>sail <Tip kind="a">to</Tip> the <toc/>sea.',
    ],
)
def test_tags_of_markdown_are_taken_off(text):
    assert [" ".join(one.split()) for one in read_markdown(text)] == [SHIPS]


def test_what_stands_around_a_book_of_project_gutenberg_is_an_aside():
    page = (
        f"<h2>Licence</h2><p>{KINGS}</p><div>*** START OF THE PROJECT GUTENBERG EBOOK A ***</div>"
        f"<h1>Sea</h1><p>{SHIPS}</p><pre>*** END OF THE PROJECT GUTENBERG EBOOK A ***</pre>"
        f"<h2>Licence</h2><p>{KINGS}</p>"
    ).encode()
    sections = html.parse_html(page, "file", "", lists=True).sections
    assert [(one.title, one.paragraphs, one.kinds) for one in sections] == [
        ("", [], {}),
        ("", [KINGS, SHIPS], {0: "aside"}),
        ("", [KINGS], {0: "aside"}),
    ]
    (section,) = [one for one in html.parse_html(page, "file", "").sections if one.paragraphs]
    assert section.paragraphs == [SHIPS]


@pytest.mark.parametrize(
    "opening, is_read",
    [
        ('<section id="related-work">', True),
        ('<div class="section" id="sharing-a-repository">', True),
        ('<div id="related-posts">', False),
        ('<section class="comments">', False),
    ],
)
def test_the_id_of_a_section_is_its_title(opening, is_read):
    end = "</section>" if "<section" in opening else "</div>"
    page = f"{f'<p>{MORE}' * 5}{opening}<h2>More</h2><p>{KINGS}{end}"
    assert (KINGS in read_html(page)) is is_read
    assert [heading.text for heading in read_source(page, "html").headings] == ["More"] * is_read


def test_the_id_of_a_heading_is_its_title():
    page = f'<h2 id="page-rank">Ranks</h2><p>{SHIPS}<h2 id="menu-pager">Menus</h2><p>{KINGS}'
    assert [heading.text for heading in read_source(page, "html").headings] == ["Ranks", "Menus"]


@pytest.mark.parametrize("name", ["", ' class="other"'])
def test_parts_of_one_kind_are_read_together(name):
    part = "<div class=part><h2>{}</h2><div class=inner><p>{}</div></div>"
    page = part.format("Long", f"{MORE} " * 9) + part.format("Short", "Kings rule.")
    page = f"<main>{page}</main><div{name}><p>Sails tear.</div>"
    assert "Kings rule." in read_html(page)
    assert "Sails tear." not in read_html(page)


@pytest.mark.parametrize(
    "source, shown",
    [
        ("Use<a class=headerlink href=#use>¶</a>", "Use"),
        ("Use <a class=permalink href=#use>&para;</a>", "Use"),
        ('<a class="anchor" href="#use">#</a> Use', "Use"),
        ('Use<a class="direct-link" href="#use">🔗</a>', "Use"),
        ('Use<span>[</span><a href="/edit">edit</a><span>]</span>', "Use"),
        ("Use<a href=/edit>[edit]</a>\n", "Use"),
        ("Use [draft]<a href=#use> §</a>", "Use [draft]"),
        ("About C#", "About C#"),
        ("<a href=#c>About <b>C#</b></a>", "About C#"),
    ],
)
def test_links_that_say_nothing_are_no_part_of_headings(source, shown):
    layout = read_source(f"<h2>{source}</h2><p>{SHIPS}", "html")
    assert [heading.text for heading in layout.headings] == [shown]
    assert layout.text.startswith(f"{shown}\n{SHIPS}")


@pytest.mark.parametrize(
    "source, shown", [("Use [¶](#use)", "Use"), ("[#](#c) [About](a) C#", "About C#")]
)
def test_links_that_say_nothing_are_no_part_of_headings_of_markdown(source, shown):
    layout = read_source(f"# {source}\n\n{SHIPS}", "markdown")
    assert [heading.text for heading in layout.headings] == [shown]


@pytest.mark.parametrize("markup", ["html", "auto"])
def test_front_matter_of_a_page_is_in_no_chunk(markup):
    page = f"---\ntitle: Seas\nlayout: post\n---\n<h2>A</h2>\n<p>{SHIPS}</p>\n"
    layout = read_source(page, markup)
    assert [heading.text for heading in layout.headings] == ["A"]
    assert layout.text.split() == f"A {SHIPS}".split()
