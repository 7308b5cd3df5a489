import pytest

from spacy_thematic.clustering.boilerplate import Repeats, find_said

FOOTER = "Page 9 of the list"


ITEM = "Git"


@pytest.mark.parametrize(
    "text, n, of, expected",
    [
        (FOOTER, 5, 100, True),
        (FOOTER, 4, 4, False),
        (FOOTER, 5, 101, False),
        ("## Steps to reproduce:", 7, 112, True),
        ("## Steps to reproduce:", 6, 112, False),
        ("Best regards,", 14, 112, True),
        ("Data analysis", 13, 112, False),
        ("Yes", 28, 112, True),
        (ITEM, 27, 112, False),
    ],
)
def test_boilerplate_stands_in_more_texts_the_shorter_it_is(text, n, of, expected):
    texts = [[f"Text {'x' * (i + 2)}", text if i < n else "More"] for i in range(of)]
    assert bool(Repeats.of_texts(texts).find_boilerplate() - {"more"}) is expected


def test_boilerplate_is_the_same_with_other_numbers_marks_and_spaces():
    forms = ["- [x] Page 12 of  the List", "**page 3 of the list**", FOOTER, "Page of the list"]
    texts = [[f"Text {'x' * (i + 2)}", forms[i % 4]] for i in range(8)]
    assert Repeats.of_texts(texts).find_boilerplate() == {"page of the list"}
    # Marks and numbers alone are no boilerplate, and no other sentence beside one either.
    assert not Repeats.of_texts([["---", "12.5"], ["---", FOOTER]] * 9).find_boilerplate()


def test_what_is_all_that_a_text_says_is_no_boilerplate():
    assert not Repeats.of_texts([[FOOTER, FOOTER]] * 9).counts
    assert find_said([FOOTER, "More"], {"page of the list"}).tolist() == [False, True]
    assert find_said([FOOTER, FOOTER], {"page of the list"}).tolist() == [True, True]
    assert not find_said([], {"page of the list"}).size


def test_what_is_frequent_in_texts_is_so_in_a_part_of_them():
    texts = [[f"Text {'x' * i}", *([FOOTER] if i % 4 == 0 else [])] for i in range(40)]
    parts = [Repeats.of_texts(texts[start : start + 7]) for start in range(0, 40, 7)]
    assert "page of the list" in set().union(*(part.find_frequent() for part in parts))
    again = [Repeats.of_texts(texts[start : start + 7], {"page of the list"}) for start in (0, 7)]
    assert [dict(one.counts) for one in again] == [{"page of the list": 2}] * 2
