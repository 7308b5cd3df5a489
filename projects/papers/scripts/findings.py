"""The paper's tables and findings for the nets of paper_nets.py that are trained.

    python scripts/findings.py NETS OUT [options of measure.py]

Joins the nets of sentences and of titles, runs measure.py on all nets and the bundled
models, and writes beside its tables OUT/FINDINGS.md, each claim of the paper with what became of
it, and OUT/learning_curve.svg. Run again with more nets, it measures only these, and what was
measured of others stays. So the tables may grow seed by seed, on several machines: the scores of
the nets in results/papers.md are in papers_scores.tar.xz beside it, to be unpacked in OUT.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from statistics import mean
from typing import Any

import numpy as np
import spacy
import srsly
import typer

from joining import join_encoders
from paper_nets import DONE, NETS
from spacy_thematic.cli.shell import clear_errors
from spacy_thematic.evaluation.comparison import MIN_DOCUMENTS
from spacy_thematic.evaluation.markdown import render
from spacy_thematic.files import write_bytes, write_folder
from tables import list_findings, plot, split_size

BEST = "model-best"
JOINED = ("sen", "titles")
CURVE = "sen-64-of-"
CURVE_MEASURES = ACCURACY, AMI = ("accuracy, L1", "AMI max, Iclust")
# The articles that the paper's triplets come from.
PAPER_ARTICLES = 809_000
WIDE = "paper's width"
UNKNOWN = "cannot be told"
VERDICTS = {"does not hold": "does not hold: it is the other way round"}
"""In other words."""
MORE = 1.6
"""Times the updates."""


def main(
    ctx: typer.Context,
    nets: Path = typer.Argument(..., help="Folder that paper_nets.py made"),
    out: Path = typer.Argument(..., help="Folder for tables and findings"),
) -> None:
    """
    Make the tables and FINDINGS.md of the nets that are trained.

    Takes the options of measure.py too. Scores that are in OUT, such as those of
    results/papers_scores.tar.xz, are kept, and NETS may be an empty folder.
    """
    with clear_errors():
        if not nets.is_dir():
            raise ValueError(f"{nets} is no folder; expected one that paper_nets.py made.")
        found = find_nets(nets)
        make_findings(nets, found, out, ctx.args)


def make_findings(
    nets: Path, found: dict[str, dict[int, Path]], out: Path, options: list[str]
) -> None:
    """Measure the nets, and write what was found."""
    join_nets(nets, found)
    models = [
        f"{name}@{seed}={path}" for name, paths in found.items() for seed, path in paths.items()
    ]
    arguments = [part for model in models for part in ("--models", model)]
    command = [sys.executable, str(Path(__file__).with_name("measure.py")), str(out)]
    if status := subprocess.run([*command, *arguments, *options]).returncode:
        sys.exit(status)
    tables = srsly.read_json(out / "tables.json")
    curve = read_curve(tables)
    write_bytes(out / "FINDINGS.md", describe(tables, curve).encode())
    if len(curve) > 1:
        points = {
            measure: [(line["articles"], line[measure]) for line in curve if measure in line]
            for measure in CURVE_MEASURES
        }
        title = "The paper's net by the number of articles"
        svg = plot(points, title, "articles to train on", "on test articles", log=True)
        write_bytes(out / "learning_curve.svg", svg.encode())


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
    for suffix in ("", "-64"):
        first, second = (found.get(name + suffix, {}) for name in JOINED)
        for kind, normalize in (("", True), ("-plain", False)):
            name = f"sen-titles{kind}{suffix}"
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


def read_curve(tables: dict[str, Any]) -> list[dict[str, Any]]:
    """What the nets of the learning curve reach on test, by the number of articles."""
    reached = {
        line["row"]: {ACCURACY: line["L1"]["value"]}
        for line in tables["tables"]["3"]
        if line.get("L1")
    }
    for line in tables["tables"].get("4", ()):
        if line["algorithm"] == "Iclust" and line["row"] in reached:
            reached[line["row"]][AMI] = line["AMI max"]["value"]
    lines = [
        {
            "articles": int(line["articles"].replace(",", "")),
            "updates": line["updates"],
            "seeds": line["seeds"],
            **reached[line["row"]],
        }
        for line in tables.get("trained", ())
        if line["row"].startswith(CURVE) and line["row"] in reached
    ]
    return sorted(lines, key=lambda line: line["articles"])


def describe(tables: dict[str, Any], curve: list[dict[str, Any]]) -> str:
    """FINDINGS.md: the claims, each with its measures."""
    findings = mark_unequal(tables["findings"], tables.get("trained", []))
    parts = [
        "# Which findings of the paper hold here",
        'Made by `scripts/findings.py`. The paper is Ein Dor et al., "Learning Thematic '
        'Similarity Metric Using Triplet Networks" (2018). A difference is the first row less the '
        "second, with its 95 per cent interval by bootstrap over the test articles (over pairs, "
        "for SICK), and over the seeds of training where there are several; between rows of one "
        "seed each it does not see what another seed would change. A claim *holds* if the interval "
        "is above zero, does not if it is below, and cannot be told otherwise. Where the net that "
        f"is above had {MORE} times the updates of the other or more, that is said: it may be why.",
        tables["data"],
        *_warn_of_few(tables["tables"]),
        "## In short",
        render(summarise(findings)),
    ]
    claims: dict[str, list[dict[str, Any]]] = {}
    for line in findings:
        claims.setdefault(line["claim"], []).append(line)
    for claim, lines in claims.items():
        parts += [f"## {claim}", render([_to_row(line) for line in lines])]
    if lacking := list_lacking(tables):
        parts += ["## Open: a row has not been measured", render(lacking)]
    if trained := tables.get("trained"):
        parts += ["## What the rows were trained on", render(trained)]
    if len(curve) > 1:
        parts += ["## More articles", render(curve), _extrapolate(curve)]
    return "\n\n".join(parts) + "\n"


def _warn_of_few(tables: dict[str, list[dict[str, Any]]]) -> list[str]:
    lines = [line for number in ("3", "4") for line in tables.get(number, ())]
    fewest = min((line["articles"] for line in lines), default=MIN_DOCUMENTS)
    if fewest >= MIN_DOCUMENTS:
        return []
    return [f"**Too few to say what holds**: some rows were measured on {fewest} articles only."]


def mark_unequal(
    findings: list[dict[str, Any]], trained: list[dict[str, str]]
) -> list[dict[str, Any]]:
    """The findings, with a `note` where the row above was trained for far longer on as many
    articles."""
    of_row = {
        line["row"]: (
            line["articles"],
            mean(int(number.replace(",", "")) for number in line["updates"].split(" / ")),
        )
        for line in trained
        if re.fullmatch(r"[\d,]+( / [\d,]+)*", line.get("updates", ""))
    }
    marked = []
    for line in findings:
        above, below = line["first"], line["second"]
        if line["value"] < 0:
            above, below = below, above
        articles, more = of_row.get(above, ("", 0.0))
        others, fewer = of_row.get(below, ("", 0.0))
        is_unequal = line["verdict"] != UNKNOWN and articles == others and more >= MORE * fewer > 0
        note = f", with {more / fewer:.1f} times the updates" if is_unequal else ""
        marked.append({**line, "note": note})
    return marked


def summarise(findings: list[dict[str, Any]]) -> list[dict[str, str]]:
    """What became of each claim, in one line."""
    claims: dict[str, dict[str, list[dict[str, Any]]]] = {}
    for line in findings:
        size = _name_size(line["first"], line["second"])
        claims.setdefault(line["claim"], {}).setdefault(size, []).append(line)
    sizes = dict.fromkeys(size for own in claims.values() for size in own)
    return [
        {"claim": claim, **{size: _sum_up(own[size]) if size in own else "" for size in sizes}}
        for claim, own in claims.items()
    ]


def _sum_up(lines: list[dict[str, Any]]) -> str:
    verdicts = Counter(line["verdict"] + line["note"] for line in lines)
    if len(verdicts) == 1:
        return next(iter(verdicts))
    if len({line["first"] for line in lines}) > 1:
        return "; ".join(f"{verdict}: {n} of {len(lines)} rows" for verdict, n in verdicts.items())
    return "; ".join(f"{line['measure']}: {line['verdict']}{line['note']}" for line in lines)


def _name_size(*rows: str) -> str:
    sizes = [size for _, size in map(split_size, rows) if size is not None]
    return f"h = {sizes[0]}" if sizes else WIDE


def list_lacking(tables: dict[str, Any]) -> list[dict[str, str]]:
    """The claims that no two rows of a size were measured for, and the rows that lack."""
    rows = {line["row"] for table in tables["tables"].values() for line in table if "row" in line}
    lacking = {}
    for f in list_findings(rows):
        absent = [row for row in (f.first, f.second) if row not in rows]
        # Of one row by two measures it is plain that both lack.
        if absent and f.first != f.second:
            size = _name_size(f.first, f.second)
            cells = {"claim": f.claim, "nets": size, "claimed by": f.source}
            lacking[f.claim, size] = {**cells, "lacks": ", ".join(absent)}
    return list(lacking.values())


def _to_row(line: dict[str, Any]) -> dict[str, str]:
    rows = dict.fromkeys((line["first"], line["second"]))
    measures = dict.fromkeys((line["measure"], line["second measure"]))
    low, high = line["interval"]
    return {
        "rows": " - ".join(rows),
        "measure": " - ".join(measures),
        "claimed by": line["source"],
        "difference": f"{line['value']:+.3f} ({low:+.3f} to {high:+.3f})",
        "here it": VERDICTS.get(line["verdict"], line["verdict"]) + line["note"],
    }


def _extrapolate(curve: list[dict[str, Any]]) -> str:
    """Straight lines through what was reached by the logarithm of the number of articles."""
    predicted = []
    for measure in CURVE_MEASURES:
        points = [(line["articles"], line[measure]) for line in curve if measure in line]
        if len(points) > 1:
            articles, values = zip(*points)
            slope, start = np.polyfit(np.log10(articles), values, 1)
            value = start + slope * np.log10(PAPER_ARTICLES)
            predicted.append(f"{measure}, by {slope:+.3f} for ten times the articles, {value:.3f}")
    return (
        f"Straight lines through these predict for the paper's {PAPER_ARTICLES:,} articles, with "
        f"this small net: {'; '.join(predicted)}."
    )


if __name__ == "__main__":
    app = typer.Typer(add_completion=False)
    app.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True})(main)
    app()
