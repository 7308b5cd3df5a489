import signal
from itertools import pairwise

import numpy as np
import pytest
from pyarrow import parquet

from spacy_thematic.articles.sources import ReadLog, SourceError
from spacy_thematic.engines import LocalEngine, WorkerLost
from spacy_thematic.naming.content import read_content
from spacy_thematic.naming.keywords import find_terms
from spacy_thematic.pipeline.loading import load_pipeline
from spacy_thematic.pipeline.texts import make_doc, read_texts
from spacy_thematic.scale import embedding
from spacy_thematic.scale.embedding import embed_files
from spacy_thematic.scale.search import search
from spacy_thematic.scale.store import SentenceStore, get_vectors, iter_blocks

SIZE = 3_000


def read_bytes(store):
    parts = range(store.record.n_partitions)
    return [store.part(number).read_bytes() for number in parts]


@pytest.mark.parametrize("model", ["en_thematic_sm", "en_thematic_md"])
def test_it_holds_what_the_pipeline_says_of_each_sentence(
    collection, embed, tmp_path, model, monkeypatch
):
    monkeypatch.setattr(embedding, "_BATCH_CHARACTERS", 2_000)  # Several zones of memory.
    store = embed(collection, tmp_path / "store", model=model, partition_bytes=SIZE)
    blocks = [
        block
        for number in range(store.record.n_partitions)
        for block in iter_blocks(store.part(number), ["id", "start", "end", "text", "words"])
    ]
    rows = [row for block in blocks for row in block.to_pylist()]
    parts = [store.part(number) for number in range(store.record.n_partitions)]
    vectors = np.concatenate([get_vectors(b) for p in parts for b in iter_blocks(p, ["vector"])])
    nlp = load_pipeline(model)
    docs = [nlp(make_doc(nlp, text)) for text in read_texts([collection], ReadLog())]
    expected = [
        {
            "start": content.start_char,
            "end": content.start_char + len(content.text),
            "text": content.text,
            "words": terms,
        }
        for read in (read_content(doc.spans["thematic_sentences"]) for doc in docs)
        for content, terms in zip(read, find_terms([[each] for each in read]))
    ]
    ids = [row.pop("id") for row in rows]
    assert rows == expected
    assert ids[0] == f"{collection / 'a.jsonl'}:1"
    assert len(set(ids)) == 40
    assert sum(store.count_rows()) == len(rows)
    assert sum(store.count("texts")) == 40
    exact = np.concatenate([doc._.thematic_vectors for doc in docs])
    assert np.abs(vectors - exact).max() <= 1e-3 * np.abs(exact).max()
    cosines = (vectors * exact).sum(1) / np.linalg.norm(vectors, axis=1)
    assert (cosines / np.linalg.norm(exact, axis=1)).min() > 0.999999


@pytest.mark.slow
def test_lines_of_a_chat_are_its_sentences(embed, tmp_path):
    chat = tmp_path / "chat.txt"
    chat.write_text("anna: are the boats ready\nleo: Yes. They are\nanna: good\n")
    store = embed(chat, tmp_path / "store")
    texts = parquet.read_table(store.part(0)).column("text").to_pylist()
    assert [text.strip() for text in texts] == [
        "anna: are the boats ready",
        "leo: Yes. They are",
        "anna: good",
    ]


def test_two_processes_write_the_same_bytes_as_one(collection, embed, tmp_path):
    one = embed(collection, tmp_path / "one", partition_bytes=SIZE)
    with LocalEngine(2) as engine:
        two = embed_files([collection], tmp_path / "two", engine, partition_bytes=SIZE)
    assert one.record.n_partitions > 5
    assert read_bytes(two) == read_bytes(one)


def test_only_partitions_that_are_missing_are_made(collection, embed, tmp_path):
    reports = []
    settings = {"partition_bytes": SIZE, "on_partition": reports.append}
    store = embed(collection, tmp_path / "store", **settings)
    assert len(reports) == store.record.n_partitions
    whole = read_bytes(store)
    for number in (1, 3):
        store.part(number).unlink()
    with pytest.raises(ValueError, match="2 of .* partitions are missing"):
        SentenceStore.open(tmp_path / "store")
    reports.clear()
    done = []
    embed(collection, tmp_path / "store", **settings, on_start=lambda *sizes: done.append(sizes))
    assert len(reports) == 2
    assert done[0][1] - done[0][0] == sum(log.total_bytes for log in reports)
    assert read_bytes(SentenceStore.open(tmp_path / "store")) == whole


def test_a_store_of_something_else_is_refused(collection, embed, tmp_path):
    out = tmp_path / "store"
    embed(collection, out)
    with pytest.raises(ValueError, match="other settings .model.: name a new folder"):
        embed(collection, out, model="en_thematic_md")
    with pytest.raises(ValueError, match="size of partitions"):
        embed(collection, out, partition_bytes=SIZE)
    with pytest.raises(ValueError, match="store of other files and folders .*collection.: name"):
        embed(collection / "d38.txt", out)
    with pytest.raises(FileExistsError, match="a store of embedded sentences would replace it"):
        embed(collection / "a.jsonl", collection)
    with pytest.raises(ValueError, match="embedded already"):
        embed(out, tmp_path / "other")
    with pytest.raises(ValueError, match="lies in"):
        embed(collection, collection / "store")
    with pytest.raises(ValueError, match=r"holds no _store\.json"):
        SentenceStore.open(collection)


