import datetime as dt
import gzip

import pyarrow
import pytest
import srsly
from pyarrow import csv, parquet

from tests.cli.conftest import run, run_process

SENTENCES = {
    "river": "The river rises in the mountains and floods the valley. ",
    "king": "The king fought a war and his army lost the battle. ",
}
HEADED = "# Guide\r\n\r\n## Rivers\r\n\r\n{river}\r\n\r\n## Kings\r\n\r\n{king}\r\n"


@pytest.fixture
def folder(tmp_path):
    """Four texts in three formats, and what is none."""
    folder = tmp_path / "texts"
    (folder / "deep").mkdir(parents=True)
    long = {word: sentence * 5 for word, sentence in SENTENCES.items()}
    (folder / "a.md").write_bytes(HEADED.format(**long).encode())
    (folder / "b.html").write_text(
        "<html><meta charset=latin-1><h1>Caf\xe9</h1><p>{river}".format(**long), "latin-1"
    )
    (folder / "c.txt.gz").write_bytes(gzip.compress((long["king"] * 9).encode()))
    (folder / "deep" / "d.txt").write_text("Zo\xeb. " + long["river"])
    (folder / "e.jsonl").write_text('{"text": "Not read."}\n')
    return folder


def read(file, encoding="utf8"):
    content = file.read_bytes()
    return (gzip.decompress(content) if file.suffix == ".gz" else content).decode(encoding)


def test_a_line_for_each_chunk(folder, tmp_path):
    out = tmp_path / "new" / "chunks.jsonl"
    printed = run_process("chunk", folder, folder / "a.md", "--max-tokens", 80, "--out", out)
    rows = list(srsly.read_jsonl(out))
    assert f"Saved {out}: {len(rows)} chunks from 4 texts" in printed
    files = [folder / name for name in ("a.md", "b.html", "c.txt.gz", "deep/d.txt")]
    assert list(dict.fromkeys(row["source"] for row in rows)) == list(map(str, files))
    for file in files:
        text = read(file, "latin-1" if file.suffix == ".html" else "utf8")
        found = [row for row in rows if row["source"] == str(file)]
        assert "".join(text[row["start"] : row["end"]] for row in found) == text
        if file.suffix == ".html":
            assert "<" not in "".join(row["text"] for row in found)
        else:
            assert all(row["text"] == text[row["start"] : row["end"]] for row in found)
    assert [row["path"] for row in rows[:3]] == [["Guide", "Rivers"], ["Guide", "Kings"], ["Café"]]
    assert [row["heading"] for row in rows[:3]] == ["Rivers", "Kings", "Café"]
    assert sum(row["source"].endswith("gz") for row in rows) >= 7


def test_mails_keep_their_subjects(tmp_path):
    mail, out = tmp_path / "a.eml", tmp_path / "c.jsonl"
    mail.write_text("From: a@b.org\nSubject: Boats\n\nThe ships sail at noon.\n")
    run("chunk", mail, "--out", out)
    (row,) = srsly.read_jsonl(out)
    assert (row["title"], row["source"]) == ("Boats", f"{mail}:1")


def test_rows_of_a_table_are_texts(tmp_path):
    table, records, out = (tmp_path / name for name in ("a.csv", "b.jsonl", "c.jsonl"))
    table.write_text('id,body\n1,"# Kings\n\n\n\nThe king fought."\n2,\n3,Ships sail.\n')
    srsly.write_jsonl(records, [{"body": "A river."}, {"body": 5}])
    run("chunk", table, records, "--text-column", "body", "--out", out, "--skip-bad")
    rows = [(row["source"], row["path"], row["text"]) for row in srsly.read_jsonl(out)]
    assert rows == [
        (f"{table}:1", ["Kings"], "# Kings\n\nThe king fought."),
        (f"{table}:3", [], "Ships sail."),
        (f"{records}:1", [], "A river."),
    ]
    assert "no column text" in run("chunk", table, "--out", out, status=1)


