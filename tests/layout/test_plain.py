"""The blocks of plain texts of many kinds."""

import re
from textwrap import wrap

import pytest

from spacy_thematic.layout.blocks import BEGINNINGS, KINDS, Block
from spacy_thematic.layout.line_numbers import find_line_numbers
from spacy_thematic.layout.lines import drop_index_terms, join_hyphens
from spacy_thematic.layout.plain import DETECTORS, read_plain


def find(text, *kinds):
    return [text[b.start : b.end] for b in read_plain(text) if b.kind in kinds]


WRAPPED = """The pump stands by the old mill, and it
has run since the spring of last year. In
the summer it was stopped twice.
The council paid for a new valve, which
came from the works across the river.
- The first was too small, so that it
  could not be used at all.
- The second fits.
"""


def test_paragraphs_of_wrapped_text_end_where_a_line_is_short():
    assert find(WRAPPED, "paragraph") == ["\n".join(WRAPPED.split("\n")[:3]),
                                          "\n".join(WRAPPED.split("\n")[3:5])]  # fmt: skip
    assert [item[:12] for item in find(WRAPPED, "item")] == ["- The first ", "- The second"]


def test_a_paragraph_between_the_lines_of_a_list_may_be_wrapped():
    prose = (
        "The pump stands by the old mill, and it has run since\n"
        "the spring of last year. In the summer it was stopped\n"
        "twice, and the council paid for a new valve, which came\n"
        "from the works across the river, as everybody knows."
    )
    rows = "\n".join(f"{n}  pump {n}\tthe {word} valve" for n, word in enumerate("abcdefghijk"))
    assert find(f"{rows}\n\n{prose}\n\n{rows}\n", "paragraph")[1] == prose
    by_lines = [*read_plain(f"{rows}\n\n{prose}\n\n{rows}\n", lines="yes")]
    assert sum(block.kind == "line" for block in by_lines) == 26


LEE = "Between him and Lee there was a steady friendship, in spite of their characters. "


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("He had hoped that her views would be dull; but he", "soon found that they were not."),
        ("Ann was endeared to", "Lee by his ease and his temper, and was glad."),
    ],
)
def test_paragraphs_of_a_line_each_may_be_broken(first, second):
    others = [f"{LEE * (n % 4 + 1)}They met {n} times." for n in range(20)]
    assert find("\n".join([*others, LEE * 2 + first, second, LEE + second]), "line") == [
        *others,
        f"{LEE * 2}{first}\n{second}",
        LEE + second,
    ]
    # Neither a short one nor where lines often end so.
    for lines in ([*others, first, second], [*others, *[LEE * 2 + first, second] * 3]):
        assert find("\n".join(lines), "line") == lines


def test_lists_are_lines_in_lower_case_too():
    headlines = [
        "council agrees to close two libraries",
        "how the river got its name",
        "storm damage: what it costs and who pays for it in the end",
        "goats on the loose",
        "new trains, old delays on the northern line",
    ]
    assert find("\n".join(headlines), "line") == headlines
    groups = "\n".join(headlines[:3]) + "\n\n" + "\n".join(headlines[3:])
    assert find(groups, "line") == headlines
    assert len(find(groups, "paragraph")) == 2


def test_reviews_in_lower_case_are_lines():
    reviews = [
        "works well. it never stops when i lock the screen, and the widget is a joy to use too.",
        "crashes",
        "too many advertisements!",
        "nice but slow",
        "why can i not sort my songs? please bring that back.",
        "good.",
    ]
    assert find("\n".join(reviews), "line") == reviews


def test_wrapped_items_between_lines_are_whole():
    items = [
        "* The list of streets is grey until the\n    Pump Company has sent it to the boat",
        "* Mend the pump",
        "* Better handling of the valve and of the\nhose",
        "* Boats in the harbour have three colours",
        "* Fruit",
    ]
    assert find("\n".join([*items, "    Pears", "    Plums"]), "line") == [*items, "Pears", "Plums"]
    said = ["Ann: The pump by the old mill is mended", "Leo: Good", "Ann: It runs", "Leo: I see it"]
    lines = [
        f"{said[0]}\n  Nobody knows by whom",
        *said[1:],
        "It rains on the boats of the harbour",
    ]
    assert find("\n".join([*lines, "  Boats sail"]), "line") == [*lines, "Boats sail"]


PAGES = """The committee met in the spring to see what had become of the plan that
was made in the year before, and found that little of it had been
Town Council of Eastwick 2021 Report
Page 1 of 3
done. The costs had risen by a third, and the builder had asked for more
time. It was agreed to wait, for nobody could say when the steel would
Town Council of Eastwick 2021 Report
Page 2 of 3
come. In the autumn the bridge was closed, so that the bus had to go by
the old road, which is narrow and steep.
Town Council of Eastwick 2021 Report
Page 3 of 3
"""


