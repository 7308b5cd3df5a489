"""Semantic relatedness of sentence pairs: the SICK data (Marelli et al. 2014), and the regression
of Kiros et al. (2015), section 3.1, that Ein Dor et al. (2018) use for their Table 5."""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

SPLITS = ("train", "trial", "test")
SIZES = {"train": 4500, "trial": 500, "test": 4927}
PENALTIES = (1.0, 0.3, 0.1, 0.03, 0.01, 0.003, 0.001)


class Pair(NamedTuple):
    """Two sentences and how related people found them, 1 to 5."""

    number: str
    first: str
    second: str
    score: float


@dataclass
class Sick:
    """The pairs of each split."""

    train: list[Pair]
    trial: list[Pair]
    test: list[Pair]

    def unexpected_sizes(self) -> list[str]:
        """In words, which splits have another size than the released ones; empty if none."""
        return [
            f"{split}: {len(getattr(self, split)):,} pairs, not {size:,}"
            for split, size in SIZES.items()
            if len(getattr(self, split)) != size
        ]


def read_sick(path: Path) -> Sick:
    """Read SICK: a folder or .zip with SICK_train.txt, SICK_trial.txt and SICK_test_annotated.txt
    (SemEval 2014), or with SICK.txt, or that file, which names the split of each pair.

    Raises ValueError that names what is missing, and the line of a bad score.
    """
    pairs: dict[str, list[Pair]] = {split: [] for split in SPLITS}
    names = []
    for name, text in _open_files(path):
        names.append(name)
        rows = csv.DictReader(io.StringIO(text), delimiter="\t", quoting=csv.QUOTE_NONE)
        columns = {"pair_ID", "sentence_A", "sentence_B", "relatedness_score"}
        if missing := columns - set(rows.fieldnames or ()):
            raise ValueError(f"{path}: {name} has no column {sorted(missing)[0]}, expected SICK's.")
        stem = Path(name).stem.lower()
        split = next((split for split in SPLITS if f"_{split}" in stem), None)
        for line, row in enumerate(rows, start=2):
            try:
                where = split or str(row["SemEval_set"]).lower()
                score = float(row["relatedness_score"])
                if not (1 <= score <= 5 and where in pairs and row["sentence_B"]):
                    raise ValueError
            except (KeyError, TypeError, ValueError):
                raise ValueError(
                    f"{path}: line {line} of {name} is no pair with a score of 1 to 5 and a split."
                ) from None
            pairs[where].append(Pair(row["pair_ID"], row["sentence_A"], row["sentence_B"], score))
    if empty := [split for split in SPLITS if not pairs[split]]:
        raise ValueError(
            f"{path} has no pairs of the split {empty[0]} (read: {names or 'nothing'}). Expected "
            "SICK_train.txt, SICK_trial.txt and SICK_test_annotated.txt, or SICK.txt."
        )
    return Sick(**pairs)


def _open_files(path: Path) -> Iterator[tuple[str, str]]:
    """The names and texts of SICK's files in a folder or .zip, or of the one file."""
    if path.is_dir():
        files = {file.name: file.read_bytes() for file in sorted(path.glob("*.txt"))}
    elif path.suffix == ".zip":
        try:
            with zipfile.ZipFile(path) as archive:
                files = {n: archive.read(n) for n in archive.namelist() if n.endswith(".txt")}
        except zipfile.BadZipFile as error:
            raise ValueError(f"{path} is no whole .zip ({error}): download it again.") from error
    else:
        files = {path.name: path.read_bytes()}
    for name, data in files.items():
        stem = Path(name).stem.lower()
        # The test split is released with scores and without.
        if len(files) > 1 and not (stem.startswith("sick") and stem != "sick_test"):
            continue
        yield name, data.decode("utf-8-sig")


class EncodedPairs(NamedTuple):
    """The vectors of the first and of the second sentences, (n, width), and the scores, (n,)."""

    first: np.ndarray
    second: np.ndarray
    scores: np.ndarray


