"""What only the paper's tables need: encoders, clustering algorithms, and the regression of
relatedness."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize
from scipy.spatial.distance import cdist
from sklearn.feature_extraction.text import TfidfVectorizer
from spacy.tokens import Doc, Span
from spacy.vocab import Vocab
from threadpoolctl import threadpool_limits

from spacy_thematic.clustering.iclust import maximise_objective
from spacy_thematic.clustering.kmeans import kmeans_of_raw_rows
from spacy_thematic.evaluation.encoders import SpanEncoder, look_up, mean_of_known
from spacy_thematic.rows import check_vectors, possible_k, renumber, softmax, unit_rows

Articles = Sequence[tuple[Doc, Sequence[Span]]]
PENALTIES = (1.0, 0.3, 0.1, 0.03, 0.01, 0.003, 0.001)


def find_terms(span: Span) -> list[str]:
    """The words of a span in lower case, without stop words and punctuation unless it has nothing
    else."""
    content = [token.lower_ for token in span if token.is_alpha and not token.is_stop]
    return content or [token.lower_ for token in span]


def tfidf_vectors(articles: Articles) -> SpanEncoder:
    """Term counts times their inverse frequency in the sentences of some articles."""
    vectorizer = TfidfVectorizer(analyzer=find_terms, norm=None)
    vectorizer.fit(span for _, spans in articles for span in spans)

    def encode(doc: Doc, spans: Sequence[Span]) -> np.ndarray:
        rows = vectorizer.transform(spans)
        return rows[:, np.unique(rows.indices)].toarray().astype("f")

    return encode


def sif_vectors(vocab: Vocab, articles: Articles, a: float = 1e-3, seed: int = 0) -> SpanEncoder:
    """Means of word vectors weighted by a / (a + p(word)), less their projection on the first
    singular vector of 20,000 random sentences (Arora, Liang & Ma 2017, algorithm 1)."""
    looked_up = [look_up(vocab, doc, spans) for doc, spans in articles]
    counts = Counter(word for _, lower, _ in looked_up for word in lower.tolist())
    total = max(counts.total(), 1)

    def weigh(words: np.ndarray, lower: np.ndarray, lengths: np.ndarray) -> np.ndarray:
        weights = [a / (a + counts[word] / total) for word in lower.tolist()]
        return mean_of_known(words * np.array(weights, "f")[:, None], lengths)

    rng = np.random.default_rng(seed)
    share = 20_000 / max(sum(len(spans) for _, spans in articles), 1)
    rows = map(weigh, *zip(*looked_up))
    sample = np.concatenate([part[rng.random(len(part)) < share] for part in rows])
    direction = np.linalg.eigh(sample.T @ sample)[1][:, -1] * sample.any()

    def encode(doc: Doc, spans: Sequence[Span]) -> np.ndarray:
        rows = weigh(*look_up(vocab, doc, spans))
        return rows - np.outer(rows @ direction, direction)

    return encode


def kmeans_of_cosines(
    vectors: np.ndarray, k: int, seed: int = 0, *, n_init: int = 10
) -> np.ndarray:
    """k-means on the rows of the matrix of cosines, as Ein Dor et al. (2018, section 5.1) may be
    read: they compute the matrix, and then use Iclust and k-means."""
    rows = unit_rows(vectors, centre=False)
    return kmeans_of_raw_rows(rows @ rows.T, k, seed, n_init=n_init)


def kmedians(vectors: np.ndarray, k: int, seed: int = 0, *, n_init: int = 10) -> np.ndarray:
    """k-means with the L1 distance, the best of some starts by k-means++ (Arthur & Vassilvitskii
    2007, section 5). A centre is the median of its rows, coordinate by coordinate."""
    rows = check_vectors(vectors)
    k = possible_k(rows, k)
    if k <= 1:
        return np.zeros(len(rows), dtype=np.int64)
    rng = np.random.default_rng(seed)
    found = [_improve(rows, _draw_centres(rows, k, rng)) for _ in range(n_init)]
    return renumber(min(found, key=lambda start: start[1])[0])


def _draw_centres(rows: np.ndarray, k: int, rng: np.random.Generator) -> np.ndarray:
    chosen = [int(rng.integers(len(rows)))]
    nearest = cdist(rows, rows[chosen], "cityblock")[:, 0]
    for _ in range(k - 1):
        chosen.append(int(rng.choice(len(rows), p=nearest / nearest.sum())))
        nearest = np.minimum(nearest, cdist(rows, rows[chosen[-1:]], "cityblock")[:, 0])
    return rows[chosen]


def _improve(rows: np.ndarray, centres: np.ndarray) -> tuple[np.ndarray, float]:
    """The labels at a local minimum of the sum of the distances, and that sum."""
    labels = np.full(len(rows), -1)
    for _ in range(100):
        distances = cdist(rows, centres, "cityblock")
        former, labels = labels, distances.argmin(axis=1)
        if np.array_equal(labels, former):
            break
        # A cluster that has lost all rows keeps its centre.
        for cluster in np.unique(labels):
            centres[cluster] = np.median(rows[labels == cluster], axis=0)
    return labels, float(distances.min(axis=1).sum())


def iclust_of_similarities(similarities: np.ndarray, k: int, seed: int = 0) -> np.ndarray:
    """Iclust on any symmetric similarities, (n, n).

    A number added to the similarity of each sentence with itself adds k times as much to the
    objective of every solution, so their order stays. With enough added, the similarities are the
    inner products of some rows, no two of them equal, and these are clustered.
    """
    values, directions = np.linalg.eigh(similarities)
    margin = 1e-3 * np.abs(values).mean() if len(values) else 0
    rows = directions * np.sqrt(values - values.min(initial=0) + margin)
    return maximise_objective(rows.astype("f"), k, seed)


class EncodedPairs(NamedTuple):
    """The vectors of the first and of the second sentences, (n, width), and the scores, (n,)."""

    first: np.ndarray
    second: np.ndarray
    scores: np.ndarray


class RelatednessRegression:
    """Softmax regression of |u - v| and u * v onto a distribution over the scores 1 to 5. The
    prediction is its mean (Kiros et al. 2015, section 3.1).

    The target of a score y gives floor(y) the weight floor(y) + 1 - y and floor(y) + 1 the rest
    (Tai, Socher & Manning 2015, equation 15). The L2 penalty is lowered for as long as Pearson's
    correlation on the trial pairs rises.
    """

    def __init__(self, train: EncodedPairs, trial: EncodedPairs):
        features = _pair_features(train.first, train.second)
        spread = features.std(axis=0)
        self._scale = np.where(spread > 1e-6 * np.abs(features).max(), spread, 1)
        features = np.hstack([features / self._scale, np.ones((len(features), 1))]).astype("f")
        self._weights = np.zeros((features.shape[1], 5))
        best, best_weights = -np.inf, self._weights
        for penalty in PENALTIES:
            self._weights = _fit_softmax(features, train.scores, penalty, self._weights)
            score = correlate(self.predict(trial.first, trial.second), trial.scores)
            if score <= best:
                break
            best, best_weights = score, self._weights
        self._weights = best_weights

    def predict(self, first: np.ndarray, second: np.ndarray) -> np.ndarray:
        """The expected scores, (n,), of pairs of vectors, (n, width) twice."""
        weights = (self._weights[:-1] / self._scale[:, None]).astype("f")
        logits = _pair_features(first, second) @ weights + self._weights[-1]
        return softmax(logits) @ np.arange(1, 6)

    def predict_all(self, vectors: np.ndarray) -> np.ndarray:
        """The expected scores of every two rows, (n, n), symmetric."""
        scores = np.empty((len(vectors), len(vectors)))
        for row, vector in enumerate(vectors):
            rest = vectors[row:]
            scores[row, row:] = scores[row:, row] = self.predict(
                np.tile(vector, (len(rest), 1)), rest
            )
        return scores


def _pair_features(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    return np.hstack([np.abs(first - second), first * second])


def _fit_softmax(
    features: np.ndarray, scores: np.ndarray, penalty: float, start: np.ndarray
) -> np.ndarray:
    """Weights (features, classes); the last feature is the constant, which is not penalised."""
    targets = np.maximum(1 - np.abs(np.asarray(scores)[:, None] - np.arange(1, 6)), 0).astype("f")

    def loss(flat: np.ndarray) -> tuple[float, np.ndarray]:
        weights = flat.reshape(start.shape)
        penalised = weights * (np.arange(len(weights)) < len(weights) - 1)[:, None]
        probabilities = softmax(features @ weights.astype("f"))
        entropy = -(targets * np.log(np.maximum(probabilities, 1e-12))).sum() / len(targets)
        gradient = features.T @ (probabilities - targets) / len(targets) + penalty * penalised
        return float(entropy + penalty / 2 * (penalised**2).sum()), gradient.ravel().astype("f8")

    with threadpool_limits(1):
        found = minimize(loss, start.ravel(), jac=True, method="L-BFGS-B", options={"maxiter": 100})
    return found.x.reshape(start.shape)


def correlate(first: np.ndarray, second: np.ndarray) -> float:
    """Pearson's correlation, 0 where one of the two is constant."""
    first, second = first - first.mean(), second - second.mean()
    norm = float(np.sqrt((first @ first) * (second @ second)))
    return float(first @ second) / norm if norm > 0 else 0.0