def test_what_stands_on_each_page_is_set_aside():
    assert find(PAGES, "aside") == [
        line for line in PAGES.split("\n") if line.startswith(("Town", "Page"))
    ]


def test_lines_of_running_heads_are_set_aside_together():
    heads = ["Boats of the sea", "A review", "Draft of the first part"]
    pages = [
        # The lines of a draft have numbers.
        "\n\n".join(
            [*map(str, range(20 * n, 20 * n + 19)), f"They sail {n * 'far '}on.", str(n), *heads]
        )
        for n in range(1, 7)
    ]
    found = find("\n\n".join(pages), "aside")
    assert [line for line in found if not line.isdecimal()] == heads * 6


def test_a_running_head_may_tear_a_word_or_a_list():
    ends = [("the old ar-", "gument"), ("by the sea,", "river"), ("at the mill,", "house")]
    said = "The crew met at noon, and spoke of boats and of what is left of them. So it was."
    text = "\n".join(
        f"{said}\nThey met {before}\n{n} BOATS AND DAYS\n{after} of the town. {said}"
        for n, (before, after) in enumerate(ends, 24)
    )
    assert find(text, "aside") == [f"{n} BOATS AND DAYS" for n in (24, 25, 26)]


def test_the_ends_of_paragraphs_that_are_alike_are_no_heads_of_pages():
    pages = (
        f"The {name} shall pay what is due to the agent for each day up\nto such day.\n"
        f"\n{number}\n<PAGE>\n\nThe {name} may give notice of it to all of the others at once.\n"
        for number, name in enumerate(("bank", "borrower", "lender"), start=8)
    )
    found = find("\n".join(pages), "aside")
    assert "to such day." not in found and found.count("<PAGE>") == 3


def test_numbers_of_pages_between_blank_lines_are_set_aside():
    pages = [
        f"The river rises, and floods the valley of the king.\n\nA. Lee  [Page {n}]\n"
        for n in (8, 9)
    ]
    assert find("\n".join(pages), "aside") == ["A. Lee  [Page 8]", "A. Lee  [Page 9]"]


def test_headings_between_the_lines_of_wrapped_text():
    text = PAGES.replace("come. In the autumn", "come.\n2.1 The bridge\nIn the autumn")
    assert find(text, "heading") == ["2.1 The bridge"]


def test_what_goes_on_in_a_bracket_heads_nothing():
    term = '"Bank Rate" means, for any day, the rate per annum'
    line = "on loans that banks make to each other on that day in the city, as each bank says."
    text = f"It begins.\n\n{term}\n(rounded upward) {line}\n{line}\n{line}\n\nIt ends.\n"
    assert find(text, "heading") == []


@pytest.mark.parametrize(
    "lines",
    [
        ["[10:02] <ann> are the boats ready", "[10:03] <leo> they are", "[10:04] <ann> good"],
        ["Ann: Are the boats ready?", "Leo: They are.", "Ann: Good.", "Leo: We leave at six."],
        ["**Ann Lee:** Are they ready?", "**Leo:** Yes.", "**Ann Lee:** Good.", "**Leo:** Fine."],
        ["12/05/2026, 9:02 AM - Leo: They are.", "12/05/2026, 9:04 AM - Ann: Good.",
         "12/05/2026, 9:05 AM - Leo: We leave at six."],
        ["[Ann] [0:12] They are.", "[Leo] [0:15] Good.", "[Ann] [0:19] We leave at six."],
        ["[00:00:02 - 00:00:04] Ann: They are.", "[00:00:05 --> 00:00:07] Leo: Good.",
         "[00:00:08 → 00:00:09] Ann: We leave at six."],
        ["Speaker_1 [00:02 --> 00:04]  They are.", "Speaker_2 [00:05 --> 00:07]  Good.",
         "Speaker_1 [00:08 --> 00:09]  We leave at six."],
        [f"2026-11-25 10:0{n}:11,7 - INFO  [a=b]/0:0{n}@4] - a door shut" for n in range(6)],
        [f"[Sun Dec 04 04:4{n}:44 2005] [notice] a door shut" for n in range(6)],
        [f"0811{n} INFO {name}: a door shut" for n, name in enumerate(["a.b$c", "a.d", "e"] * 2)],
        [f"10:0{n} < leo> a door is shut" for n in range(4)],
        [f"Nov 25 10:0{n}:11 web-{n} sshd[24{n}]: a session was closed" for n in range(6)],
        [f"Nov 25 10:01:1{n} web {name} a door is shut"
         for n, name in enumerate(["kernel:", "sshd(pam)[24]:", "sm-mta[5]:"] * 2)],
        [f"2026-11-25 10:01:1{n} {name} a door is shut"
         for n, name in enumerate(["INFO (Main) [a.b]", "WARN (Thread-8) [c]"] * 3)],
    ],
)  # fmt: skip
def test_what_stands_before_what_is_said(lines):
    text = "\n".join(lines)
    before = [b for b in read_plain(text) if b.kind in BEGINNINGS]
    assert len(before) == len(lines) and len({b.kind for b in before}) == 1
    said = [text[b.end :].split("\n")[0].strip() for b in before]
    assert all(line.endswith(part) and part for line, part in zip(lines, said))
    assert not any(mark in part for part in said for mark in "<>*[]0")


