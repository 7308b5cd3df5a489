import pytest

from spacy_thematic.clustering.boilerplate import Repeats, find_said

FOOTER = "Page 9 of the list"


@pytest.mark.parametrize("n, of, expected", [(5, 20, True), (4, 4, False), (5, 21, False)])
def test_boilerplate_stands_in_five_texts_and_in_a_quarter(n, of, expected):
    texts = [[f"Text {'x' * i}", "page 12 of  the List" if i < n else "More"] for i in range(of)]
    assert ("page 9 of the list" in Repeats.of_texts(texts).find_boilerplate()) is expected


def test_what_is_all_that_a_text_says_is_no_boilerplate():
    assert not Repeats.of_texts([[FOOTER, FOOTER]] * 9).counts
    assert find_said([FOOTER, "More"], {"page 9 of the list"}).tolist() == [False, True]
    assert find_said([FOOTER, FOOTER], {"page 9 of the list"}).tolist() == [True, True]
    assert not find_said([], {"page 9 of the list"}).size


def test_what_is_frequent_in_texts_is_so_in_a_part_of_them():
    texts = [[f"Text {'x' * i}", *([FOOTER] if i % 4 == 0 else [])] for i in range(40)]
    parts = [Repeats.of_texts(texts[start : start + 7]) for start in range(0, 40, 7)]
    assert "page 9 of the list" in set().union(*(part.find_frequent() for part in parts))
    again = [Repeats.of_texts(texts[start : start + 7], {"page 9 of the list"}) for start in (0, 7)]
    assert [dict(one.counts) for one in again] == [{"page 9 of the list": 2}] * 2
