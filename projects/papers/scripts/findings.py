"""FINDINGS.md: what became of the claims of both papers.

    python scripts/findings.py OUT [--nets NETS] [--scores FILE] [--images FILE] [options of
        measure.py]

With --nets, a folder that paper_nets.py made, joins its nets of sentences and of titles, and runs
measure.py on all nets and the bundled models, which keeps scores and tables in OUT. Run again with
more nets, it measures only these, and what was measured of others stays. So the tables may grow
seed by seed, on several machines. Without --nets, OUT/FINDINGS.md is made of the scores that there
are, in OUT or in .tar.xz: of several, each column of a claim is of the first that has its rows.
--images are the rows of bigan_images.py, a file for each set. So are FINDINGS.md and the long
tables made:

    python scripts/findings.py . --scores results/wide_scores.tar.xz
        --scores results/papers_scores.tar.xz --tables results/tables.md
"""

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
from claims import HELD, MARGIN, NOT_HELD, OPEN, SAME, UNMEASURED, Effect, is_above, sum_up
from image_findings import Cells, describe_sets, list_image_tables, summarise_images
from joining import join_encoders
from paper_nets import DONE, NETS
from spacy_thematic.cli.shell import clear_errors
from spacy_thematic.evaluation.results import render
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

IMAGES = [Path(__file__).parents[1] / "results" / f"{name}.jsonl" for name in ("digits", "mnist5k")]
BEST = "model-best"
JOINED = ("sen", "titles")
WIDE, SMALL = "h = 300", "h = 64"
SIZES = {WIDE: ("", LONG), SMALL: ("64",)}
"""The sizes of rows in a column: the one of most seeds that both rows have, or the last."""
HERE, OURS = "here", "ours"
FORMER = "†"
"""Marks what is not of the first scores."""
LEGEND = (
    "A difference is the first row less the second, ± half its 95 per cent interval (Student's, "
    "over articles, or SICK's pairs, and seeds). ¹ ³: one, three seeds. A row of one seed is given "
    f"the average seed variance of the other rows. {LONG}: until dev stops rising. {FORMER}: "
    f"earlier nets, other vectors. {HELD}: the interval is above zero; {NOT_HELD}: below; {OPEN}: "
    f"neither. 'As well' (=) means within ±{MARGIN} (90 per cent), half the gap that the paper "
    f"calls inferior ({2 * MARGIN:.3f})."
)
SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def main(
    ctx: typer.Context,
    out: Path = typer.Argument(..., help="Folder for FINDINGS.md, and for scores and tables"),
    nets: Path = typer.Option(None, help="Folder that paper_nets.py made, to measure"),
    scores: list[Path] = typer.Option([], help=".tar.xz of scores, instead of those in OUT"),
    tables: Path = typer.Option(None, help="Where to write the long tables, too"),
    images: list[Path] = typer.Option(IMAGES, help="Rows of bigan_images.py, SET.jsonl"),
) -> None:
    """Make FINDINGS.md, of scores that there are or of nets that are measured first. Takes the
    options of measure.py too."""
    with clear_errors():
        if nets is not None:
            if not nets.is_dir():
                raise ValueError(f"{nets} is no folder; expected one that paper_nets.py made.")
            measure_nets(nets, out, ctx.args)
        sets = {path.stem: Cells(list(srsly.read_jsonl(path))) for path in images if path.exists()}
        with TemporaryDirectory() as folder:
            paths = [Path(folder, str(number)) for number, _ in enumerate(scores)]
            for path, packed in zip(paths, scores):
                with tarfile.open(packed) as tar:
                    # Python before 3.11.4 has no filter, and does not look for one.
                    tar.extraction_filter = getattr(tarfile, "data_filter", None)
                    tar.extractall(path)
            measured = [read_scores(path / SCORES) for path in paths or [out]]
        # Rows of one seed take the variance over seeds from any scores.
        results = [one.results for one in measured]
        for one in results:
            one.others = [other for other in results if other is not one]
        found = [Found(effect, find_differences(results, effect))
                 for effect in (*claims.CLAIMS, *claims.OURS)]  # fmt: skip
        if tables is not None:
            effects = render([one.describe() for one in found if one.differences])
            lines = [*summarise(found), *describe_example(measured)]
            long = ["# Effects of the text paper, by all measures\n", f"{LEGEND}\n", effects, ""]
            long += ["## Claims of the text paper, by nets of both widths\n", render(lines), ""]
            long += [to_markdown(make_tables(one.results), head)
                     for one, head in zip(measured, list_heads(measured))]  # fmt: skip
            for name, cells in sets.items():
                long += list_image_tables(name, cells)
            long.append("## Where the papers contradict themselves\n")
            long += [*(f"- {line}" for line in claims.list_contradictions()), ""]
            write_bytes(tables, "\n".join(long).encode())
        write_bytes(out / "FINDINGS.md", describe(measured, found, sets).encode())


