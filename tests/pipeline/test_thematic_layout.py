import re

import pytest
import spacy
from spacy.language import Language
from spacy.tokens import Doc

import spacy_thematic
from spacy_thematic.doc_layout import SentenceLayout, TokenLayout, has_lines, write_blocks
from spacy_thematic.layout.blocks import Block
from tests.layout.test_asides_of_texts import MAIL

HEADLINES = """Rivers flood valleys in spring
Apple v. Samsung: What next? Experts weigh in
Minister resigns over budget
Team wins the cup.

Storms batter the coast
"""
CHAT = """[10:02] anna: are the boats ready
[10:03] leo: Yes. They are.
anna: good
[10:04] <leo> i bring tents
"""
MINUTES = """LEO: The boats are ready. We leave at six
ANNA: Good.
LEO: Bring the tents, please.
Mary Ann: I have no tent
"""
REVIEWS = """Battery lasts two days even with the screen on bright.
Sound is fine for podcasts but there's no bass whatsoever
Arrived with a cracked case. The box was open.
Charging takes forever, five hours from empty
Good value for the price.
"""
BULLETS = """## Fixed

- Fixed a crash when a replica was promoted. (#4087)
- Fixed a deadlock between vacuum and drop. (#4093)
- Time zones are parsed correctly. (#4130)
- Tooltips no longer overlap the legend. (#4125)
"""
VERSE = """The river rises in the hills,
And floods the valley wide;
The king who fought two wars, he wills
His army to its side,
And none may there abide.
"""
PARAGRAPHS = """The river rises in the mountains. It floods the valley.
The king fought two wars. His army lost.
The old guard fell.
"""
PROSE = """The river rises in the mountains, and
floods the valley each spring. The king
fought two wars there. His
army lost the first battle in which the
old guard fell.
"""
GERMAN = """Der Fluss entspringt in den Bergen und
überflutet jedes Frühjahr das Tal seiner
Heimat. Der König führte zwei Kriege, die
Armee verlor die erste Schlacht an der
Brücke.
"""
CAPTIONS = """So the river rises in the mountains
and in the spring it floods the whole valley below. The king fought two wars and
then
his army lost the first of the battles
at the old bridge because the guard had left it. After that
the peace was signed, but
the harvest of the summer failed in most of the villages. And because of that many farmers left
the valley for the city and the factories
where they found work. There
the wages were low, and
people lived in small rooms near the river.
"""
CHINESE = (
    "河流发源于山区并且在每年春天\n淹没整个山谷国王打了两场战争\n"
    "他的军队输掉了第一场战斗因为\n老卫队倒下了"
)


def split(text, lines="auto", then=()):
    nlp = spacy.blank("en")
    nlp.add_pipe("thematic_layout", config={"lines": lines})
    for name in then:
        nlp.add_pipe(name)
    return list(filter(None, (sentence.text.strip() for sentence in nlp(text).sents)))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (HEADLINES, True),
        (CHAT, True),
        (CHAT.replace("\n", "\n\n"), False),  # Nothing would join these.
        (MINUTES, True),
        (REVIEWS, True),
        (BULLETS, True),
        (VERSE, False),
        (PARAGRAPHS, False),
        (PROSE, False),
        (GERMAN, False),
        (CAPTIONS, False),
        (CHINESE, False),
        ("河流淹没山谷\n国王打了两场战争并输掉了第一场战斗\n军队回家", True),
        ("One line\nand its end", False),
        ("", False),
    ],
)
def test_lines_of_prose_are_no_sentences(text, expected):
    assert has_lines(spacy.blank("en")(text)) == expected


def test_a_long_line_without_an_end_may_have_several_sentences():
    first = "The rivers of the valley must be measured by the town each spring."
    lines = [first, "Each bridge has a gauge, and the numbers are in a file called gauges.csv"]
    text = "\n".join(f"Where are the results of {n}?\n{' '.join(lines)}" for n in ("May", "June"))
    found = split(text, then=["sentencizer"])
    assert found[1:3] == lines


def test_headlines_are_sentences():
    lines = [line for line in HEADLINES.splitlines() if line]
    assert split(HEADLINES) == lines
    assert split(HEADLINES, then=["sentencizer"]) == lines
    assert split(HEADLINES, "no", ["sentencizer"])[0].count("\n") == 1


