"""Headings of plain texts that no mark, and perhaps no blank line, tells from other lines."""

import pytest

from spacy_thematic.layout.headings import clean_headings
from spacy_thematic.layout.plain import read_plain

HALL = "The village hall has a new roof, and the keys are with Joan again. "
HALL += "The tap by the old shed still drips."
TRIP = "A trip to the castle gardens was proposed for June by the club. "
TRIP += "The coach costs 300 pounds for the day."
BOATS = "The red boats were painted in spring, and nobody has sailed them since. "
BOATS += "The harbour is shut to all of them."
PARTS = HALL, TRIP, BOATS


def find(text, kind="heading", **settings):
    return [text[b.start : b.end] for b in read_plain(text, **settings) if b.kind == kind]


def put_above(titles, gap="\n", between="\n"):
    return between.join(f"{title}{gap}{part}" for title, part in zip(titles, PARTS, strict=True))


@pytest.mark.parametrize("word", ["Day", "Step", "Week"])
def test_what_is_counted_again_and_again_does_not_speak(word):
    lines = [f"{word} {n}: {line}" for _ in range(3) for n, line in enumerate(PARTS, start=1)]
    assert find("\n".join(lines), "speaker") == []


@pytest.mark.parametrize("names", ["1213213", "1212121", "3123132"])
def test_speakers_with_numbers_take_turns(names):
    lines = [f"Speaker {n}: {PARTS[int(n) - 1]}" for n in names]
    assert len(find("\n".join(lines), "speaker")) == len(names)


@pytest.mark.parametrize(
    "texts, expected",
    [
        (["6 Days in Lisbon", "12 Angry Men"], ["6 Days in Lisbon", "12 Angry Men"]),
        (["6. Days in Lisbon", "12) Men"], ["Days in Lisbon", "Men"]),
        (["5 Methods", "6 Results", "## 7 Notes"], ["Methods", "Results", "Notes"]),
        (["2 Methods", "2.1 Nets"], ["Methods", "Nets"]),
        (["24 August", "25 August"], ["24 August", "25 August"]),
        (["100 Greatest Shows", "2019 Report"], ["100 Greatest Shows", "2019 Report"]),
        (["Old Business –", "Boats :", "Ann - Leo"], ["Old Business", "Boats", "Ann - Leo"]),
    ],
)
def test_numbers_are_left_out_where_headings_are_numbered(texts, expected):
    assert clean_headings(texts) == expected
