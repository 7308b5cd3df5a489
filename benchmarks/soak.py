"""A long run of all components: does memory stay flat?

    python -m benchmarks.soak ARTICLES --work FOLDER [--sentences 1000000] [--cycles 1000]
        [--model en_thematic_sm]

ARTICLES is any source of articles, read from the beginning, and again if they are too few. Each is
one text with blank lines between paragraphs. `nlp.pipe` reads them in groups, each in a memory zone
of its own. Then a cycle adds all components to a pipeline, reads a text, saves the pipeline in
FOLDER, loads it, and removes them. Prints Markdown tables: memory after every tenth part, resident
and in MiB, and CPU seconds since the beginning. It stops if a cycle gives other vectors.
"""

from __future__ import annotations

import argparse
import gc
import os
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import numpy as np
import spacy
from spacy.language import Language
from spacy.util import minibatch

from spacy_thematic.articles.formats import read_articles

COMPONENTS = ("sentencizer", "thematic_embedder", "thematic_segmenter", "thematic_clusterer")
TEXTS_OF_A_ZONE = 64
STEPS = 10


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("source", type=Path)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--sentences", type=int, default=1_000_000)
    parser.add_argument("--cycles", type=int, default=1_000)
    parser.add_argument("--model", default="en_thematic_sm")
    args = parser.parse_args()
    args.work.mkdir(parents=True, exist_ok=True)
    nlp = add_components(spacy.blank("en"), args.model)
    print_steps("sentences", args.sentences, read_sentences(nlp, iter_texts(args.source)))
    print()
    text = next(iter_texts(args.source))
    print_steps("cycles", args.cycles, run_cycles(args.model, text, args.work / "pipeline"))


def add_components(nlp: Language, model: str) -> Language:
    for name in COMPONENTS:
        config = {"pretrained": model} if name == "thematic_embedder" else {}
        nlp.add_pipe(name, config=config)
    return nlp


def iter_texts(source: Path) -> Iterator[str]:
    while True:
        for article in read_articles(source):
            yield "\n\n".join(text for section in article.sections for text in section.paragraphs)


def read_sentences(nlp: Language, texts: Iterator[str]) -> Iterator[int]:
    """The number of sentences so far, after each group of texts."""
    done = 0
    for group in minibatch(texts, TEXTS_OF_A_ZONE):
        with nlp.memory_zone():
            done += sum(len(doc._.thematic_vectors) for doc in nlp.pipe(group))
        yield done


def run_cycles(model: str, text: str, folder: Path) -> Iterator[int]:
    nlp = spacy.blank("en")
    expected = add_components(spacy.blank("en"), model)(text)._.thematic_vectors
    for done in count(1):
        add_components(nlp, model).to_disk(folder)
        nlp = spacy.load(folder)
        if not np.array_equal(nlp(text)._.thematic_vectors, expected):
            raise SystemExit(f"Cycle {done} gives other vectors than a new pipeline.")
        for name in COMPONENTS:
            nlp.remove_pipe(name)
        yield done


def print_steps(name: str, most: int, progress: Iterator[int]) -> None:
    print(f"| {name} | memory, MiB | CPU s |\n|---:|---:|---:|", flush=True)
    start, step = time.process_time(), 1
    for done in progress:
        if done >= step * most / STEPS:
            gc.collect()
            seconds = time.process_time() - start
            print(f"| {done:,} | {resident_memory():.0f} | {seconds:.0f} |", flush=True)
            step = int(done * STEPS / most) + 1
        if done >= most:
            return


def resident_memory() -> float:
    """MiB of this process (Linux)."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


if __name__ == "__main__":
    main()