def test_what_cannot_be_read_leaves_the_former_output(folder, tmp_path):
    out = tmp_path / "chunks.jsonl"
    run("chunk", folder / "a.md", "--out", out)
    former = out.read_text()
    (folder / "deep" / "z.txt").write_bytes(b"caf\x81")
    assert "z.txt" in run("chunk", folder, "--out", out, status=1)
    assert out.read_text() == former
    assert sorted(path.name for path in tmp_path.iterdir()) == ["chunks.jsonl", "texts"]
    assert "not UTF-8" in run("chunk", folder, "--out", out, "--skip-bad")
    assert {row["source"] for row in srsly.read_jsonl(out)} > {str(folder / "a.md")}


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["missing.txt"], 'no file or folder "missing.txt"'),
        (["--min-tokens", 300], "from 0 to 256 (max_tokens less the overlap)"),
    ],
)
def test_bad_arguments(arguments, message, folder, tmp_path):
    printed = run("chunk", folder, *arguments, "--out", tmp_path / "chunks.jsonl", status=1)
    assert message in printed
    assert not (tmp_path / "chunks.jsonl").exists()


def test_what_a_page_hides_is_told(tmp_path):
    (tmp_path / "a.html").write_text(
        "<p>Ships sail.</p><p hidden>Kings do.</p><table><td>4</table>"
    )
    printed = run_process("chunk", tmp_path / "a.html", "--out", tmp_path / "out.jsonl")
    assert "Left out of the texts: 1 hidden part: 40 % of the words" in printed
    (row,) = srsly.read_jsonl(tmp_path / "out.jsonl")
    assert row["text"] == "Ships sail.\n4"


def test_tokens_of_a_tokenizer_are_counted_and_lines_told(folder, tmp_path):
    tokenizers = pytest.importorskip("tokenizers")
    file, out = tmp_path / "tokenizer.json", tmp_path / "chunks.jsonl"
    text = read(folder / "a.md")
    wide = tokenizers.Tokenizer(tokenizers.models.WordLevel({"[UNK]": 0}, unk_token="[UNK]"))
    wide.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    wide.enable_truncation(8)
    wide.enable_padding(length=8)
    file.write_text(wide.to_str())
    wide.no_truncation()
    wide.no_padding()
    run("chunk", folder / "a.md", "--max-tokens", 40, "--tokenizer", file, "--out", out)
    rows = list(srsly.read_jsonl(out))
    assert max(len(wide.encode(row["text"])) for row in rows) <= 40 < len(wide.encode(text))
    assert all(row["line"] == 1 + text.count("\n", 0, row["start"]) for row in rows)
    assert rows[-1]["line"] > 1
    file.write_text("{}")
    assert "no tokenizer.json" in run("chunk", folder, "--tokenizer", file, "--out", out, status=1)


def test_markup_of_subtitles_and_rst_is_not_cut(tmp_path):
    film, page, out = tmp_path / "a.srt", tmp_path / "b.rst", tmp_path / "c.jsonl"
    film.write_text("1\n00:00:01,000 --> 00:00:04,000\nThe river rises.\n")
    page.write_text("See :ref:`the guide <guide>`.\n\n.. code-block::\n\n   x = 1\n")
    run("chunk", film, page, "--out", out)
    rows = {row["source"]: (row["text"], row["line"]) for row in srsly.read_jsonl(out)}
    code = "```\nx = 1\n```"
    assert rows == {
        str(film): ("The river rises.", 3),
        str(page): (f"See the guide.\n\n{code}", None),  # As the file names the label, too.
    }


def test_lines_of_chunks_of_other_markup_are_those_of_the_file(tmp_path):
    page, out = tmp_path / "a.rst", tmp_path / "b.jsonl"
    part = "{}\n{}\n\nThe `river <https://a.b>`_ rises. It (a < b) floods the valley > c.\n\n"
    headings = ["Rivers", "Uses", "More", "Uses"]
    text = f"Rivers: more uses\n\n{''.join(part.format(one, '-' * 9) for one in headings)}"
    page.write_text(text)
    run("chunk", page, "--out", out, "--max-tokens", 24, "--min-tokens", 1)
    rows = [(row["heading"], row["line"]) for row in srsly.read_jsonl(out)]
    assert rows == [("", 1), ("Rivers", 3), ("Uses", 8), ("More", 13), ("Uses", 18)]


