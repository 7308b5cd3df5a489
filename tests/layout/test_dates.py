import datetime

import pytest

from spacy_thematic.lang import get_words, iter_languages
from spacy_thematic.layout.dates import find_date, find_date_at_end, find_order, is_date
from spacy_thematic.layout.headings import clean_heading


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("2024-05-31", "2024-05-31"),
        ("2024-05-31T10:00:00Z", "2024-05-31"),
        ("2024-05-31 10:00", "2024-05-31"),
        ("2024-05", "2024-05"),
        (2024, "2024"),
        (datetime.date(2024, 5, 1), "2024-05-01"),
        ("2024-13-01", ""),
        ("2024-02-30T10:00", ""),
        ("0000", ""),
        ("31.5.2024", ""),
        ("05/31/2024", ""),
        ("20240531", "2024-05-31"),
        ("2024-5-3", "2024-05-03"),
        ("3-May-24", "2024-05-03"),
        ("31 May 2024", "2024-05-31"),
        ("May  2024", "2024-05"),
        ("Fri, 31 May 2024 10:00:00 GMT", "2024-05-31"),
        ("Fri, 31 Feb 2024 10:00:00 GMT", ""),
        ("3 May 99999999999999999999 10:00", ""),
        ("2024053", ""),
        ("1609072000", ""),
        ("1600000000", ""),
        ("44000", ""),
        ("31/05/24", ""),
        ("Q2 2024", "2024-04"),
        ("2024-Q1", "2024-01"),
        ("2024Q4", "2024-10"),
        ("Q5 2024", ""),
        ("FY2024Q1", ""),
        ("Boats, Oct 30, 2024, 5:30 p.m. ET", "2024-10-30"),
        ("July 31, 2025 at 8 a.m. ET", "2025-07-31"),
        (None, ""),
    ],
)
def test_dates_are_those_that_can_be_read_in_one_way(value, found):
    assert find_date(value) == found


@pytest.mark.parametrize(
    ("values", "found"),
    [
        (["1/1/20", "1/13/20", "2/2/21"], ["2020-01-01", "2020-01-13", "2021-02-02"]),
        (["1.1.20", "13.1.20", "14.1.20"], ["2020-01-01", "2020-01-13", "2020-01-14"]),
        (["20/1/1", "20/1/13", "21/2/2"], ["", "", ""]),
        (["1/1/20", "2/2/21"], ["", ""]),
    ],
)
def test_years_of_two_digits_are_read_where_the_order_shows(values, found):
    order = find_order(values)
    assert [find_date(value, order) for value in values] == found


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("3. März 2021", "2021-03-03"),
        ("31. DEZEMBER 2021", "2021-12-31"),
        ("1er mai 2021", "2021-05-01"),
        ("14 août 2021", "2021-08-14"),
        ("3 de mayo de 2021", "2021-05-03"),
        ("2 giugno 2021", "2021-06-02"),
        ("3 maart 2021", "2021-03-03"),
        ("25 de abril de 2021", "2021-04-25"),
        ("6 juni 2021", "2021-06-06"),
        ("11 listopada 2021", "2021-11-11"),
        ("9 мая 2021", "2021-05-09"),
        ("30. Februar 2021", ""),
        ("3. May 2021", ""),  # Not English.
        ("3 mai 21", ""),
    ],
)
def test_days_are_read_in_every_language_that_names_its_months(value, found):
    assert find_date(value) == found
    assert find_date_at_end(f"Oslo, {value}") == found
    assert find_date_at_end(f"{value}, Oslo") == ""
    assert not is_date(value) or "May" in value
    if found:
        assert clean_heading(value.title()) == value.title()


@pytest.mark.parametrize(
    ("value", "found"),
    [("Mai 2021", "2021-05"), ("março de 2021", "2021-03"), ("апреля 1921", "1921-04")],
)
def test_months_are_read_in_every_language_that_names_them(value, found):
    assert find_date(value) == found
    assert find_date_at_end(value) == ""
    assert find_date(f"in {value}") == ""


def test_what_may_be_no_month_is_no_line_of_a_date():
    assert is_date("March 2020") and not is_date("Mars 2020")
    assert clean_heading("2 Mars Missions") == "Mars Missions"
    assert clean_heading("2 May") == "2 May"


def test_a_name_of_a_month_is_that_of_one_month():
    months = {}
    for language in iter_languages():
        names = get_words(language).months
        assert len(names) in (0, 12), language
        for number, name in enumerate(names):
            assert months.setdefault(name.lower(), number) == number
    assert len(months) > 80
