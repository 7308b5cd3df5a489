"""How many themes a single text has, where the user does not say, and neither headings nor the few
sentences of a short text do. `n_communities.py` chooses for a list and for a collection."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from spacy.util import registry

from spacy_thematic.clustering.communities import choose_by_communities
from spacy_thematic.clustering.n_communities import NEARLY
from spacy_thematic.clustering.vectors import Clusterer, KChoice
from spacy_thematic.rows import cluster_sums, unit_rows

KChooser = Callable[[np.ndarray, Clusterer, int, int], KChoice]
"""`(vectors, cluster, max_k, seed) -> choice`: rows (n, width) to a number of clusters. It may have
a method `choose_in_list` with the same arguments, for a list, and an attribute `leaves_number`,
True where it leaves a few sentences, and a text in order, to an algorithm that finds the number of
their clusters."""

MOST_THEMES = 12
"""The most themes that are tried in a text of up to about 950 sentences."""

WHAT_SCORES_SAY = (
    "The score says how well the themes are separated or, in a list, how stable they are (1 is "
    "perfect). Numbers that are unusual for the length of the text get a lower score. The number "
    "with the highest score is chosen or, in a list, the middle one of those whose score is within "
    f"{NEARLY} of the highest. A number may be missing if it would give one theme more than a "
    "third of an ordered text."
)


def find_most(max_k: int | Literal["auto"], n: int, in_list: bool = False) -> int:
    """Return the most themes to try among n sentences: `max_k`, or if it is "auto" 12, and in long
    texts `usual_k`; in long lists the root of n."""
    usual = n**0.5 if in_list else usual_k(n)
    return max(MOST_THEMES, int(usual)) if max_k == "auto" else max_k


def silhouette(rows: np.ndarray, labels: np.ndarray) -> float:
    """Return the mean silhouette (Rousseeuw 1987) of clusters, from 0, (n,), of rows of length one
    or zero, (n, width), under the cosine distance, -1 to 1; 0 for fewer than two clusters. It is
    computed from the sums of the clusters, in O(n k width) without the matrix of distances."""
    sums, sizes = cluster_sums(rows, labels)
    if len(sizes) < 2:
        return 0.0
    own = np.arange(len(rows)), labels
    distances = sizes - rows @ sums.T
    distances[own] -= 1.0 - np.einsum("ij,ij->i", rows, rows)
    counts = np.broadcast_to(sizes, distances.shape).astype(float)
    counts[own] -= 1
    means = np.divide(distances, counts, where=counts > 0, out=np.zeros_like(distances))
    within = means[own].copy()
    means[own] = np.inf
    nearest = means.min(axis=1)
    larger = np.maximum(within, nearest)
    scores = np.divide(nearest - within, larger, where=larger > 0, out=np.zeros_like(larger))
    return float(np.where(sizes[labels] > 1, scores, 0.0).mean())


def usual_k(n: int) -> float:
    """Return the usual number of themes of a text of n sentences: the smaller of 1.06 sqrt(n), as
    in encyclopedia articles, and 3.3 n^0.2, at least 3. Readers who outline a text find more in a
    long one, 1.2 n^0.47; but asked how many themes it has, they say fewer."""
    return max(3.0, min(1.06 * n**0.5, 3.3 * n**0.2))


@registry.misc("spacy-thematic.SilhouetteWithPrior.v1")
@dataclass(frozen=True)
class SilhouetteWithPrior:
    """A `KChooser`: the k whose clusters have the largest silhouette, minus `weight` times
    `ln(k / usual_k(n))` squared.

    A list has more themes than an article of its length: there k is chosen as for the texts of a
    collection. Of a few sentences the silhouette says too little.

    Args:
        weight: 0 is the plain silhouette, which prefers far too few or too many.
        centre: Whether to subtract the mean row before the silhouette is taken.
    """

    leaves_number: ClassVar = True

    weight: float = 0.3
    centre: bool = True

    def __call__(
        self, vectors: np.ndarray, cluster: Clusterer, max_k: int, seed: int = 0
    ) -> KChoice:
        """Choose k for a text, from 2 to `max_k`; 1 for fewer than three sentences. Of equal scores
        the smaller k is taken."""
        n = len(vectors)
        rows = unit_rows(vectors, self.centre)
        scores: dict[int, float] = {}
        for k in range(2, min(max_k, len(rows) - 1) + 1):
            labels = cluster(vectors, k, seed)
            found = int(labels.max()) + 1
            if found < k:
                break
            away = np.log(k / usual_k(n)) ** 2
            scores[k] = float(silhouette(rows, labels) - self.weight * away)
        return KChoice(max(scores, key=scores.__getitem__, default=min(n, 1)), scores)

    choose_in_list = staticmethod(choose_by_communities)
