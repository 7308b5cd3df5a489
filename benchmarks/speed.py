"""What the encoders and the components cost, in processor time on one thread.

    python -m benchmarks.speed --data DATA [--documents 30] [--rounds 5]

Memory: what a model adds to that of a pipeline that has read a text, in a new process. Encoders:
sentences a second from text to vectors, beside all-MiniLM-L6-v2 of `DATA/minilm` where it is there.
Components: the share of each in the time from text to vectors, and what naming takes of the
clusterer's. Texts are random documents with blank lines between paragraphs. What is compared takes
turns, for a machine is not equally fast all the time; figures are medians of the rounds, ratios
with the least and the greatest.
"""

import argparse
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any, cast

from spacy.language import Language
from spacy.tokens import Doc
from tqdm import tqdm

from benchmarks import harness
from spacy_thematic.clustering.threads import single_thread
from spacy_thematic.pipeline.clusterer import ThematicClusterer
from spacy_thematic.pipeline.loading import load_pipeline

SPLIT = "tokenizer, lines and sentences"
FIRST_TEXT = """
import re, spacy
def measure():
    return int(re.search(r"VmRSS:\\s+(\\d+)", open("/proc/self/status").read())[1]) / 1024
nlp = spacy.blank("en")
nlp.add_pipe("sentencizer")
nlp("The river runs.")
before = measure()
nlp.add_pipe("thematic_embedder", config={"pretrained": "NAME"})
nlp("The river runs.")
print(measure() - before)
"""
TO_VECTORS = ("tokenizer", "thematic_layout", "thematic_sentencizer", "thematic_embedder")
SEGMENTER, CLUSTERER = "thematic_segmenter", "thematic_clusterer"
UNNAMED = "thematic_clusterer, without headings"
FEW = 200  # Sentences for the largest models.


def main() -> None:
    parser = harness.make_parser(
        __doc__,
        sources=("wikipedia/dev",),
        documents=30,
        models=(harness.SMALL, harness.MEDIUM, harness.LARGE),
    )
    parser.add_argument("--rounds", type=int, default=5)
    args = harness.parse(parser)
    if args.quick:
        args.rounds = 2
    source, *_ = harness.find_sources(args)
    texts = [harness.get_text(article) for article in harness.draw_articles(source, args)]
    with single_thread():
        tables = {
            "Memory": measure_memory(args),
            f"Encoders, {len(texts)} texts of {source.name}": measure_encoders(texts, args),
            "Components": measure_components(texts, args),
        }
    harness.print_report(args, tables)


def measure_memory(args: argparse.Namespace) -> list[harness.Row]:
    """The memory of each model."""
    rows = []
    for name in args.models:
        command = [sys.executable, "-c", FIRST_TEXT.replace("NAME", name)]
        mib = float(subprocess.check_output(command, text=True))
        rows.append({"model": name, "memory, MiB": f"{mib:.0f}"})
    return rows


def measure_encoders(texts: list[str], args: argparse.Namespace) -> list[harness.Row]:
    """Sentences a second. The largest models get few sentences."""
    nlp = load_pipeline(harness.SMALL)
    nlp.remove_pipe("thematic_embedder")
    sentences = [sentence.text for doc in nlp.pipe(texts) for sentence in doc.sents]
    n_few = 20 if args.quick else FEW
    few = random.Random(args.seed).sample(sentences, min(n_few, len(sentences)))
    work: dict[str, tuple[int, Callable[[], Any]]] = {
        SPLIT: (len(sentences), partial(run, nlp, texts))
    }
    for name in args.models:
        n, some = (len(few), few) if name == harness.LARGE else (len(sentences), texts)
        work[name] = n, partial(run, load_pipeline(name), some)
    minilm = args.data / "minilm"
    if minilm.exists():
        work[harness.MINILM] = (
            len(few),
            partial(harness.load_sentence_transformer(str(minilm)), few),
        )
    rounds = [
        {name: n / time_of(call) for name, (n, call) in work.items()}
        for _ in tqdm(range(1 + args.rounds), desc="encoders", disable=None)
    ][1:]  # The first loads weights.
    base = harness.MINILM if minilm.exists() else SPLIT
    return [
        {
            "encoder": name,
            "sentences a second": f"{statistics.median(rates[name] for rates in rounds):.0f}",
            f"times {base}": compare([rates[name] / rates[base] for rates in rounds]),
        }
        for name in work
    ]


def measure_components(texts: list[str], args: argparse.Namespace) -> list[harness.Row]:
    """The share of each component in the time from text to vectors."""
    rows: list[harness.Row] = []
    for model in args.models:
        if model == harness.LARGE:
            continue
        rounds = [
            time_components(model, texts, is_odd=number % 2 > 0)
            for number in tqdm(range(args.rounds), desc=model, disable=None)
        ]
        for name in (*TO_VECTORS, SEGMENTER, CLUSTERER, UNNAMED):
            shares = [spent[name] / sum(map(spent.get, TO_VECTORS)) for spent in rounds]
            rows.append({"component": f"{name}, {model}", "of text to vectors": compare(shares)})
    return rows


def time_components(model: str, texts: list[str], *, is_odd: bool) -> dict[str, float]:
    """The seconds of each component. Each gets the Docs without what those after it wrote."""
    nlp = load_pipeline(model)
    nlp.add_pipe(SEGMENTER)
    clusterer = cast(ThematicClusterer, nlp.add_pipe(CLUSTERER))
    run(nlp, texts[:2])
    start = time.process_time()
    docs: list[Doc] = [nlp.make_doc(text) for text in texts]
    seconds = {"tokenizer": time.process_time() - start}
    for name, component in nlp.pipeline[:-1]:
        pipe = getattr(component, "pipe", partial(map, component))
        start = time.process_time()
        docs = list(pipe(docs))
        seconds[name] = time.process_time() - start
        for doc in docs:
            doc.spans.pop("thematic_segments", None)
    for named in (True, False) if is_odd else (False, True):
        clusterer.headings = named
        seconds[CLUSTERER if named else UNNAMED] = time_of(lambda: list(clusterer.pipe(docs)))
    return seconds


def run(nlp: Language, texts: list[str]) -> None:
    for _ in nlp.pipe(texts):
        pass


def time_of(call: Callable[[], Any]) -> float:
    """The processor seconds of a call."""
    start = time.process_time()
    call()
    return time.process_time() - start


def compare(ratios: list[float]) -> str:
    """The median, the least and the greatest."""
    return f"{statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})"


if __name__ == "__main__":
    main()