def test_a_review_is_not_glued_to_the_next():
    assert split(REVIEWS, then=["sentencizer"]) == [
        "Battery lasts two days even with the screen on bright.",
        "Sound is fine for podcasts but there's no bass whatsoever",
        "Arrived with a cracked case.",
        "The box was open.",
        "Charging takes forever, five hours from empty",
        "Good value for the price.",
    ]


def test_a_remark_in_brackets_ends_its_line():
    assert split(BULLETS, then=["sentencizer"])[1:3] == [
        "- Fixed a crash when a replica was promoted. (#4087)",
        "- Fixed a deadlock between vacuum and drop. (#4093)",
    ]
    assert split("A toast\n(Laughter)\nA song", then=["sentencizer"])[1] == "(Laughter)"


def test_a_line_that_ends_with_punctuation_may_hold_several():
    assert split(CHAT, then=["sentencizer"])[1:3] == ["[10:03] leo: Yes.", "They are."]
    assert split(CHAT, "yes", ["sentencizer"]) == CHAT.splitlines()


def test_no_sentence_goes_on_into_what_another_says():
    found = split(MINUTES, then=["sentencizer"])
    assert found == MINUTES.splitlines()


def test_no_sentence_ends_within_a_name_and_its_title():
    said = ["Ann B. Lee, Psy.D: The boats are ready.", "Dr. Leo Low: Good."] * 3
    nlp = spacy.blank("en")
    nlp.add_pipe("thematic_layout")
    nlp.add_pipe("thematic_sentencizer")
    assert [sentence.text.strip() for sentence in nlp("\n".join(said)).sents] == said


def test_the_lines_of_a_log_are_a_list_that_nobody_says():
    hosts = ["web-1", "web-2", "db-1"] * 4
    log = [
        f"Nov 25 10:0{n % 10}:11 {host} sshd[24{n}]: a door shut" for n, host in enumerate(hosts)
    ]
    nlp = spacy.blank("en")
    nlp.add_pipe("thematic_layout")
    nlp.add_pipe("thematic_sentencizer")
    doc = nlp("\n".join(log))
    layout = SentenceLayout(TokenLayout.read(doc, doc.text), list(doc.sents))
    assert layout.is_list and not layout.is_speech


def test_prose_is_left_to_the_component_after_it():
    plain = spacy.blank("en")
    plain.add_pipe("sentencizer")
    expected = [sentence.text for sentence in plain(PROSE.strip()).sents]
    assert split(PROSE.strip(), then=["sentencizer"]) == expected
    assert split(PROSE, "yes", ["sentencizer"]) == PROSE.splitlines()


def test_prose_in_which_no_sentence_ends_for_long_is_cut_at_its_lines():
    line = "and the river that rises in the mountains floods the valley of the king"
    for n, expected in [(5, 2), (30, 32)]:
        text = "\n".join([*[line] * n, "and it ends. The king sails"])
        assert len(split(text, "auto", ["sentencizer"])) == expected, n
        # Lines that are to be joined are cut elsewhere.
        joined = split(text, "no", ["sentencizer"])
        assert (len(joined) > 2) == (expected > 2) and line not in joined, n


def test_long_prose_that_is_broken_into_lines_is_cut_at_its_marks():
    clause = "and the banks that lend to the borrower shall\nbe paid on demand; "
    found = split(f"The agent shall see to it {clause * 30}and so on.", "auto", ["sentencizer"])
    assert {one.split()[-1] for one in found} == {"demand;", "on."}


def test_lines_around_what_a_mail_says_are_sentences():
    found = split(MAIL, then=["sentencizer"])
    assert found[:6] == [*MAIL.splitlines()[:3], "Hi Leo,", "the boats are ready for the river.",
                         "To: this is no header, for it stands alone."]  # fmt: skip
    assert found[6:9] == ["> Are the boats", "> ready?", "Thanks"]
    assert found[-6:] == MAIL.splitlines()[-6:]


def test_the_setting_survives_saving_and_other_settings_are_refused(tmp_path):
    nlp = spacy.blank("en")
    nlp.add_pipe("thematic_layout", config={"lines": "yes"})
    nlp.to_disk(tmp_path)
    text = "One. Two.\nThree."
    assert [s.text for s in spacy.load(tmp_path)(text).sents] == ["One. Two.\n", "Three."]
    with pytest.raises(ValueError, match="lines"):
        spacy.blank("en").add_pipe("thematic_layout", config={"lines": "maybe"})