@pytest.mark.parametrize(
    "names",
    [
        ["Ann Lee: 00:00:12", "Leo: 00:00:15", "Ann Lee: 00:00:19", "Leo: 00:00:31"],
        ["[Ann] [0:12]", "[Leo] [0:15]", "[Ann] [0:19]", "[Leo] [0:31]"],
        ["You said:", "Boat AI said:", "You said:", "Boat AI said:"],
        ["Ann (0:12 - 0:15)", "Leo (0:15 - 0:19)", "Ann (0:19 - 0:31)", "Leo (0:31 - 0:35)"],
        ["[00:00:12.900] - Ann", "[00:00:15.100] - Leo"] * 2,
        ["0:12 Ann Lee", "0:15 Leo", "0:19 Ann Lee", "0:31 Leo"],
    ],
)
def test_names_with_times_above_what_is_said_are_speakers(names):
    text = "\n\n".join(f"{name}\n\nThe boats are ready." for name in names)
    assert [text[b.start : b.end] for b in read_plain(text) if b.kind == "speaker"] == names


REPLIES = ["The boats are ready,\nand we leave at six.", "Where to?", "To the lake.", "Why?"]


@pytest.mark.parametrize("day", ["2/1/2025", "01-Feb-25", "01/02/2025,"])
def test_chats_of_discord(day):
    names = ["ann_42", "Leo (pinned)", "deleted-user#01"]
    said = "Is there a live session?\n\n{Reactions}\n👍 (2) ❤️\n\n{Embed}\na.org\nDocs of it"
    turns = [f"[{day} 3:0{n} PM] {name}" for n, name in enumerate(names * 2)]
    head, foot = ("\n".join(["=" * 9, *said, "=" * 9]) for said in (["Guild: A"], ["Exported 6"]))
    chat = "\n\n".join([head, *(f"{turn}\n{said}" for turn in turns), f"{turns[0]}\n", foot])
    assert find(chat, "speaker") == [*turns, turns[0]]
    asides = [*head.split("\n"), *said.split("\n\n", 1)[1].split("\n") * 6, *foot.split("\n")]
    assert find(chat, "aside") == [line for line in asides if line]
    assert find(chat, "paragraph") == ["Is there a live session?"] * 6
    log = "\n\n".join("[2025-01-02 10:02] Started" for n in range(6))
    assert not find(f"{log}\n\n{{Reactions}}", "speaker")


def test_reactions_in_chats_of_zoom_are_asides_and_replies_are_said():
    names = ["Ann Lee", "Leo", "Kim"] * 2
    said = [f"00:1{n}:05\t{name}:\tThe boats are ready." for n, name in enumerate(names)]
    reply = '00:17:01\tLeo:\tReplying to "The boats are..."'
    reactions = ['00:17:02\tAnn Lee:\tReacted to "The boats…" with 👍', "00:17:09\tKim:\t[a.png]"]
    chat = "\n".join([*said, reply, "", "Boats of oak", "Boats of ash", *reactions])
    assert find(chat, "aside") == [reply, *reactions] and not find(chat, "heading")
    assert find(chat, "line")[-2:] == ["Boats of oak", "Boats of ash"]


def test_a_name_may_have_more_in_brackets():
    names = ["Ann Lee (she): ", "Leo (IBM): ", "Ann Lee: [00:01:02] "] * 2
    lines = [f"{name}The boats of {place} are ready." for name, place in zip(names, "ABCDEF")]
    assert find("\n".join(lines), "speaker") == names


def test_who_joins_a_chat_is_an_aside():
    joined = "10:02:11 <ann> ann has joined #boats"
    said = [
        f"10:03:1{n} <{name}> ann has left the hall" for n, name in enumerate(["ann", "leo"] * 3)
    ]
    assert find("\n".join([joined, *said]), "aside") == [joined]


