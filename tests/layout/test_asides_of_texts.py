"""Lines that say nothing of a theme."""

import pytest
import spacy

from spacy_thematic.doc_layout import find_blocks
from spacy_thematic.layout.plain import read_plain


def find_aside_lines(text):
    """The lines that are asides, or name a speaker."""
    return [
        text[block.start : block.end]
        for block in read_plain(text)
        if block.kind == "aside"
        or (block.kind == "speaker" and text[block.end : block.end + 1] in ("", "\n"))
    ]


SAID = "The boats went up the river with all the mud that we saw on the quay in the spring."


@pytest.mark.parametrize(
    "head, greeting, closing",
    [
        (["To John Lee.", "[Ayr,] Friday [May 3rd, 1818]."], "My dear Lee--", "Yours unfeignedly,"),
        (["XI.--To MR. LEE, CLERK, AYR."], "", "I am, with esteem, your friend,"),
        (["AYR, May 3, 1818."], "Dear Sir,--", ""),
    ],
)
def test_what_frames_a_letter(head, greeting, closing):
    name = ["JOHN O'NEIL ----."] if closing else []
    tail = [closing, *name, "My mother is at your house again today."] if closing else []
    text = "\n\n".join([*head, f"{greeting}{SAID}\n{SAID}", SAID, *tail])
    found = [(block.kind, text[block.start : block.end]) for block in read_plain(text)]
    asides = [*head, *filter(None, [closing]), *name]
    assert [said for kind, said in found if kind == "aside"] == asides
    assert [said for kind, said in found if kind == "prefix"] == [*filter(None, [greeting])]


@pytest.mark.parametrize(
    "text",
    [
        f"To the Lighthouse\n\n{SAID}\n\n{SAID}",
        f"May 2020\n\n{SAID}\n\nIt is all yours\n\nFurther Reading\n\n{SAID}",
        f"Dear Sir, {SAID}\n\n{SAID} May 3 is your day.\n\n{SAID}",
    ],
)
def test_one_sign_of_a_letter_is_none(text):
    assert {*find_aside_lines(text)} <= {"May 2020"}
    assert all(block.kind != "prefix" for block in read_plain(text))


MAIL = """From: Anna Smith <anna@example.org>
To: Leo <leo@example.org>
Subject: The trip

Hi Leo,

the boats are ready for the river.
To: this is no header, for it stands alone.
> Are the boats
 > ready?
Thanks

Best regards,
Anna Smith
Harbour Office

On Sun, 2 May 2021, Leo wrote:
Thanks
--
Leo of the lake
Harbour master
+44 161 555 0142
This mail is for those to whom it is addressed.
If you are not one of them, please delete it,
and tell the harbour office.
"""


def test_lines_around_what_a_mail_says():
    found = find_aside_lines(MAIL)
    assert found == [
        "From: Anna Smith <anna@example.org>",
        "To: Leo <leo@example.org>",
        "Subject: The trip",
        "Hi Leo,",
        "> Are the boats",
        "> ready?",
        "Best regards,",
        "Anna Smith",
        "Harbour Office",
        "On Sun, 2 May 2021, Leo wrote:",
        "--",
        *MAIL.splitlines()[-6:],
    ]


@pytest.mark.parametrize(
    "closing", "So long, | Ciao, | Take care, | Talk soon! | All the best | Yours,".split(" | ")
)
def test_usual_closings_of_a_mail_are_asides(closing):
    mail = f"The van costs 400 pounds.\n\n{closing}\n\nAnn.\n\nRivers flood valleys."
    assert find_aside_lines(mail) == [closing, "Ann."]


@pytest.mark.parametrize("line", ["So long", "Take care of the boats,", "See you there"])
def test_words_of_closings_that_close_nothing_are_text(line):
    assert not find_aside_lines(f"Boats sail.\n\n{line}\n\nThe river floods valleys.")


