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

import re
import subprocess
import sys
import tarfile
from collections.abc import Iterator, Mapping, Sequence
from os.path import relpath
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
    CLUSTERING,
    DISTANCE,
    LONG,
    RELATEDNESS,
    SCORES,
    TASKS,
    Difference,
    Results,
    make_tables,
    name_row,
    split_size,
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
    "±: half a 95 per cent interval (Student's, over articles or SICK's pairs, and seeds). ¹: one "
    f"seed (given the average seed variance of other rows); ³: three. {HELD}: the interval is "
    f"above zero; {NOT_HELD}: below; {OPEN}: neither. 'As well' (=): the 90 per cent interval is "
    f"within ±{MARGIN}, half the gap that the paper calls inferior. {LONG}: until dev stops "
    f"rising. {FORMER}: earlier nets, other vectors."
)
UNTRAINED = "untrained"
"""Marks a net whose best step is the one before training."""
SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
OF_SKIP_THOUGHTS = {e.claim for e in claims.CLAIMS if "skip-thoughts" in (e.first, e.second)}
PICTURES = IMAGES[0].with_name("bigan.md")


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
            lines = [*summarise(found), *map(describe_example, list_examples(measured))]
            long = ["# Effects of the text paper, by all measures\n", f"{LEGEND}\n", effects, ""]
            long += ["## Claims of the text paper, by nets of both widths\n", render(lines), ""]
            long += [to_markdown(make_tables(one.results), head)
                     for one, head in zip(measured, list_heads(measured))]  # fmt: skip
            if sets:
                lines = summarise_images(sets, in_full=True)
                long += ["## Claims of the image paper: with lambda 1 / the one of 1, 10 and 100 "
                         "that is best on held-out items\n", render(list(lines)), ""]  # fmt: skip
            for name, cells in sets.items():
                long += list_image_tables(name, cells)
            long.append("## Where the papers contradict themselves\n")
            long += [*(f"- {line}" for line in claims.list_contradictions()), ""]
            write_bytes(tables, "\n".join(long).encode())
        # What is written by hand of images is true of the committed ones.
        pictures = _link(PICTURES, out) if sets and images == IMAGES else ""
        long_tables = _link(tables, out) if tables else ""
        text = describe(measured, found, sets, pictures, long_tables)
        write_bytes(out / "FINDINGS.md", text.encode())


def _link(path: Path, folder: Path) -> str:
    return Path(relpath(path, folder)).as_posix()


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
    measured: Sequence[Measured],
    found: Sequence["Found"],
    images: Mapping[str, Cells],
    pictures: str = "",
    tables: str = "",
) -> str:
    """FINDINGS.md, with links to the long tables, and to the pictures, if the images are the
    committed ones."""
    shown = [one for one in found if one.effect.section != OURS]
    ours = [one for one in found if one.effect.claim in claims.MAIN_OURS]
    lines = [*list_claims(shown), *map(shorten_example, list_examples(measured))]
    lines += list_claims(ours)
    lacking = [line["claim"] for line in lines if line["verdict"] == UNMEASURED]
    others = [claim for claim in lacking if claim.rpartition(" (")[0] not in OF_SKIP_THOUGHTS]
    if n := len(lacking) - len(others):
        others.append(f"{n} claims of skip-thoughts")
    more = f" All measures and nets: [tables]({tables})." if tables else ""
    parts = [
        "# What became of the claims of both papers",
        f"Made by `scripts/findings.py`. {LEGEND}{more}",
        describe_data(measured[0]),
        *filter(None, [warn_of_few(one.results) for one in measured]),
        "## The text paper, Ein Dor et al. (2018)",
        "Differences are in AMI, of SICK in Pearson's r, where nothing else is said. Accuracy is "
        "by L1, of mean vectors, SIF, `cosine` and `margin-cosine` by cosine; clustering by "
        "Iclust. Verdicts are by all measures, and name them where they disagree.",
        _render_narrow([line for line in lines if line["verdict"] != UNMEASURED]),
    ]
    if others:
        parts.append(f"{UNMEASURED.capitalize()}: {'; '.join(others)}.")
    differences = [*list_differences(measured[0]), *claims.DIFFERENCES]
    if images:
        parts += [
            "## The image paper, Zamorski & Zieba (2019)",
            f"Ranges are over cells: every m at one n, every n at one m ({describe_sets(images)}). "
            "Verdicts are by Student's 95 per cent intervals over seeds, with the lambda of 1, 10 "
            "and 100 that is best on held-out items; with lambda 1, too, where that differs.",
            _render_narrow(list(summarise_images(images))),
        ]
    if pictures:
        parts.append(claims.IMAGE_OPEN.format(pictures=pictures))
        differences += [(there, here.format(pictures=pictures))
                        for there, here in claims.IMAGE_DIFFERENCES]  # fmt: skip
    parts += [
        "## What differs from the papers",
        render([dict(zip(("there", HERE), line)) for line in differences]),
    ]
    return "\n\n".join(parts) + "\n"


