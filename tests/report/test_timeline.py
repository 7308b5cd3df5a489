from spacy_thematic.report import render_page
from spacy_thematic.report.page import make_columns
from tests.pipeline.test_corpus_themes import find, make_doc


def test_days_become_months_and_years_where_there_are_many():
    days = {f"2024-05-{day:02}": {1: 1} for day in range(1, 25)}
    assert len(make_columns(days)) == 24
    months = {f"{year}-{month:02}-01": {1: 2} for year in (2023, 2024) for month in range(1, 13)}
    assert [*make_columns({**days, **months})][::23] == ["2023-01", "2024-12"]
    quarters = {f"{year}-{month:02}": {1: 1} for year in (2022, 2023) for month in range(1, 13)}
    found = make_columns({**quarters, "2024-01-31": {1: 2}, "2024": {2: 3}, "": {1: 9}})
    sizes = [(name, sum(counts.values())) for name, counts in found.items()]
    assert sizes[-3:] == [("2023-Q4", 3), ("2024", 3), ("2024-Q1", 2)]
    years = {f"{year}-05": {1: 1} for year in range(2010, 2020)}
    assert [*make_columns(years)] == [str(y) for y in range(2010, 2020)]


def test_notes_of_a_few_days_in_many_months_are_shown_by_month():
    days = {f"2024-{month:02}-{day}": {1: 1} for month in (1, 2, 3) for day in (11, 28)}
    assert make_columns(days) == {"2024-01": {1: 2}, "2024-02": {1: 2}, "2024-03": {1: 2}}


def test_one_date_is_no_timeline():
    assert make_columns({"2024-05-01": {1: 3}, "": {1: 2}}) == {}
    assert make_columns({}) == {}


def test_the_page_shows_how_much_there_was_of_a_theme_when():
    docs = [make_doc(["bees"] * 3 + ["ships"]), make_doc(["ships"] * 5, 1)]
    docs[0]._.thematic_date, docs[1]._.thematic_date = "2024-05", "2024-06"
    themes = find(docs, k=2)
    page = render_page(docs, timeline=themes.timeline)
    table = page[page.index("Themes over time") :]
    rows = table[table.index("<tbody>") : table.index("</tbody>")].split("</tr>")
    cells = [[cell.split("<")[0] for cell in row.split('number share"')[1:]] for row in rows[:2]]
    assert [[cell.split(">")[1] for cell in row] for row in cells] == [["1", "5"], ["3", ""]]
    assert 'scope="col" class="number">2024-06<' in table
    assert "Themes over time" not in render_page(docs)


def test_a_line_shows_the_share_of_a_theme_from_the_third_date_on():
    docs = [make_doc(["bees"] * 3 + ["ships"]), make_doc(["ships"] * 5, 1), make_doc(["bees"])]
    for month, doc in enumerate(docs, 4):
        doc._.thematic_date = f"2024-0{month}"
    themes = find(docs, k=2)
    page = render_page(docs, timeline=themes.timeline)
    lines = [line.partition('"')[0].strip() for line in page.split('points="')[1:]]
    assert set(lines) == {"0,0.25 1,1.00 2,0.00", "0,0.75 1,0.00 2,1.00"}
    del themes.timeline["2024-04"]
    assert "points=" not in render_page(docs, timeline=themes.timeline)
