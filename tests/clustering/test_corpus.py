import json

import numpy as np
import pytest
import spacy
from spacy.tokens import SpanGroup

from spacy_thematic.clustering import corpus
from spacy_thematic.clustering.corpus import CorpusThemes, cluster_docs

WORDS = {"bees": "Bees make {} honey.", "ships": "Ships cross {} seas.", "kings": "Kings rule {}."}


def make_doc(kinds, seed=0, width=16):
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    doc = nlp(" ".join(WORDS[kind].format(i) for i, kind in enumerate(kinds)))
    sentences = list(doc.sents)
    rows = np.eye(3, width)[[list(WORDS).index(kind) for kind in kinds]].reshape(-1, width)
    noise = np.random.default_rng(seed).normal(0, 0.05, rows.shape)
    doc._.thematic_vectors = (rows + 0.5 + noise).astype(np.float32)
    doc.spans["thematic_sentences"] = SpanGroup(doc, name="thematic_sentences", spans=sentences)
    return doc


@pytest.fixture
def docs():
    return [
        make_doc(["bees", "ships", "bees", "bees"]),
        make_doc(["ships", "kings", "ships"], 1),
        make_doc([], 2),
        make_doc(["kings", "bees"], 3),
    ]


def labels_of(doc):
    return [span.label_.split(",")[0] for span in doc.spans["thematic_clusters"]]


@pytest.mark.parametrize("k", [3, "auto"])
def test_a_theme_has_one_name_in_all_documents(docs, k):
    themes = cluster_docs(docs, k)
    assert [labels_of(doc) for doc in docs] == [
        ["bees", "ships", "bees", "bees"],
        ["ships", "kings", "ships"],
        [],
        ["kings", "bees"],
    ]
    assert themes.sizes == [4, 3, 2]
    assert [span.id for span in docs[1].spans["thematic_clusters"]] == [2, 3, 2]
    assert themes.representatives[2].startswith("Kings rule")


def test_seed_themes_name_what_they_find(docs, monkeypatch):
    directions = np.eye(3, 16)[[1, 2]] + 0.5
    monkeypatch.setattr(corpus, "encode_seeds", lambda nlp, seeds: directions)
    seeds = {"travel": ["sea"], "power": ["throne"]}
    themes = cluster_docs(docs, 3, seeds=seeds, nlp=spacy.blank("en"))
    assert [name.label.split(",")[0] for name in themes.names] == ["bees", "travel", "power"]
    assert labels_of(docs[1]) == ["travel", "power", "travel"]
    again = themes.assign(make_doc(["kings", "bees"], 5))
    assert labels_of(again) == ["power", "bees"]


def test_a_seed_theme_without_sentences_is_left_out(docs, monkeypatch):
    directions = np.eye(4, 16)[[0, 3, 1, 2]]
    monkeypatch.setattr(corpus, "encode_seeds", lambda nlp, seeds: directions)
    seeds = {"a": [], "none": [], "b": [], "c": []}
    themes = cluster_docs(docs, 4, seeds=seeds, nlp=spacy.blank("en"))
    assert [name.label for name in themes.names] == ["a", "b", "c"]
    assert themes.sizes == [4, 3, 2]


def test_broader_themes_are_saved(docs, tmp_path):
    docs = [make_doc(["bees", "ships", "kings"] * 3)]
    docs[0]._.thematic_vectors[:, 5] += 3 * np.array([1, 1, -1] * 3)
    themes = cluster_docs(docs, 3, n_broader=2)
    parents = {name.label.split(",")[0]: name.parent for name in themes.names}
    assert parents["bees"] == parents["ships"] != parents["kings"]
    themes.save(tmp_path)
    assert CorpusThemes.load(tmp_path).names == themes.names
    assert [theme.parent for theme in docs[0]._.thematic_clusters] == [
        name.parent for name in themes.names
    ]


def test_mixed_themes_are_saved(docs, tmp_path):
    themes = cluster_docs(docs, 3)
    themes.names[1].mixed = True
    themes.save(tmp_path)
    assert [name.mixed for name in CorpusThemes.load(tmp_path).names] == [False, True, False]