def pair_features(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """|u - v| and u * v side by side. (n, width) twice to (n, 2 width)."""
    return np.hstack([np.abs(first - second), first * second])


class RelatednessRegression:
    """Softmax regression of a pair's vectors onto a distribution over the scores 1 to 5, of which
    the prediction is the mean.

    The target of a score y gives floor(y) the weight floor(y) + 1 - y and floor(y) + 1 the rest
    (Tai, Socher & Manning 2015, equation 15). Features are scaled to unit variance. The loss is the
    mean cross-entropy with an L2 penalty, lowered from the first of `PENALTIES` for as long as
    Pearson's correlation on the trial pairs rises.
    """

    def fit(self, train: EncodedPairs, trial: EncodedPairs) -> RelatednessRegression:
        """Learn the weights from one split, and choose the penalty by the other."""
        features = pair_features(train.first, train.second)
        spread = features.std(axis=0)
        self._scale = np.where(spread > 1e-6 * np.abs(features).max(), spread, 1)
        features = np.hstack([features / self._scale, np.ones((len(features), 1))]).astype("f")
        targets = score_targets(train.scores)
        self._weights = np.zeros((features.shape[1], targets.shape[1]))
        best, best_weights = -np.inf, self._weights
        for penalty in PENALTIES:
            self._weights = _fit_softmax(features, targets, penalty, self._weights)
            score = correlate(self.predict(trial.first, trial.second), trial.scores)
            if score <= best:
                break
            best, best_weights = score, self._weights
        self._weights = best_weights
        return self

    def predict(self, first: np.ndarray, second: np.ndarray) -> np.ndarray:
        """The expected scores of pairs of vectors, (n, width) twice. (n,), 1 to 5."""
        features = pair_features(first, second) / self._scale
        logits = features @ self._weights[:-1] + self._weights[-1]
        return _softmax(logits) @ np.arange(1, 6)


def score_targets(scores: np.ndarray) -> np.ndarray:
    """Scores of 1 to 5, (n,), as distributions over the five whole ones, (n, 5)."""
    targets = np.maximum(1 - np.abs(np.asarray(scores)[:, None] - np.arange(1, 6)), 0)
    return targets.astype("f")


def score_relatedness(predicted: np.ndarray, scores: np.ndarray) -> dict[str, float]:
    """Pearson's and Spearman's correlation, and the mean squared error. Both (n,)."""
    return {name: measure(predicted, scores) for name, measure in MEASURES.items()}


def correlate(first: np.ndarray, second: np.ndarray) -> float:
    """Pearson's correlation, 0 where one of the two is constant."""
    first, second = first - first.mean(), second - second.mean()
    norm = float(np.sqrt((first @ first) * (second @ second)))
    return float(first @ second) / norm if norm > 0 else 0.0


def correlate_ranks(first: np.ndarray, second: np.ndarray) -> float:
    """Spearman's correlation; ties have their mean rank."""
    from scipy.stats import rankdata

    return correlate(rankdata(first), rankdata(second))


def mean_squared_error(predicted: np.ndarray, scores: np.ndarray) -> float:
    """The mean of the squared differences."""
    return float(np.mean((predicted - scores) ** 2))


MEASURES = {"pearson": correlate, "spearman": correlate_ranks, "mse": mean_squared_error}


def _fit_softmax(
    features: np.ndarray, targets: np.ndarray, penalty: float, start: np.ndarray
) -> np.ndarray:
    """Weights (features, classes); the last feature is the constant, which is not penalised."""
    from scipy.optimize import minimize
    from threadpoolctl import threadpool_limits

    def loss(flat: np.ndarray) -> tuple[float, np.ndarray]:
        weights = flat.reshape(start.shape)
        penalised = weights.copy()
        penalised[-1] = 0
        probabilities = _softmax(features @ weights.astype("f"))
        entropy = -(targets * np.log(np.maximum(probabilities, 1e-12))).sum() / len(targets)
        gradient = features.T @ (probabilities - targets) / len(targets) + penalty * penalised
        return float(entropy + penalty / 2 * (penalised**2).sum()), gradient.ravel().astype("f8")

    with threadpool_limits(1):
        found = minimize(loss, start.ravel(), jac=True, method="L-BFGS-B", options={"maxiter": 100})
    return found.x.reshape(start.shape)


def _softmax(logits: np.ndarray) -> np.ndarray:
    logits = np.exp(logits - logits.max(axis=1, keepdims=True))
    return logits / logits.sum(axis=1, keepdims=True)