def _render_narrow(lines: Sequence[dict[str, str]]) -> str:
    """A table whose figures do not break in narrow columns."""
    return re.sub(r"(?<=[+-])0(?=\.)", "", re.sub(r" ± 0", "±", render(lines)))


def list_claims(found: Sequence["Found"]) -> Iterator[dict[str, str]]:
    """Each claim in one line, by wide nets, or, where they lack, by small ones: the figures of the
    paper and ours of its main measures, and the verdict by all measures."""
    for claim, some in group_by_claim(found).items():
        column = next((c for c in SIZES if any(c in one.differences for one in some)), WIDE)
        main = [one for one in some if one.is_main and column in one.differences]
        verdict = sum_up([(one.name_measure(), one.judge(column)) for one in some])
        verdict += "".join(one.find_edge(column) for one in some)
        yield {
            # Tables 3 and 4 are of section 5.1, the others of 5.2.
            "claim": f"{claim} ({re.sub('^5.[12], ', '', some[0].effect.section)})",
            "the paper": "; ".join(
                dict.fromkeys(f"{one.paper:+.3f}" for one in main if one.paper is not None)
            ),
            HERE: "; ".join(
                f"{one.second_measure} {show(*one.differences[column])}".strip() for one in main
            ),
            "verdict": verdict + f" ({SMALL})" * (column == SMALL),
        }


def group_by_claim(found: Sequence["Found"]) -> dict[str, list["Found"]]:
    groups: dict[str, list[Found]] = {}
    for one in found:
        groups.setdefault(one.effect.claim, []).append(one)
    return groups


def describe_data(measured: Measured) -> str:
    """What was measured: as measure.py says it, or, of the committed scores, by counting them, and
    by hand."""
    results, tasks = measured
    if notes := claims.NOTES.get(tasks["keys"].get(DISTANCE)):
        triplets, clustered, pairs = map(results.longest, (DISTANCE, CLUSTERING, RELATEDNESS))
        return (
            f"{sum(record['triplets'] for record in triplets):,} triplets of {len(triplets):,} "
            f"articles; {len(clustered):,} articles clustered, "
            f"{sum(record['sentences'] for record in clustered):,} sentences; "
            f"{len(pairs[0]['scores']):,} test pairs of SICK. By hand: {notes}"
        )
    return tasks["data"]


def find_training(results: Results) -> tuple[int, int]:
    """The articles and triplets that `sen` was trained on; zeros if that is not known."""
    rows = sorted((row for row in results.trained if split_size(row)[0] == "sen"), key=len)
    for row in rows:
        for encoder in results.trained[row][0]["encoders"]:
            if "triplets" in encoder:
                return encoder["articles"], encoder["triplets"]
    return 0, 0


def list_differences(measured: Measured) -> Iterator[tuple[str, str]]:
    """What the text paper has and these scores have not, by their numbers."""
    articles, triplets = find_training(measured.results)
    if articles:
        of_paper = claims.ARTICLES * 4 // 5
        each = claims.SENTENCE_TRIPLETS[0] / of_paper
        yield (
            f"Text: {of_paper:,} articles of May 2017 for training, {each:.2f} triplets each; "
            "OpenNLP",
            f"{articles:,}, {triplets / articles:.0f} (all pairs of openers within three "
            "paragraphs); our sentence rule",
        )
    if clustered := measured.results.longest(CLUSTERING):
        n, size = claims.BENCHMARK
        mean = round(sum(record["sentences"] for record in clustered) / len(clustered))
        if (len(clustered), mean) != (n, size):
            yield (
                f"Text: {n} articles clustered, {size} sentences each",
                f"{len(clustered):,}, {mean}",
            )


def list_heads(measured: Sequence[Measured]) -> list[str]:
    """What each scores were measured on; all but the first are marked."""
    first, *former = map(describe_data, measured)
    return [first, *(f"{FORMER}: {text}" for text in former)]