def test_who_speaks_elsewhere_and_what_nicks_do_is_said_in_a_chat():
    names = ["10:02 < ann> ", "10:02 < bridge> <leo> ", "10:03  * ann ", "[10:04] <leo> "] * 3
    lines = [f"{name}hopes that boat {n} is ready" for n, name in enumerate(names)]
    comes = ["10:05  * ann has joined #boats", "10:05 * leo (l@a.org) has quit (Bye)"]
    comes += ["10:06 * kim is late", "10:06 < Zakim> I see no one on the queue"]
    chat = "\n".join([*lines, *comes, "10:07 < ann> <b> is a tag"])
    assert find(chat, "speaker") == [*names, "10:07 < ann> "]
    assert find(chat, "aside") == comes


def test_chats_in_columns():
    names = ["2020-11-02 19:01:03\tann\t", "2020-11-02 19:01:12\t *\tann ", "19:02:12\t@leo_\t"]
    lines = [f"{name}hopes that boat {n} is ready" for n, name in enumerate(names * 3)]
    comes = "2020-11-02 19:03:03\t-->\tkim (~k@b.org) has joined #boats"
    chat = "\n".join([*lines, comes])
    assert find(chat, "speaker") == names * 3
    assert find(chat, "aside") == [comes]
    assert not find("\n".join(lines[::3]), "speaker")


@pytest.mark.parametrize("gap", ["\n", "\n\n"])
@pytest.mark.parametrize(
    "names",
    [
        ["ANN LEE", "LEO (V.O.)"],
        ["Ann", "Leo"],
        ["Moderator", "P1"],
        ["Ann M. Lee--Chair, Boats and Docks", "Leo--Lakes Inc. -- Analyst"],
        ["Ann Lee, Chair", "Leo Kim – Analyst"],
        ["Ann Lee - Chair", "Leo Kim — Lakes"],
    ],
)
def test_names_that_repeat_above_what_is_said_are_speakers(names, gap):
    turns = [f"{name}{gap}{said}" for name, said in zip(names * 4, REPLIES * 2)]
    text = "INT. A HARBOUR - DAY\n\n" + "\n\n".join(turns)
    assert [text[b.start : b.end] for b in read_plain(text) if b.kind == "speaker"] == names * 4


@pytest.mark.parametrize(
    "names", [["Yes", "No"], ["Returns", "Example"], ["Ann", "Leo", "Kim", "Lee"], ["Ann"] * 2]
)
def test_other_short_lines_that_repeat_are_no_speakers(names):
    turns = [f"{name}\n{said}" for name, said in zip((names * 4)[:8], REPLIES * 2)]
    turns += ["It returns what it did in the example, and each example returns it."] * 4
    assert not find("\n\n".join(turns), "speaker")


@pytest.mark.parametrize(
    ("seldom", "names"),
    [("Kim Low", ["Ann", "Leo"]), ("Bo Day--Analyst", ["Ann Lee--Chair", "Leo--Analyst"])],
)
def test_beside_speakers_a_name_that_others_say_or_with_a_title_is_one_too(seldom, names):
    turns = [f"{name}\n\n{said}" for name, said in zip(names * 4, REPLIES * 2)]
    more = [f"{seldom}\n\nI ask.", "Boat Show\n\nMr. Low came to the show by boat."]
    found = find("\n\n".join([*turns, *more]), "speaker")
    assert found == [*names * 4, seldom]


def test_what_is_said_may_stand_right_after_the_colon():
    turns = [f"{name}:{said}" for name, said in zip(["Ann Lee", "Leo"] * 4, REPLIES * 2)]
    assert find("\n\n".join(turns), "speaker") == ["Ann Lee:", "Leo:"] * 4


def test_speakers_of_whom_nobody_is_sure():
    names = ["Ann:", "?:", "Leo ?:", "Ann:", "?:", "Leo:", "?:", "Leo:"]
    text = "\n\n".join(f"{name} The quay has to be mended." for name in names)
    assert [name.strip() for name in find(text, "speaker")] == names


def test_press_releases_are_no_speakers():
    turns = [f"Press Release\nThe new boat {n}\n\nRead More" for n in range(9)]
    assert not find("\n\n".join(turns), "speaker")


@pytest.mark.parametrize(("name", "n"), [("MODERATOR", 3), ("NOTE", 0)])
def test_one_who_asks_may_be_the_only_one_with_a_name(name, n):
    text = "\n".join(f"The boat {n} is ready.\nSo I go.\n{name}: Where to?" for n in range(3))
    assert len(find(text, "speaker")) == n


@pytest.mark.parametrize(
    "lines", [["You said:", "Leo said:"], ["Ingredients:", "Method:"] * 2, ["You said: go"] * 2]
)
def test_other_lines_that_end_in_a_colon_are_no_speakers(lines):
    text = "\n\n".join(f"{line}\nThe boats are ready, and we leave at six." for line in lines)
    assert not find(text, "speaker")


