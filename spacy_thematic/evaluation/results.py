"""From the scores of articles to estimates with intervals, and their differences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

from spacy_thematic.evaluation.significance import Estimate, estimate_ratio

AMI = "ami"
Records = Sequence[Mapping[str, Any]]
"""What one encoder scored, a record an article."""


class Results:
    """Estimates from the scores of some rows on the same articles.

    Args:
        ordered: Of each row what `count_ordered` returned for the articles with triplets.
        clustered: Of each row what `clustering_agreement` returned for the clustered articles.
    """

    def __init__(self, ordered: Mapping[str, Records], clustered: Mapping[str, Records]):
        self.ordered = ordered
        self.clustered = clustered
        self.estimate = cache(self._estimate)

    def _estimate(self, row: str, measure: str) -> Estimate | None:
        """A metric of `METRICS`, or "ami", of a row; None without articles."""
        records = (self.clustered if measure == AMI else self.ordered)[row]
        if not records:
            return None
        totals = None if measure == AMI else [record["triplets"] for record in records]
        return estimate_ratio([record[measure] for record in records], totals)

    def difference(self, first: str, second: str, measure: str) -> Estimate | None:
        """The first row less the second."""
        a, b = self.estimate(first, measure), self.estimate(second, measure)
        return None if a is None or b is None else a - b


def results_of_documents(scores: Mapping[str, np.ndarray], n_triplets: Sequence[int]) -> Results:
    """Results from the scores of documents, by the protocol `CENTRED`.

    Args:
        scores: Of each row what `training.adapting.score` returns, float (documents, 2).
        n_triplets: Of each document.
    """
    return Results(
        {
            row: [{"triplets": n, "cosine": x * n} for (x, _), n in zip(values, n_triplets) if n]
            for row, values in scores.items()
        },
        {
            row: [{AMI: ami} for _, ami in values if not np.isnan(ami)]
            for row, values in scores.items()
        },
    )