def test_titles_are_saved(docs, monkeypatch, tmp_path):
    monkeypatch.setattr(corpus, "find_titles", lambda *args: ["one", "two", None])
    themes = cluster_docs(docs, 3, titles=True, nlp=spacy.blank("en"))
    themes.save(tmp_path)
    assert [name.title for name in CorpusThemes.load(tmp_path).names] == ["one", "two", None]
    assert [theme.title for theme in docs[1]._.thematic_clusters] == ["two", None]


def test_saved_themes_are_assigned_to_new_documents(docs, tmp_path):
    themes = cluster_docs(docs, 3)
    themes.save(tmp_path / "themes")
    loaded = CorpusThemes.load(tmp_path / "themes")
    new = loaded.assign(make_doc(["kings", "kings", "bees"], 9))
    assert labels_of(new) == ["kings", "kings", "bees"]
    assert [theme.number for theme in new._.thematic_clusters] == [3, 1]
    assert loaded.names == themes.names
    assert loaded.sizes == themes.sizes
    assert np.array_equal(loaded.centres, themes.centres)


def test_files_hold_no_pickle(docs, tmp_path):
    cluster_docs(docs, 3).save(tmp_path)
    assert json.loads((tmp_path / "themes.json").read_text())["format"] == 1
    with np.load(tmp_path / "centres.npz", allow_pickle=False) as arrays:
        assert sorted(arrays) == ["centres", "origin"]


def test_clear_errors(docs, tmp_path):
    with pytest.raises(ValueError, match="no sentences"):
        cluster_docs([docs[2]])
    with pytest.raises(ValueError, match=r"starts 'Bees hum'.*thematic_embedder"):
        cluster_docs([spacy.blank("en")("Bees hum")])
    with pytest.raises(ValueError, match="width 16, found 8"):
        cluster_docs(docs, 3).assign(make_doc(["bees"], width=8))
    with pytest.raises(TypeError, match="found Token: pass a list"):
        cluster_docs(docs[0])
    for bad in ({"k": 0}, {"k": "3"}, {"k": 2.5}, {"max_k": 0}):
        with pytest.raises(ValueError, match="at least 1, found"):
            cluster_docs(docs, **bad)
    with pytest.raises(ValueError, match="pass nlp"):
        cluster_docs(docs, seeds={"bees": ["bee"]})
    with pytest.raises(ValueError, match="no themes.json"):
        CorpusThemes.load(tmp_path)
    (tmp_path / "notes.txt").write_text("mine")
    for path in (tmp_path, tmp_path / "notes.txt"):
        with pytest.raises(FileExistsError, match="name a new folder"):
            cluster_docs(docs, 3).save(path)
    (tmp_path / "themes.json").write_text('{"format": 9}')
    with pytest.raises(ValueError, match="format 9, expected 1"):
        CorpusThemes.load(tmp_path)


def test_damaged_themes_say_so(docs, tmp_path):
    cluster_docs(docs, 3).save(tmp_path)
    whole = (tmp_path / "themes.json").read_text()
    centres = (tmp_path / "centres.npz").read_bytes()
    for broken in ("[]", "{", '{"format": 1, "themes": []}', whole.replace("label", "lable")):
        (tmp_path / "themes.json").write_text(broken)
        with pytest.raises(ValueError, match="are damaged"):
            CorpusThemes.load(tmp_path)
    (tmp_path / "themes.json").write_text(whole)
    for broken in (b"", b"junk", centres[:-30]):
        (tmp_path / "centres.npz").write_bytes(broken)
        with pytest.raises(ValueError, match="are damaged"):
            CorpusThemes.load(tmp_path)


def test_documents_of_two_models_are_refused():
    with pytest.raises(ValueError, match=r"different widths, \[8, 16\]"):
        cluster_docs([make_doc(["bees", "ships"]), make_doc(["kings", "bees"], width=8)], k=2)
