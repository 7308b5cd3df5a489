"""What each component costs, beside the rest of the pipeline.

python -m benchmarks.components FILE [--articles 40] [--rounds 3] [--models ...]

Processor time of each component on random articles of a file of JSON lines, as plain text with
blank lines: the median of rounds, as a share of the time from text to vectors (tokenizer, lines,
sentences and `thematic_embedder`), and as a multiple of the embedder's own; and what headings
take of the time of a pipeline with the clusterer. First the processor time of a start, beside
spaCy's own.
"""

from __future__ import annotations

import argparse
import random
import resource
import subprocess
import sys
import time
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import cast

import numpy as np
from spacy.tokens import Doc

from spacy_thematic.articles.formats import read_articles
from spacy_thematic.clustering.threads import single_thread
from spacy_thematic.evaluation.markdown import render
from spacy_thematic.pipeline.clusterer import ThematicClusterer
from spacy_thematic.pipeline.loading import load_pipeline

COMPONENTS = ("thematic_segmenter", "thematic_clusterer")
UNNAMED = "thematic_clusterer without headings"
STARTS = {
    "import spacy": ("-c", "import spacy"),
    "import spacy_thematic": ("-c", "import spacy_thematic"),
    'spacy.blank("en")': ("-c", "import spacy; spacy.blank('en')"),
    "spacy thematic --help": ("-m", "spacy", "thematic", "--help"),
    "spacy thematic cluster --help": ("-m", "spacy", "thematic", "cluster", "--help"),
}
TO_VECTORS = ("tokenizer", "thematic_lines", "thematic_sentencizer", "thematic_embedder")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("source", type=Path)
    parser.add_argument("--articles", type=int, default=40)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--models", nargs="+", default=["en_thematic_sm", "en_thematic_md"])
    args = parser.parse_args()
    print(render(measure_starts(args.rounds)))
    articles = list(read_articles(args.source))
    drawn = random.Random(args.seed).sample(articles, min(args.articles, len(articles)))
    texts = [
        "\n\n".join(text for section in article.sections for text in section.paragraphs)
        for article in drawn
    ]
    rows, shares = [], []
    for model in args.models:
        with single_thread():
            rounds = [measure(model, texts, number % 2 > 0) for number in range(args.rounds)]
        seconds = {name: float(np.median([spent[name] for spent in rounds])) for name in rounds[0]}
        whole = sum(seconds[name] for name in TO_VECTORS)
        pipeline = whole + seconds[COMPONENTS[-1]]
        for name in (*TO_VECTORS, *COMPONENTS):
            rows.append(
                {
                    "model": model,
                    "component": name,
                    "of text to vectors": f"{seconds[name] / whole:.2f}",
                    "of the embedder": f"{seconds[name] / seconds['thematic_embedder']:.2f}",
                }
            )
        taken = seconds[COMPONENTS[-1]] - seconds[UNNAMED]
        shares.append(f"{model}: headings take {taken / pipeline:.0%} of the pipeline's time")
    print(render(rows))
    print(*shares, sep="\n")


def measure_starts(rounds: int) -> list[dict[str, str]]:
    """The least seconds of processor time that each start takes, in turns, and as a multiple of
    the first."""
    spent: dict[str, list[float]] = {name: [] for name in STARTS}
    for _ in range(rounds):
        for name, command in STARTS.items():
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run([sys.executable, *command], stdout=subprocess.DEVNULL, check=True)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            seconds = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
            spent[name].append(seconds)
    least = {name: min(seconds) for name, seconds in spent.items()}
    first = least["import spacy"]
    return [
        {"start": name, "seconds": f"{seconds:.1f}", "of import spacy": f"{seconds / first:.2f}"}
        for name, seconds in least.items()
    ]


def measure(model: str, texts: list[str], unnamed_first: bool) -> dict[str, float]:
    """The seconds of each component. Each gets the Docs without what those after it wrote."""
    nlp = load_pipeline(model)
    for name in COMPONENTS:
        nlp.add_pipe(name)
    for _ in nlp.pipe(texts[:2]):
        pass
    start = time.process_time()
    docs: list[Doc] = [nlp.make_doc(text) for text in texts]
    seconds = {"tokenizer": time.process_time() - start}
    for name, component in nlp.pipeline[:-1]:
        start = time.process_time()
        pipe = getattr(component, "pipe", partial(map, component))
        docs = list(pipe(docs))
        seconds[name] = time.process_time() - start
        for doc in docs:
            doc.spans.pop("thematic_segments", None)
    clusterer = cast(ThematicClusterer, nlp.get_pipe(COMPONENTS[-1]))
    for named in (False, True) if unnamed_first else (True, False):
        clusterer.settings = replace(clusterer.settings, headings=named)
        start = time.process_time()
        for _ in clusterer.pipe(docs):
            pass
        seconds[COMPONENTS[-1] if named else UNNAMED] = time.process_time() - start
    return seconds


if __name__ == "__main__":
    main()
