"""Large collections on disk: time and memory as they grow, and what more processes gain.

    python -m benchmarks.scale --data DATA [--characters 750000] [--python PYTHON]

Random articles make collections of 1, 4 and 16 times `--characters`. Each is compiled to a corpus,
embedded by `en_thematic_sm` and clustered, by one process and by two; by Ray with one
worker and with two, if `--python` names an interpreter that has it. Every run is a process of its
own, on one thread, from its start to its end. The benchmark stops if two runs write different
partitions. Memory is that of the largest process, without what else Ray runs. Linux only.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import shutil
import sys
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

import srsly

from benchmarks.harness import Row, Source, find_sources, get_text, make_parser, parse, print_report
from benchmarks.processes import find_workers, measure
from spacy_thematic.articles.article import Article
from spacy_thematic.articles.formats import read_articles
from spacy_thematic.scale.store import SentenceStore

GROWTH = (1, 4, 16)
PARTITION = 1  # MB


def main() -> None:
    parser = make_parser(__doc__, sources=("wikipedia/dev",), models=("en_thematic_sm",))
    parser.add_argument("--characters", type=int, default=750_000, help="of the smallest")
    parser.add_argument("--python", help="an interpreter with Ray")
    args = parse(parser)
    if args.quick:
        args.characters = 20_000
    source, *_ = find_sources(args)
    engines = ("local", "ray") if args.python else ("local",)
    rows: list[Row] = []
    digests: dict[tuple[int, str], str] = {}
    with TemporaryDirectory() as name:
        work = Path(name)
        collections = write_collections(source, work, args)
        for factor, engine, workers in product(GROWTH, engines, (1, 2)):
            for job, command in make_jobs(collections[factor], work):
                python = args.python if engine == "ray" else sys.executable
                how = ["--engine", engine, "--processes", workers]
                run = measure([python, "-m", "spacy_thematic", *command, *how], find_workers)
                rows.append(
                    {
                        "command": job,
                        "engine": engine,
                        "workers": workers,
                        "sentences": f"{count_sentences(work):,}",
                        "s": f"{run.clock:.0f}",
                        "processor s": f"{run.processor:.0f}",
                        "memory, MiB": f"{run.memory:.0f}",
                    }
                )
                made = digest(work / job)
                if digests.setdefault((factor, job), made) != made:
                    raise SystemExit(f"{job} by {engine} with {workers} wrote other partitions.")
            for job in JOBS:
                shutil.rmtree(work / job)
    print_report(args, {"Commands as a collection grows": rows})


JOBS = ("embed", "corpus", "cluster-store")


def make_jobs(collection: Path, work: Path) -> list[tuple[str, list[object]]]:
    """Each command, with its arguments; it writes into the folder of its name."""
    embed, corpus, themes = JOBS
    texts, articles = collection / "texts.jsonl", collection / "articles.jsonl"
    store = work / embed
    return [
        (embed, [embed, texts, "--partition-size", PARTITION, "--out", store]),
        (corpus, [corpus, articles, work / corpus]),
        (themes, [themes, store, "--out", work / themes]),
    ]


def write_collections(source: Source, work: Path, args: argparse.Namespace) -> dict[int, Path]:
    """Write random articles, as records with a text and as articles, until there are enough
    characters."""
    articles = [*read_articles(source.path)]
    random.Random(args.seed).shuffle(articles)
    folders = {}
    for factor in GROWTH:
        drawn = take(articles, args.characters * factor)
        folders[factor] = work / str(factor)
        folders[factor].mkdir()
        records = [{"title": one.title, "text": get_text(one)} for one in drawn]
        srsly.write_jsonl(folders[factor] / "texts.jsonl", records)
        srsly.write_jsonl(folders[factor] / "articles.jsonl", [one.to_dict() for one in drawn])
    return folders


def take(articles: list[Article], characters: int) -> list[Article]:
    """The first articles that hold so many characters."""
    held = 0
    for number, article in enumerate(articles, 1):
        held += len(get_text(article))
        if held >= characters:
            return articles[:number]
    raise SystemExit(f"The source has {held:,} characters: lower --characters.")


def count_sentences(work: Path) -> int:
    return sum(SentenceStore.open(work / "embed").count_rows())


def digest(folder: Path) -> str:
    """Of the partitions below a folder."""
    found = hashlib.sha256()
    for path in sorted(folder.rglob("part-*.parquet")):
        found.update(path.read_bytes())
    return found.hexdigest()


if __name__ == "__main__":
    main()
