"""Measuring the rows of the paper's tables, article by article.

What a task finds is appended to a JSON Lines file, one record an article, after a head that says
what was measured. An interrupted run resumes with the next article; a record is used again only if
articles and encoder are the same, and if it holds all that is to be measured.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from itertools import takewhile
from pathlib import Path
from typing import Any

import numpy as np
import srsly

from spacy_thematic.evaluation.encoders import Encoder
from spacy_thematic.evaluation.results import Records, Scores
from spacy_thematic.files import write_bytes, write_json
from spacy_thematic.papers.rows import TableRow
from spacy_thematic.papers.tasks import Contender, RelatednessTask, Task

PROBE_WIDTH = 8
TRAINED = "trained"


def count_steps(rows: Sequence[TableRow], tasks: Sequence[Task], limit: int = 0) -> int:
    """How often `measure_row` calls `on_step` for all rows together."""
    return sum(
        len(row.loaders) * min(limit or len(task), len(task))
        for row in rows
        for task in tasks
        if task.name in row.tasks
    )


def measure_row(
    row: TableRow,
    tasks: Sequence[Task],
    folder: Path,
    *,
    limit: int = 0,
    on_step: Callable[[], Any] = lambda: None,
) -> None:
    """Measure a row on its tasks, and save the records below a folder.

    Args:
        row: The row.
        tasks: Those that the row does not have are skipped.
        folder: Holds one protocol's scores, a folder for each row.
        limit: Measure at most so many articles of each task, 0 for all.
        on_step: Called for each article.
    """
    tasks = [task for task in tasks if task.name in row.tasks]
    seeds = row.seeds or range(len(row.loaders))
    for seed, description in zip(seeds, row.trained):
        write_json(folder / row.name / f"{TRAINED}-{seed}.json", description)
    relatedness = next((task for task in tasks if isinstance(task, RelatednessTask)), None)
    for run, seed in enumerate(seeds):
        contender = Contender(row, run, relatedness)
        for task in tasks:
            encoder = contender.factory(task.get_spans())
            path = folder / row.name / f"{task.name}-{seed}.jsonl"
            done = _open_records(path, task, encoder, task.list_measures(contender))
            with path.open("a", encoding="utf8") as file:
                for number in range(min(limit or len(task), len(task))):
                    if number >= done:
                        record = task.score(number, encoder, contender)
                        file.write(json.dumps(record) + "\n")
                        file.flush()
                    on_step()


def _open_records(path: Path, task: Task, encoder: Encoder, measures: set[str]) -> int:
    """How many records of this task and encoder there are that hold the measures; others are
    replaced by a new head."""
    doc, spans = next(task.get_spans())
    row = encoder(doc, spans)[0]
    # From all over the vector: a part of it may be that of a smaller model.
    probe = row[np.linspace(0, len(row) - 1, PROBE_WIDTH).astype(int)].tolist()
    head, records = _read_records(path)
    same = head.get("key") == task.key and len(head.get("probe", ())) == len(probe)
    if not same or not np.allclose(head["probe"], probe, rtol=1e-2, atol=1e-4):
        head, records = {"key": task.key, "articles": len(task), "probe": probe}, []
    records = list(takewhile(measures.issubset, records))
    # Written again, for an interrupted run may have left half a record.
    lines = [json.dumps(line) + "\n" for line in (head, *records)]
    write_bytes(path, "".join(lines).encode())
    return len(records)


def _read_records(path: Path) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The head of a file of scores and its whole records; both empty if there is none.

    Raises:
        ValueError: If a line is damaged.
    """
    lines = []
    if path.exists():
        for line in path.read_text("utf8").splitlines(keepends=True):
            if not line.endswith("\n"):
                break
            try:
                lines.append(json.loads(line))
            except ValueError as error:
                raise ValueError(
                    f"{path}, line {len(lines) + 1}, is damaged ({error}): remove that file, and "
                    "its scores are measured again."
                ) from error
    return (lines[0], lines[1:]) if lines else ({}, [])


def read_scores(folder: Path, keys: Mapping[str, str]) -> Scores:
    """All records that `measure_row` saved below a folder on the given articles, also those of
    seeds whose pipelines are no more.

    Args:
        folder: Of one protocol.
        keys: The name of each task, and the key of its articles.
    """
    scores: dict[str, dict[str, list[Records]]] = {}
    for path in sorted(folder.glob("*/*.jsonl")):
        task = path.stem.rpartition("-")[0]
        head, records = _read_records(path)
        if records and head["key"] == keys.get(task):
            scores.setdefault(path.parent.name, {}).setdefault(task, []).append(records)
    return scores


def list_other_rows(folder: Path, keys: Mapping[str, str]) -> list[str]:
    """The rows that have scores on other articles than these, which `read_scores` leaves out. The
    arguments are the same."""
    return sorted(
        {
            path.parent.name
            for path in folder.glob("*/*.jsonl")
            if (key := keys.get(path.stem.rpartition("-")[0]))
            and _read_head(path).get("key") not in (key, None)
        }
    )


def _read_head(path: Path) -> dict[str, Any]:
    with path.open(encoding="utf8") as file:
        return json.loads(file.readline() or "{}")


def read_trained(folder: Path) -> dict[str, list[dict[str, Any]]]:
    """What `measure_row` saved of the pipelines of each row below a folder."""
    trained: dict[str, list[dict[str, Any]]] = {}
    for path in sorted(folder.glob(f"*/{TRAINED}-*.json")):
        trained.setdefault(path.parent.name, []).append(srsly.read_json(path))
    return trained
