"""Estimates for the paper's tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from spacy_thematic.evaluation.protocols import CLUSTERING, DISTANCE, EvaluationProtocol
from spacy_thematic.evaluation.results import Records, Results, Scores
from spacy_thematic.evaluation.significance import Estimate, estimate_statistic
from spacy_thematic.measures import AGREEMENTS
from spacy_thematic.papers.claims import find_place
from spacy_thematic.papers.protocol import ALGORITHMS, RELATEDNESS
from spacy_thematic.papers.relatedness import RELATEDNESS_MEASURES

CORRELATIONS = {"Pearson": "pearson", "Spearman": "spearman", "MSE": "mse"}


def _relatedness(measure: str, runs: Sequence[Records]) -> Estimate:
    predictions = [run[0]["predicted"] for run in runs]
    return estimate_statistic(predictions, runs[0][0]["scores"], RELATEDNESS_MEASURES[measure])


class TableResults(Results):
    """Estimates from the scores that were saved under one protocol, rows in the paper's order.

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
        super().__init__(scores, protocol)
        self.trained = trained or {}
        self.rows = sorted(scores, key=find_place)
        metrics = (*protocol.metrics, RELATEDNESS)
        self.estimators = {
            **self.list_estimators(metrics, ALGORITHMS),
            **{
                name: (RELATEDNESS, partial(_relatedness, key))
                for name, key in CORRELATIONS.items()
            },
        }

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
            *(f"{heading}, {algorithm.title}" for algorithm in self.protocol.algorithms),
            "Pearson",
        ]