def test_pages_of_a_dump_are_cut_below_their_headings(tmp_path):
    dump, out = tmp_path / "a.xml", tmp_path / "b.jsonl"
    page = "<page><title>Land</title><ns>{}</ns><revision><text>{}</text></revision></page>"
    text = "{{Box|a}} It is ''flat''.\n== Rivers ==\nA river rises.\n=== Floods ===\nIt floods."
    dump.write_text(f"<mediawiki>{page.format(0, text)}{page.format(1, text)}</mediawiki>")
    printed = run("chunk", dump, "--out", out, "--max-tokens", 12, "--min-tokens", 1)
    rows = [(row["source"], row["path"], row["text"].strip()) for row in srsly.read_jsonl(out)]
    assert rows == [
        (f"{dump}:1", [], "It is flat."),
        (f"{dump}:1", ["Rivers"], "## Rivers\n\nA river rises."),
        (f"{dump}:1", ["Rivers", "Floods"], "### Floods\n\nIt floods."),
    ]
    assert "1 page in other namespaces" in printed and "1 template" in printed


def test_what_markitdown_reads_is_cut(tmp_path):
    pytest.importorskip("markitdown")
    notebook, out = tmp_path / "a.ipynb", tmp_path / "b.jsonl"
    cell = {"cell_type": "markdown", "metadata": {}, "source": ["# Rivers\n", "A river rises."]}
    srsly.write_json(
        notebook, {"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    )
    run("chunk", notebook, "--out", out)
    (row,) = srsly.read_jsonl(out)
    assert row["path"] == ["Rivers"] and "cells" not in row["text"]


@pytest.mark.parametrize("ending", ["jsonl", "json", "csv", "parquet"])
def test_chunks_have_the_other_fields_of_their_record(tmp_path, ending):
    fields = {"id": "T-1", "date": "2026-02-01", "url": "https://x/1"}
    file, out = tmp_path / f"a.{ending}", tmp_path / "b.jsonl"
    table = pyarrow.Table.from_pylist([{**fields, "title": "Boats", "text": "The boats sail."}])
    if ending == "parquet":
        parquet.write_table(table, file)
    elif ending == "csv":
        csv.write_csv(table, file)
    else:
        file.write_text(srsly.json_dumps(table.to_pylist()[0]))
    run("chunk", file, "--out", out)
    (row,) = srsly.read_jsonl(out)
    assert row["metadata"] == {**fields, "title": "Boats"}


def test_the_text_is_no_metadata_whatever_its_name_and_values_are_those_of_json(tmp_path):
    table, rows, out = tmp_path / "a.csv", tmp_path / "a.parquet", tmp_path / "b.jsonl"
    records = tmp_path / "a.jsonl"
    records.write_text('{"text": "A ship.", "id": 1180591620717411303424}\n')
    table.write_text("id,What is wrong?\n1,The boats do not sail any more\n")
    values = {"Text": "A boat.", "on": dt.date(2026, 2, 1), "of": float("nan"), "id": 2**62}
    parquet.write_table(pyarrow.Table.from_pylist([values]), rows)
    run("chunk", table, rows, records, "--out", out)
    assert [row["metadata"] for row in srsly.read_jsonl(out)] == [
        {"id": "1"},
        {"on": "2026-02-01", "of": None, "id": 2**62},
        {"id": "1180591620717411303424"},
    ]


def test_mail_has_its_date_as_metadata(tmp_path):
    mail, out = tmp_path / "a.eml", tmp_path / "b.jsonl"
    mail.write_text("Subject: Boats\nDate: Tue, 3 Mar 2026 10:00:00 +0000\n\nThe boats sail.\n")
    run("chunk", mail, "--out", out)
    (row,) = srsly.read_jsonl(out)
    assert (row["title"], row["metadata"]) == ("Boats", {"date": "2026-03-03"})


def test_embedded_images_are_told(tmp_path):
    (tmp_path / "a.md").write_text(f"![A boat](data:image/png;base64,{'iVBO' * 99})\n")
    printed = run("chunk", tmp_path / "a.md", "--out", tmp_path / "b.jsonl")
    assert "1 embedded image" in printed