def test_names_in_capitals_above_most_lines_are_those_of_a_play():
    play = (
        "Act I\n\nThe room of Anna's aunt. ANNA and OLD LEO sit by the fire.\n\n"
        + "ANNA. It rains.\n\nOLD LEO [rising]. It always rains here. I shall go to the sea, where "
        "it does not.\n\nANNA. Stay.\n\n" * 3
    )
    found = [play[b.start : b.end].strip() for b in read_plain(play) if b.kind == "speaker"]
    assert found == ["ANNA.", "OLD LEO [rising].", "ANNA."] * 3
    report = "The report of the council says what was done and what is left to do.\n" * 20
    assert not find(play[70:] + report * 5, "speaker")


def test_who_speaks_once_is_a_speaker_where_others_in_capitals_are():
    said = "Thank you. I rise to say that the dams hold no water at all.\n"
    names = ["MR. LEE:", "MS. DAY:"] * 3 + ["MR. FOX:"]
    text = "".join(f"{name} {said}{said * 3}" for name in names)
    assert [name.strip() for name in find(text, "speaker")] == names
    assert "Note:" not in find(text + f"Note: {said}", "speaker")


def test_members_of_congress_are_speakers():
    names = [
        "Mr. LEE.",
        "The PRESIDING OFFICER (Ms. Day).",
        "Mrs. McCOY of Ohio.",
        "Senator VAN DAM.",
    ]
    said = "Thank you, Mr. Lee. I rise to say that the dams of the state hold no water at all.\n"
    hearing = "".join(f"    {name} {said}{said * 9}" for name in names)
    assert [name.strip() for name in find(hearing, "speaker")] == names
    assert not find(hearing.replace("Mr. LEE.", "Part II.")[: 15 * len(said)], "speaker")


def test_what_happens_when_is_no_speaker_unless_names_repeat():
    text = "Breakfast: 7:30\n\nWe eat.\n\nCheck-out: 11:00\n\nWe pay.\n\nFerry: 12:15\n\nWe go."
    assert all(block.kind != "speaker" for block in read_plain(text))


@pytest.mark.parametrize(
    "line, after", [("{} Lunch Break", "{} Boats and docks of the lake"), ("[{}] Yep.", "Of oak?")]
)
def test_what_a_programme_repeats_is_no_speaker(line, after):
    lines = [each.format(f"1{n}:30") for n in range(6) for each in (line, after)]
    assert not find("\n".join(lines), "speaker")


def test_what_goes_on_in_angle_brackets_is_said_by_nobody():
    text = "A rule is written as a list of\n<m> occurrences of what it names, or more of them.\n"
    assert not find(text, "speaker")
    assert not find("</p> A rule has parts.\n</aside> So it has.\n" * 4, "speaker")


def test_who_speaks_in_a_play_may_be_in_italics():
    names = ["_Ann Lee._", "_Leo_."] * 4
    turns = [
        f"{name} The boat leaves from the green house, and {n} men\nrow."
        for n, name in enumerate(names)
    ]
    assert [name.strip() for name in find("\n\n".join(turns), "speaker")] == names


def test_notes_that_interrupt_a_book_are_set_aside():
    note = "[Footnote 1: The mill stood\n  by the river [the old one], and fell.]"
    picture = '[Illustration: "I see the mill"]'
    numbered = "    [52] A club of the town."
    text = "\n\n".join(
        ["The mill[52] is old.", numbered, "[53] It is by a river.", note, picture, "It runs."]
    )
    assert find(text, "aside") == [numbered.strip(), note, picture]
    assert not find(f"The mill is old.\n\n{note[:-1]}\n\nIt runs.", "aside")


def test_who_writes_in_whatsapp_may_be_a_telephone_and_what_nobody_typed_is_set_aside():
    number = "\u202a+92\xa0334\xa01290096\u202c"
    said = [
        ("Ann Lee of the Boat Crew", "The boat leaves from the green house at nine."),
        (number, "I have a lesson at nine, so I come later."),
        ("~\u202fLeo", "Then the boat waits for you at the mill."),
        (number, "Thank you, that is kind of you all."),
    ]
    turns = [f"[10/10/2021, 5:1{n}:44 PM] {who}: " for n, (who, _) in enumerate(said)]
    notices = [
        "[10/10/2021, 5:10:01 PM] Boat Crew: \u200eMessages and calls are end-to-end encrypted.",
        "[10/10/2021, 5:10:02 PM] \u200eAnn Lee added you",
        f"\u200e[10/10/2021, 5:20:44 PM] {number}: \u200eimage omitted",
        f"\u200e[10/10/2021, 5:21:44 PM] {number}: boats 2.zip \u200edocument omitted",
    ]
    lines = [*notices[:2], *(turn + text for turn, (_, text) in zip(turns, said)), *notices[2:]]
    text = "\n".join(lines)
    assert find(text, "speaker") == turns
    assert find(text, "aside") == notices


