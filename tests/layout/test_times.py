"""Times before the lines of a transcript."""

import pytest

from spacy_thematic.layout.speech import drop_times

SAID = [
    *("Good evening everyone. Now I can water the field with", "two cans. This"),
    *("is a sprinkler, and I'm trying it.", "Farming is a lonely business."),
]
TIMES = ["0:00:00", "0:00:30", "0:00:48", "0:01:08"]


@pytest.mark.parametrize(
    "form",
    [
        *("[{}]  ", "({}) ", "{}\t", "{}: ", "**{}:**  ", "**[{}]** ", "[{}.250] ", "{}\n"),
        *("[{}-0:02:00] ", "{} – 0:02:00: ", "[{} --> 0:02:00] ", "**{}-0:02:00:** "),
    ],
)
def test_times_are_dropped_where_sentences_go_on(form):
    lines = [form.format(time) + line for time, line in zip(TIMES, SAID)]
    assert drop_times(["\n".join(lines)]) == ["\n".join(SAID)]
    assert drop_times(lines) == SAID


def test_times_of_paragraphs_of_their_own_are_dropped():
    paragraphs = [part for pair in zip(TIMES, SAID) for part in pair]
    assert drop_times(paragraphs) == [part for one in SAID for part in ("", one)]


@pytest.mark.parametrize(
    "lines",
    [
        # Each line says something.
        ["[0:10] Open the app.", "[0:20] Log in.", "[0:30] The map appears.", "[0:40] Save it."],
        ["9:00 Registration", "9:30 Opening of the fair", "10:00 Coffee and tea", "11:00 Talks"],
        ["9:00 coffee", "9:30 walk to the hall", "10:00 talks", "11:00 tea"],
        # A chat without names, and one with them.
        ["[10:02] hi Leo", "[10:03] Yes?", "[10:03] is it late?", "[10:04] no", "[10:05] Bye."],
        ["[10:02] Leo: is it the", "[10:03] Ann: valley. Yes", "[10:04] Leo: thanks."],
        # A log, and one time alone.
        ["12:00:01 Connecting to host", "12:00:02 Reading it", "12:00:03 done.", "12:00:09 Bye"],
        ["We met at ten and went on until", "12:30 when it was late. Then", "we ate."],
        [],
    ],
)
def test_other_times_stay(lines):
    assert drop_times(lines) == lines
    assert drop_times(["\n".join(lines)]) == ["\n".join(lines)]