def split_at_spaces(vocab):
    def tokenize(text):
        return Doc(vocab, words=text.split(" "), spaces=[True] * text.count(" ") + [False])

    return tokenize


def split_before_breaks(vocab):
    """Each token but the first begins with the space or the line breaks before it."""

    def tokenize(text):
        words = re.findall(r"\s*\S+", text)
        return Doc(vocab, words=words, spaces=[False] * len(words))

    return tokenize


@pytest.mark.parametrize("blank", ["\n\n", "\n\n\n"])
@pytest.mark.parametrize("make_tokenizer", [split_at_spaces, split_before_breaks])
def test_headings_and_paragraphs_are_found_where_no_token_is_a_line_break(blank, make_tokenizer):
    nlp = spacy.blank("en")
    nlp.tokenizer = make_tokenizer(nlp.vocab)
    for name in ("thematic_layout", "thematic_sentencizer"):
        nlp.add_pipe(name)
    parts = ["Bank fees", "A bank takes fees for loans .", "The river", "It floods the valley ."]
    doc = nlp(blank.join(parts) + blank + "It is deep and wide .")
    sentences = list(doc.sents)
    layout = SentenceLayout(TokenLayout.read(doc, doc.text), sentences)
    assert layout.headings.tolist() == [True, False, True, False, False]
    assert layout.openings.sum() == 2
    assert [parts.tolist() for parts in layout.list_parts()] == [[0, 0, 1, 1, 1]]


BELOW = "The river rises in the mountains, and it floods the valley each spring. " * 2


@pytest.mark.parametrize(
    "parts, title",
    [
        (["Old Rivers", BELOW], "Old Rivers"),
        (["Old Rivers", "For Ann.", "Sources", BELOW, "Mouths", BELOW], "Old Rivers"),
        (["Old Rivers", BELOW, "Mouths", BELOW], ""),
        (["Old rivers rise.", BELOW], ""),
        ([BELOW, "Mouths", BELOW], ""),
    ],
)
def test_a_text_begins_with_its_title_if_all_is_below_it(parts, title):
    nlp = spacy.blank("en")
    nlp.add_pipe("thematic_layout")
    doc = nlp("\n\n".join(parts))
    assert TokenLayout.read(doc, doc.text).find_title() == title


def test_what_stands_below_references_says_nothing_of_a_theme():
    nlp = spacy.blank("en")
    nlp.add_pipe("thematic_layout")
    nlp.add_pipe("sentencizer")
    below = {"Notes": "A pump.", "References": "Lee (1999).", "External links:": "The works."}
    doc = nlp("".join(f"# {title}\n\n{text}\n\n" for title, text in below.items()))
    sentences = [*doc.sents]
    layout = SentenceLayout(TokenLayout.read(doc, doc.text), sentences)
    asides = [sent.text for sent, aside in zip(sentences, layout.asides) if aside]
    assert "A pump." not in " ".join(asides)
    assert all(text in " ".join(asides) for text in ("Lee (1999).", "The works."))


@pytest.mark.parametrize(
    ("title", "below", "is_set_aside"),
    [
        (
            "INDEX",
            ["Acid, acetic, 12.", "Butyric, 8.", "Soup, wine, 12, 141-3;", "See also Broth."],
            1,
        ),
        ("General Index", ["Acid, acetic, 12.", "Butyric, 8 f.", "Soup, wine, 12, 141."], 1),
        ("The index", ["Prices rose by 12.", "It fell in May, 8 points.", "Soup, 3."], 0),
        ("Soups", ["Acid, acetic, 12.", "Butyric, 8", "Soup, wine, 12, 141."], 0),
    ],
)
def test_the_index_of_a_book_says_nothing_of_a_theme(title, below, is_set_aside):
    nlp = spacy.blank("en")
    nlp.add_pipe("thematic_layout")
    nlp.add_pipe("sentencizer")
    doc = nlp("\n\n".join(["# The case", "A pump works.", f"# {title}", *below]))
    sentences = [*doc.sents]
    layout = SentenceLayout(TokenLayout.read(doc, doc.text), sentences)
    assert [*layout.asides] == [False] * 2 + [bool(is_set_aside)] * (1 + len(below))


BELOW = "The river rises in the hills, and floods the fields below the town. " * 3


