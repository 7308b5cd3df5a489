import pytest
from pyarrow import parquet

from spacy_thematic.engines import LocalEngine
from spacy_thematic.pipeline.loading import load_pipeline
from spacy_thematic.scale.segmenting import segment_store
from spacy_thematic.scale.store import SentenceStore
from spacy_thematic.segmentation.settings import SegmentSettings
from tests.scale.test_clustering import make_docs, read_files


@pytest.fixture
def store(collection, embed, tmp_path):
    return embed(collection, tmp_path / "store", partition_bytes=5_000)


def segment(store, out, processes=1, **settings):
    with LocalEngine(processes) as engine:
        return segment_store(store, out, SegmentSettings(**settings), engine)


@pytest.mark.parametrize("settings", [{}, {"max_size": 5, "levels": 2}])
def test_the_segments_are_those_of_the_texts(collection, store, tmp_path, monkeypatch, settings):
    monkeypatch.setattr("spacy_thematic.scale.store._BLOCK", 7)
    n = segment(store, tmp_path / "segments", **settings)
    rows = parquet.read_table(tmp_path / "segments").to_pylist()
    assert len(rows) == n
    segmenter = load_pipeline("en_thematic_sm").create_pipe("thematic_segmenter", config=settings)
    expected = [
        one for doc in make_docs(collection, store) for one in segmenter(doc)._.thematic_segments
    ]
    assert n > 60
    for row, one in zip(rows, expected, strict=True):
        for name in ("level", "heading", "label", "keywords"):
            assert row[name] == getattr(one, name)
        assert row["segment"] == one.number
        text = one.span.doc.text[row["start"] : row["end"]]
        assert text.strip() == one.span.text.strip()
        assert row["strength"] == (one.strength and pytest.approx(one.strength, rel=1e-5))
    by_text = [row["segment"] for row in rows]
    assert by_text.count(1) == len({row["id"] for row in rows}) == 40


def test_paragraphs_of_the_texts_count(tmp_path, embed):
    sentences = [f"The {word} is known. It is old." for word in ("river", "king", "bee", "ship")]
    for name, between in (("a.txt", "\n\n"), ("b.txt", " ")):
        (tmp_path / name).write_text(between.join(sentences * 3))
    found = {}
    for name in ("a.txt", "b.txt"):
        store = embed(tmp_path / name, tmp_path / f"store {name}")
        (table,) = [parquet.read_table(store.part(0))]
        found[name] = table.column("lines").to_pylist()
    assert found["a.txt"] == [0, 2] * 11 + [0, 0]
    assert found["b.txt"] == [0] * 24


def test_the_bytes_do_not_depend_on_workers_and_work_resumes(store, tmp_path):
    segment(store, tmp_path / "one")
    whole = read_files(tmp_path / "one")
    assert len(whole) == store.record.n_partitions + 1
    segment(store, tmp_path / "two", processes=2)
    assert read_files(tmp_path / "two") == whole

    class Stopped(LocalEngine):
        def map(self, function, tasks):
            for number, result in enumerate(super().map(function, tasks)):
                if number == 2:
                    raise KeyboardInterrupt
                yield result

    with pytest.raises(KeyboardInterrupt), Stopped(1) as engine:
        segment_store(store, tmp_path / "three", SegmentSettings(), engine)
    left = tmp_path / ".three.unfinished"
    times = {path.name: path.stat().st_mtime_ns for path in left.glob("*.parquet")}
    assert len(times) == 3 and not (tmp_path / "three").exists()
    (left / min(times)).touch()
    touched = (left / min(times)).stat().st_mtime_ns
    segment(store, tmp_path / "three")
    assert read_files(tmp_path / "three") == whole and not left.exists()
    assert (tmp_path / "three" / min(times)).stat().st_mtime_ns == touched


def test_a_store_of_another_model_is_refused(collection, store, tmp_path):
    record = store.record
    record.made_from["model"] = "0" * 32
    with pytest.raises(ValueError, match="en_thematic_sm has changed since .* embed the texts"):
        segment(SentenceStore(store.folder, record), tmp_path / "out")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("Dear")
    with pytest.raises(FileExistsError, match="name a new folder"):
        segment(store, tmp_path / "mine")


def test_nothing_is_written_into_the_store(store):
    before = read_files(store.folder)
    with pytest.raises(ValueError, match="segments lies in .*: write to another folder"):
        segment(store, store.folder / "segments")
    assert read_files(store.folder) == before
