"""Pairs of SICK's test file, with what each row predicts for them (Table 6)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from spacy_thematic.evaluation.significance import estimate_ratio
from spacy_thematic.papers import claims
from spacy_thematic.papers.protocol import RELATEDNESS
from spacy_thematic.papers.results import TableResults
from spacy_thematic.papers.sick import Pair

N_NEGATIONS = 4


def make_example_table(
    results: TableResults, pairs: Sequence[Pair], n_spread: int = 10
) -> list[dict[str, Any]]:
    """The pairs that the paper shows, some that differ by a negation only, and some at even steps
    through the test pairs in order of their scores.

    Args:
        results: What was measured.
        pairs: The test pairs.
        n_spread: How many of the last kind.
    """
    by_score = np.argsort([pair.score for pair in pairs], kind="stable").tolist()
    known = [i for i, pair in enumerate(pairs) if pair.number in claims.EXAMPLES]
    negations = [i for i in by_score if pairs[i].is_negation and i not in known]
    chosen = {
        "in the paper": known,
        "negation": _spread(negations, N_NEGATIONS),
        "spread": _spread(by_score, n_spread),
    }
    predictions = {row: _predictions(results, row).mean(axis=0) for row in _find_rows(results)}
    return [
        {
            "pair": pairs[i].number,
            "chosen as": why,
            "first": pairs[i].first,
            "second": pairs[i].second,
            "gold": pairs[i].score,
            **{row: float(predicted[i]) for row, predicted in predictions.items()},
        }
        for why, numbers in chosen.items()
        for i in numbers
    ]


def make_negation_table(results: TableResults, pairs: Sequence[Pair]) -> list[dict[str, Any]]:
    """The mean predicted score over all test pairs that differ by a negation only, beside that of
    all pairs, and the mean gold scores. Empty where there are no such pairs."""
    is_negation = np.array([pair.is_negation for pair in pairs], bool)
    if not is_negation.any():
        return []
    scores = np.array([pair.score for pair in pairs])

    def line(row: str, predictions: np.ndarray) -> dict[str, Any]:
        return {
            "row": row,
            "mean of the negations": estimate_ratio(predictions[:, is_negation].tolist()),
            "mean of all pairs": float(predictions.mean()),
            "negations": int(is_negation.sum()),
        }

    lines = [line(row, _predictions(results, row)) for row in _find_rows(results)]
    return [line("gold", scores[None]), *lines]


def _find_rows(results: TableResults) -> Iterable[str]:
    return [row for row in results.rows if row != "random" and results.runs(row, RELATEDNESS)]


def _predictions(results: TableResults, row: str) -> np.ndarray:
    """Of each seed of training, (seeds, pairs)."""
    return np.array([run[0]["predicted"] for run in results.runs(row, RELATEDNESS)])


def _spread(numbers: Sequence[int], n: int) -> list[int]:
    """At most n of the numbers, at even steps."""
    steps = np.linspace(0, len(numbers) - 1, min(n, len(numbers))).astype(int)
    return [numbers[step] for step in steps]
