"""FINDINGS.md: what became of the claims of both papers.

    python scripts/findings.py OUT [--nets NETS] [--scores FILE] [--images FILE] [options of
        measure.py]

With --nets, a folder that paper_nets.py made, joins its nets of sentences and of titles, and runs
measure.py on all nets and the bundled models, which keeps scores and tables in OUT. Run again with
more nets, it measures only these, and what was measured of others stays. So the tables may grow
seed by seed, on several machines. Without --nets, OUT/FINDINGS.md is made of the scores that there
are, in OUT or in a .tar.xz. --images are the rows of bigan_images.py. So is FINDINGS.md made:

    python scripts/findings.py . --scores results/papers_scores.tar.xz --images results/digits.jsonl
"""

from __future__ import annotations

import subprocess
import sys
import tarfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np
import spacy
import srsly
import typer

import claims
from claims import MARGIN, SAME, Effect
from image_findings import describe_images, list_image_values, summarise_images
from joining import join_encoders
from paper_nets import DONE, NETS
from spacy_thematic.cli.shell import clear_errors
from spacy_thematic.evaluation.markdown import render
from spacy_thematic.files import write_bytes, write_folder
from tables import (
    LONG,
    RELATEDNESS,
    SCORES,
    TASKS,
    Difference,
    Results,
    make_tables,
    name_row,
    to_markdown,
    warn_of_few,
)
from tables import NETS as ROWS
from verdicts import HELD, NOT_HELD, OPEN, UNMEASURED, is_above, sum_up

IMAGES = Path(__file__).parents[1] / "results" / "digits.jsonl"
BEST = "model-best"
JOINED = ("sen", "titles")
WIDE, SMALL = "h = 300", "h = 64"
SIZES = {WIDE: ("", LONG), SMALL: ("64",)}
"""The sizes of rows in a column: the one of most seeds that both rows have, or the last."""


def main(
    ctx: typer.Context,
    out: Path = typer.Argument(..., help="Folder for FINDINGS.md, and for scores and tables"),
    nets: Path = typer.Option(None, help="Folder that paper_nets.py made, to measure"),
    scores: Path = typer.Option(None, help=".tar.xz of scores, instead of those in OUT"),
    tables: Path = typer.Option(None, help="Where to write the long tables, too"),
    images: Path = typer.Option(IMAGES, help="Rows of bigan_images.py, a .jsonl"),
) -> None:
    """Make FINDINGS.md, of scores that there are or of nets that are measured first. Takes the
    options of measure.py too."""
    with clear_errors():
        if nets is not None:
            if not nets.is_dir():
                raise ValueError(f"{nets} is no folder; expected one that paper_nets.py made.")
            measure_nets(nets, out, ctx.args)
        rows = list(srsly.read_jsonl(images)) if images.exists() else []
        with TemporaryDirectory() as folder:
            if scores is not None:
                with tarfile.open(scores) as tar:
                    tar.extractall(folder, filter="data")
            path = (Path(folder) if scores is not None else out) / SCORES
            tasks = srsly.read_json(path / TASKS)
            results = Results(path, tasks["keys"])
            text = describe(results, tasks, rows)
            if tables is not None:
                long = [to_markdown(make_tables(results), tasks["data"]), *list_image_values(rows)]
                write_bytes(tables, "\n".join(long).encode())
        write_bytes(out / "FINDINGS.md", text.encode())


def measure_nets(nets: Path, out: Path, options: Sequence[str]) -> None:
    found = find_nets(nets)
    join_nets(nets, found)
    models = [
        f"{name}@{seed}={path}" for name, paths in found.items() for seed, path in paths.items()
    ]
    arguments = [part for model in models for part in ("--models", model)]
    command = [sys.executable, str(Path(__file__).with_name("measure.py")), str(out)]
    if status := subprocess.run([*command, *arguments, *options]).returncode:
        sys.exit(status)


def find_nets(folder: Path) -> dict[str, dict[int, Path]]:
    """The trained pipelines of each net, by their seeds."""
    found = {
        name: {
            seed: folder / f"{name}-{seed}" / BEST
            for seed in range(net.seeds)
            if (folder / f"{name}-{seed}" / DONE).exists()
        }
        for name, net in NETS.items()
    }
    return {name: paths for name, paths in found.items() if paths}


def join_nets(folder: Path, found: dict[str, dict[int, Path]]) -> None:
    """Add the joins of sentences and titles, of the same seed, in unit length and plain."""
    for size in ("", LONG, "64"):
        first, second = (found.get(name_row(name, size), {}) for name in JOINED)
        for kind, normalize in (("", True), ("-plain", False)):
            name = name_row(f"sen-titles{kind}", size)
            for seed in sorted(first.keys() & second.keys()):
                target = folder / f"{name}-{seed}" / BEST
                parts = (first[seed], second[seed])
                if not target.exists() or _written(target) < max(map(_written, parts)):
                    pipelines = {"0": spacy.load(first[seed]), "1": spacy.load(second[seed])}
                    write_folder(target, join_encoders(pipelines, normalize).to_disk)
                found.setdefault(name, {})[seed] = target


def _written(pipeline: Path) -> float:
    """When a pipeline was written, in seconds."""
    return (pipeline / "meta.json").stat().st_mtime