def test_each_term_of_a_glossary_is_none():
    terms = ["Valve: it shuts a pipe.", "Pump: it lifts water.", "Weir: it holds a river.", "Mill:"]
    assert not find("\n".join(terms), "speaker")


def test_who_comes_and_goes_is_set_aside_and_so_is_what_stands_for_a_picture():
    lines = [
        "[09:00] * ann (ann@host) has joined #boats",
        "[10:02] <ann> are the boats ready",
        "[10:03] <leo> they are",
        "[10:04] <ann> <Media omitted>",
        "[10:05] <leo> nice",
        "[10:09] * ann has quit",
    ]
    assert find("\n".join(lines), "aside") == [lines[0], lines[3], lines[5]]
    notices = [f"[11:{n}] * Quits: ann{n} (ann@host)" for n in range(10, 20)]
    assert find("\n".join([*notices, *lines]), "aside")[:11] == [*notices, lines[0]]


def test_code_and_tables():
    text = (
        "It runs.\n\n```sh\nmake all\n\nmake test\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nEnd."
    )
    assert find(text, "code") == ["```sh", "make all", "make test", "```"]
    assert len(find(text, "table")) == 3
    assert find("```\nnever closed", "code") == []


@pytest.mark.parametrize(
    "line, is_aside",
    [
        ("https://example.org/boats?id=3", True),
        ("image::boats.png[Boats]", True),
        ("* * *", True),
        ("-------- next part --------", True),
        ("Date/Time Formats", False),
        ("Thursday, 23 February 2006", True),
        ("The boat of 1969", False),
        ("Version 2.0 is out", False),
        ("Fees", False),
        ("河流淹没山谷", False),
    ],
)
def test_addresses_marks_and_dates_alone_are_asides(line, is_aside):
    text = f"It rains in the hills.\n\n{line}\n\nThe river rises, and floods the valley."
    assert (find(text, "aside") == [line]) == is_aside


@pytest.mark.parametrize(
    "days",
    [
        ["3 May 2021", "4 May 2021", "5 May 2021"],
        ["Fri 2026-05-15", "Sat 2026-05-16", "Sun 2026-05-17"],
    ],
)
def test_days_head_what_is_written_in_a_diary(days):
    text = "\n\n".join(f"{day}\n\nWe sailed on, and the wind was good all day." for day in days)
    assert find(text, "heading") == days and not find(text, "aside")


def test_headings_above_lines_of_marks_have_levels():
    text = "=====\nBoats\n=====\n\nThey sail.\n\nSails\n=====\n\nCloth.\n\nRopes\n-----\n\nLong.\n"
    found = [(text[b.start : b.end], b.level) for b in read_plain(text) if b.kind == "heading"]
    assert found == [("Boats", 1), ("Sails", 2), ("Ropes", 3)]


def test_words_that_were_broken_at_the_ends_of_lines_that_are_joined_are_joined_too():
    text = "The fer- vent advo- cates of educa- tion, pre- and post-war, met a qui- xyz. "
    whole = "The fervent advocates of education, pre- and post-war, met a qui- xyz. "
    assert join_hyphens(text * 4) == whole * 4
    assert join_hyphens(text * 3) == text * 3  # Too few to tell.


def test_words_that_are_broken_are_joined():
    text = "The com-\nputer is on-\nline, with well-\nknown parts. A well-known com-\nPANY.\n"
    assert join_hyphens(text) == (
        "The computer\nis online,\nwith well-known\nparts. A well-known com-\nPANY.\n"
    )
    assert join_hyphens("on-\nline") == "on-\nline"
    assert join_hyphens("A para- \ngraph, a com-\t\nputer, and a sen-\ntence.\n") == (
        "A paragraph,\na computer,\nand a sentence.\n"
    )
    compounds = "An on-\nthe-fly, three-\nletter, IBM-\nproprietary com-\nputer, up-to-\ndate-\n"
    compounds = f"{compounds}one, com-\nputers\n\ncom-\nputers"
    assert join_hyphens(compounds) == (
        "An on-the-fly,\nthree-letter,\nIBM-proprietary\ncomputer,\nup-to-date-\n"
        "one, computers\n\ncomputers"
    )
    german = "Flücht-\nlinge, Wirt-\nschaft, Gesell-\nschaft, Vor-\nund Nachteile"
    assert join_hyphens(german) == "Flüchtlinge,\nWirtschaft,\nGesellschaft,\nVor-\nund Nachteile"