LICENCE = "You may copy it, give it away or sell it."
BOOK = "*** START OF THE PROJECT GUTENBERG EBOOK ALICE ***\n\nThe river floods valleys.\n\n"
MADE = [
    "Produced by Ann Lee and the Online",
    "Distributed Proofreading Team at https://example.org",
]
BOOK += "*** END OF THE PROJECT GUTENBERG EBOOK ALICE ***"


def test_what_stands_around_the_books_of_project_gutenberg_is_set_aside():
    text = f"{LICENCE}\n\n{BOOK}\n\n1.A. {LICENCE}\n\n{BOOK}\n\n{LICENCE}\n"
    begins, ends = BOOK.splitlines()[0], BOOK.splitlines()[-1]
    expected = [LICENCE, begins, ends, f"1.A. {LICENCE}", begins, ends, LICENCE]
    assert find_aside_lines(text) == expected
    assert find_aside_lines(f"Rivers rise.\n\n{ends}\n\n{LICENCE}") == [ends, LICENCE]
    assert not find_aside_lines("The end of the Project Gutenberg book was sad.\n\nRivers rise.")


OUTLOOK = """The van costs 400 pounds.
Sent from my iPhone

{}
From: Leo
Sent: Monday

What does the move cost?
Leo
"""


@pytest.mark.parametrize("divider", ["-----Original Message-----", "_" * 32])
def test_what_is_below_the_headers_of_an_answered_mail_is_quoted(divider):
    text = OUTLOOK.format(divider)
    left = find_aside_lines(text)
    assert [line for line in text.splitlines() if line and line not in left] == [
        "The van costs 400 pounds."
    ]
    assert "" not in left


def test_what_is_forwarded_without_a_word_is_said():
    text = OUTLOOK.format("-----Original Message-----").split("iPhone\n\n")[1]
    left = find_aside_lines(text)
    assert "What does the move cost?" not in left and "From: Leo" in left
    assert find_aside_lines("Rivers rise.\n__________\nKings wage wars.") == ["_" * 10]


@pytest.mark.parametrize(
    "line",
    [
        "By Ann Lee",
        "By Ann B. Lee and Jo O'Neil",
        "By Ann Lee, Jo Roe",
        "By Ann Lee · 12 March 2026 · 6 min read",
        "Written by Ann LEE and Jo",
        "Published by Ann",
        "By the Hon. ANN LEE.",
        "By ANN LEE, Author of “The River,” etc.",
    ],
)
def test_the_name_of_the_author_is_set_aside(line):
    found = find_aside_lines(f"Rivers flood valleys\n{line}\n\n{line}\nThe river rises.")
    assert found == [line, line]
    assert not find_aside_lines(f"{line} the river rises.\n\nBy the river\n\nBy Road")
    assert not find_aside_lines("Written by the river\n\nBooks published by Ann")


SIGNED = """Hi Ann,

The van costs 400 pounds.

Kind regards,

Leo Stone | Office Manager
Acme Vans

Leo"""


def test_a_signature_below_a_blank_line_is_set_aside():
    said = ("The van costs 400 pounds.", "Leo")
    expected = [line for line in SIGNED.splitlines() if line and line not in said]
    assert find_aside_lines(SIGNED) == expected


@pytest.mark.parametrize("text", ["The van is red.", "\n".join(["The van is red"] * 6)])
def test_what_is_said_after_thanks_is_no_signature(text):
    assert find_aside_lines(f"Hello.\n\nThanks!\n\n{text}") == ["Thanks!"]


def test_speech_below_dashes_is_no_signature():
    below = "\n".join(["Analyst", *[SAID] * 20])
    assert find_aside_lines(f"Hello.\n\nAnn Lee\n--\n{below}") == []
    signature = ["--", "Ann Lee", "Analyst"]
    assert find_aside_lines("\n".join(["Hello.\n", SAID, *signature])) == signature


SUBTITLES = """WEBVTT

1
00:00:01.000 --> 00:00:03.000
Ann: The van is red.

00:03.000 --> 00:04.000
400
pounds."""


