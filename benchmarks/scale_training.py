"""Training as the corpus grows, by one process and by two that torchrun starts.

    python -m benchmarks.scale_training ARTICLES VECTORS --work FOLDER [--articles 250]
        [--updates 12] [--config configs/paper.cfg]

ARTICLES is any source of articles, VECTORS a folder made by `thematic vectors`. Random ones, with a
seed, make corpora of 1, 4 and 16 times `--articles`. On each the config is trained for 2 updates
and for `--updates` more, `accumulate_gradient` 2, one thread a process: the difference is the time
of an update, the rest that of start, evaluation and end. Prints a Markdown table, with the memory
of the largest process at its peak. It stops if two processes end with another loss or score than
one. Linux only.
"""

from __future__ import annotations

import argparse
from itertools import product
from pathlib import Path

import srsly

from benchmarks.scale import GROWTH, measure
from benchmarks.worker_kills import (
    THEMATIC,
    TORCHRUN,
    children_of,
    shuffle_articles,
    train_command,
)

FIRST_UPDATES = 2
SETTINGS = {
    "corpora.dev.limit": 5,
    "training.accumulate_gradient": 2,
    "training.eval_frequency": 100_000,
    "training.max_epochs": 0,
}


def build_corpora(source: Path, work: Path, n: int) -> dict[int, Path]:
    """Corpora of random articles, by their size."""
    articles = shuffle_articles(source)
    if len(articles) < n * GROWTH[-1]:
        raise ValueError(f"{source} has {len(articles):,} articles: lower --articles.")
    corpora = {factor: work / f"corpus-{factor}" for factor in GROWTH}
    for factor, corpus in corpora.items():
        records = work / f"{factor}.jsonl"
        srsly.write_jsonl(records, [article.to_dict() for article in articles[: n * factor]])
        measure([*THEMATIC, "corpus", records, corpus, "--shares", "8/1/1"], children_of)
    return corpora


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("source", type=Path)
    parser.add_argument("vectors", type=Path)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--articles", type=int, default=250)
    parser.add_argument("--updates", type=int, default=12)
    parser.add_argument("--config", type=Path, default=Path("configs/paper.cfg"))
    args = parser.parse_args()
    args.work.mkdir(parents=True, exist_ok=True)
    corpora = build_corpora(args.source, args.work, args.articles)
    print("| articles | processes | start and end, s | s an update | memory, MiB |")
    print("| --- |" + " --- |" * 4)
    ends: dict[int, list] = {}
    for factor, processes in product(GROWTH, (1, 2)):
        corpus, out = corpora[factor], args.work / "trained"
        start = THEMATIC if processes == 1 else [*TORCHRUN, "-m", "spacy_thematic"]
        runs = []
        for updates in (FIRST_UPDATES, FIRST_UPDATES + args.updates):
            settings = {"paths.vectors": args.vectors, "training.max_steps": updates, **SETTINGS}
            train = train_command(args.config, corpus, settings)
            runs.append(measure([*start, *train, "--output", out / str(updates)], children_of))
        few, many = runs
        each = (many.clock - few.clock) / args.updates
        print(
            f"| {args.articles * factor:,} | {processes} | "
            f"{few.clock - FIRST_UPDATES * each:.1f} | {each:.2f} | {many.memory:.0f} |",
            flush=True,
        )
        last = list(srsly.read_jsonl(out / str(updates) / "log.jsonl"))[-1]
        end = [round(last["score"], 4), round(last["losses"]["thematic_embedder"], 1)]
        if ends.setdefault(factor, end) != end:
            raise SystemExit(f"Two processes ended with {end}, one with {ends[factor]}.")


if __name__ == "__main__":
    main()
