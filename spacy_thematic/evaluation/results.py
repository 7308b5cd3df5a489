"""From saved scores to estimates with intervals, and their differences."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from typing import Any

import numpy as np

from spacy_thematic.evaluation import paper
from spacy_thematic.evaluation.benchmark import Records, Scores
from spacy_thematic.evaluation.protocols import ALGORITHMS, CENTRED, KMEANS, EvaluationProtocol
from spacy_thematic.evaluation.relatedness import RELATEDNESS_MEASURES
from spacy_thematic.evaluation.rows import CLUSTERING, DISTANCE, RELATEDNESS
from spacy_thematic.evaluation.significance import Estimate, estimate_ratio, estimate_statistic
from spacy_thematic.measures import AGREEMENTS, METRICS

CORRELATIONS = {"Pearson": "pearson", "Spearman": "spearman", "MSE": "mse"}


def _accuracy(metric: str, runs: Sequence[Records]) -> Estimate:
    parts = [[record[metric] for record in run] for run in runs]
    return estimate_ratio(parts, [record["triplets"] for record in runs[0]])


def _agreement(algorithm: str, measure: str, runs: Sequence[Records]) -> Estimate:
    return estimate_ratio([[record[algorithm][measure] for record in run] for run in runs])


def _relatedness(measure: str, runs: Sequence[Records]) -> Estimate:
    predictions = [run[0]["predicted"] for run in runs]
    return estimate_statistic(predictions, runs[0][0]["scores"], RELATEDNESS_MEASURES[measure])


_ESTIMATORS: dict[str, tuple[str, Callable[[Sequence[Records]], Estimate]]] = {
    **{f"accuracy, {m}": (DISTANCE, partial(_accuracy, m)) for m in (*METRICS, RELATEDNESS)},
    **{
        f"{heading}, {title}": (CLUSTERING, partial(_agreement, algorithm, measure))
        for algorithm, title in ALGORITHMS.items()
        for measure, heading in AGREEMENTS.items()
    },
    **{name: (RELATEDNESS, partial(_relatedness, key)) for name, key in CORRELATIONS.items()},
}
"""What can be said of a row: the task it is measured on, and how it is computed from the records
of each seed of training."""


def results_of_documents(scores: Mapping[str, np.ndarray], n_triplets: Sequence[int]) -> Results:
    """Results from the scores of documents, by the protocol `CENTRED`.

    Args:
        scores: Of each row what `training.adapting.score` returns, float (documents, 2).
        n_triplets: Of each document.
    """
    made: Scores = {}
    for row, values in scores.items():
        ordered = [
            {"triplets": n, "cosine": accuracy * n}
            for (accuracy, _), n in zip(values, n_triplets)
            if n
        ]
        clustered = [{KMEANS: {CENTRED.ami: ami}} for _, ami in values if not np.isnan(ami)]
        records = {DISTANCE: ordered, CLUSTERING: clustered}
        made[row] = {task: [found] for task, found in records.items() if found}
    return Results(made, CENTRED)


class Results:
    """Estimates from the scores that were saved under one protocol.

    Args:
        scores: As `read_scores` returns them.
        protocol: That by which they were measured.
        trained: What `read_trained` returns.
    """

    def __init__(
        self,
        scores: Scores,
        protocol: EvaluationProtocol,
        trained: Mapping[str, Sequence[dict[str, Any]]] | None = None,
    ):
        self.scores = scores
        self.protocol = protocol
        self.trained = trained or {}
        self.rows = sorted(scores, key=paper.find_place)
        self._estimate = cache(self._compute)

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
        task, compute = _ESTIMATORS[measure]
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
             for run in self.runs(row, _ESTIMATORS[m][0])[:1]),
            default=0,
        )  # fmt: skip
        a, b = self.estimate(first, measure, n), self.estimate(second, second_measure, n)
        if a is None or b is None:
            return None
        return a.draw_seeds(first) - b.draw_seeds(second)

    def speed(self, row: str) -> float | None:
        """Sentences encoded per CPU second, over all articles of both tasks with articles."""
        runs = [run for task in (DISTANCE, CLUSTERING) for run in self.runs(row, task)]
        seconds = sum(record["seconds"] for run in runs for record in run)
        sentences = sum(record["sentences"] for run in runs for record in run)
        return sentences / seconds if seconds > 0 else None

    def accuracy(self, row: str) -> Estimate | None:
        """The accuracy by the metric that is best for this row."""
        found = [self.estimate(row, f"accuracy, {metric}") for metric in self.protocol.metrics]
        return max((e for e in found if e is not None), key=lambda e: e.value, default=None)

    def compared_measures(self) -> list[str]:
        """The measures by which every two rows are compared."""
        heading = AGREEMENTS[self.protocol.ami]
        return [
            *(f"accuracy, {metric}" for metric in self.protocol.metrics),
            *(f"{heading}, {ALGORITHMS[algorithm]}" for algorithm in self.protocol.algorithms),
            "Pearson",
        ]
