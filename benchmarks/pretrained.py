"""The bundled models beside other sentence encoders: quality and speed.

    python -m benchmarks.pretrained quality ARTICLES [--articles 300] [--min-sections 5]
        [--glove VECTORS.npz] [--minilm FOLDER] [--mpnet FOLDER] [--wordllama] [--topics]
        [--out FOLDER]
    python -m benchmarks.pretrained speed ARTICLES [--minilm FOLDER] [--minilm-int8 MODEL.onnx]

ARTICLES is any source of sectioned articles; with --topics, JSON lines whose `sentences`, such as
the turns of a meeting, have the numbers of topics as `labels`. --minilm and --mpnet take the folder
of a model of sentence-transformers, which has to be installed for it, as has wordllama. Quality:
thematic accuracy (cosine) and AMI of k-means by the protocol "centred" on the same random articles
for all encoders, with 95 per cent intervals by bootstrap over articles, and of each difference to
each bundled model. Scores are saved in the folder of --out; run again, the command measures only
what is missing. Speed: sentences per CPU second on one thread, from text to vectors. Prints
Markdown tables.
"""

from __future__ import annotations

import argparse
import gc
import os
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ["HF_HUB_OFFLINE"] = "1"

import numpy as np
import spacy
from spacy.language import Language
from spacy.tokens import Doc
from tqdm import tqdm

from benchmarks.segmented_texts import draw_texts, make_topic_docs
from spacy_thematic.articles.sources import ReadLog
from spacy_thematic.clustering.vectors import TextEncoder
from spacy_thematic.evaluation.baselines.word_vectors import mean_vectors
from spacy_thematic.evaluation.encoders import (
    Encoder,
    EncoderFactory,
    pipeline_encoder,
    same_for_all,
    text_encoder,
)
from spacy_thematic.evaluation.heldout import load_heldout
from spacy_thematic.evaluation.markdown import render
from spacy_thematic.evaluation.protocols import CENTRED, CLUSTERING, DISTANCE
from spacy_thematic.evaluation.results import Results
from spacy_thematic.models.vector_tables import load_word_vectors
from spacy_thematic.papers.baselines.peers import load_sentence_transformer, load_wordllama
from spacy_thematic.papers.benchmark import count_steps, measure_row, read_scores
from spacy_thematic.papers.rows import TableRow
from spacy_thematic.papers.tasks import ClusteringTask, DistanceTask
from spacy_thematic.pipeline.loading import load_pipeline
from spacy_thematic.pretrained import BUNDLED
from spacy_thematic.pretrained.finding import SLOW
from spacy_thematic.triplets.rules import CorpusSettings

TASKS = (DISTANCE, CLUSTERING)
SPLIT = "tokenizer, lines and sentences"
SPACY = "tokenizer and sentencizer of spaCy alone"
MINILM = "all-MiniLM-L6-v2, float32"


def measure_quality(args: argparse.Namespace) -> None:
    rows = [
        *(TableRow(name, [partial(load_bundled, name)], TASKS) for name in sorted(BUNDLED)),
        *make_peers(args),
    ]
    triplets, clustering = (
        random.Random(0).sample(some, min(args.articles, len(some))) for some in read_docs(args)
    )
    tasks = [DistanceTask(triplets, CENTRED), ClusteringTask(clustering, CENTRED)]
    with tqdm(total=count_steps(rows, tasks), disable=None) as bar:
        for row in rows:
            measure_row(row, tasks, args.out, on_step=bar.update)
    scores = read_scores(args.out, {task.name: task.key for task in tasks})
    print(" ".join([*(task.describe() for task in tasks), CENTRED.describe()]), end="\n\n")
    print(render(make_lines(Results(scores, CENTRED))))


def read_docs(args: argparse.Namespace) -> tuple[list[Doc], list[Doc]]:
    """The Docs with triplets, and those to cluster."""
    nlp = spacy.blank("en")
    if args.topics:
        docs = make_topic_docs(draw_texts(args.source, args.articles, 0, 0), nlp)
        return docs, docs
    settings = CorpusSettings(min_sections=args.min_sections, subsections=args.subsections)
    return load_heldout(args.source, nlp, settings, log=ReadLog(True))