def test_a_detector_of_ones_own_comes_first_or_last():
    def detect_debug(lines):
        yield from (Block("aside", x.start, x.end) for x in lines if x.text.startswith("DEBUG"))

    text = "DEBUG boats\n\nThe boats are ready.\n"
    assert not find(text, "aside")
    found = read_plain(text, [detect_debug, *DETECTORS.values()])
    assert found[0] == Block("aside", 0, 11) and {block.kind for block in found} <= {*KINDS}


@pytest.mark.parametrize("block", [Block("boat", 0, 3), Block("aside", 1, 3), Block("line", 0, 99)])
def test_what_a_detector_finds_beside_the_lines_is_named(block):
    with pytest.raises(ValueError, match="kind among"):
        read_plain("The boats.", [lambda lines: [block]])


def test_blocks_cover_all_that_is_said_in_order_whatever_ends_a_line():
    for text in (WRAPPED, PAGES):
        for end in ("\n", "\r\n", "\r"):
            own = text.replace("\n", end)
            blocks = [b for b in read_plain(own) if b.kind not in BEGINNINGS]
            assert "".join("".join(own[b.start : b.end].split()) for b in blocks) == "".join(
                own.split()
            )
            assert [*blocks] == sorted(blocks, key=lambda b: b.start)


def test_a_sentence_that_repeats_within_paragraphs_is_said():
    said = "rises in spring, when the snow melts. It floods\nthe valley and the town, and the"
    text = "\n".join(f"The {name} river\n{said}\n{name} people leave.\n" for name in "abc")
    assert not find(text, "aside")


def test_lines_that_repeat_with_the_ones_beside_them_are_said():
    said = (
        "If the boats that are of use to catch herring\nthe whole year (such as these) are here, "
        'by "the sea"\nbut not in {}, then they sail to it,\nall of them, and they come back with '
        "the cold\nwind of the spring.\n\nThe last lines of the lists of these boats say which of "
        "them\nare those that sail out to the sea. For example:\n\n  - {}\n"
    )
    text = "\n".join(said.format(name, name) for name in ("Oslo", "Bergen", "Bodin"))
    assert not find(text, "aside")


@pytest.mark.parametrize(
    "line",
    [
        "Ann Lee <ann@a.org> writes:",
        "Leo <leo at a.org> schrieb:",
        "On 6 July, Leo wrote:",
        "wrote:",
    ],
)
def test_what_introduces_a_quotation_is_set_aside(line):
    assert find(f"The boats are ready.\n\n{line}\n\n> When do we leave?\n", "aside")[0] == line
    assert "As he wrote:" not in find("As he wrote:\n\nThe boats are ready.\n", "aside")


def test_terms_of_an_index_are_no_text():
    text = "(((boats)))\nThe boats (((boats, on rivers))) sail.(((sails))) A ((keel)) is below.\n"
    assert drop_index_terms(text) == "The boats  sail. A keel is below.\n"
    assert drop_index_terms("Let x = ((1)) and (((y))).") == "Let x = ((1)) and (((y)))."


CONTENTS = """1 Of the river 4
2 Of the boats that go down the
river in spring 9
2.1 Of oars ........ 9
3 Of towns 12
4 Of the sea 31
Index 40"""
BODY = "\n".join(
    f"{'the' if n % 2 else 'of'} river rises below the hill, and the boats go down it with the tide"
    for n in range(12)
)


def test_running_heads_that_lost_their_number_are_asides():
    pages = [
        [f"and rest at {name}{line}. They sail from {line}{name} to" for line in "abcdefghijkl"]
        for name in "ABCDEFGHIJKL"
    ]
    heads = [f"{n} A. LEE" if n % 2 else f"ON THE BOATS {n}" for n in range(12)]
    heads[3] = heads[9] = "A. LEE"
    text = "\n".join(line for head, page in zip(heads, pages) for line in (head, *page))
    assert find(text, "aside") == heads
    titled = f"The sea.\nON THE BOATS\n{text}"
    assert find(titled, "aside") == heads, "a title is none"


def test_tables_of_contents_and_running_heads_are_asides():
    heads = ["Of the river 4", "Of the river 5", "Of the boats 6", "Of towns 8"]
    text = "\n".join([CONTENTS, *(f"{head}\n{BODY}" for head in heads)])
    assert find(text, "aside") == CONTENTS.split("\n") + heads


@pytest.mark.parametrize("ending", ["Article {n}", "In {y} she went to the town of Lee {y}"])
def test_numbers_that_rise_are_not_all_of_pages(ending):
    lines = [f"{ending.format(n=n, y=1900 + n)}\n{BODY}." for n in range(1, 9)]
    assert find("\n".join(lines), "aside") == []


def test_numbers_of_sections_make_headings_within_a_text():
    assert find(f"{BODY}\n2.1 Of oars\nThe {BODY}\n{BODY}", "heading") == ["2.1 Of oars"]


