"""`thematic inspect`: what a corpus holds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer
from wasabi import msg

from spacy_thematic.cli.app import app


@app.command("inspect")
def inspect_cli(
    corpus: Path = typer.Argument(..., help="Corpus folder, or a folder of shards, or a shard"),
    n: int = typer.Option(
        10, "-n", min=1, help="How many triplets, and longest and shortest sentences"
    ),
    seed: int = typer.Option(0, help="Seed of the random triplets"),
    as_json: bool = typer.Option(False, "--json", help="Print JSON"),
):
    """
    Statistics of a corpus, random triplets to read, the longest and the shortest sentences, and
    what was dropped by which rule. Where there is a training split, that is what is shown.
    """
    import srsly

    from spacy_thematic.cli.shell import clear_errors
    from spacy_thematic.triplets.inspecting import inspect_corpus

    with clear_errors():
        found = inspect_corpus(corpus, n=n, seed=seed)
    if as_json:
        print(srsly.json_dumps(found, indent=2))
        return
    _print(found)


def _print(found: dict[str, Any]) -> None:
    rows: list[tuple[str, str]] = [
        (name, f"{found[name]:,}") for name in ("articles", "sentences", "triplets")
    ]
    rows.append(("kind", ", ".join(f"{kind} ({n})" for kind, n in found["kinds"].items())))
    for name, label in (("sentence_tokens", "tokens of a sentence"), ("sections", "sections")):
        rows.append((f"{label}: quartiles", " ".join(f"{value:g}" for value in found[name])))
    msg.divider("Corpus")
    msg.table(rows)
    if found["statistics"]:
        msg.divider("Read and dropped")
        read = found["statistics"]["read"]
        msg.table([(name, f"{n:,}") for name, n in read.items() if isinstance(n, int)])
        msg.table([(f"skipped: {name}", f"{n:,}") for name, n in read["skipped"].items()])
    msg.divider("Random triplets")
    for example in found["examples"]:
        print(f"\n{example['article']}")
        for role in ("anchor", "positive", "negative"):
            print(f"  {role:8}  [{example[role]['section']}] {example[role]['text']}")
    for name in ("longest", "shortest"):
        msg.divider(f"The {name} sentences")
        for n_tokens, text in found[name]:
            print(f"{n_tokens:4}  {text}")