def make_peers(args: argparse.Namespace) -> list[TableRow]:
    loaders: dict[str, Callable[[], Encoder]] = {}
    if args.glove:
        loaders["mean of GloVe 6B, 100 d"] = lambda: mean_vectors(load_word_vectors(args.glove))
    if args.wordllama:
        loaders["WordLlama, 256 d"] = lambda: text_encoder(load_wordllama())
    if args.minilm:
        loaders["all-MiniLM-L6-v2"] = lambda: text_encoder(load_sentence_transformer(args.minilm))
    if args.mpnet:
        loaders["all-mpnet-base-v2"] = lambda: text_encoder(load_sentence_transformer(args.mpnet))
    return [
        TableRow(name, [lambda load=load: same_for_all(load())], TASKS)
        for name, load in loaders.items()
    ]


def load_bundled(name: str) -> EncoderFactory:
    return same_for_all(pipeline_encoder(load_pipeline(name)))


def make_lines(results: Results) -> list[dict[str, Any]]:
    """Accuracy and AMI of each encoder, and their differences to each bundled model."""
    measures = {"accuracy": "accuracy, cosine", "AMI": "AMI, k-means"}
    lines = []
    for row in sorted(results.rows, key=lambda row: (row not in BUNDLED, row)):
        line: dict[str, Any] = {"encoder": row}
        line.update({head: results.estimate(row, measure) for head, measure in measures.items()})
        for ours in sorted(BUNDLED):
            for head, measure in measures.items():
                difference = results.difference(row, ours, measure) if row != ours else None
                line[f"{head}, to {ours[-2:]}"] = difference and difference.as_difference()
        lines.append(line)
    return lines


def measure_speed(args: argparse.Namespace) -> None:
    _, docs = load_heldout(args.source, spacy.blank("en"), CorpusSettings(), log=ReadLog(True))
    texts = [doc.text for doc in docs[: args.articles]]
    nlp = load_pipeline("en_thematic_sm")
    with nlp.select_pipes(disable="thematic_embedder"):
        split = list(nlp.pipe(texts))
    sentences = [sentence.text for doc in split for sentence in doc.sents]
    few = random.Random(0).sample(sentences, min(args.few, len(sentences)))
    print(f"{len(sentences)} sentences of {len(texts)} articles; six layers: {len(few)}.\n")
    pipelines = {name: load_pipeline(name) for name in sorted(BUNDLED)}
    plain = spacy.blank("en")
    plain.add_pipe("sentencizer")
    work = {
        SPACY: (len(sentences), partial(run_all, plain, texts)),
        SPLIT: (len(sentences), partial(run_split, nlp, texts)),
    }
    for name, pipeline in pipelines.items():
        n, some = (len(few), few) if name in SLOW else (len(sentences), texts)
        work[f"{name}, whole pipeline"] = n, partial(run_all, pipeline, some)
    if args.minilm:
        encode = load_sentence_transformer(args.minilm)
        work[MINILM] = len(few), partial(encode, few)
    if args.minilm and args.minilm_int8:
        encode = onnx_encoder(args.minilm_int8, args.minilm)
        work["all-MiniLM-L6-v2, int8 ONNX"] = len(few), partial(encode, few)
    # In turns, for the machine is not equally fast all the time; the first round loads weights.
    rounds = [
        {name: count / cpu(run) for name, (count, run) in work.items()}
        for _ in tqdm(range(1 + args.rounds), unit=" rounds", disable=None)
    ][1:]
    print("| encoder | sentences per CPU s | times MiniLM float32 | share of the embedder |")
    print("| --- | --- | --- | --- |")
    for name in work:
        rate = statistics.median(rates[name] for rates in rounds)
        ratio = compare(rounds, name, MINILM) if args.minilm else ""
        share = statistics.median(1 - rates[name] / rates[SPLIT] for rates in rounds)
        print(f"| {name} | {rate:.0f} | {ratio} | {f'{share:.0%}' if 'whole' in name else ''} |")
    print_start()


