"""From saved scores to estimates with intervals, and their differences."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, partial
from typing import Any

import numpy as np

from spacy_thematic.evaluation.protocols import (
    CENTRED,
    CLUSTERING,
    DISTANCE,
    KMEANS,
    Algorithm,
    EvaluationProtocol,
)
from spacy_thematic.evaluation.significance import Estimate, estimate_ratio
from spacy_thematic.measures import AGREEMENTS

Records = Sequence[dict[str, Any]]
"""What one encoder scored on one task, a record an article."""

Scores = Mapping[str, Mapping[str, Sequence[Records]]]
"""Row to task to the records of each seed of training."""

Estimator = Callable[[Sequence[Records]], Estimate]


def _accuracy(metric: str, runs: Sequence[Records]) -> Estimate:
    parts = [[record[metric] for record in run] for run in runs]
    return estimate_ratio(parts, [record["triplets"] for record in runs[0]])


def _agreement(algorithm: str, measure: str, runs: Sequence[Records]) -> Estimate:
    return estimate_ratio([[record[algorithm][measure] for record in run] for run in runs])


def results_of_documents(scores: Mapping[str, np.ndarray], n_triplets: Sequence[int]) -> Results:
    """Results from the scores of documents, by the protocol `CENTRED`.

    Args:
        scores: Of each row what `training.adapting.score` returns, float (documents, 2).
        n_triplets: Of each document.
    """
    made: dict[str, dict[str, list[Records]]] = {}
    for row, values in scores.items():
        ordered = [
            {"triplets": n, "cosine": accuracy * n}
            for (accuracy, _), n in zip(values, n_triplets)
            if n
        ]
        clustered = [{KMEANS.name: {CENTRED.ami: ami}} for _, ami in values if not np.isnan(ami)]
        records = {DISTANCE: ordered, CLUSTERING: clustered}
        made[row] = {task: [found] for task, found in records.items() if found}
    return Results(made, CENTRED)


class Results:
    """Estimates from the scores of some rows by one protocol.

    Args:
        scores: Of each row.
        protocol: That by which they were measured.
    """

    def __init__(self, scores: Scores, protocol: EvaluationProtocol):
        self.scores = scores
        self.protocol = protocol
        self.rows = list(scores)
        self.estimators = self.list_estimators(protocol.metrics, protocol.algorithms)
        self._estimate = cache(self._compute)

    @staticmethod
    def list_estimators(
        metrics: Iterable[str], algorithms: Iterable[Algorithm]
    ) -> dict[str, tuple[str, Estimator]]:
        """What can be said of a row: by measure the task it is taken on, and how it is computed
        from the records of each seed of training."""
        return {
            **{f"accuracy, {metric}": (DISTANCE, partial(_accuracy, metric)) for metric in metrics},
            **{
                f"{heading}, {algorithm.title}": (
                    CLUSTERING,
                    partial(_agreement, algorithm.name, measure),
                )
                for algorithm in algorithms
                for measure, heading in AGREEMENTS.items()
            },
        }

    def runs(self, row: str, task: str) -> list[Records]:
        """The records of each seed of training, as many articles of each; empty if there are
        none."""
        runs = self.scores.get(row, {}).get(task, [])
        shortest = min((len(run) for run in runs), default=0)
        return [run[:shortest] for run in runs]

    def estimate(self, row: str, measure: str, n: int = 0) -> Estimate | None:
        """A measure of a row, on its first n articles, or on all. None if it has none."""
        return self._estimate(row, measure, n)

    def _compute(self, row: str, measure: str, n: int) -> Estimate | None:
        task, compute = self.estimators[measure]
        runs = [run[: n or None] for run in self.runs(row, task)]
        try:
            return compute(runs) if runs else None
        except KeyError:
            return None

    def difference(
        self, first: str, second: str, measure: str, second_measure: str = ""
    ) -> Estimate | None:
        """The first row less the second, on the articles that both were measured on; its interval
        is over articles and over seeds of training."""
        second_measure = second_measure or measure
        n = min(
            (len(run) for row, m in ((first, measure), (second, second_measure))
             for run in self.runs(row, self.estimators[m][0])[:1]),
            default=0,
        )  # fmt: skip
        a, b = self.estimate(first, measure, n), self.estimate(second, second_measure, n)
        if a is None or b is None:
            return None
        return a.draw_seeds(first) - b.draw_seeds(second)