def test_what_cannot_be_read_is_an_error_or_is_counted(collection, embed, tmp_path):
    with (collection / "a.jsonl").open("a") as file:
        file.write("[\n")
    out = tmp_path / "store"
    with pytest.raises(SourceError, match=r"a\.jsonl, line 26: not JSON"):
        embed(collection, out, partition_bytes=SIZE)
    assert not list(out.glob(".*"))
    done = SentenceStore._read(out).missing()
    assert 0 not in done
    reports = []
    store = embed(collection, out, partition_bytes=SIZE, skip_bad=True, on_partition=reports.append)
    assert sum(store.count("skipped")) == 1
    assert sum(store.count("texts")) == 40
    (problem,) = [problem for log in reports for problem in log.problems]
    assert "line 26" in problem


def test_vectors_that_16_bits_do_not_hold_are_refused():
    rows = np.array([[1e5, 1.0]], "f")
    with pytest.raises(ValueError, match="cannot be kept in 16 bits: entries lie between 1 and"):
        embedding._round(rows)
    with pytest.raises(ValueError, match="length one"):
        embedding._round(rows * 1e-12)
    assert embedding._round(np.zeros((1, 2), "f")).tolist() == [[0, 0]]


def test_a_killed_worker_is_an_error_that_says_what_to_do():
    with (
        LocalEngine(2) as engine,
        pytest.raises(WorkerLost, match="corpus and embed keep what is finished"),
    ):
        list(engine.map(signal.raise_signal, [0, signal.SIGKILL]))


def test_files_are_those_of_any_reader_of_parquet(collection, embed, tmp_path):
    store = embed(collection, tmp_path / "store")
    table = parquet.read_table(store.folder)
    assert table.column_names == [
        "id", "title", "start", "end", "text", "kept", "words", "date", "metadata",
        "vector",
    ]  # fmt: skip
    assert table.num_rows == sum(store.count_rows())


def test_a_stream_that_breaks_off_is_an_error_or_is_counted(collection, embed, tmp_path):
    broken = collection / "b.jsonl.gz"
    broken.write_bytes(broken.read_bytes()[:-40])
    (collection / "c.parquet").write_bytes(b"PAR1")
    with pytest.raises(SourceError, match=r"c\.parquet"):
        embed(collection, tmp_path / "store")
    store = embed(collection, tmp_path / "store", skip_bad=True)
    assert sum(store.count("skipped")) >= 1
    (collection / "c.parquet").unlink()
    with pytest.raises(SourceError, match=r"b\.jsonl\.gz breaks off .* with --skip-bad"):
        embed(collection, tmp_path / "other")


def test_input_that_was_repaired_before_anything_was_embedded_is_no_other(embed, tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"text": "The river floods."}\n[\n')
    with pytest.raises(SourceError, match="line 2"):
        embed(path, tmp_path / "store")
    path.write_text('{"text": "The river floods."}\n')
    assert embed(path, tmp_path / "store").count_rows() == [1]


def test_the_same_command_updates_a_store(collection, embed, tmp_path):
    out, reports = tmp_path / "store", []
    settings = {"partition_bytes": SIZE, "on_partition": reports.append}
    former = embed(collection, out, **settings)
    search(out, "river")
    (collection / "0.txt").write_text("Some text before all others.")
    (collection / "b.jsonl.gz").unlink()
    (collection / "d38.txt").write_text("Another text.")
    (collection / "a.jsonl").touch()
    reports.clear()
    store = embed(collection, out, **settings)
    assert 0 < len(reports) < store.record.n_partitions / 2
    assert read_bytes(store) == read_bytes(embed(collection, tmp_path / "other", **settings))
    assert len([*out.glob("part-*")]) == store.record.n_partitions
    texts = [hit.text for hit in search(out, "another text", 5)]
    assert "Another text." in texts
    assert not former.part(former.record.n_partitions - 1).exists()


def test_an_update_that_was_interrupted_is_resumed(collection, embed, tmp_path):
    out = tmp_path / "store"
    store = embed(collection, out, partition_bytes=SIZE)
    whole = read_bytes(store)
    store.part(2).rename(store.part(2).with_name(store.part(2).name.replace("00002", "00007")))
    with pytest.raises(ValueError, match="1 of .* partitions are missing"):
        SentenceStore.open(out)
    reports = []
    embed(collection, out, partition_bytes=SIZE, on_partition=reports.append)
    assert not reports and read_bytes(SentenceStore.open(out)) == whole


def test_chunks_have_the_sizes_that_are_asked_for(embed, tmp_path):
    text = tmp_path / "a.txt"
    text.write_text("The river floods the valley. The king fought two wars. " * 9)
    store = embed(text, tmp_path / "store", units="chunks", max_tokens=24, overlap=8)
    rows = [
        row
        for block in iter_blocks(store.part(0), ["start", "end", "text"])
        for row in block.to_pylist()
    ]
    assert max(len(row["text"].split()) for row in rows) <= 24
    assert any(row["start"] < before["end"] for before, row in pairwise(rows))
    with pytest.raises(ValueError, match=r"other settings .max_tokens, overlap.: name"):
        embed(text, tmp_path / "store", units="chunks")
    with pytest.raises(ValueError, match="overlap to be 0 or more, and less than max_tokens"):
        embed(text, tmp_path / "other", units="chunks", overlap=300)
    with pytest.raises(ValueError, match="sizes of chunks, and what is embedded are sentences"):
        embed(text, tmp_path / "other", max_tokens=24)
