"""`thematic inspect`: what a corpus holds."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import typer

from spacy_thematic.cli.app import app
from spacy_thematic.triplets.reasons import MEANINGS


@app.command("inspect")
def inspect_cli(
    corpus: Path = typer.Argument(..., help="Corpus folder, folder of shards, or shard"),
    n: int = typer.Option(
        10, "-n", min=1, help="Number of triplets, and of longest and shortest sentences"
    ),
    seed: int = typer.Option(0, help="Seed of the random triplets"),
    as_json: bool = typer.Option(False, "--json", help="Print JSON"),
):
    """
    Show what a corpus holds.

    Prints its statistics, random triplets, its longest and shortest sentences, and what was dropped
    for which reason. Of a corpus folder, this is the training split.
    """
    import srsly

    from spacy_thematic.cli.outputs import claim_outputs
    from spacy_thematic.cli.shell import clear_errors
    from spacy_thematic.triplets.inspecting import inspect_corpus

    with clear_errors() as held:
        held.enter_context(claim_outputs([corpus]))
        found = inspect_corpus(corpus, n=n, seed=seed)
    if as_json:
        print(srsly.json_dumps(found, indent=2))
        return
    _print(found)


def _print(found: dict[str, Any]) -> None:
    from spacy_thematic.report.terminal import without_controls

    statistics = found["statistics"]
    sizes = {"train" if statistics else "": found}
    if statistics:
        sizes.update({name: statistics[name] for name in ("dev", "test", "clustering")})
    columns = ["articles", "sentences", "triplets"]
    columns += ["others"] * any(size.get("others") for size in sizes.values())
    _print_heading("Corpus")
    _print_table(
        [(name, *(f"{size.get(key, 0):,}" for key in columns)) for name, size in sizes.items()],
        header=("", *columns),
    )
    rows = [
        ("kind of triplets", ", ".join(f"{kind} ({n:,})" for kind, n in found["kinds"].items()))
    ]
    for name, label in (("sentence_tokens", "tokens of a sentence"), ("sections", "sections")):
        values = " ".join(f"{value:g}" for value in found[name])
        rows.append((f"{label}: least, quartiles, most", values))
    print()
    _print_table(rows, right=False)
    if statistics:
        _print_heading("Read and dropped (an opener is the first sentence of a paragraph)")
        read = statistics["read"]
        counts = {name: n for name, n in read.items() if isinstance(n, int)}
        meanings = {
            name: text.format(min_sections=statistics["settings"]["min_sections"])
            for name, text in MEANINGS.items()
        }
        rows = [(meanings.get(name, name), f"{n:,}") for name, n in counts.items()]
        rows += [(f"records skipped: {name}", f"{n:,}") for name, n in read["skipped"].items()]
        _print_table(rows)
    _print_heading("Random triplets")
    for number, example in enumerate(found["examples"]):
        print(f"{chr(10) if number else ''}{without_controls(example['article'])}")
        for role in ("anchor", "positive", "negative"):
            text = f"[{example[role]['section']}] {example[role]['text']}"
            print(f"  {role:8}  {without_controls(text)}")
    for name in ("longest", "shortest"):
        _print_heading(f"The {name} sentences, by tokens")
        for n_tokens, text in found[name]:
            print(f"{n_tokens:4}  {without_controls(text)}")


def _print_heading(text: str) -> None:
    print(f"\n=== {text} ===\n")


def _print_table(
    rows: Sequence[tuple[str, ...]], header: tuple[str, ...] = (), right: bool = True
) -> None:
    """Print columns as wide as their longest entry, all but the first aligned to the right."""
    lines = [header, *rows] if header else rows
    widths = [max(map(len, column)) for column in zip(*lines)]
    for line in lines:
        cells = [
            cell.rjust(width) if place and right else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(line, widths))
        ]
        print("   ".join(cells).rstrip())
