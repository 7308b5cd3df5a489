"""The columns and fields that texts are read from."""

import json

import pyarrow
import pytest
from pyarrow import parquet

from spacy_thematic.articles.csv_records import Columns
from spacy_thematic.articles.sources import ReadLog, SourceError
from spacy_thematic.pipeline.texts import read_texts

COLUMNS = Columns("body", "nr", "When")
RECORDS = [
    {"nr": "one", "text": "no", "body": "Ships sail.", "when": "2024-01-02"},
    {"nr": "two", "text": "no", "body": "Kings wage wars.", "when": "2024-01-03"},
]


def read(path, log=None, columns=COLUMNS):
    texts = read_texts([path], ReadLog() if log is None else log, columns=columns)
    return [(text.name, text.paragraphs, text.date) for text in texts]


@pytest.mark.parametrize("kind", ["csv", "jsonl", "json", "parquet"])
def test_columns_may_have_any_names(tmp_path, kind):
    path = tmp_path / f"a.{kind}"
    columns = COLUMNS._replace(date="when")
    if kind == "csv":
        lines = [",".join(RECORDS[0]), *(",".join(record.values()) for record in RECORDS)]
        path.write_text("\n".join(lines))
        columns = COLUMNS
    elif kind == "parquet":
        parquet.write_table(pyarrow.Table.from_pylist(RECORDS), path)
        columns = COLUMNS
    elif kind == "jsonl":
        path.write_text("\n".join(map(json.dumps, RECORDS)))
    else:
        path.write_text(json.dumps(RECORDS))
    assert read(path, columns=columns) == [
        ("one", ["Ships sail."], "2024-01-02"),
        ("two", ["Kings wage wars."], "2024-01-03"),
    ]


def test_rows_that_do_not_fit_the_first_line_are_told(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("nr,body,when\n1,Ships sail.,\n2,Kings, and wars,2024\n3,Rain, and snow,2024\n")
    log = ReadLog()
    assert len(read(path, log)) == 3
    (problem,) = log.problems
    assert "more fields than the first line names: 2, the first on line 3." in problem
    with pytest.raises(SourceError, match="no column other: .*"):
        read(path, columns=Columns("other"))


@pytest.mark.parametrize("ending", ["csv", "parquet"])
@pytest.mark.parametrize("columns", [Columns("body", title="nobody"), Columns("body", date="day")])
def test_a_column_that_is_asked_for_must_be_there(tmp_path, ending, columns):
    path = tmp_path / f"texts.{ending}"
    if ending == "csv":
        path.write_text("body,nr\nThe river floods.,1\n")
    else:
        parquet.write_table(pyarrow.table({"body": ["The river floods."], "nr": ["1"]}), path)
    with pytest.raises(SourceError, match="nobody|day"):
        read(path, columns=columns)
    assert len(read(path, columns=Columns("body"))) == 1


@pytest.mark.parametrize(
    "header, columns, said",
    [
        ("text,Text", Columns(), "has several columns text, where one was"),
        ("text,when", Columns(date="day"), "no column day: .* so that it names day$"),
        ("PK\x03\x04,text", Columns(), "is a zip archive or a workbook.* export the table as CSV"),
        ("head,day", Columns(date="head"), "the column head is read as the text, for it has most"),
    ],
)
def test_a_column_is_one_and_the_text_nothing_else(tmp_path, header, columns, said):
    path = tmp_path / "a.csv"
    path.write_text(f"{header}\nThe river floods the valley,2024\n")
    with pytest.raises(SourceError, match=said):
        read(path, columns=columns)


def test_a_bad_row_is_told_where_the_column_of_the_text_is_looked_for(tmp_path):
    path, log = tmp_path / "a.csv", ReadLog(skip_bad=True)
    path.write_text(
        f"id,body\n1,A river floods the valley.\n2,{'x' * 2_000_000}\n3,Three ships sail.\n"
    )
    with pytest.raises(SourceError, match="line 3: not a row: a field has more than 1,048,576"):
        list(read_texts([path], ReadLog()))
    assert len(list(read_texts([path], log))) == 2
    assert log.count_unread() == 1


def test_the_first_column_may_be_quoted_after_a_byte_order_mark(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text('"title, long","text"\n"one","Ships sail."\n', "utf-8-sig")
    columns = Columns(title="title, long")
    assert read(path, columns=columns) == [("one", ["Ships sail."], "")]


@pytest.mark.parametrize("kind", ["jsonl", "parquet"])
def test_a_row_whose_text_is_null_stays(tmp_path, kind):
    path = tmp_path / f"a.{kind}"
    rows = [{"text": "Ships sail."}, {"text": None}]
    if kind == "jsonl":
        path.write_text("\n".join(map(json.dumps, rows)))
    else:
        parquet.write_table(pyarrow.Table.from_pylist(rows), path)
    assert [paragraphs for _, paragraphs, _ in read(path, columns=Columns())] == [
        ["Ships sail."],
        [],
    ]