class Measured(NamedTuple):
    """Scores, and what they were measured on, as measure.py says it."""

    results: Results
    tasks: dict[str, Any]


def read_scores(folder: Path) -> Measured:
    tasks = srsly.read_json(folder / TASKS)
    return Measured(Results(folder, tasks["keys"]), tasks)


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


def describe(
    measured: Sequence[Measured], found: Sequence["Found"], images: dict[str, Cells]
) -> str:
    """FINDINGS.md."""
    theirs = [one for one in found if one.effect.section != OURS]
    lines = [choose(line) for line in [*summarise(theirs), *describe_example(measured)]]
    lacking = [line["claim"].rpartition(" (")[0] for line in lines if line[HERE] == UNMEASURED]
    ours = [choose(line) for line in summarise([one for one in found if one not in theirs])]
    parts = [
        "# What became of the claims of both papers",
        "Made of scores by `scripts/findings.py`; what differs, and what is open of images, is "
        f"written by hand in `scripts/claims.py`. {LEGEND} All measures, other nets, and where the "
        "papers contradict themselves: [tables](results/tables.md).",
        measured[0].tasks["data"],
        *filter(None, [warn_of_few(one.results) for one in measured]),
        "## Effects: Ein Dor et al. (2018), the text paper",
        "The paper, and here. Accuracy is by L1; of mean vectors, SIF, `cosine` and "
        "`margin-cosine` by cosine, on which the verdict on Schroff's loss in accuracy depends "
        "(by L1 of both: under Ours). Clustering is by Iclust where nothing else is said. "
        "`scripts/paper_nets.py` names the nets.",
        render(list_effects(found)),
        "## Claims of the text paper",
        "With the differences here where the paper has no figures.",
        render([line for line in lines if line[HERE] != UNMEASURED]),
        " ".join(["Ours.", *(f"{line['claim']}: {line[HERE]}." for line in ours)]),
    ]
    if lacking:
        parts.append(f"{UNMEASURED.capitalize()}: {'; '.join(lacking)}.")
    if images:
        parts += [
            "## Claims of the image paper, Zamorski & Zieba (2019)",
            "Ranges are over cells: every m at one n, every n at one m. Verdicts are by Student's "
            f"95 per cent intervals over seeds ({describe_sets(images)}): with lambda 1 / with "
            "'chosen', the lambda of 1, 10 and 100 that is best on held-out items; one, if alike.",
            render(list(summarise_images(images))),
            claims.IMAGE_OPEN,
        ]
    parts += [
        "## What differs from the papers",
        render([dict(zip(("there", "here"), line)) for line in claims.DIFFERENCES]),
    ]
    return "\n\n".join(parts) + "\n"


def choose(line: dict[str, str]) -> dict[str, str]:
    """Of the columns of a claim that of the wide nets, or, where they have none, of the small."""
    wide, small = line.pop(WIDE), line.pop(SMALL)
    is_small = wide == UNMEASURED and small not in ("", UNMEASURED)
    return {**line, HERE: f"{small} ({SMALL})" if is_small else wide}


def list_effects(found: Sequence["Found"]) -> list[dict[str, str]]:
    """By rows the figures of the paper and ours, of one measure for each of its tables."""
    lines: dict[str, dict[str, str]] = {}
    for one in found:
        column = next((column for column in SIZES if column in one.differences), None)
        if column and one.paper is not None and one.is_main:
            name, _, algorithms = one.measure.partition(", ")
            rows = one.rows if " - " in one.rows else f"{one.rows}: {algorithms}"
            line = lines.setdefault(rows, {"rows": rows})
            shown = show(*one.differences[column]) + f" ({SMALL})" * (column == SMALL)
            line[name] = f"{one.paper:+.3f}, {shown}"
    return [{**dict.fromkeys(["rows", "accuracy", "AMI", "Pearson"]), **line}
            for line in lines.values()]  # fmt: skip


def list_heads(measured: Sequence[Measured]) -> list[str]:
    """What each scores were measured on; all but the first are marked."""
    first, *former = (one.tasks["data"] for one in measured)
    return [first, *(f"{FORMER}: {text}" for text in former)]


