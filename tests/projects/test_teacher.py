"""The vectors of a teacher, which others learn from."""

import numpy as np
import pytest
import spacy
from typer.testing import CliRunner

import teacher
from distillation import TaughtSentences
from spacy_thematic.pipeline.loading import load_pipeline
from spacy_thematic.pipeline.text_encoder import encode_texts
from spacy_thematic.triplets.compiled import open_compiled
from spacy_thematic.triplets.corpus_builder import build_corpus
from spacy_thematic.triplets.rules import CorpusSettings
from teacher import get_texts
from tests.conftest import make_article

MODEL = "en_thematic_sm"


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    out = tmp_path_factory.mktemp("data") / "corpus"
    settings = CorpusSettings(sentences="all", shares=(100, 0, 0))
    build_corpus((make_article(number) for number in range(12)), out, settings)
    return out / "train"


def teach(corpus, out, **settings):
    options = {"openers": 30, "others": 0, **settings}
    flags = [f"--{name}" for name, value in options.items() if value is True]
    limits = [f"--{name}={value}" for name, value in options.items() if value is not True]
    command = ["sentences", str(corpus), MODEL, str(out), *flags, *limits]
    result = CliRunner().invoke(teacher.app, command)
    assert result.exit_code == 0, result.output
    taught = TaughtSentences(out)
    return taught.rows, taught.read(0, len(taught))


def expect(corpus, rows):
    texts = get_texts(open_compiled(corpus, spacy.blank("en").vocab), rows)
    vectors = encode_texts(load_pipeline(MODEL), texts)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def test_one_of_our_pipelines_teaches(corpus, tmp_path):
    rows, vectors = teach(corpus, tmp_path)
    assert len(rows) >= 30
    np.testing.assert_allclose(vectors, expect(corpus, rows), atol=1e-3)


def test_in_16_bits_vectors_are_nearly_the_same(corpus, tmp_path):
    rows, vectors = teach(corpus, tmp_path, bfloat16=True)
    np.testing.assert_allclose(vectors, expect(corpus, rows), atol=2e-2)


def test_other_limits_take_no_chunk_of_other_sentences(corpus, tmp_path, monkeypatch):
    monkeypatch.setattr(teacher, "CHUNK", 10)
    teach(corpus, tmp_path)
    rows, vectors = teach(corpus, tmp_path, openers=15)
    np.testing.assert_allclose(vectors, expect(corpus, rows), atol=1e-3)


def test_chunks_are_not_made_again(corpus, tmp_path):
    teach(corpus, tmp_path)
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "chunks").iterdir()}
    teach(corpus, tmp_path)
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "chunks").iterdir()} == before
