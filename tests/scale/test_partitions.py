from pathlib import Path

import pytest
import srsly

from spacy_thematic.articles.sources import ReadLog, SourceError
from spacy_thematic.pipeline.texts import read_part, read_texts
from spacy_thematic.scale.embedding import plan_partitions


def read_all(partitions):
    for partition in partitions:
        for part in partition.parts:
            yield from read_part(part, ReadLog())


@pytest.mark.parametrize("size", [1, 700, 5_000, 10**9])
def test_every_text_is_in_one_partition_in_the_order_of_the_input(collection, size):
    expected = list(read_texts([collection], ReadLog()))
    assert len(expected) == 40
    partitions = plan_partitions([collection], size, ReadLog())
    assert list(read_all(partitions)) == expected
    assert [partition.number for partition in partitions] == list(range(len(partitions)))
    if size > 1:
        assert all(2 * partition.size >= size for partition in partitions[:-1])


def test_only_large_files_are_cut_and_small_ones_share_a_partition(collection):
    assert len(plan_partitions([collection], 10**9, ReadLog())) == 1
    parts = [
        part.path.name for p in plan_partitions([collection], 1, ReadLog()) for part in p.parts
    ]
    assert [parts.count(name) for name in ("a.jsonl", "b.jsonl.gz", "c.parquet")] == [25, 1, 3]


def test_lines_are_numbered_as_in_the_file(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'\xef\xbb\xbf\n{"text": "A."}\r\n\n\n{"text": "B."}\n{"text": "C."}')
    for size in (1, 5, 100):
        found = list(read_all(plan_partitions([path], size, ReadLog())))
        assert [(text.number, text.name) for text in found] == [(n, f"a {n}") for n in (2, 5, 6)]


def test_a_bad_line_is_named_by_its_number(tmp_path):
    path = tmp_path / "a.jsonl"
    srsly.write_jsonl(path, [{"text": "A."}, {"text": "B."}, {"body": "C."}])
    with pytest.raises(SourceError, match=r"a\.jsonl, line 3"):
        list(read_all(plan_partitions([path], 10, ReadLog())))


def test_a_row_without_text_is_passed_over_and_a_table_without_texts_is_named(tmp_path):
    from pyarrow import Table, parquet

    path = tmp_path / "a.parquet"
    parquet.write_table(Table.from_pylist([{"text": "A."}, {"text": None}]), path, row_group_size=1)
    read = read_all(plan_partitions([path], 1, ReadLog()))
    assert [text.paragraphs for text in read] == [["A."]]
    parquet.write_table(Table.from_pylist([{"body": "A."}]), path)
    with pytest.raises(SourceError, match="has the columns body: expected text"):
        list(read_all(plan_partitions([path], 1, ReadLog())))


@pytest.mark.parametrize("name", ["a00.txt", "a50.txt", "b99.txt"])
def test_a_file_that_is_added_moves_few_others_to_another_partition(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)  # What is cut where depends on the names, so these are the same.
    for number in range(400):
        (tmp_path / f"b{number:03}.txt").write_text("The river floods the valley in spring.")

    def plan():
        partitions = plan_partitions([Path()], 500, ReadLog())
        return {tuple(partition.names) for partition in partitions}

    before = plan()
    (tmp_path / name).write_text("The king fought a war.")
    assert len(plan() - before) < len(before) / 2 > 10
