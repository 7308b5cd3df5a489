"""Bad input is a clear error, and what was saved before stands."""

import errno
import shutil
from pathlib import Path

import numpy as np
import pytest
import spacy
from spacy.tokens import DocBin
from thinc.api import Config

from tests.training.conftest import load_config, run, weights

STATIC = """
[model]
@architectures = "spacy-thematic.WeightedMean.v1"
[model.embed]
@architectures = "spacy-thematic.StaticVectors.v1"
"""


def with_vectors(corpus, folder: Path, vectors: dict[str, list[float]]) -> Config:
    nlp = spacy.blank("en")
    nlp.vocab.reset_vectors(width=2)
    for word, vector in vectors.items():
        nlp.vocab.set_vector(word, np.array(vector, "f"))
    nlp.to_disk(folder / "vectors")
    config = load_config(corpus, STATIC)
    config["paths"]["vectors"] = str(folder / "vectors")
    return config


def test_nan_in_the_vectors_is_named_before_training(corpus, tmp_path):
    config = with_vectors(corpus, tmp_path, {"river": [np.nan, 1], "bank": [1, 0]})
    with pytest.raises(ValueError, match=r"word vectors.*NaN.*'river'"):
        run(config, tmp_path / "out")


def test_a_vocabulary_with_no_hit_is_named_before_training(corpus, tmp_path):
    config = with_vectors(corpus, tmp_path, {"xyzzy": [0, 1], "plugh": [1, 0]})
    with pytest.raises(ValueError, match="None of the words of the training corpus has a vector"):
        run(config, tmp_path / "out")


def test_an_empty_shard_is_passed_over_and_an_empty_file_is_named(corpus, tmp_path):
    shutil.copytree(corpus, tmp_path / "corpus")
    shard = tmp_path / "corpus" / "train" / "000099.spacy"
    shard.write_bytes(DocBin().to_bytes())
    run(load_config(tmp_path / "corpus"), tmp_path / "out")
    run(load_config(corpus), tmp_path / "same")
    assert weights(tmp_path / "out") == weights(tmp_path / "same")
    shard.write_bytes(b"")
    with pytest.raises(ValueError, match=r"000099.spacy is not a readable DocBin"):
        run(load_config(tmp_path / "corpus"), tmp_path / "out")
    assert weights(tmp_path / "out") == weights(tmp_path / "same")


def test_shards_of_something_else_or_another_version_are_named(corpus, tmp_path):
    (tmp_path / "train").mkdir()
    nlp = spacy.blank("en")
    DocBin(docs=[nlp("Not an article.")]).to_disk(tmp_path / "train" / "0.spacy")
    config = load_config(corpus)
    config["paths"]["train"] = str(tmp_path / "train")
    with pytest.raises(ValueError, match=r"no article with a triplet|no span group"):
        run(config, tmp_path / "out")


def test_a_triplet_beyond_the_rows_is_called_a_damaged_corpus(corpus, tmp_path):
    shard = next((corpus / "train").glob("*.spacy"))
    vocab = spacy.blank("en").vocab
    docs = list(DocBin().from_disk(shard).get_docs(vocab))
    docs[0].spans["triplets"].attrs["triplets"] = [[0, 1, 999]]
    (tmp_path / "train").mkdir()
    DocBin(docs=docs).to_disk(tmp_path / "train" / "0.spacy")
    config = load_config(corpus)
    config["paths"]["train"] = str(tmp_path / "train")
    with pytest.raises(ValueError, match="names row 999.*the corpus is damaged"):
        run(config, tmp_path / "out")


def test_a_loss_that_does_not_exist_is_named_with_those_that_do(corpus, tmp_path):
    config = load_config(corpus)
    config["components"]["thematic_embedder"]["loss"] = {"@losses": "spacy-thematic.Nope.v1"}
    with pytest.raises(Exception, match=r"Nope.v1[\s\S]*SectionContrastive.v1"):
        run(config, tmp_path / "out")


@pytest.mark.parametrize("writes", [2, 9])
def test_a_full_disk_leaves_the_former_best_pipeline(corpus, tmp_path, monkeypatch, writes):
    run(load_config(corpus), tmp_path)
    former = weights(tmp_path, "model-best")
    write, count = Path.open, 0

    def open_on_full_disk(self, mode="r", *args, **kwargs):
        nonlocal count
        if "w" in mode:
            count += 1
            if count > writes:
                raise OSError(errno.ENOSPC, "No space left on device", str(self))
        return write(self, mode, *args, **kwargs)

    config = load_config(corpus)
    config["system"]["seed"] = 1
    monkeypatch.setattr(Path, "open", open_on_full_disk)
    with pytest.raises(OSError, match="No space left"):
        run(config, tmp_path)
    monkeypatch.undo()
    assert weights(tmp_path, "model-best") == former
    spacy.load(tmp_path / "model-best")
    assert not list(tmp_path.glob(".*"))