class Found(NamedTuple):
    """An effect, and by column the difference here, with notes."""

    effect: Effect
    differences: dict[str, tuple[Difference, str]]

    @property
    def is_main(self) -> bool:
        """Whether it stands in FINDINGS.md, not only in the long tables."""
        return self.effect.measures[0] not in claims.ASIDE

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

    @property
    def second_measure(self) -> str:
        """The measure of both rows, or that of the second, if it is not the usual one."""
        name, _, algorithms = self.measure.removesuffix(" =").partition(", ")
        if name == "accuracy" or (name == "Pearson" and "SICK" not in self.effect.claim):
            return name
        return algorithms.partition(" - ")[2].removeprefix("k-means ")

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

    def find_edge(self, column: str) -> str:
        """Where the 90 per cent interval of two rows that are the same ends, if that is near the
        margin."""
        if self.effect.kind != SAME or self.judge(column) != HELD:
            return ""
        end = max(self.differences[column][0].interval(0.9), key=abs)
        if abs(end) < 0.9 * MARGIN:
            return ""
        return f", just ({self.name_measure()}: 90 per cent to {end:+.4f})"

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
            seeds = [seed for row in rows for seed in results.trained.get(row, ())]
            is_raw = any(e.get("updates") == 0 for seed in seeds for e in seed["encoders"])
            best = difference, UNTRAINED if is_raw else size * (size == LONG)
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
    for claim, some in group_by_claim(found).items():
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
            cells[column] += "".join(one.find_edge(column) for one in some)
        if not {effect.first, effect.second} & {*ROWS}:
            cells[SMALL] = ""  # Baselines have no size.
        yield {"claim": f"{claim} ({effect.section})", **cells}


class Example(NamedTuple):
    """A pair of table 6, and by column the scores that the joined nets and mean vectors predict."""

    number: str
    predicted: dict[str, tuple[float, float, str]]

    @property
    def claim(self) -> str:
        return f"{claims.EXAMPLE_CLAIMS[self.number]} (table 6)"

    def judge(self, column: str) -> str:
        """Where mean vectors have a high score, too, it says nothing of the nets."""
        joined, base, _ = self.predicted[column]
        bound = min(claims.EXAMPLES[self.number][0], claims.HIGH)
        return NOT_HELD if joined <= bound else HELD if base <= bound else OPEN


def list_examples(measured: Sequence[Measured]) -> Iterator[Example]:
    for number in claims.EXAMPLES:
        found: dict[str, tuple[float, float, str]] = {}
        for (results, tasks), mark in zip(measured, ["", *[f" {FORMER}"] * (len(measured) - 1)]):
            place = tasks.get("examples", {}).get(number)
            for column, sizes in SIZES.items() if place is not None else ():
                for size in reversed(sizes):
                    of_rows = [
                        [run[0]["predicted"][place] for run in results.runs(row, RELATEDNESS)]
                        for row in (name_row(claims.PLAIN, size), "mean-vectors")
                    ]
                    if all(of_rows):
                        joined, base = map(np.mean, of_rows)
                        found.setdefault(column, (float(joined), float(base), mark))
        yield Example(number, found)


def describe_example(example: Example) -> dict[str, str]:
    gold, paper, _ = claims.EXAMPLES[example.number]
    cells = dict.fromkeys(SIZES, UNMEASURED)
    for column, (joined, base, mark) in example.predicted.items():
        cells[column] = (
            f"{example.judge(column)}: {joined:.1f}, of mean vectors {base:.1f}, in the paper "
            f"{paper}, gold {gold}{mark}"
        )
    return {"claim": example.claim, **cells}


def shorten_example(example: Example) -> dict[str, str]:
    gold, paper, _ = claims.EXAMPLES[example.number]
    column = next(iter(example.predicted), "")
    if not column:
        return {"claim": example.claim, "verdict": UNMEASURED}
    joined, base, mark = example.predicted[column]
    verdict = example.judge(column)
    return {
        "claim": example.claim,
        "the paper": f"{paper}, gold {gold}",
        HERE: f"{joined:.1f}, mean vectors {base:.1f}{mark}",
        "verdict": verdict + ": mean vectors score as high" * (verdict == OPEN)
        + f" ({SMALL})" * (column == SMALL),
    }  # fmt: skip


if __name__ == "__main__":
    app = typer.Typer(add_completion=False)
    app.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True})(main)
    app()
