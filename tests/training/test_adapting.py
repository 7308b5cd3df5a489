"""Adapting: a map on vectors that documents teach, and none where they teach nothing."""

from dataclasses import replace

import numpy as np
import pytest
import spacy
from thinc.api import NumpyOps

from spacy_thematic.articles.article import Article
from spacy_thematic.models.over_encoders import build_linear_map
from spacy_thematic.models.spans import make_doc_spans
from spacy_thematic.pipeline.loading import export_encoder
from spacy_thematic.pretrained import find_pretrained
from spacy_thematic.training import adapting
from spacy_thematic.training.adapting import (
    Document,
    draw_articles,
    fit,
    learn_map,
    make_adapted,
    score,
    whiten,
)
from tests.conftest import assert_same_rows

WIDTH, THEMES = 24, 4


@pytest.fixture(autouse=True)
def few_steps(monkeypatch):
    monkeypatch.setattr(adapting, "STEPS", 100)
    monkeypatch.setattr(adapting, "LEARN_RATE", 0.01)


def make_documents(signal: float, n: int = 30, seed: int = 0) -> list[Document]:
    """Sections differ in the first few of many directions, all of which are equally noisy."""
    rng = np.random.default_rng(seed)
    documents = []
    for _ in range(n):
        centres = np.zeros((THEMES, WIDTH))
        centres[:, :THEMES] = signal * rng.standard_normal((THEMES, THEMES))
        sections = np.repeat(np.arange(THEMES), 6)
        vectors = centres[sections] + rng.standard_normal((len(sections), WIDTH))
        triplets = [
            (6 * s + i, 6 * s + (i + 1) % 6, 6 * ((s + 1) % THEMES) + i)
            for s in range(THEMES)
            for i in range(6)
        ]
        documents.append(Document(vectors.astype("f"), sections, np.array(triplets)))
    return documents


def test_what_is_common_to_the_documents_is_learned():
    found = learn_map(make_documents(signal=1.0), n_folds=3)
    gain = np.nanmean(found.after, axis=0) - np.nanmean(found.before, axis=0)
    assert (gain > 0.02).all()
    # The map makes the directions in which sections differ longer than the others.
    stretch = np.diag(found.W)
    assert stretch[:THEMES].min() > stretch[THEMES:].max()
    again = learn_map(make_documents(signal=1.0), n_folds=3)
    assert np.array_equal(again.W, found.W)


def test_documents_that_teach_nothing_change_nothing_but_by_chance():
    found = [learn_map(make_documents(signal=0.0, seed=seed), n_folds=3) for seed in range(6)]
    unchanged = [result for result in found if result.W is None]
    # A gain above one standard error is chance in one of six.
    assert len(unchanged) >= 4
    assert not any(adapting.is_gain(result.after - result.before) for result in unchanged)


def test_a_gain_is_none_if_one_measure_falls():
    both = np.random.default_rng(0).normal([0.03, 0.01], 0.01, (50, 2))
    assert adapting.is_gain(both)
    assert not adapting.is_gain(both * [1, -1])
    assert not adapting.is_gain(-both)
    assert not adapting.is_gain(both * 0)
    assert not adapting.is_gain(both * np.nan)
    assert adapting.is_gain(both * [1, np.nan])
    assert adapting.is_gain(np.ones((3, 2)))


def test_a_stronger_tie_keeps_the_map_smaller():
    documents = make_documents(signal=1.5)
    norms = [np.linalg.norm(fit(documents, tie)) for tie in (1.0, 0.01)]
    assert 0 < norms[0] < 0.5 * norms[1]


def test_whitening_shrinks_what_varies_within_sections():
    documents = make_documents(signal=1.0)
    loud = np.ones(WIDTH, "f")
    loud[-1] = 5
    documents = [replace(document, vectors=document.vectors * loud) for document in documents]
    W = whiten(documents)
    assert np.allclose(W, W.T, atol=1e-6)
    stretch = np.diag(W)
    assert stretch[-1] < -0.2 < 0 < stretch[:-1].min()
    assert np.linalg.eigvalsh(np.eye(WIDTH) + W).mean() == pytest.approx(1)
    variances = np.mean([np.var(document.map(W).vectors, axis=0) for document in documents], axis=0)
    raw = np.mean([np.var(document.vectors, axis=0) for document in documents], axis=0)
    assert variances.max() / variances.min() < 0.6 * raw.max() / raw.min()


def test_sections_of_one_sentence_whiten_nothing():
    lonely = Document(np.eye(3, dtype="f"), np.arange(3), np.zeros((0, 3), int))
    assert not whiten([lonely]).any()


def test_articles_are_drawn_with_equal_chances():
    articles = [Article(str(number)) for number in range(40)]
    counts = np.zeros(40)
    for seed in range(400):
        drawn, n_read = draw_articles(iter(articles), 10, seed)
        assert n_read == 40 and len({article.title for article in drawn}) == 10
        counts[[int(article.title) for article in drawn]] += 1
    # 100 each, with a standard deviation of 8.7.
    assert abs(counts - 100).max() < 40
    assert draw_articles(iter(articles), 100, 0) == (articles, 40)


def test_a_document_without_triplets_or_with_one_section_has_no_score():
    document = make_documents(1.0, 1)[0]
    alone = Document(document.vectors, np.zeros(24, int), np.zeros((0, 3), int))
    scores = score([document, alone], np.zeros((WIDTH, WIDTH), "f"))
    assert np.isfinite(scores[0]).all()
    assert np.isnan(scores[1]).all()


def texts_to_vectors(nlp) -> np.ndarray:
    doc = nlp("The river meets the coast. The bank pays a tax. A priest sings in the choir.")
    return doc._.thematic_vectors


def test_an_adapted_pipeline_maps_the_vectors_wherever_it_is_loaded(tmp_path):
    plain = texts_to_vectors(make_adapted("en_thematic_sm", "en"))
    W = np.random.default_rng(0).standard_normal((plain.shape[1],) * 2).astype("f") * 0.05
    adapted = make_adapted("en_thematic_sm", "en", W)
    expected = plain + plain @ W
    assert_same_rows(texts_to_vectors(adapted), expected)
    adapted.to_disk(tmp_path / "pipeline")
    assert_same_rows(texts_to_vectors(spacy.load(tmp_path / "pipeline")), expected)
    change = export_encoder(adapted, tmp_path / "model.safetensors")
    assert change < 0.01
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    nlp.add_pipe("thematic_embedder", config={"pretrained": str(tmp_path / "model.safetensors")})
    assert np.abs(texts_to_vectors(nlp) - expected).max() < 0.01 * np.abs(expected).max()


def test_the_gradient_of_the_map(nlp):
    base = find_pretrained("en_thematic_sm").build()
    find_pretrained("en_thematic_sm").fill(base)
    model = build_linear_map(base)
    doc = nlp("The river meets the coast. The bank pays a tax.")
    inputs = make_doc_spans(NumpyOps(), [doc], [list(doc.sents)])
    model.initialize(X=inputs)
    vectors, backprop = model.begin_update(inputs)
    assert_same_rows(vectors, base.predict(inputs))
    d_vectors = np.random.default_rng(0).standard_normal(vectors.shape).astype("f")
    backprop(d_vectors)
    assert_same_rows(model.get_grad("W"), base.predict(inputs).T @ d_vectors)