def test_times_of_subtitles_are_set_aside():
    said = ("Ann: The van is red.", "400", "pounds.")
    expected = [line for line in SUBTITLES.splitlines() if line and line not in said]
    assert find_aside_lines(SUBTITLES) == expected


def test_who_speaks_is_set_aside_on_a_line_of_its_own():
    lines = [
        "Ann (0:03):",
        "The van is red.",
        "Leo Stone 10:02 AM",
        "Yes.",
        "Ann [00:00:09]",
        "No.",
    ]
    assert find_aside_lines("\n".join(lines)) == lines[::2]
    # It may be a heading where it stands once.
    assert not find_aside_lines("Lunch 12:30\nSoup and bread.")


@pytest.mark.parametrize(
    "line", ["[[ch-boats]]", "[source,console]", "[[Category: Boats on rivers]]"]
)
def test_a_word_in_brackets_is_set_aside_in_wrapped_prose_too(line):
    prose = (
        "The boats of the town lie at the old pier, where\nthey are ready for the river or its\n"
    )
    text = f"{prose * 3}\n{line}\nThe pier was built in the year of the great flood by\n{prose * 2}"
    assert find_aside_lines(text) == [line]
    assert find_aside_lines(text.replace(line, "[Lease of the pier - hearing]")) == []


BOATS = "The boats on the river carry grain\nand timber to the harbour town."


@pytest.mark.parametrize(
    "line",
    [
        "© 2019 River Press. All rights reserved.",
        "Copyright (c) 2002-2009 by Anna Smith and others",
        "[Picture: Boats on the river]",
        "image::images/boats.png[The boats]",
        "PMID: 32113880  [Indexed for MEDLINE]",
        "Release date: 3 May 2021",
        "Updated: 2021-05-03",
        "DOI: 10.1021/boats.9\nPMCID: PMC7181318\nPMID: 32342003",
        "Street Address 111 Quay Street West, Suite 304",
        "Harbour Boats Inc. 27 Quay, Ontario L8P 0J6",
        "E-mail Address ann@boats.org",
        "Newark, NJ 07102",
        "By By Name Name Title Title",
        "Title: President Title: CEO",
        "Mailing Address: ______________",
    ],
)
def test_notices_pictures_and_identifiers_are_set_aside(line):
    assert find_aside_lines(f"{BOATS}\n\n{line}\n\n{BOATS}") == line.split("\n")


@pytest.mark.parametrize(
    "line",
    [
        "The copyright of 1998 protects boats.",
        "Picture books on boats, 1911.",
        "Release of boats: all of May 2021",
        "Boat Race: 9 April 2021",
        "In 2021 Boat Way opened.",
        "All 300 of those who live in Newark, NJ 07102 sail.",
        "Boats sold: 32113880 of all kinds in the harbour.",
    ],
)
def test_what_says_something_of_them_is_not(line):
    assert not find_aside_lines(f"{BOATS}\n\n{line}\n\n{BOATS}")


@pytest.mark.parametrize(
    "names",
    [
        "Present: Cllr R. Crisp (Chairman), Anna de Vries and Mrs. N. Cooper",
        "Members present: Anna Smith, Leo\nDe Boer, and Ben Cooper",
        "Attendees:\n- Anna Smith\n- Leo De Boer (harbour)",
        "In attendance were:\n\nAnna Smith\n\nLeo De Boer",
        "## Participants\n\n- Anna Smith\n- Leo De Boer",
        "Present:\n- Anna Smith @anna-s2 (member)\n- Leo De Boer @leo",
        "Attendees:\n\nAnna Smith, Ben Cooper (Harbour)\n\nAttendees:\n\nLeo De Boer (Sea)",
        "Present:\n\n1. Anna Smith\n\n2. Leo De Boer\n\n3. Ben Cooper",
    ],
)
def test_who_was_present_is_set_aside(names):
    found = find_aside_lines(f"{names}\n\nOld Boats\n\nThe harbour has new boats.\n")
    assert found == [line for line in names.split("\n") if line and "#" not in line]


