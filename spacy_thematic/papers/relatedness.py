"""The relatedness of sentence pairs: the regression of Kiros et al. (2015), section 3.1, with which
Ein Dor et al. (2018) make their Table 5, and its measures."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from spacy_thematic.rows import softmax

_AT_ONCE = 1 << 20  # numbers
PENALTIES = (1.0, 0.3, 0.1, 0.03, 0.01, 0.003, 0.001)


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
        """Learn the weights from `train`, and choose the penalty by `trial`."""
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
        """The expected scores, (n,), 1 to 5, of pairs of vectors, (n, width) twice."""
        weights = (self._weights[:-1] / self._scale[:, None]).astype("f")
        logits = pair_features(first, second) @ weights + self._weights[-1]
        return softmax(logits) @ np.arange(1, 6)

    def predict_all(self, vectors: np.ndarray) -> np.ndarray:
        """The expected scores of every two rows, (n, width) to (n, n), symmetric; each row with
        itself on the diagonal."""
        first, second = np.triu_indices(len(vectors))
        step = max(1, _AT_ONCE // vectors.shape[1])
        scores = np.empty((len(vectors), len(vectors)))
        for start in range(0, len(first), step):
            a, b = first[start : start + step], second[start : start + step]
            scores[a, b] = scores[b, a] = self.predict(vectors[a], vectors[b])
        return scores


def score_targets(scores: np.ndarray) -> np.ndarray:
    """Scores of 1 to 5, (n,), as distributions over the five whole ones, (n, 5)."""
    targets = np.maximum(1 - np.abs(np.asarray(scores)[:, None] - np.arange(1, 6)), 0)
    return targets.astype("f")


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


RELATEDNESS_MEASURES = {
    "pearson": correlate,
    "spearman": correlate_ranks,
    "mse": mean_squared_error,
}


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
        probabilities = softmax(features @ weights.astype("f"))
        entropy = -(targets * np.log(np.maximum(probabilities, 1e-12))).sum() / len(targets)
        gradient = features.T @ (probabilities - targets) / len(targets) + penalty * penalised
        return float(entropy + penalty / 2 * (penalised**2).sum()), gradient.ravel().astype("f8")

    with threadpool_limits(1):
        found = minimize(loss, start.ravel(), jac=True, method="L-BFGS-B", options={"maxiter": 100})
    return found.x.reshape(start.shape)
