import numpy as np
import pytest
import srsly
from pyarrow import parquet

from spacy_thematic.articles.sources import ReadLog
from spacy_thematic.clustering import ThemeSettings, diffusion
from spacy_thematic.engines import LocalEngine
from spacy_thematic.pipeline.corpus_themes import CorpusThemes, find_corpus_themes
from spacy_thematic.pipeline.embedder import find_embedder
from spacy_thematic.pipeline.loading import load_pipeline
from spacy_thematic.pipeline.text_encoder import Encoder
from spacy_thematic.pipeline.texts import make_doc, read_texts
from spacy_thematic.rows import unit_rows
from spacy_thematic.scale import clustering
from spacy_thematic.scale.clustering import cluster_store
from spacy_thematic.scale.store import SentenceStore, get_vectors, iter_blocks


@pytest.fixture
def store(collection, embed, tmp_path):
    return embed(collection, tmp_path / "store", partition_bytes=5_000)


def cluster(store, out, settings, processes=1, **callbacks):
    with LocalEngine(processes) as engine:
        return cluster_store(store, out, settings, engine, **callbacks)


def read_vectors(store):
    paths = [store.part(number) for number in range(store.record.n_partitions)]
    return np.concatenate([get_vectors(b) for path in paths for b in iter_blocks(path, ["vector"])])


def make_docs(collection):
    nlp = load_pipeline("en_thematic_sm")
    return [nlp(make_doc(nlp, text)) for text in read_texts([collection], ReadLog())]


def read_files(folder):
    """The bytes of all files below a folder, by their places."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder): path.read_bytes() for path in files}


def read_themes(folder):
    return parquet.read_table(folder / "sentences").column("theme").to_pylist()


FOOTER = "Reply to this letter to leave the list of 400 readers."

MAIL = """From: leo@example.org
To: kim@example.org
Subject: The river

Dear Kim,

{body}