@pytest.mark.parametrize("title", ["Parish Council, 4 March 2024", "# Parish Council"])
@pytest.mark.parametrize("number", ["", "1. ", "## 1. "])
def test_the_heading_below_who_was_present_is_none_of_them(title, number):
    present = "Present: Anna Smith, Ben Cooper\nApologies: Leo De Boer"
    text = f"{title}\n{present}\n\n{number}Roads\n{'The harbour has a new road. ' * 5}\n"
    kinds = {text[block.start : block.end]: block.kind for block in read_plain(text)}
    assert [kinds[line] for line in present.split("\n")] == ["aside", "aside"]
    assert (kinds[title], kinds[f"{number}Roads"]) == ("heading", "heading")


def test_the_fields_of_a_packet_are_set_aside():
    rule, rows = "   " + "+-" * 16 + "+", ["|        Type         |", "| Length | Left |"]
    drawn = ["0 1 2 3 4 5 6 7 8 9", rule, f"   {rows[0]}", rule, f"   {rows[1]}", rule]
    text = f"{SAID}\n{SAID}\n\n" + "\n".join(drawn) + f"\n\n{SAID}\n{SAID}\n"
    assert find_aside_lines(text) == [line.strip() for line in drawn]


@pytest.mark.parametrize("mark", ["- ", "* ", "1. ", ""])
def test_a_table_of_contents_is_set_aside(mark):
    names = ["Old Boats", "The Harbour", "Work on the Quay"]
    parts = [f"## 1.{number} {name}\n\n{SAID}" for number, name in enumerate(names)]
    text = "\n".join(mark + name for name in names) + "\n\n" + "\n\n".join(parts)
    blocks = find_blocks(spacy.blank("en")(text))
    kinds = {text[block.start : block.end].removeprefix(mark): block.kind for block in blocks}
    assert [kinds[name] for name in names] == ["aside"] * 3
    other = text.replace("Boats\n", "Ships\n", 1).replace("Harbour\n", "Mud\n", 1)
    assert not any(block.kind == "aside" for block in find_blocks(spacy.blank("en")(other)))


def test_a_short_line_above_attendance_is_set_aside_whatever_stands_below():
    found = find_aside_lines("Attendees (pronouns):\n\nThe harbour has new boats.\n")
    assert found == ["Attendees (pronouns):"]


@pytest.mark.parametrize(
    "line",
    [
        "Present: the boats are ready.",
        "A perfect present",
        "Present: Boats sell well",
        "Attendees will learn how to:\n\n- find boats.",
    ],
)
def test_what_else_is_present_is_not(line):
    assert not find_aside_lines(f"{line}\n\nThe harbour has new boats.\n")


PAGE = """Skip to content
Home
Weather
Sign in

The river floods the valley

By Anna Smith
Environment correspondent
Published 14 March 2024, 06:15 GMT

The river broke its banks on Thursday, and four hundred homes are under water.

Read more: How rain swells the rivers

Volunteers brought blankets and hot food to the people in the sports hall.

What went wrong

Engineers believe that a gate in the dam was stuck because of rust.
Follow us on Twitter

Related stories
Floods in five counties
Privacy policy
"""


def test_menus_around_the_prose_of_a_page():
    lines = PAGE.split("\n")
    prose = [line for line in lines if line.endswith(".")]
    kept = ["What went wrong", *prose]
    assert find_aside_lines(PAGE) == [line for line in lines if line and line not in kept]


@pytest.mark.parametrize(
    "text",
    [
        # Of a list of lines, and of the words of menus as headings of prose, nothing is a menu.
        "Search\nHome\nContact\nShare\n",
        "Search\n\nThe box finds words in all of the texts that you have.\n\nShare\n\nThe button "
        "sends a text to someone else in your team.\n\nPrint\n\nThe page has no colours on paper, "
        "so that it costs less.\n",
    ],
)
def test_words_of_menus_that_are_none(text):
    assert find_aside_lines(text) == []