def compare(rounds: list[dict[str, float]], name: str, base: str) -> str:
    """The median over the rounds of the ratio of two rates, and the least and the greatest."""
    ratios = sorted(rates[name] / rates[base] for rates in rounds)
    return f"{statistics.median(ratios):.1f} ({ratios[0]:.1f} to {ratios[-1]:.1f})"


def run_split(nlp: Language, texts: list[str]) -> None:
    with nlp.select_pipes(disable="thematic_embedder"):
        list(nlp.pipe(texts))


def run_all(nlp: Language, texts: list[str]) -> None:
    list(nlp.pipe(texts))


def onnx_encoder(path: str, tokenizer: str) -> TextEncoder:
    import onnxruntime
    from tokenizers import Tokenizer

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    names = {field.name for field in session.get_inputs()}
    tokens = Tokenizer.from_file(str(Path(tokenizer) / "tokenizer.json"))
    tokens.enable_truncation(256)
    tokens.enable_padding()

    def encode(texts: list[str]) -> np.ndarray:
        rows = []
        ordered = sorted(texts, key=len)
        for start in range(0, len(ordered), 32):
            batch = tokens.encode_batch(ordered[start : start + 32])
            fields = {
                "input_ids": np.array([item.ids for item in batch]),
                "attention_mask": np.array([item.attention_mask for item in batch]),
                "token_type_ids": np.array([item.type_ids for item in batch]),
            }
            states = session.run(None, {k: v for k, v in fields.items() if k in names})[0]
            rows.append(states if states.ndim == 2 else states.mean(axis=1))
        return np.concatenate(rows)

    return encode


def cpu(work: Callable[[], Any]) -> float:
    """CPU seconds of some work."""
    gc.collect()
    start = time.process_time()
    work()
    return time.process_time() - start


START = """
import re, time, spacy

def memory():
    return int(re.search(r"VmRSS:\s+(\d+)", open("/proc/self/status").read())[1]) / 1024

nlp = spacy.blank("en")
nlp.add_pipe("sentencizer")
nlp("The river runs.")
before = memory()
start = time.process_time()
blank = spacy.blank("en")
second = time.process_time()
nlp.add_pipe("thematic_embedder", config={"pretrained": "NAME"})
added = time.process_time()
nlp("The river runs.")
print(added - second, time.process_time() - added, second - start, memory() - before)
"""


def print_start() -> None:
    """What a new process pays before its first vector."""
    print("\n| model | add_pipe, s | first text, s | both, times spacy.blank | memory, MiB |")
    print("| --- | --- | --- | --- | --- |")
    for name in sorted(BUNDLED):
        runs = [
            [float(x) for x in subprocess.check_output(
                [sys.executable, "-c", START.replace("NAME", name)], text=True).split()]
            for _ in range(3)
        ]  # fmt: skip
        add, first, blank, memory = (statistics.median(values) for values in zip(*runs))
        ratio = (add + first) / blank
        print(f"| {name} | {add:.3f} | {first:.3f} | {ratio:.1f} | {memory:.0f} |")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(required=True)
    quality = commands.add_parser("quality")
    quality.add_argument("source", type=Path)
    quality.add_argument("--articles", type=int, default=300)
    quality.add_argument("--min-sections", type=int, default=5)
    quality.add_argument("--subsections", choices=["merge", "separate"], default="merge")
    quality.add_argument("--topics", action="store_true")
    quality.add_argument("--glove", type=Path)
    quality.add_argument("--minilm")
    quality.add_argument("--mpnet")
    quality.add_argument("--wordllama", action="store_true")
    quality.add_argument("--out", type=Path, default=Path("quality"))
    quality.set_defaults(run=measure_quality)
    speed = commands.add_parser("speed")
    speed.add_argument("source", type=Path)
    speed.add_argument("--articles", type=int, default=30)
    speed.add_argument("--few", type=int, default=200)
    speed.add_argument("--rounds", type=int, default=9)
    speed.add_argument("--minilm")
    speed.add_argument("--minilm-int8")
    speed.set_defaults(run=measure_speed)
    args = parser.parse_args()
    args.run(args)


if __name__ == "__main__":
    main()