PATCH = """I have changed the pump so that it starts by itself.

diff --git a/pump.c b/pump.c
index 1a2b3c4..5d6e7f8 100644
--- a/pump.c
+++ b/pump.c
@@ -1,3 +1,3 @@ int main(void)
 int rate;
-rate = 1;
+rate = 2;

The old rate was too low for the long hose."""


def test_keys_and_signatures_are_code():
    key = "mQENBFRqy4RiGFfk3bG2uCMBAaH+A/9S3C84z9CKAJUCBRAqy4RiGFfk3bG2uCMB"
    signature = f"-----BEGIN PGP SIGNATURE-----\nVersion: 2.6\n\n{key}\n-----END PGP SIGNATURE-----"
    text = f"-----BEGIN PGP SIGNED MESSAGE-----\n\nWe sail at noon.\n\n{signature}\n\nAnn"
    lines = text.split("\n")
    assert find(text, "code") == [lines[0], *(line for line in lines[4:9] if line)]
    assert find(f"We sail.\n\n{key}\n\nAnn", "code") == [key]
    assert find("-----BEGIN CERTIFICATE-----\n\nWe sail at noon.", "code") == []


def test_changes_of_a_patch_are_code():
    assert find(PATCH, "code") == [line.strip() for line in PATCH.split("\n")[2:10]]


def test_threads_in_brackets_are_one_shape_of_a_log():
    threads = "MainThread", "Thread-8", "MainThread", "browser.local._276", "Thread-9", "Recorder"
    prefixes = [f"2021-01-02 23:27:44 ERROR ({thread}) [pump.http] " for thread in threads]
    assert find("".join(f"{prefix}The pump fails\n" for prefix in prefixes), "prefix") == prefixes


def test_who_marks_headings_marks_them_all():
    parts = "".join(f"== Part {n}\n\nThe pump runs.\n\n" for n in range(3))
    assert len(find(f"{parts}An example looks like this\n\nThe pump runs.", "heading")) == 3


def test_attributes_of_a_document_are_asides():
    assert find(":toc: left\nThe pump runs.\nIt ran.\n", "aside") == [":toc: left"]


def test_a_heading_underlined_by_tildes_opens_no_code():
    text = "New in 6\n~~~~~~~~\n- boats are fast\n\nNew in 5\n~~~~~~~~\n- the harbour is open\n"
    kinds = {block.kind for block in read_plain(text)}
    assert kinds == {"heading", "aside", "line"}


SAID = [
    "Ann: The ships that sail to the north in the spring carry more oil than those that go south.",
    "Leo: I heard that, but of the men who work on them nobody says a word, as far as I know.",
    "Ann: Then ask my brother, who has been the cook of such a ship for more than seven years, "
    "and never came home with as much as he had when he went.",
] * 5


@pytest.mark.parametrize(
    "write",
    [
        lambda n, line: f"{n:>4}  {line}",
        lambda n, line: f"{n % 23 + 1:02} {line}\r",
        lambda n, line: f"{line} {n}",
        lambda n, line: f"{n if n % 5 == 0 else '':>4}  {line}",
    ],
)
def test_numbers_of_lines_are_read_as_space(write):
    lines = [line for said in SAID for line in wrap(said, 40)]
    text = "\n".join(write(n, line) for n, line in enumerate(lines, 1))
    numbers = [text[start:end] for start, end in find_line_numbers(text)]
    assert numbers == re.findall(r"\d+", text)
    assert [re.sub(r"[\s\d]+", " ", one) for one in find(text, "paragraph")] == SAID
    assert len(find(text, "speaker")) == len(SAID)


@pytest.mark.parametrize(
    "text",
    [
        "".join(
            f"{n} {word}\n" for n, word in enumerate("The of and In it to I was for on".split())
        ),
        "".join(f"{n} The pump of the mill runs since spring {n}\n" for n in range(1, 30)),
        "".join(f"{5 * n} litres were left in the pump.\nIt ran\nall day.\n" for n in range(30)),
    ],
)
def test_numbers_of_items_and_of_things_are_no_numbers_of_lines(text):
    assert find_line_numbers(text) == []


@pytest.mark.parametrize(
    ("first", "second", "n"),
    [
        ("It was the year in which the old Ulysses", "S. Grant came down the river to see us", 1),
        ("It was the year in which the old ones came.", "S. Grant came down the river to us", 2),
        ("It was the year of ships", "S. Grant came down the river to see us all", 2),
    ],
)
def test_a_name_that_begins_on_the_line_above_is_no_item(first, second, n):
    around = [
        "The mud was deep that year and went as far",
        "as the quay, where the new boats lay still",
    ]
    text = "\n".join([*around, first, second, *around])
    assert len(read_plain(text)) == n