Best regards,
Leo
"""


@pytest.mark.parametrize("sample", [5_000, 300])
@pytest.mark.parametrize(
    "settings", [{"k": 6, "n_broader": 2}, {"seed": 3}, {"k": 1}, {"k": 6, "set_aside": False}]
)
def test_the_same_clusters_as_in_memory(collection, embed, tmp_path, monkeypatch, sample, settings):
    monkeypatch.setattr(diffusion, "SAMPLE", sample)
    monkeypatch.setattr("spacy_thematic.scale.embedding._BATCH_UNITS", 64)
    for name in ("a", "m", "z"):  # What is around their text is set aside.
        body = "The valley lies in the north. Its people live from fish. Xqzv wvvq kkzqx."
        (collection / f"{name}.txt").write_text(MAIL.format(body=body))
    path = collection / "a.jsonl"  # A footer, which is all that one text says.
    texts = [*(one["text"] for one in srsly.read_jsonl(path)), ""]
    srsly.write_jsonl(path, [{"text": f"{text}\n\n{FOOTER}"} for text in texts])
    store = embed(collection, tmp_path / "store", partition_bytes=5_000)
    settings = ThemeSettings(**settings)
    found = cluster(store, tmp_path / "themes", settings)
    docs = make_docs(collection)
    nlp = load_pipeline(store.record.model)
    expected = find_corpus_themes(docs, settings, Encoder(find_embedder(nlp), nlp, nlp.vocab))
    spans = [span for doc in docs for span in doc.spans["thematic_clusters"]]
    assert len(spans) > 800
    themes = read_themes(tmp_path / "themes")
    assert themes == [span.id for span in spans]
    left_out = sum(store.count_rows()) - sum(store.count("kept"))
    assert left_out >= 9
    repeated = 40 + 25  # The lead of each article, and footers.
    assert themes.count(0) == (left_out + repeated if settings.set_aside else 0)
    footers = [span.id == 0 for span in spans if span.text.strip() == FOOTER]
    assert sum(footers) == (25 if settings.set_aside else 0)
    assert len(footers) == 26
    assert found.boilerplate == expected.boilerplate
    pairs = [*zip(found.themes, expected.themes, strict=True)]
    for name in ("number", "size", "heading", "parent"):
        assert all(getattr(one, name) == getattr(other, name) for one, other in pairs)
    # Of equal sentences one with a keyword is taken, and keywords may differ.
    assert sum(a.representative == b.representative for a, b in pairs) >= len(pairs) - 1
    assert np.abs(found.centres - expected.centres).max() < 1e-5
    assert np.abs(found.origin - expected.origin).max() < 1e-6


def test_a_long_text_does_not_decide_what_is_grouped(embed, tmp_path):
    texts = [f"The bus of {n} people came late." for n in range(19)]
    texts.append(" ".join(f"The harbour has {n} ships." for n in range(600)))
    srsly.write_jsonl(tmp_path / "a.jsonl", [{"text": text} for text in texts])
    store = embed(tmp_path / "a.jsonl", tmp_path / "store")
    assert cluster(store, tmp_path / "themes", ThemeSettings(k=2)).units == "texts"
    assert find_corpus_themes(make_docs(tmp_path / "a.jsonl"), ThemeSettings(k=2)).units == "texts"


@pytest.mark.parametrize("units", ["sentences", "chunks"])
def test_names_do_not_depend_on_the_partitions(collection, embed, tmp_path, monkeypatch, units):
    monkeypatch.setattr("spacy_thematic.scale.naming._MOST", 5)
    named = []
    for size in (2_000, 100_000):
        store = embed(collection, tmp_path / f"{size}", partition_bytes=size, units=units)
        found = cluster(store, tmp_path / f"themes {size}", ThemeSettings(k=4))
        named.append([(theme.heading, theme.parent) for theme in found.themes])
    assert named[0] == named[1]
    assert all(heading for heading, _ in named[0])


@pytest.mark.parametrize("model", ["en_thematic_md", "not there"])
def test_without_its_model_a_store_has_themes_without_headings(store, tmp_path, model):
    path = store.folder / "_store.json"
    srsly.write_json(path, {**srsly.read_json(path), "model": model})
    with pytest.warns(UserWarning, match=f"named after their keywords: .*{model}") as warned:
        found = cluster(SentenceStore.open(store.folder), tmp_path / "themes", ThemeSettings(k=4))
    assert len(warned) == 1
    assert [theme.name for theme in found.themes] == [theme.label for theme in found.themes]


def test_what_was_stopped_leaves_nothing(store, tmp_path):
    def stop(name):
        if name == "Assigning":
            raise RuntimeError("stopped")

    with pytest.raises(RuntimeError, match="stopped"):
        cluster(store, tmp_path / "out", ThemeSettings(k=5), on_pass=stop)
    assert not [path for path in tmp_path.iterdir() if "out" in path.name]


def test_saved_themes_are_given_to_new_docs(store, tmp_path):
    found = cluster(store, tmp_path / "themes", ThemeSettings(k=6))
    loaded = CorpusThemes.load(tmp_path / "themes")
    assert loaded.themes == found.themes
    assert loaded.set_aside
    assert loaded.units == "texts"
    assert sum(theme.size for theme in loaded.themes) == sum(store.count("texts")) == 40
    nlp = load_pipeline("en_thematic_sm")
    for theme in loaded.themes:
        doc = nlp(theme.representative)
        label = found.assign(doc)._.thematic_clusters[0].label
        assert loaded.assign(doc)._.thematic_clusters[0].label == label


def test_confidences_say_how_much_nearer_the_own_centre_is(store, tmp_path):
    found = cluster(store, tmp_path / "themes", ThemeSettings(k=4))
    table = parquet.read_table(tmp_path / "themes" / "sentences")
    assert table.column_names == ["id", "start", "end", "theme", "confidence"]
    whole = parquet.read_table(store.folder)
    assert all(table.column(name) == whole.column(name) for name in ("id", "start", "end"))
    distances = 1 - unit_rows(read_vectors(store), found.origin) @ found.centres.T
    rows = np.arange(len(distances))
    themes = np.array(table.column("theme")) - 1
    own = distances[rows, themes]
    distances[rows, themes] = np.inf
    following = distances.min(axis=1)
    expected = np.clip(1 - own / following, 0, None)
    expected[themes < 0] = 0
    assert np.abs(expected - np.array(table.column("confidence"))).max() < 1e-5


@pytest.mark.slow
def test_two_processes_find_the_same_bytes_as_one(store, tmp_path):
    for processes in (1, 2):
        cluster(store, tmp_path / f"{processes}", ThemeSettings(k=6), processes)
    files = read_files(tmp_path / "1")
    assert len(files) == store.record.n_partitions + 2
    assert read_files(tmp_path / "2") == files


def test_rare_words_are_forgotten_where_there_are_too_many(monkeypatch):
    monkeypatch.setattr(clustering, "MOST_WORDS", 3)
    mine, other = (clustering.ClusterTotals.zeros(1, 2) for _ in range(2))
    mine.words[0].update("aaabbcd")
    other.words[0].update("aaae")
    mine.add(other)
    assert mine.words == [{"a": 6, "b": 2}]


def test_what_cannot_be_clustered_is_named(store, embed, tmp_path):
    for inside in (store.folder, store.folder / "themes"):
        with pytest.raises(ValueError, match="lies in .*, which is to be read"):
            cluster(store, inside, ThemeSettings())
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("Dear")
    with pytest.raises(FileExistsError, match="themes would replace it"):
        cluster(store, tmp_path / "mine", ThemeSettings())
    (tmp_path / "mine" / "themes.json").touch()
    with pytest.raises(FileExistsError, match="holds letter.txt beside themes"):
        cluster(store, tmp_path / "mine", ThemeSettings())
    path = tmp_path / "blank.txt"
    path.write_text(" ")
    empty = embed(path, tmp_path / "empty")
    with pytest.raises(ValueError, match="holds no sentences"):
        cluster(empty, tmp_path / "out", ThemeSettings())
    store.part(1).write_bytes(b"PAR1")
    with pytest.raises(ValueError, match=r"part-00001-\w+\.parquet is not a readable Parquet file"):
        cluster(store, tmp_path / "out", ThemeSettings())


def test_partitions_that_are_not_of_the_store_are_named(store):
    part = store.part(1)
    table = parquet.read_table(part)
    parquet.write_table(table.drop_columns("words"), part)
    with pytest.raises(
        ValueError, match=r"part-00001-\w+\.parquet is not a partition of this store"
    ):
        SentenceStore.open(store.folder)
    parquet.write_table(table.replace_schema_metadata(None), part)
    with pytest.raises(ValueError, match="does not say its number of texts"):
        SentenceStore.open(store.folder).count("texts")


def test_an_update_keeps_the_themes_of_the_sentences_of_the_store(store, tmp_path):
    out = tmp_path / "themes"
    themes = cluster(store, out, ThemeSettings(k=3))
    before = {path.name: path.read_bytes() for path in (out / "sentences").iterdir()}
    with pytest.raises(FileExistsError, match="holds sentences beside saved themes"):
        themes.save(out)
    themes.save(out, keep_sentences=True)
    assert {path.name: path.read_bytes() for path in (out / "sentences").iterdir()} == before
    assert CorpusThemes.load(out).themes == themes.themes
