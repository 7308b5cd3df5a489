import zipfile

import numpy as np
import pytest
from scipy.stats import pearsonr, spearmanr

from baselines import EncodedPairs, RelatednessRegression, _fit_softmax, _pair_features, correlate
from sick import find_unexpected_sizes, read_sick
from tables import CORRELATIONS

HEAD = "pair_ID\tsentence_A\tsentence_B\trelatedness_score\tentailment_judgment\n"


def write_splits(folder, bad="4.5"):
    """SICK as SemEval 2014 released it."""
    names = {"SICK_train": "0", "SICK_trial": "1", "SICK_test_annotated": "112"}
    for name, number in names.items():
        numbers = (6, 7) if number == "112" else (0, 1)  # The paper shows 1126 and 1127.
        score = bad if name == "SICK_trial" else "4.5"
        rows = [f'{number}{i}\tA "dog" runs {i}\tDogs run\t{score}\tNEUTRAL\n' for i in numbers]
        (folder / f"{name}.txt").write_text(HEAD + "".join(rows), newline="")
    (folder / "readme.txt").write_text("SICK is ...")
    (folder / "SICK_test.txt").write_text("pair_ID\tsentence_A\tsentence_B\n9\tA\tB\n")
    return folder


def test_sick_as_three_files_in_a_folder_or_a_zip(tmp_path):
    folder = tmp_path / "sick"
    folder.mkdir()
    sick = read_sick(write_splits(folder))
    assert [pair.number for pair in sick["train"]] == ["00", "01"]
    assert sick["trial"][1] == ("11", 'A "dog" runs 1', "Dogs run", 4.5)
    assert len(sick["test"]) == 2
    with zipfile.ZipFile(tmp_path / "SICK.zip", "w") as archive:
        for file in folder.iterdir():
            archive.write(file, file.name)
    assert read_sick(tmp_path / "SICK.zip") == sick
    part = (tmp_path / "SICK.zip").read_bytes()[:-30]
    (tmp_path / "part.zip").write_bytes(part)
    with pytest.raises(ValueError, match="not a whole .zip"):
        read_sick(tmp_path / "part.zip")
    assert len(find_unexpected_sizes(sick)) == 3
    assert "train: 2 pairs, not 4,500" in find_unexpected_sizes(sick)


def test_sick_as_one_file_that_names_the_splits(tmp_path):
    """The columns of the release on Zenodo, in another order and with some more."""
    head = "pair_ID\tsentence_A\tsentence_B\tentailment_label\trelatedness_score\tSemEval_set\n"
    rows = [
        f"{i}\tA\tB\tNEUTRAL\t{i}.5\t{s}\n" for i, s in enumerate(("TRAIN", "TRIAL", "TEST"), 1)
    ]
    (tmp_path / "SICK.txt").write_text(head + "".join(rows))
    for path in (tmp_path, tmp_path / "SICK.txt"):
        sick = read_sick(path)
        assert (sick["train"][0].score, sick["trial"][0].score, sick["test"][0].score) == (
            1.5,
            2.5,
            3.5,
        )


def test_what_is_no_sick_is_named(tmp_path):
    with pytest.raises(ValueError, match="no pairs of the split train"):
        read_sick(tmp_path)
    write_splits(tmp_path, bad="6")
    with pytest.raises(ValueError, match="line 2 of SICK_trial.txt"):
        read_sick(tmp_path)
    (tmp_path / "SICK_trial.txt").write_text("a\tb\n1\t2\n")
    with pytest.raises(ValueError, match="has no column pair_ID"):
        read_sick(tmp_path)


def test_measures_agree_with_scipy_and_with_hand_made_cases():
    rng = np.random.default_rng(0)
    scores = rng.integers(2, 11, 200) / 2
    predicted = scores + rng.normal(0, 1, 200).round(1)
    found = {name: measure(predicted, scores) for name, measure in CORRELATIONS.items()}
    assert found["Pearson"] == pytest.approx(pearsonr(predicted, scores)[0])
    assert found["Spearman"] == pytest.approx(spearmanr(predicted, scores)[0])
    assert found["MSE"] == pytest.approx(((predicted - scores) ** 2).mean())
    perfect = {name: measure(scores, scores) for name, measure in CORRELATIONS.items()}
    assert perfect == pytest.approx({"Pearson": 1, "Spearman": 1, "MSE": 0})
    assert correlate(np.full(200, 3.0), scores) == 0
    assert correlate(-scores, scores) == pytest.approx(-1)


def encoded(n, seed):
    """Pairs whose relatedness is plain from their vectors, beside some noise."""
    rng = np.random.default_rng(seed)
    first = rng.normal(size=(n, 6)).astype("f")
    share = rng.random(n).astype("f")[:, None]
    second = share * first + (1 - share) * rng.normal(size=(n, 6)).astype("f")
    return EncodedPairs(first, second, 1 + 4 * share[:, 0])


def test_the_regression_learns_relatedness_and_predicts_within_the_scale():
    regression = RelatednessRegression(encoded(400, 0), encoded(80, 1))
    test = encoded(300, 2)
    predicted = regression.predict(test.first, test.second)
    assert correlate(predicted, test.scores) > 0.8
    assert 1 <= predicted.min() < predicted.max() <= 5
    again = RelatednessRegression(encoded(400, 0), encoded(80, 1))
    assert np.array_equal(predicted, again.predict(test.first, test.second))


def test_every_two_rows_are_predicted_as_pairs_of_them():
    regression = RelatednessRegression(encoded(400, 0), encoded(80, 1))
    vectors = encoded(9, 5).first
    found = regression.predict_all(vectors)
    assert found.shape == (9, 9)
    assert np.array_equal(found, found.T)
    for i, j in [(0, 0), (2, 7), (8, 1)]:
        expected = regression.predict(vectors[[i]], vectors[[j]])[0]
        assert found[i, j] == pytest.approx(expected, abs=1e-5)
    assert found.diagonal().mean() > found.mean() + 0.5
    assert regression.predict_all(vectors[:0]).shape == (0, 0)


def test_the_regression_is_the_softmax_of_scikit_learn():
    """Soft targets are two weighted copies of a pair."""
    from sklearn.linear_model import LogisticRegression

    train = encoded(300, 3)
    features = _pair_features(train.first, train.second)
    constant = np.hstack([features, np.ones((300, 1), "f")])
    weights = _fit_softmax(constant, train.scores, 0.1, np.zeros((13, 5)))
    low = np.minimum(np.floor(train.scores), 4)
    model = LogisticRegression(C=1 / (0.1 * 300), max_iter=1000, tol=1e-6).fit(
        np.vstack([features] * 2),
        np.concatenate([low, low + 1]),
        sample_weight=np.concatenate([low + 1 - train.scores, train.scores - low]),
    )
    logits = constant @ weights
    ours = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    assert np.allclose(ours, model.predict_proba(features), atol=0.01)


def test_vectors_that_say_nothing_give_the_mean_score():
    pairs = encoded(200, 4)
    for same in (np.zeros((200, 3)), np.full((200, 3), 0.7)):
        empty = EncodedPairs(same, same, pairs.scores)
        predicted = RelatednessRegression(empty, empty).predict(same, same)
        assert np.allclose(predicted, pairs.scores.mean(), atol=0.05)
