"""From saved scores to the paper's tables, with intervals and differences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, partial
from itertools import combinations
from typing import Any, Callable

import numpy as np

from spacy_thematic.evaluation import paper
from spacy_thematic.evaluation.benchmark import (
    CLUSTERING,
    DISTANCE,
    ICLUST,
    KMEANS,
    KMEANS_RAW,
    METRICS,
    RELATEDNESS,
    SIB,
    Scores,
)
from spacy_thematic.evaluation.clustering_benchmark import MEASURES as CLUSTER_MEASURES
from spacy_thematic.evaluation.plots import Axis, plot_lines, plot_points
from spacy_thematic.evaluation.relatedness import MEASURES as RELATEDNESS_MEASURES
from spacy_thematic.evaluation.relatedness import Pair
from spacy_thematic.evaluation.significance import Estimate, estimate_ratio, estimate_statistic

Records = Sequence[dict[str, Any]]

ALGORITHMS = (ICLUST, KMEANS, KMEANS_RAW, SIB)
HEADS = {"mi": "MI", "ami": "AMI", "ami_max": "AMI max", "ri": "RI", "ari": "ARI"}
RELATED = {"Pearson": "pearson", "Spearman": "spearman", "MSE": "mse"}
COMPARED = ("accuracy, cosine", "accuracy, L1", f"AMI, {ICLUST}", f"AMI, {KMEANS}", "Pearson")


def _accuracy(metric: str, runs: Sequence[Records]) -> Estimate:
    parts = [[record[metric] for record in run] for run in runs]
    return estimate_ratio(parts, [record["triplets"] for record in runs[0]])


def _agreement(algorithm: str, measure: str, runs: Sequence[Records]) -> Estimate:
    return estimate_ratio([[record[algorithm][measure] for record in run] for run in runs])


def _relatedness(measure: str, runs: Sequence[Records]) -> Estimate:
    predictions = [run[0]["predicted"] for run in runs]
    return estimate_statistic(predictions, runs[0][0]["scores"], RELATEDNESS_MEASURES[measure])


MEASURES: dict[str, tuple[str, Callable[[Sequence[Records]], Estimate]]] = {
    **{f"accuracy, {m}": (DISTANCE, partial(_accuracy, m)) for m in (*METRICS, RELATEDNESS)},
    **{
        f"{HEADS[measure]}, {algorithm}": (CLUSTERING, partial(_agreement, algorithm, measure))
        for algorithm in ALGORITHMS
        for measure in CLUSTER_MEASURES
    },
    **{name: (RELATEDNESS, partial(_relatedness, key)) for name, key in RELATED.items()},
}
"""What can be said of a row: the task it is measured on, and how it is computed from the records
of each seed."""


class Results:
    """Saved scores as estimates with intervals, and their differences."""

    def __init__(self, scores: Scores):
        self.scores = scores
        self.rows = sorted(scores, key=_place)
        self._estimate = cache(self._compute)

    def runs(self, row: str, task: str) -> list[Records]:
        """The records of each seed, as many articles of each; empty if there are none."""
        runs = self.scores.get(row, {}).get(task, [])
        shortest = min((len(run) for run in runs), default=0)
        return [run[:shortest] for run in runs]

    def estimate(self, row: str, measure: str, n: int = 0) -> Estimate | None:
        """A measure of a row, on its first n articles, or on all. None if it has none."""
        return self._estimate(row, measure, n)

    def _compute(self, row: str, measure: str, n: int) -> Estimate | None:
        task, compute = MEASURES[measure]
        runs = [run[: n or None] for run in self.runs(row, task)]
        try:
            return compute(runs) if runs else None
        except KeyError:
            return None

    def difference(
        self, first: str, second: str, measure: str, second_measure: str = ""
    ) -> Estimate | None:
        """The first row less the second, on the articles that both were measured on."""
        second_measure = second_measure or measure
        n = min(
            (len(run) for row, m in ((first, measure), (second, second_measure))
             for run in self.runs(row, MEASURES[m][0])[:1]),
            default=0,
        )  # fmt: skip
        a, b = self.estimate(first, measure, n), self.estimate(second, second_measure, n)
        return None if a is None or b is None else a - b

    def speed(self, row: str) -> float | None:
        """Sentences encoded per CPU second, over all articles of both tasks with articles."""
        runs = [run for task in (DISTANCE, CLUSTERING) for run in self.runs(row, task)]
        seconds = sum(record["seconds"] for run in runs for record in run)
        sentences = sum(record["sentences"] for run in runs for record in run)
        return sentences / seconds if seconds > 0 else None

    def accuracy(self, row: str) -> Estimate | None:
        """The accuracy by cosine or by L1, the better one."""
        found = [self.estimate(row, f"accuracy, {metric}") for metric in METRICS]
        return max((e for e in found if e is not None), key=lambda e: e.value, default=None)


def _place(row: str) -> tuple[int, str]:
    return (paper.ORDER.index(row) if row in paper.ORDER else len(paper.ORDER), row)


def make_tables(
    results: Results, tables: Iterable[str], pairs: Sequence[Pair] = (), examples: int = 10
) -> dict[str, Any]:
    """The tables "3" to "6" as lists of dicts from column to value, with the differences between
    every two rows, and what of the paper's findings holds.

    pairs: SICK's test pairs, for examples of them in table 6.
    """
    make: dict[str, Callable[[], list[dict[str, Any]]]] = {
        "3": partial(_distance_table, results),
        "4": partial(_clustering_table, results),
        "5": partial(_relatedness_table, results),
        "6": partial(_example_table, results, pairs, examples),
    }
    return {
        "tables": {number: make[number]() for number in tables},
        "findings": _findings(results),
        "differences": [
            {"first": a, "second": b, "measure": measure, **_as_json(found)}
            for measure in COMPARED
            for a, b in combinations(results.rows, 2)
            if (found := results.difference(a, b, measure)) is not None
        ],
    }


def _distance_table(results: Results) -> list[dict[str, Any]]:
    table = []
    for row in results.rows:
        if not (runs := results.runs(row, DISTANCE)):
            continue
        line: dict[str, Any] = {"row": row}
        for metric in (*METRICS, RELATEDNESS):
            line[metric] = results.estimate(row, f"accuracy, {metric}")
        for metric, value in paper.DISTANCE.get(row, {}).items():
            line["paper"] = f"{line.get('paper', '')} {value} ({metric})".strip()
        speed = results.speed(row)
        line["sentences per CPU s"] = None if speed is None else round(speed)
        line["articles"] = len(runs[0])
        table.append(line)
    return table


def _clustering_table(results: Results) -> list[dict[str, Any]]:
    table = []
    for algorithm in ALGORITHMS:
        for row in results.rows:
            if results.estimate(row, f"AMI, {algorithm}") is None:
                continue
            line: dict[str, Any] = {"row": row, "algorithm": algorithm}
            for measure in CLUSTER_MEASURES:
                found = results.estimate(row, f"{HEADS[measure]}, {algorithm}")
                # Intervals of all five measures would not fit on a page.
                line[HEADS[measure]] = found if measure == "ami" or found is None else found.value
            published = paper.CLUSTERING.get((row, algorithm), {})
            line.update({f"paper {HEADS[key]}": value for key, value in published.items()})
            line["articles"] = len(results.runs(row, CLUSTERING)[0])
            table.append(line)
    return table


def _relatedness_table(results: Results) -> list[dict[str, Any]]:
    table = []
    for row in results.rows:
        if not results.runs(row, RELATEDNESS):
            continue
        line: dict[str, Any] = {"row": row}
        line.update({name: results.estimate(row, name) for name in RELATED})
        published = paper.RELATEDNESS.get(row, {})
        line.update({f"paper {n}": published[k] for n, k in RELATED.items() if k in published})
        table.append(line)
    return table


def _example_table(results: Results, pairs: Sequence[Pair], examples: int) -> list[dict[str, Any]]:
    """Pairs at even steps through the test pairs in order of their scores."""
    shown = [row for row in results.rows if row != "random" and results.runs(row, RELATEDNESS)]
    order = np.argsort([pair.score for pair in pairs], kind="stable")
    steps = np.linspace(0, len(order) - 1, min(examples, len(order))).astype(int)
    return [
        {
            "pair": pairs[i].number,
            "first": pairs[i].first,
            "second": pairs[i].second,
            "gold": pairs[i].score,
            **{row: results.runs(row, RELATEDNESS)[0][0]["predicted"][i] for row in shown},
        }
        for i in order[steps]
    ]


def _findings(results: Results) -> list[dict[str, Any]]:
    found = []
    for claim, first, second, (measure, other) in paper.FINDINGS:
        difference = results.difference(first, second, measure, other)
        if difference is None:
            continue
        low, high = difference.interval
        verdict = "holds" if low > 0 else "does not hold" if high < 0 else "cannot be told"
        line = {"claim": claim, "first": first, "second": second, "measure": measure}
        line.update({"second measure": other, **_as_json(difference), "verdict": verdict})
        found.append(line)
    return found


def _as_json(found: Estimate) -> dict[str, Any]:
    low, high = found.interval
    values: dict[str, Any] = {"value": round(found.value, 5)}
    values["interval"] = [round(low, 5), round(high, 5)]
    if len(found.seeds) > 1:
        values["seeds"] = [round(value, 5) for value in found.seeds]
        values["standard error"] = found.standard_error
    return values


def to_json(value: Any) -> Any:
    """Tables with every estimate as a dict of its value, its interval and its seeds."""
    if isinstance(value, Estimate):
        return _as_json(value)
    if isinstance(value, dict):
        return {key: to_json(item) for key, item in value.items()}
    if isinstance(value, list):
        return [to_json(item) for item in value]
    return value


PLOTTED = (
    "random", "mean-vectors", "skip-thoughts", "sen", "sen-titles", "en_thematic_sm",
    "en_thematic_md", "all-MiniLM-L6-v2",
)  # fmt: skip
"""Rows in the plot of lines, which has no room for more."""

TITLES = {
    "3": "Table 3: thematic distance, accuracy",
    "4": "Table 4: clustering, against the sections",
    "5": "Table 5: relatedness of sentences (SICK)",
    "6": "Table 6: example pairs of SICK",
}


def to_markdown(made: dict[str, Any], introduction: str) -> str:
    """All tables as Markdown, with what they were measured on before them."""
    parts = [introduction]
    for number, table in made["tables"].items():
        if table:
            parts += [f"## {TITLES[number]}", render(table), paper.NOTES[number]]
    if made["findings"]:
        lines = [
            {
                "the paper found": line["claim"],
                "rows": _versus(line["first"], line["second"]),
                "measure": _versus(line["measure"], line["second measure"]),
                "difference": "{:+.3f} ({:+.3f} to {:+.3f})".format(
                    line["value"], *line["interval"]
                ),
                "here": line["verdict"],
            }
            for line in made["findings"]
        ]
        parts += ["## The paper's findings", render(lines)]
    return "\n\n".join(parts) + "\n"


def plot_tables(results: Results) -> dict[str, str]:
    """SVGs by name: accuracy against speed, and AMI by the number of sections."""
    plots = {}
    speeds = {row: results.speed(row) for row in results.rows}
    accuracies = {row: results.accuracy(row) for row in results.rows}
    points = {
        row: (speed, found.value)
        for row in results.rows
        if (speed := speeds[row]) and (found := accuracies[row]) is not None
    }
    if points:
        plots["accuracy_by_speed"] = plot_points(
            points,
            "Thematic distance against speed",
            Axis("sentences per CPU second", log=True),
            Axis("accuracy, cosine or L1, the better"),
        )
    shown = [row for row in PLOTTED if results.runs(row, CLUSTERING)]
    if shown:
        plots["ami_by_sections"] = plot_lines(
            {row: _by_sections(results.runs(row, CLUSTERING)) for row in shown},
            "Clustering by the number of sections",
            Axis("sections of the article"),
            Axis(f"AMI, {ICLUST}, mean over articles"),
        )
    return plots


def _by_sections(runs: Sequence[Records]) -> list[tuple[float, float]]:
    """The mean AMI of the articles with each number of sections, over all seeds."""
    values: dict[int, list[float]] = {}
    for run in runs:
        for record in run:
            values.setdefault(record["sections"], []).append(record[ICLUST]["ami"])
    return [(sections, float(np.mean(values[sections]))) for sections in sorted(values)]


def _versus(first: str, second: str) -> str:
    return first if first == second else f"{first}; {second}"


def render(table: Sequence[dict[str, Any]]) -> str:
    """Lines as a Markdown table, with a column for every key of any of them."""
    columns = list(dict.fromkeys(key for line in table for key in line))
    rows = [columns, ["---"] * len(columns)]
    rows += [[_cell(line.get(column)) for column in columns] for line in table]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.3f}"
    return str(value).replace("|", "\\|")