class Found(NamedTuple):
    """An effect, and by column the difference here, with notes."""

    effect: Effect
    differences: dict[str, tuple[Difference, str]]

    @property
    def is_main(self) -> bool:
        """Whether it stands in FINDINGS.md, not only in the long tables."""
        return self.effect.section != OURS and self.effect.measures[0] not in claims.ASIDE

    @property
    def paper(self) -> float | None:
        return self.effect.find_in_paper()

    @property
    def rows(self) -> str:
        return " - ".join(dict.fromkeys((self.effect.first, self.effect.second)))

    @property
    def measure(self) -> str:
        names = [name.replace("AMI max", "AMI") for name in self.effect.measures]
        if names[0] == names[1]:
            return names[0] + " =" * (self.effect.kind == SAME)
        names[1] = names[1].removeprefix(names[0].split(", ")[0] + ", ")
        return " - ".join(names) + " =" * (self.effect.kind == SAME)

    def name_measure(self, column: str = "") -> str:
        """The measure, as far as the claim does not say it, and the difference of a column."""
        name = self.measure.removesuffix(" =").removesuffix(", Iclust")
        if self.effect.measures[0] != self.effect.measures[1] or "accuracy" in name:
            name = name.partition(",")[0]
        return f"{name} {show(*self.differences[column])}" if column in self.differences else name

    def judge(self, column: str) -> str:
        if column not in self.differences:
            return UNMEASURED
        return judge(self.differences[column][0], self.effect.kind, self.effect.sign)

    def describe(self) -> dict[str, str]:
        return {
            "rows": self.rows,
            "measure": self.measure,
            "the paper": "" if self.paper is None else f"{self.paper:+.3f}",
            **{c: show(*self.differences[c]) if c in self.differences else "" for c in SIZES},
        }


def show(difference: Difference, notes: str) -> str:
    seeds = str(difference.fewest or "").translate(SUPERSCRIPTS)
    return " ".join([f"{difference}{seeds}", *notes.split()])


def find_differences(
    measured: Sequence[Results], effect: Effect
) -> dict[str, tuple[Difference, str]]:
    """By column, of the first scores that have both rows."""
    found: dict[str, tuple[Difference, str]] = {}
    for results, mark in zip(measured, ["", *[FORMER] * (len(measured) - 1)]):
        for column in SIZES:
            if column not in found and (best := _find_difference(results, effect, column)):
                found[column] = best[0], f"{best[1]} {mark}".strip()
    return found


def _find_difference(
    results: Results, effect: Effect, column: str
) -> tuple[Difference, str] | None:
    best = None
    for size in SIZES[column]:
        rows = [name_row(row, size) for row in (effect.first, effect.second)]
        if size and rows == [effect.first, effect.second]:
            continue  # Baselines have no size: once is enough.
        difference = results.difference(*rows, *effect.measures)
        if difference is not None and (best is None or difference.fewest >= best[0].fewest):
            best = difference, size * (size == LONG)
    return best


def judge(difference: Difference, kind: str, sign: int = 1) -> str:
    low, high = difference.interval()
    if kind == SAME:
        near = max(map(abs, difference.interval(0.9))) < MARGIN
        return HELD if near else NOT_HELD if low > MARGIN or high < -MARGIN else OPEN
    if sign < 0:
        low, high = -high, -low
    return is_above(low, high)


def summarise(found: Sequence[Found]) -> Iterator[dict[str, str]]:
    """What became of each claim, in one line; with the differences, if the paper has none."""
    by_claim: dict[str, list[Found]] = {}
    for one in found:
        by_claim.setdefault(one.effect.claim, []).append(one)
    for claim, some in by_claim.items():
        effect = some[0].effect
        cells = {}
        for column in SIZES:
            known = [one for one in some if column in one.differences]
            in_full = bool(known) and effect.find_in_paper() is None
            several = len({one.rows for one in some}) > 1
            named = [
                (f"{one.rows}: " * several + one.name_measure(column * in_full), one.judge(column))
                for one in some
            ]
            is_former = any(FORMER in one.differences[column][1] for one in known)
            cells[column] = sum_up(named, in_full) + f" {FORMER}" * (is_former and not in_full)
        if not {effect.first, effect.second} & {*ROWS}:
            cells[SMALL] = ""  # Baselines have no size.
        where = "" if effect.section == OURS else f" ({effect.section})"
        yield {"claim": f"{claim}{where}", **cells}


def describe_example(measured: Sequence[Measured]) -> Iterator[dict[str, str]]:
    """Table 6: what the joined nets predict for its negated pair, and mean vectors: where those do,
    too, a high score says nothing of the nets."""
    gold, paper, _ = claims.EXAMPLES["1127"]
    cells = dict.fromkeys(SIZES, UNMEASURED)
    for number, (results, tasks) in reversed([*enumerate(measured)]):
        place = tasks.get("examples", {}).get("1127")
        for column, sizes in SIZES.items():
            for size in sizes:
                of_rows = [
                    [run[0]["predicted"][place] for run in results.runs(row, RELATEDNESS)]
                    for row in (name_row(claims.PLAIN, size), "mean-vectors")
                    if place is not None
                ]
                if of_rows and all(of_rows):
                    joined, base = map(np.mean, of_rows)
                    verdict = NOT_HELD if joined <= gold else HELD if base <= gold else OPEN
                    text = (
                        f"{verdict}: {joined:.1f}, of mean vectors {base:.1f}, in the paper "
                        f"{paper}, gold {gold}"
                    )
                    cells[column] = text + f" {FORMER}" * (number > 0)
    yield {"claim": "The negated pair has a high score (5.2, table 6)", **cells}


if __name__ == "__main__":
    app = typer.Typer(add_completion=False)
    app.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True})(main)
    app()