def describe(results: Results, tasks: dict[str, Any], images: list[dict[str, Any]]) -> str:
    """FINDINGS.md."""
    found = [Found(effect, find_differences(results, effect))
             for effect in (*claims.CLAIMS, *claims.OURS)]  # fmt: skip
    effects = [one.describe() for one in found if one.differences]
    summary = [*summarise(found), *describe_example(results, tasks.get("examples", {}))]
    parts = [
        "# What became of the claims of both papers",
        "Made by `scripts/findings.py`. A difference is the first row less the second; ± is half "
        "its 95 per cent interval: Student's, of the variance over articles (pairs, for SICK) by "
        "bootstrap and of that over seeds of training (of differences, where both rows have the "
        "same seeds). ¹: one seed; the variance over seeds is then what the rows of several seeds "
        f"have on average. {LONG}: until dev stops rising, else two passes. {HELD}: the interval "
        f"is above zero; {NOT_HELD}: below; {OPEN}: neither. Of errors (MSE) less "
        f"is better. = asks whether the 90 per cent interval is within ±{MARGIN}, half of what the "
        "paper calls inferior. Nets: `scripts/paper_nets.py` names them. The long tables are in "
        "[results](results/papers.md).",
        tasks["data"],
        *filter(None, [warn_of_few(results)]),
        "## Effects: Ein Dor et al. (2018), the text paper",
        render(effects),
    ]
    if images:
        parts += ["## Effects: Zamorski & Zieba (2019), the image paper", describe_images(images)]
    parts += ["## Claims of the text paper", render(summary)]
    if images:
        parts += ["## Claims of the image paper", render(list(summarise_images(images)))]
    parts += [
        "## What differs from the papers",
        render([dict(zip(("paper", "there", "here"), line)) for line in claims.DIFFERENCES]),
        "## Where the papers contradict themselves",
        "\n".join(f"- {line}" for line in claims.list_contradictions()),
    ]
    return "\n\n".join(parts) + "\n"


class Found(NamedTuple):
    """An effect, and by column the difference here, with the size of its rows."""

    effect: Effect
    differences: dict[str, tuple[Difference, str]]

    @property
    def paper(self) -> float | None:
        return self.effect.find_in_paper()

    @property
    def measure(self) -> str:
        names = [name.replace("AMI max", "AMI") for name in self.effect.measures]
        if names[0] == names[1]:
            return names[0] + " =" * (self.effect.kind == SAME)
        names[1] = names[1].removeprefix(names[0].split(", ")[0] + ", ")
        return " - ".join(names) + " =" * (self.effect.kind == SAME)

    def judge(self, column: str) -> str:
        if column not in self.differences:
            return UNMEASURED
        return judge(self.differences[column][0], self.effect.kind, self.effect.sign)

    def describe(self) -> dict[str, str]:
        rows = dict.fromkeys((self.effect.first, self.effect.second))
        cells = {}
        for column in SIZES:
            cells[column] = ""
            if column in self.differences:
                found, size = self.differences[column]
                notes = [size] * (size == LONG) + ["¹"] * (found.fewest == 1)
                cells[column] = " ".join([str(found), *notes])
        return {
            "rows": " - ".join(rows),
            "measure": self.measure,
            "the paper": "" if self.paper is None else f"{self.paper:+.3f}",
            **cells,
        }


def find_differences(results: Results, effect: Effect) -> dict[str, tuple[Difference, str]]:
    found: dict[str, tuple[Difference, str]] = {}
    for column, sizes in SIZES.items():
        for size in sizes:
            rows = [name_row(row, size) for row in (effect.first, effect.second)]
            if size and rows == [effect.first, effect.second]:
                continue  # Baselines have no size: once is enough.
            difference = results.difference(*rows, *effect.measures)
            former = found[column][0].fewest if column in found else 0
            if difference is not None and difference.fewest >= former:
                found[column] = difference, size
    return found


def judge(difference: Difference, kind: str, sign: int = 1) -> str:
    low, high = difference.interval()
    if kind == SAME:
        near = max(map(abs, difference.interval(0.9))) < MARGIN
        return HELD if near else NOT_HELD if low > MARGIN or high < -MARGIN else OPEN
    if sign < 0:
        low, high = -high, -low
    return is_above(low, high)


def summarise(found: Sequence[Found]) -> Iterator[dict[str, str]]:
    """What became of each claim, in one line."""
    by_claim: dict[str, list[Found]] = {}
    for one in found:
        by_claim.setdefault(one.effect.claim, []).append(one)
    for claim, some in by_claim.items():
        effect = some[0].effect
        cells = {column: sum_up([(one.measure, one.judge(column)) for one in some])
                 for column in SIZES}  # fmt: skip
        if not {effect.first, effect.second} & {*ROWS}:
            cells[SMALL] = ""  # Baselines have no size.
        yield {"claim": claim, "section": effect.section, **cells}


def describe_example(results: Results, places: dict[str, int]) -> Iterator[dict[str, str]]:
    """Table 6: what the joined nets predict for its negated pair."""
    gold, paper, _ = claims.EXAMPLES["1127"]
    cells = {}
    for column, sizes in SIZES.items():
        cells[column] = UNMEASURED
        for size in sizes:
            runs = results.runs(name_row(claims.PLAIN, size), RELATEDNESS)
            if runs and "1127" in places:
                predicted = np.mean([run[0]["predicted"][places["1127"]] for run in runs])
                verdict = HELD if predicted > gold else NOT_HELD
                cells[column] = f"{verdict}: {predicted:.1f}, in the paper {paper}, gold {gold}"
    yield {"claim": "The negated pair has a high score", "section": "5.2, table 6", **cells}


if __name__ == "__main__":
    app = typer.Typer(add_completion=False)
    app.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True})(main)
    app()
