"""The paper's tables, its findings and plots, from results."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from spacy_thematic.evaluation.protocols import CLUSTERING, DISTANCE, EvaluationProtocol
from spacy_thematic.evaluation.results import Records
from spacy_thematic.evaluation.significance import Estimate
from spacy_thematic.files import write_bytes, write_json
from spacy_thematic.measures import AGREEMENTS
from spacy_thematic.papers import claims, provenance
from spacy_thematic.papers.examples import make_example_table, make_negation_table
from spacy_thematic.papers.markdown import to_markdown
from spacy_thematic.papers.plots import Axis, plot_lines, plot_points
from spacy_thematic.papers.protocol import ALGORITHMS, RELATEDNESS
from spacy_thematic.papers.results import CORRELATIONS, TableResults
from spacy_thematic.papers.sick import Pair, Sick
from spacy_thematic.papers.tasks import Task


def introduce(
    tasks: Iterable[Task], protocol: EvaluationProtocol, sources: Mapping[str, str]
) -> str:
    """What tables were measured on, and how, in words.

    Args:
        tasks: What was measured.
        protocol: By which.
        sources: What was read, by what it is called; empty ones are left out.
    """
    return " ".join(
        [
            *(task.describe() for task in tasks),
            *(f"{name}: {source}." for name, source in sources.items() if source),
            protocol.describe(),
            "In parentheses 95 per cent intervals by bootstrap over articles (SICK: over pairs), "
            "those of differences over seeds of training too; after ± the standard error over "
            "seeds. Rows measured on fewer articles say so.",
        ]
    )


def write_tables(
    folder: Path, results: TableResults, tables: Iterable[str], sick: Sick | None, introduction: str
) -> None:
    """Write tables.md, tables.json and the plots to a folder.

    Args:
        folder: Made if it is not there.
        results: What was measured.
        tables: "3" to "6".
        sick: Its test pairs are the examples of table 6.
        introduction: As `introduce` returns it.
    """
    made = make_tables(results, tables, sick.test if sick else ())
    write_bytes(folder / "tables.md", to_markdown(made, introduction).encode())
    write_json(folder / "tables.json", {"data": introduction, **to_json(made)})
    for name, svg in plot_tables(results).items():
        write_bytes(folder / f"{name}.svg", svg.encode())


def make_tables(
    results: TableResults, tables: Iterable[str], pairs: Sequence[Pair] = (), examples: int = 10
) -> dict[str, Any]:
    """Make tables of the paper.

    Args:
        results: What was measured.
        tables: "3" to "6".
        pairs: SICK's test pairs, for the examples of them in table 6.
        examples: How many of these.

    Returns:
        "protocol": its settings. "tables": each as a list of dicts from column to value.
        "negations": the pairs of SICK that differ by a negation. "trained": what the rows were
        trained on. "may have seen": rows that may have been trained on the articles. "findings":
        those of the paper and ours, and whether they hold. "differences": between every two rows,
        by each measure that rows are compared by.
    """
    make: dict[str, Callable[[], list[dict[str, Any]]]] = {
        "3": partial(_distance_table, results),
        "4": partial(_clustering_table, results),
        "5": partial(_relatedness_table, results),
        "6": partial(make_example_table, results, pairs, examples),
    }
    return {
        "protocol": results.protocol.to_dict(),
        "tables": {number: make[number]() for number in tables},
        "negations": make_negation_table(results, pairs),
        "trained": provenance.make_training_table(results.trained, results.rows),
        "may have seen": [
            row for row in results.rows if provenance.may_have_seen(results.trained.get(row, ()))
        ],
        "findings": _findings(results),
        "differences": [
            {"first": a, "second": b, "measure": measure, **_as_json(found)}
            for measure in results.compared_measures()
            for a, b in combinations(results.rows, 2)
            if (found := results.difference(a, b, measure)) is not None
        ],
    }


def _distance_table(results: TableResults) -> list[dict[str, Any]]:
    table = []
    for row in results.rows:
        if not (runs := results.runs(row, DISTANCE)):
            continue
        line: dict[str, Any] = {"row": row}
        for metric in (*results.protocol.metrics, RELATEDNESS):
            line[metric] = results.estimate(row, f"accuracy, {metric}")
        for metric, value in claims.DISTANCE.get(row, {}).items():
            line["paper"] = f"{line.get('paper', '')} {value} ({metric})".strip()
        speed = results.speed(row)
        line["sentences per CPU s"] = None if speed is None else round(speed)
        line["articles"] = len(runs[0])
        table.append(line)
    return table


def _clustering_table(results: TableResults) -> list[dict[str, Any]]:
    table = []
    for algorithm in ALGORITHMS:
        title = algorithm.title
        for row in results.rows:
            if results.estimate(row, f"AMI, {title}") is None:
                continue
            line: dict[str, Any] = {"row": row, "algorithm": title}
            for measure, heading in AGREEMENTS.items():
                found = results.estimate(row, f"{heading}, {title}")
                # Intervals of all five measures would not fit on a page.
                leads = measure == results.protocol.ami
                line[heading] = found if leads or found is None else found.value
            published = claims.CLUSTERING.get((row, algorithm), {})
            line.update({claims.HEADINGS[key]: value for key, value in published.items()})
            line["articles"] = len(results.runs(row, CLUSTERING)[0])
            table.append(line)
    return table


def _relatedness_table(results: TableResults) -> list[dict[str, Any]]:
    table = []
    for row in results.rows:
        if not results.runs(row, RELATEDNESS):
            continue
        line: dict[str, Any] = {"row": row}
        line.update({name: results.estimate(row, name) for name in CORRELATIONS})
        published = claims.RELATEDNESS.get(row, {})
        line.update({f"paper {n}": published[k] for n, k in CORRELATIONS.items() if k in published})
        table.append(line)
    return table


def _findings(results: TableResults) -> list[dict[str, Any]]:
    found = []
    for finding in claims.list_findings(results.rows):
        measure, other = finding.measures
        difference = results.difference(finding.first, finding.second, measure, other)
        if difference is None:
            continue
        low, high = difference.interval
        verdict = "holds" if low > 0 else "does not hold" if high < 0 else "cannot be told"
        found.append(
            {
                "claim": finding.claim,
                "source": finding.source,
                "size": claims.split_size(finding.first)[1],
                "first": finding.first,
                "second": finding.second,
                "measure": measure,
                "second measure": other,
                **_as_json(difference),
                "verdict": verdict,
            }
        )
    return found


def to_json(value: Any) -> Any:
    """Tables with every estimate as a dict of its value, its interval and its seeds."""
    if isinstance(value, Estimate):
        return _as_json(value)
    if isinstance(value, dict):
        return {key: to_json(item) for key, item in value.items()}
    if isinstance(value, list):
        return [to_json(item) for item in value]
    return value


def _as_json(found: Estimate) -> dict[str, Any]:
    low, high = found.interval
    values: dict[str, Any] = {"value": round(found.value, 5)}
    values["interval"] = [round(low, 5), round(high, 5)]
    if len(found.seeds) > 1:
        values["seeds"] = [round(value, 5) for value in found.seeds]
        values["standard error"] = found.standard_error
    return values


PLOTTED = (
    "random", "mean-vectors", "skip-thoughts", "sen", "sen-titles", "en_thematic_sm",
    "en_thematic_md", "all-MiniLM-L6-v2",
)  # fmt: skip
"""Rows in the plot of lines, which has no room for more."""


def plot_tables(results: TableResults) -> dict[str, str]:
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
    algorithm, ami = results.protocol.algorithms[0], results.protocol.ami
    shown = [row for row in PLOTTED if results.runs(row, CLUSTERING)]
    if shown:
        plots["ami_by_sections"] = plot_lines(
            {
                row: _by_sections(results.runs(row, CLUSTERING), algorithm.name, ami)
                for row in shown
            },
            "Clustering by the number of sections",
            Axis("sections of the article"),
            Axis(f"{AGREEMENTS[ami]}, {algorithm.title}, mean over articles"),
        )
    return plots


def _by_sections(runs: Sequence[Records], algorithm: str, ami: str) -> list[tuple[float, float]]:
    """The mean AMI of the articles with each number of sections, over all seeds of training."""
    values: dict[int, list[float]] = {}
    for run in runs:
        for record in run:
            values.setdefault(record["sections"], []).append(record[algorithm][ami])
    return [(sections, float(np.mean(values[sections]))) for sections in sorted(values)]