@pytest.mark.parametrize(
    ("lines", "n_aside"),
    [
        (["The river", BELOW, "The mill", BELOW], 2),
        (["CHAPTER I", "THE RIVER", BELOW], 2),
        (["A story of the river that was old", BELOW], 0),
        (["What is a river?", BELOW, "3 May 2021", "A mill"], 2),
        (["A boat for the crew", "A mill", "The road to the town", "A bridge"], 0),
        (["The crew and the miller of the town ask for a boat that can go to the sea", BELOW], 0),
    ],
)
def test_headings_say_nothing_of_a_theme_unless_they_may_be_items(lines, n_aside):
    nlp = spacy.blank("en")
    nlp.add_pipe("thematic_sentencizer")
    doc = nlp("\n\n".join(map(str.strip, lines)))
    write_blocks(
        doc,
        [
            Block("heading", doc.text.index(line), doc.text.index(line) + len(line), 1)
            for line in lines
            if line != BELOW
        ],
    )
    layout = SentenceLayout(TokenLayout.read(doc, doc.text), [*doc.sents])
    assert layout.asides.sum() == n_aside


@pytest.mark.parametrize(
    ("title", "is_set_aside"), [("Further reading", False), ("Notes", False), ("Footnotes", True)]
)
def test_prose_below_further_reading_is_text(title, is_set_aside):
    nlp = spacy.blank("en")
    nlp.add_pipe("thematic_layout")
    nlp.add_pipe("sentencizer")
    prose = (
        "Lee was the judge in 1999. The law had changed by then. It is read in all schools. Rivers."
    )
    doc = nlp(f"# The case\n\nA pump.\n\n# {title}\n\n{prose}")
    sentences = [*doc.sents]
    layout = SentenceLayout(TokenLayout.read(doc, doc.text), sentences)
    assert layout.asides[-1] == is_set_aside


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["rivers"] * 300, {25}),
        ([*["rivers"] * 49, ";"] * 6, {50}),
        (["rivers", "("] * 20 + ["1", ")"] * 20 + [*["rivers"] * 49, ","] * 6, {130, 100, 50}),
        ([*["rivers"] * 49, ",", *["lakes"] * 19, ",", "and"] * 3, {70, 71, 72}),
        (["rivers"] * 150, {150}),
        ([*["rivers"] * 49, "."] * 6, {50}),
    ],
)
@pytest.mark.parametrize("lines", ["auto", "no"])
def test_what_nobody_has_punctuated_is_cut_into_pieces(words, expected, lines):
    nlp = spacy.blank("en")
    nlp.add_pipe("thematic_layout", config={"lines": lines})
    nlp.add_pipe("thematic_sentencizer")
    doc = nlp(" ".join(words))
    assert {len(sentence) for sentence in doc.sents} == expected


def test_pieces_begin_with_words_that_may_begin_a_clause():
    clause = "the king sailed down the old river and I'm sure we don't like it because "
    found = split(clause * 30, then=["thematic_sentencizer"])
    assert {len(one) < 200 for one in found} == {True}
    assert {one.split()[0] for one in found} <= {"the", "down", "and", "we", "it", "because"}
    found = split("isn't " * 150, then=["thematic_sentencizer"])
    assert {one.split()[0] for one in found} == {"isn't"}


@pytest.mark.parametrize("merged", [(0, 2), (1, 12)])
def test_the_layout_is_where_it_was_in_the_text_when_tokens_were_merged_since(merged):
    @Language.component("merge_some")
    def merge_some(doc):
        with doc.retokenize() as retokenizer:
            retokenizer.merge(doc[slice(*merged)])
        return doc

    text = "The River\n\nIt rises in the hills. Boats sail it.\n\nWars\n\nThe king fought two wars."
    nlp = spacy_thematic.load("en_thematic_sm")
    doc = nlp(text)
    before = [(block.label_, block.end_char) for block in doc.spans["thematic_layout"]]
    assert [label for label, _ in before].count("heading") == 2
    merge_some(doc)
    nlp.add_pipe("merge_some", after="thematic_layout")
    for again in nlp(doc), nlp(text):
        after = [(block.label_, block.end_char) for block in again.spans["thematic_layout"]]
        assert [label for label, _ in after] == [label for label, _ in before]
        assert after[2:] == before[2:] and again._.thematic_clusters
