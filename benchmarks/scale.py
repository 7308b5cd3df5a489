"""Large collections on disk: time and memory as they grow, and what more processes gain.

    python -m benchmarks.scale --data DATA [--characters 750000]

Random articles make collections of 1, 4 and 16 times `--characters`. Each is compiled to a corpus,
embedded by `en_thematic_sm` and clustered, by one process and by two. Every run is a process of its
own, on one thread, from its start to its end. The benchmark stops if two runs write different
partitions. Memory is that of the largest process. Linux only.

    python -m benchmarks.scale --data DATA --short-texts 100000 --models en_thematic_md
        --sources wikipedia/train prose/train

does this instead: the first sentence, or the first two, of random paragraphs are grouped by
`cluster_docs` and by BERTopic with MiniLM of `DATA/minilm`, as its authors advise for large data:
UMAP with little memory, no probabilities, topics of at least 100 texts (`pip install bertopic
sentence-transformers`). Each has a process of its own.
"""

import argparse
import hashlib
import os
import random
import re
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory

import srsly

import spacy_thematic
from benchmarks.collections import find_themes
from benchmarks.harness import Row, Source, find_sources, get_text, make_parser, parse, print_report
from spacy_thematic.articles.article import Article
from spacy_thematic.articles.formats import read_articles
from spacy_thematic.scale.store import SentenceStore

GROWTH = (1, 4, 16)
PARTITION = 1  # MB


def main() -> None:
    parser = make_parser(__doc__, sources=("wikipedia/dev",), models=("en_thematic_sm",))
    parser.add_argument("--characters", type=int, default=750_000, help="of the smallest")
    parser.add_argument("--short-texts", type=int, help="group so many short texts instead")
    args = parse(parser)
    if args.quick:
        args.characters = 20_000
    if args.short_texts:
        texts = draw_short_texts(args)
        minilm = str(args.data / "minilm")
        found = [measure_alone(way, texts, minilm) for way in (*args.models, BERTOPIC)]
        print_report(args, {f"{len(texts):,} short texts": found})
        return
    source, *_ = find_sources(args)
    rows: list[Row] = []
    digests: dict[tuple[int, str], str] = {}
    with TemporaryDirectory() as name:
        work = Path(name)
        collections = write_collections(source, work, args)
        for factor, workers in product(GROWTH, (1, 2)):
            for job, command in make_jobs(collections[factor], work):
                how = ["--processes", workers]
                taken = measure([sys.executable, "-m", "spacy_thematic", *command, *how])
                n_sentences = sum(SentenceStore.open(work / "embed").count_rows())
                what = {"command": job, "workers": workers, "sentences": f"{n_sentences:,}"}
                rows.append({**what, **taken})
                made = digest(work / job)
                if digests.setdefault((factor, job), made) != made:
                    raise SystemExit(f"{job} with {workers} processes wrote other partitions.")
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


BERTOPIC = "BERTopic, MiniLM"
SHORTEST = 40  # Characters.


def draw_short_texts(args: argparse.Namespace) -> list[str]:
    """The first sentence, or the first two, of random paragraphs of all sources."""
    texts = []
    rng = random.Random(args.seed)
    for source in find_sources(args):
        for article in read_articles(source.path):
            for section in article.sections:
                for paragraph in section.paragraphs:
                    first = re.split(r"(?<=[.!?])\s+(?=[A-Z])", paragraph)[: rng.randint(1, 2)]
                    texts.append(" ".join(first))
    texts = sorted({text for text in texts if len(text) >= SHORTEST})
    return rng.sample(texts, min(args.short_texts, len(texts)))


def measure_alone(way: str, texts: list[str], minilm: str) -> Row:
    """Group texts in a new process."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(group, way, texts, minilm).result()


def group(way: str, texts: list[str], minilm: str) -> Row:
    """Group texts; the seconds and the memory that this process has used at its end."""
    if way == BERTOPIC:
        from bertopic import BERTopic

        model = BERTopic(low_memory=True, min_topic_size=100, embedding_model=minilm)
        themes: Sequence[int] = model.fit_transform(texts)[0]
    else:
        themes = find_themes(texts, 0, spacy_thematic.load(way), told=False).themes
    return {
        "by": way,
        "themes": len({*themes} - {-1}),
        "in none": f"{sum(theme < 0 for theme in themes) / len(themes):.0%}",
        **describe_use(resource.getrusage(resource.RUSAGE_SELF)),
    }


def take(articles: list[Article], characters: int) -> list[Article]:
    """The first articles that hold so many characters."""
    held = 0
    for number, article in enumerate(articles, 1):
        held += len(get_text(article))
        if held >= characters:
            return articles[:number]
    raise SystemExit(f"The source has {held:,} characters: lower --characters.")


def measure(command: Iterable[object]) -> Row:
    """Run a command quietly, and the processes that it starts. Raises SystemExit if it fails."""
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": str(Path.cwd())}
    words, started, quiet = [*map(str, command)], time.monotonic(), subprocess.DEVNULL
    process = subprocess.Popen(words, env=environment, stdout=quiet, stderr=quiet)
    _, status, used = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"{' '.join(words)} failed")
    return {"s": f"{time.monotonic() - started:.0f}", **describe_use(used)}


def describe_use(used: resource.struct_rusage) -> Row:
    """Seconds of the processors, and the memory of the largest process at its peak."""
    return {
        "processor s": f"{used.ru_utime + used.ru_stime:,.0f}",
        "memory, MiB": f"{used.ru_maxrss / 1024:,.0f}",
    }


def digest(folder: Path) -> str:
    """Of the partitions below a folder."""
    found = hashlib.sha256()
    for path in sorted(folder.rglob("part-*.parquet")):
        found.update(path.read_bytes())
    return found.hexdigest()


if __name__ == "__main__":
    main()
