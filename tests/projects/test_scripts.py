"""A table of word vectors as a folder."""

import numpy as np
import pytest
import spacy

from word_vectors import main as write_vectors


def test_vectors_of_text_npz_and_pipelines(tmp_path):
    (tmp_path / "glove.txt").write_text("river 1 2 3\nnew york 4 5 6\ncafé 7 8 9\n")
    write_vectors(str(tmp_path / "glove.txt"), tmp_path / "out", 0, "en", 0)
    nlp = spacy.load(tmp_path / "out")
    assert nlp.vocab["river"].vector.tolist() == [1, 2, 3]
    assert nlp.vocab.get_vector("new york").tolist() == [4, 5, 6]
    (tmp_path / "w2v.txt").write_text("2 3\nriver 1 2 3\nsea 4 5 6\n")
    write_vectors(str(tmp_path / "w2v.txt"), tmp_path / "out", 1, "en", 0)
    assert spacy.load(tmp_path / "out").vocab.vectors.shape == (1, 3)
    np.savez(tmp_path / "v.npz", words=np.array(["a", "b"]), vectors=np.eye(2, dtype="float16"))
    write_vectors(str(tmp_path / "v.npz"), tmp_path / "npz", 0, "en", 0)
    write_vectors(str(tmp_path / "npz"), tmp_path / "again", 0, "en", 0)
    assert spacy.load(tmp_path / "again").vocab["b"].vector.tolist() == [0, 1]
    write_vectors(str(tmp_path / "glove.txt"), tmp_path / "scaled", 0, "en", 5)
    scaled = spacy.load(tmp_path / "scaled").vocab["river"].vector
    assert scaled == pytest.approx(np.array([1, 2, 3]) * 5 / 14**0.5)


def test_bad_vectors_are_named(tmp_path, capsys):
    (tmp_path / "bad.txt").write_text("river 1 2 3\nsea 4 x 6\n")
    (tmp_path / "nan.txt").write_text("river 1 2 3\nsea 4 nan 6\n")
    for source, message in (
        ("nowhere.txt", "no table of word vectors"),
        (tmp_path / "bad.txt", "Line 2 of"),
        (tmp_path / "nan.txt", "'sea'"),
    ):
        with pytest.raises(SystemExit):
            write_vectors(str(source), tmp_path / "o", 0, "en", 0)
        assert message in " ".join(capsys.readouterr().out.split())
    assert not (tmp_path / "o").exists()
