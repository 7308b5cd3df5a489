"""How well vectors and clusters agree with the sections of articles: arrays in, numbers out.

The scorers, the command `evaluate` and the benchmarks all measure with these functions.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from spacy_thematic.losses.targets import distance, normalize_rows

METRICS = {"cosine": "thematic_accuracy", "L1": "thematic_accuracy_l1"}
"""The metrics of the thematic distance comparison, and what scores by each are called."""

AGREEMENTS = {"mi": "MI", "ami": "AMI", "ami_max": "AMI max", "ri": "RI", "ari": "ARI"}
"""The measures of `clustering_agreement`, and their headings in tables."""

SPREAD_ROWS = 20_000
"""The rows that the spread of several articles is measured on, at most."""


def is_ordered(vectors: np.ndarray, triplets: np.ndarray, metric: str = "cosine") -> np.ndarray:
    """Whether the anchor of each triplet is closer to its positive than to its negative, bool (m,).
    Triplets, (m, 3), are row numbers of the vectors, (n, width).

    The thematic distance comparison (Ein Dor et al. 2018, section 5.1). A tie counts as wrong, and
    so does a triplet with a vector that is not finite."""
    if not len(triplets):
        return np.zeros(0, bool)
    anchor, positive, negative = (vectors[rows] for rows in np.transpose(triplets))
    near, _ = distance(metric, anchor, positive)
    far, _ = distance(metric, anchor, negative)
    return np.asarray(near < far)


def thematic_accuracy(
    vectors: np.ndarray, triplets: np.ndarray, metric: str = "cosine"
) -> float | None:
    """The share of triplets for which `is_ordered` is true; None if there are no triplets."""
    return _share(int(is_ordered(vectors, triplets, metric).sum()), len(triplets))


def count_ordered(vectors: np.ndarray, triplets: np.ndarray) -> dict[str, int]:
    """How many "triplets" an article has, and for how many of them `is_ordered` is true by each
    metric."""
    counts = {metric: int(is_ordered(vectors, triplets, metric).sum()) for metric in METRICS}
    return {"triplets": len(triplets), **counts}


def score_triplets(
    articles: Iterable[tuple[np.ndarray, np.ndarray]],
    on_article: Callable[[dict[str, int]], Any] = lambda counts: None,
) -> dict[str, float | None]:
    """Score the vectors, (n, width), and triplets, (m, 3), of several articles. Returns
    `thematic_accuracy` (by cosine) and `thematic_accuracy_l1`, None if there are no triplets, and
    `thematic_spread`, the mean pairwise distance of the first 20,000 rows. `on_article` is called
    with the result of `count_ordered` for each article. Memory use does not grow with the number of
    articles."""
    total: Counter[str] = Counter()
    sample: list[np.ndarray] = []
    room = SPREAD_ROWS
    for vectors, triplets in articles:
        counts = count_ordered(vectors, triplets)
        on_article(counts)
        total.update(counts)
        if room:
            sample.append(vectors[:room])
            room -= len(sample[-1])
    scores = {name: _share(total[metric], total["triplets"]) for metric, name in METRICS.items()}
    spread = mean_pairwise_distance(np.concatenate(sample)) if sample else 0.0
    return {**scores, "thematic_spread": spread}


def mean_pairwise_distance(vectors: np.ndarray) -> float:
    """The mean L2 distance of 10,000 random pairs of rows, (n, width), scaled to unit length: 0 if
    all vectors have collapsed to one point."""
    if len(vectors) < 2:
        return 0.0
    vectors, _ = normalize_rows(vectors)
    rng = np.random.default_rng(0)
    first = rng.integers(len(vectors), size=10_000)
    second = (first + rng.integers(1, len(vectors), size=10_000)) % len(vectors)
    return float(np.linalg.norm(vectors[first] - vectors[second], axis=1).mean())


def clustering_agreement(
    labels: Sequence[int] | np.ndarray, sections: Sequence[int] | np.ndarray
) -> dict[str, float]:
    """How well the clusters of sentences agree with their sections (Ein Dor et al. 2018, section
    5.1).

    `mi`: mutual information in nats. `ami`: adjusted mutual information (Vinh, Epps & Bailey 2010)
    with the arithmetic mean of the entropies. `ami_max`: the same with their maximum,
    scikit-learn's default in 2018. `ri`: the Rand index. `ari`: the adjusted Rand index (Hubert &
    Arabie 1985)."""
    from sklearn import metrics

    found = (
        metrics.mutual_info_score(sections, labels),
        metrics.adjusted_mutual_info_score(sections, labels),
        metrics.adjusted_mutual_info_score(sections, labels, average_method="max"),
        metrics.rand_score(sections, labels),
        metrics.adjusted_rand_score(sections, labels),
    )
    return dict(zip(AGREEMENTS, map(float, found)))


def mean_agreement(articles: Iterable[Mapping[str, float]]) -> dict[str, float | None]:
    """The mean over articles of the results of `clustering_agreement`; None if there are no
    articles."""
    found = list(articles)
    return {
        measure: float(np.mean([values[measure] for values in found])) if found else None
        for measure in AGREEMENTS
    }


def _share(part: int, total: int) -> float | None:
    return part / total if total else None
