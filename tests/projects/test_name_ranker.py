"""The ranker of names learns from the marks of readers."""

import json

import numpy as np

from name_ranker import LETTERS, MOST_UNFIT, collect, learn
from spacy_thematic.trees import Trees

N_THEMES, N_TEXTS, N_NAMES = 60, 12, 20


def write_marks(folder):
    """Of each theme, those candidates are good whose first feature is above .8."""
    rng, n_good = np.random.default_rng(0), []
    folder.mkdir()
    with (folder / "themes.jsonl").open("w") as themes, (folder / "marks.txt").open("w") as marks:
        for number in range(N_THEMES):
            features = rng.random((N_NAMES, 2)).round(4).tolist()
            names = [f"name {letter}" for letter in LETTERS[:N_NAMES]]
            theme = {"source": f"text {number % N_TEXTS}", "names": names, "columns": ["fit", "x"]}
            themes.write(json.dumps({**theme, "features": features}) + "\n")
            good = [letter for letter, (fit, _) in zip(LETTERS, features) if fit > 0.8]
            marks.write(f"T{number} | good: {' '.join(good)} | fair: \n")
            n_good.append(len(good))
    return n_good


def test_what_is_kept_of_marks_stands_for_all_candidates(tmp_path):
    n_good = write_marks(tmp_path / "read")
    collect([tmp_path / "read"], out=tmp_path / "marks.npz")
    with np.load(tmp_path / "marks.npz") as known:
        of_theme = np.bincount(known["themes"])
        assert of_theme.tolist() == [n + MOST_UNFIT for n in n_good]
        weights = np.bincount(known["themes"], known["weights"].astype(float))
        assert np.allclose(weights, N_NAMES, atol=0.02)


def test_the_ranker_marks_names_as_readers_do(tmp_path, capsys):
    write_marks(tmp_path / "read")
    collect([tmp_path / "read"], out=tmp_path / "marks.npz")
    learn([tmp_path / "marks.npz"], out=tmp_path / "ranker.npz")
    rank = Trees.load(tmp_path / "ranker.npz")
    fit = np.array([0.1, 0.5, 0.95])
    bad, middling, good = rank({"fit": fit, "x": np.full(3, 0.5)})
    assert bad < 0.1 and middling < 0.1 and good > 0.9
    assert "60 themes" in capsys.readouterr().out