def test_an_address_with_nothing_but_a_name_and_a_date_is_an_aside():
    trailer = "-- Ann Lee <ann@example.org>  Sun, 25 Dec 2022 17:11:31 +0100"
    prose = "The option is gone, and the users have to name the group when\nthey call the program."
    ask = "Please send questions about the groups to ann@example.org"
    text = f"{prose}\n\n{trailer}\n\n{prose}\n\nAnn Lee  <ann@example.org>\n\n{ask}"
    assert find_aside_lines(text) == [trailer, "Ann Lee  <ann@example.org>"]


def test_a_rule_below_the_last_line_of_a_paragraph_makes_it_no_heading():
    text = (
        "Items that need work are marked. Please send mail to the list of\nthe system, or file a "
        "bug with all that is known in the\nbug tracking system if you know more.\n"
        f"{'_' * 50}\n\nThe users have a group each, which has the name of the user\nin it.\n"
    )
    assert "heading" not in {block.kind for block in read_plain(text)}


@pytest.mark.parametrize(
    "row, is_row",
    [
        ("Boats . . . . . . . . . . . Oars . . . . . . . . . .", True),
        ("Boats of the harbour ............ $ 1,240", True),
        ("Mud of the quay ....................... Sails .........", True),
        ("The boats............ went up the river", False),
        (f"{SAID} . . . . . . {SAID}", False),
    ],
)
def test_rows_with_dot_leaders_are_asides(row, is_row):
    text = "\n\n".join([SAID, row, SAID])
    assert find_aside_lines(text) == [row] * is_row


WHO = "clerk", "bank", "seller", "agent", "buyer", "owner"
SAYS = "The {} is an independent contractor and is no employee of the company."
NOTICE = "Certain information in this document has been omitted and filed separately."


@pytest.mark.parametrize(
    "foot, below",
    [
        ("{}\n\nSource: GENTECH HOLDINGS, INC., 1-A, 8/8/2019", SAYS),
        (NOTICE, SAYS + f" {SAYS[7:]}" * 20),
        (f"Page {{}} of 60 {NOTICE}", SAYS),
    ],
)
def test_what_stands_at_the_foot_of_each_page_is_set_aside(foot, below):
    feet = [foot.format(number) for number in range(2, 8)]
    text = "\n\n".join(f"{below.format(who)}\n\n{one}" for who, one in zip(WHO, feet))
    assert find_aside_lines(text) == "\n\n".join(feet).split("\n\n")


def test_the_number_of_a_page_and_of_all_tells_the_foot_of_a_single_page():
    foot = "Case 18-10248- MFW Doc 632-1 Filed 04/18/18 Page 3 of 60"
    assert find_aside_lines(f"{SAYS}\n\n{foot}\n\n{SAYS}") == [foot]
    assert find_aside_lines(f"{SAYS}\n{foot}\nsays so. {SAYS}") == []


@pytest.mark.parametrize(
    "formula, after",
    [
        (
            "NOW, THEREFORE, BE IT RESOLVED, that the Board of Directors of the Clear Fund",
            "\ndoing business as Givers hereby approves the {}.",
        ),
        ("FURTHER RESOLVED, that the officers may sign all documents.", "\n\nThe {} is approved."),
        ("The Contract Year 2011 Fee shall be paid as follows:", "\n\n{}: half of it in May."),
    ],
)
def test_what_a_text_says_more_than_once_is_not(formula, after):
    parts = (f"APPROVAL\n\n{formula}{after.format(one)}" for one in ("budget", "audit", "report"))
    assert find_aside_lines("\n\n".join(parts)) == []
    years = (formula.replace("2011", str(year)) for year in (2011, 2012))
    assert find_aside_lines("The fees\n\n" + "\n\n".join(years)) == []


def test_who_made_a_book_is_set_aside():
    start, said, end = BOOK.split("\n\n")
    text = "\n\n".join([start, "\n".join(MADE), said, end])
    assert find_aside_lines(text) == [start, *MADE, end]
    assert find_aside_lines("\n".join(MADE)) == []
