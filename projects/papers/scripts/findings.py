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
from scipy.stats import t as student

import claims
from claims import ABOVE, ACCURACY, MAP, MARGIN, MODELS, SAME, Effect
from paper_nets import DONE, NETS
from spacy_thematic.cli.shell import clear_errors
from spacy_thematic.evaluation.markdown import render
from spacy_thematic.files import write_bytes, write_folder
from spacy_thematic.pipeline.joining import join_encoders
from tables import LONG, RELATEDNESS, SCORES, TASKS, Difference, Results, name_row
from tables import NETS as ROWS
from tables import make_tables, to_markdown, warn_of_few

IMAGES = Path(__file__).parents[1] / "results" / "digits.jsonl"
BEST = "model-best"
JOINED = ("sen", "titles")
HELD, NOT_HELD, OPEN = "held", "not held", "open"
WIDE, SMALL = "h = 300", "h = 64"
SIZES = {WIDE: ("", LONG), SMALL: ("64",)}
"""The sizes of rows in a column; of several, the last that both rows have."""
CHOSEN = "chosen"


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
                write_bytes(tables, to_markdown(make_tables(results), tasks["data"]).encode())
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
    effects = [one.describe() for one in found if one.differences or one.paper is not None]
    summary = [*summarise(found), *describe_example(results, tasks.get("examples", {}))]
    parts = [
        "# What became of the claims of both papers",
        "Made by `scripts/findings.py`. A difference is the first row less the second, with its "
        "95 per cent interval: Student's, of the variance over articles (pairs, for SICK) by "
        "bootstrap and of that over seeds of training. ¹: one seed; the variance over seeds is "
        f"then what the rows of several seeds have on average. {HELD}: the interval is above "
        f"zero; {NOT_HELD}: below; {OPEN}: neither, or not measured. Of errors (MSE) less is "
        f"better. = asks whether the 90 per cent interval is within ±{MARGIN}, half of what the "
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
        names = dict.fromkeys(name.replace("AMI max", "AMI") for name in self.effect.measures)
        return " - ".join(names) + " =" * (self.effect.kind == SAME)

    def judge(self, column: str) -> str:
        if column not in self.differences:
            return OPEN
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
            if difference is not None:
                found[column] = difference, size
    return found


def judge(difference: Difference, kind: str, sign: int = 1) -> str:
    low, high = difference.interval()
    if kind == SAME:
        near = max(map(abs, difference.interval(0.9))) < MARGIN
        return HELD if near else NOT_HELD if low > MARGIN or high < -MARGIN else OPEN
    if sign < 0:
        low, high = -high, -low
    return HELD if low > 0 else NOT_HELD if high < 0 else OPEN


def summarise(found: Sequence[Found]) -> Iterator[dict[str, str]]:
    """What became of each claim, in one line."""
    by_claim: dict[str, list[Found]] = {}
    for one in found:
        by_claim.setdefault(one.effect.claim, []).append(one)
    for claim, some in by_claim.items():
        effect = some[0].effect
        cells = {column: _sum_up([(one.measure, one.judge(column)) for one in some])
                 for column in SIZES}  # fmt: skip
        if not {effect.first, effect.second} & {*ROWS}:
            cells[SMALL] = ""  # Baselines have no size.
        yield {"claim": claim, "section": effect.section, **cells}


def _sum_up(verdicts: Sequence[tuple[str, str]]) -> str:
    """Verdicts of measures: one if all agree, else each with its measures."""
    by_verdict: dict[str, list[str]] = {}
    for measure, verdict in verdicts:
        by_verdict.setdefault(verdict, []).append(measure)
    if len(by_verdict) == 1:
        return next(iter(by_verdict))
    return "; ".join(f"{verdict}: {', '.join(names)}" for verdict, names in by_verdict.items())


def describe_example(results: Results, places: dict[str, int]) -> Iterator[dict[str, str]]:
    """Table 6: what the joined nets predict for its negated pair."""
    gold, paper, _ = claims.EXAMPLES["1127"]
    cells = {}
    for column, sizes in SIZES.items():
        cells[column] = OPEN
        for size in sizes:
            runs = results.runs(name_row(claims.PLAIN, size), RELATEDNESS)
            if runs and "1127" in places:
                predicted = np.mean([run[0]["predicted"][places["1127"]] for run in runs])
                verdict = HELD if predicted > gold else NOT_HELD
                cells[column] = f"{verdict}: {predicted:.1f}, in the paper {paper}, gold {gold}"
    yield {"claim": "The negated pair has a high score", "section": "5.2, table 6", **cells}


class Cells:
    """What was measured of images, by row and cell.

    Args:
        rows: A dict for each row, cell and seed.
    """

    def __init__(self, rows: Sequence[dict[str, Any]]):
        self.values = {
            (row["name"], row["triplet_weight"], row["width"], row["labels"], row["seed"]): row
            for row in rows
        }
        self.rows = {key[:2] for key in self.values}
        widths, labels = ({row[key] for row in rows} for key in ("width", "labels"))
        most = {(m, n) for m in widths for n in labels if self._seeds(m, n)}
        self.main = max(most, key=lambda cell: (cell[1], sum(m == cell[0] for m, _ in most)))
        self.weights = sorted({row["triplet_weight"] for row in rows} - {0})
        self.places = {
            "m": sorted(cell for cell in most if cell[1] == self.main[1]),
            "n": sorted(cell for cell in most if cell[0] == self.main[0]),
        }

    def _seeds(self, m: int, n: int) -> list[int]:
        """Those that have all rows of a cell."""
        seeds = {key[4] for key in self.values}
        return [s for s in sorted(seeds) if all((*row, m, n, s) in self.values for row in self.rows)]

    def choose(self, m: int, n: int) -> float:
        """The lambda of the highest accuracy on held-out items, the mean over seeds."""

        def score(weight: float) -> float:
            return float(np.mean(self.read(MODELS[2], (m, n), "validation_accuracy", weight)))

        return max(self.weights, key=score)

    def read(
        self, name: str, cell: tuple[int, int], measure: str, weight: Any, other: Any = None
    ) -> np.ndarray:
        """A value for each seed, of those that another cell has, too; weight: lambda, or
        `CHOSEN`."""
        key = {MAP: "mean_average_precision"}.get(measure, measure)
        if name == MODELS[2]:
            weight = self.choose(*cell) if weight == CHOSEN else weight
        else:
            weight = 0
        seeds = [s for s in self._seeds(*cell) if s in self._seeds(*(other or cell))]
        return np.array([self.values[name, weight, *cell, s][key] for s in seeds])


def interval(values: np.ndarray) -> tuple[float, float, float]:
    """The mean of some seeds, and its 95 per cent interval by Student's t."""
    n, mean = len(values), float(values.mean())
    if n < 2:
        return mean, -np.inf, np.inf
    half = float(student.ppf(0.975, n - 1) * values.std(ddof=1) / np.sqrt(n))
    return mean, mean - half, mean + half


def _show(found: tuple[float, float, float]) -> str:
    return "{:+.3f} ({:+.3f} to {:+.3f})".format(*found)


def describe_images(rows: list[dict[str, Any]]) -> str:
    """A line for each effect, measure, and what varies."""
    cells, lines = Cells(rows), []
    shown = [(claim.first, claim.second, measure) for claim in claims.IMAGE_CLAIMS
             for measure in claim.measures]  # fmt: skip
    for first, second, measure in shown:
        for kind, places in cells.places.items():
            line = {"rows": f"{first} - {second}", "measure": f"{measure}, by {kind}"}
            for images in ("CIFAR10", "SVHN"):
                table = claims.IMAGES[images, measure, kind]
                a, b = MODELS.index(first), MODELS.index(second)
                line[images] = "; ".join(f"{k}: {v[a] - v[b]:+.3f}" for k, v in table.items())
            line["digits, lambda 1"] = "; ".join(
                f"{cell[kind == 'n']}: {_show(_differ(cells, first, second, cell, measure, 1.0))}"
                for cell in places
            )
            lines.append(line)
    seeds = {len(cells._seeds(*cell)) for places in cells.places.values() for cell in places}
    m, n = cells.main
    chosen = ", ".join(
        f"{cells.choose(*cell):g} (m = {cell[0]}, n = {cell[1]})"
        for cell in dict.fromkeys([*cells.places["m"], *cells.places["n"]])
    )
    return (
        f"Digits: {min(seeds)} to {max(seeds)} seeds, t intervals over them; by m with n = {n} "
        f"labels a class, by n with m = {m}. Held-out items choose these lambda: {chosen}.\n\n"
        f"{render(lines)}"
    )


def _differ(
    cells: Cells, first: str, second: str, cell: tuple[int, int], measure: str, weight: Any
) -> tuple[float, float, float]:
    a, b = (cells.read(name, cell, measure, weight) for name in (first, second))
    return interval(a - b)


def summarise_images(rows: list[dict[str, Any]]) -> Iterator[dict[str, str]]:
    """What became of each claim, by lambda."""
    cells = Cells(rows)
    every = list(dict.fromkeys([*cells.places["m"], *cells.places["n"]]))
    columns = {"lambda 1": 1.0, "chosen lambda": CHOSEN}

    def line(claim: str, section: str, find: Any) -> dict[str, str]:
        found = {name: [(where, _judge(*value)) for where, value in find(weight)]
                 for name, weight in columns.items()}  # fmt: skip
        return {"claim": claim, "section": section,
                **{name: _sum_up(some) for name, some in found.items()}}  # fmt: skip

    def name(cell: tuple[int, int]) -> str:
        return f"m = {cell[0]}, n = {cell[1]}"

    pairs = [*claims.IMAGE_CLAIMS, *claims.IMAGE_OURS]
    for claim, section, first, second, measures in pairs:
        for measure in measures:
            yield line(
                f"{claim}: {measure}", section,
                lambda weight, first=first, second=second, measure=measure: [
                    (name(cell), _differ(cells, first, second, cell, measure, weight))
                    for cell in every
                ],
            )  # fmt: skip
    for kind, claim in (("m", "Larger z are better for Triplet BiGAN"),
                        ("n", "More labels are better for Triplet BiGAN")):  # fmt: skip
        low, high = cells.places[kind][0], cells.places[kind][-1]
        place = kind == "n"
        yield line(
            f"{claim}: {kind} = {high[place]} above {low[place]}", "tables 1 to 8",
            lambda weight, low=low, high=high: [
                (measure, interval(cells.read(MODELS[2], high, measure, weight, low)
                                   - cells.read(MODELS[2], low, measure, weight, high)))
                for measure in (ACCURACY, MAP)
            ],
        )  # fmt: skip
    near = [(name(cell), interval(cells.read(MODELS[1], cell, MAP, 0.0))) for cell in every]
    verdicts = [(where, HELD if high < claims.NEAR_CHANCE else NOT_HELD
                 if low > claims.NEAR_CHANCE else OPEN) for where, (_, low, high) in near]  # fmt: skip
    values = ", ".join(f"{value[0]:.2f}" for _, value in near)
    yield {
        "claim": f"BiGAN's retrieval is near chance: mAP below {claims.NEAR_CHANCE}",
        "section": "4.1, discussion", "lambda 1": f"{_sum_up(verdicts)} ({values})",
    }  # fmt: skip
    for claim, section, why in claims.IMAGE_OPEN:
        yield {"claim": claim, "section": section, "lambda 1": f"{OPEN}: {why}"}


def _judge(value: float, low: float, high: float) -> str:
    return HELD if low > 0 else NOT_HELD if high < 0 else OPEN


if __name__ == "__main__":
    app = typer.Typer(add_completion=False)
    app.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True})(main)
    app()
