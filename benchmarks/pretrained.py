"""The bundled models beside other sentence encoders: quality and speed.

    python benchmarks/pretrained.py quality ARTICLES [--articles 300] [--min-sections 5]
        [--glove VECTORS.npz] [--minilm FOLDER] [--mpnet FOLDER] [--wordllama] [--out SCORES.json]
    python benchmarks/pretrained.py speed ARTICLES [--minilm FOLDER] [--minilm-int8 MODEL.onnx]

ARTICLES is any source of sectioned articles. FOLDER is a model of sentence-transformers, which has
to be installed for it, as has wordllama. Quality: thematic-distance accuracy (cosine) and k-means
AMI (rows centred at the article's mean, the true number of clusters) on the same random articles
for all encoders, with 95 per cent intervals by bootstrap over articles, and of each difference to
each bundled model. Scores that are in SCORES.json already, of a former run on the same articles,
are not measured again. Speed: sentences per CPU second on one thread, from text to vectors. Prints
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
import srsly
from spacy.language import Language
from tqdm import tqdm

from spacy_thematic.articles.sources import ReadLog
from spacy_thematic.clustering.kmeans import create_kmeans
from spacy_thematic.evaluation.baselines.peers import load_sentence_transformer, load_wordllama
from spacy_thematic.evaluation.baselines.word_vectors import mean_vectors
from spacy_thematic.evaluation.clustering_benchmark import score_clustering
from spacy_thematic.evaluation.encoders import Encoder, TextEncoder, text_encoder, thematic_embedder
from spacy_thematic.evaluation.heldout import load_heldout
from spacy_thematic.evaluation.significance import Estimate, estimate_ratio
from spacy_thematic.measures import is_ordered
from spacy_thematic.models.vector_tables import load_word_vectors
from spacy_thematic.pipeline.loading import load_pipeline
from spacy_thematic.pretrained import BUNDLED
from spacy_thematic.triplets.docbin import get_rows, get_triplets
from spacy_thematic.triplets.rules import CorpusSettings

SPLIT = "tokenizer and sentencizer"
MINILM = "all-MiniLM-L6-v2, float32"


def measure_quality(args: argparse.Namespace) -> None:
    encoders: dict[str, Encoder] = {
        name: thematic_embedder(load_pipeline(name)) for name in sorted(BUNDLED)
    }
    if args.glove:
        encoders["mean of GloVe 6B, 100 d"] = mean_vectors(load_word_vectors(args.glove))
    if args.wordllama:
        encoders["WordLlama, 256 d"] = text_encoder(load_wordllama())
    if args.minilm:
        encoders["all-MiniLM-L6-v2"] = text_encoder(load_sentence_transformer(args.minilm))
    if args.mpnet:
        encoders["all-mpnet-base-v2"] = text_encoder(load_sentence_transformer(args.mpnet))
    settings = CorpusSettings(min_sections=args.min_sections, subsections=args.subsections)
    triplets, clustering = load_heldout(args.source, spacy.blank("en"), settings, log=ReadLog(True))
    triplets = random.Random(0).sample(triplets, min(args.articles, len(triplets)))
    clustering = random.Random(0).sample(clustering, min(args.articles, len(clustering)))
    scores: dict[str, dict[str, list]] = {}
    if args.out and args.out.exists():
        scores = srsly.read_json(args.out)
    for name, encoder in tqdm(encoders.items(), disable=None):
        if name in scores:
            continue
        scores[name] = {"triplets": [], "ami": []}
        for doc in triplets:
            right = is_ordered(encoder(doc, get_rows(doc)), np.asarray(get_triplets(doc)))
            scores[name]["triplets"].append([int(right.sum()), len(right)])
        scores[name]["ami"] = score_clustering(clustering, encoder, create_kmeans())["ami"]
        if args.out:
            srsly.write_json(args.out, scores)
    n_triplets = sum(count for _, count in scores["en_thematic_sm"]["triplets"])
    print(f"{n_triplets} triplets of {len(triplets)} articles, {len(clustering)} clustered.\n")
    print_quality(scores)


def print_quality(scores: dict[str, dict[str, list]]) -> None:
    accuracies = {name: estimate_accuracy(row["triplets"]) for name, row in scores.items()}
    amis = {name: estimate_ratio([row["ami"]]) for name, row in scores.items()}
    heads = " | ".join(f"to {name[-2:]}: accuracy | AMI" for name in sorted(BUNDLED))
    print(f"| encoder | accuracy | AMI | {heads} |\n| --- | --- | --- |{' --- |' * 4}")
    for name in sorted(scores, key=lambda name: (name not in BUNDLED, name)):
        cells = [str(accuracies[name]), str(amis[name])]
        for ours in sorted(BUNDLED):
            for values in (accuracies, amis):
                same = name == ours
                cells.append("" if same else (values[name] - values[ours]).as_difference())
        print(f"| {name} | {' | '.join(cells)} |")


def estimate_accuracy(counts: list[list[int]]) -> Estimate:
    """The accuracy from the right and all triplets of each article."""
    right, total = zip(*counts)
    return estimate_ratio([right], total)


def measure_speed(args: argparse.Namespace) -> None:
    _, docs = load_heldout(args.source, spacy.blank("en"), CorpusSettings(), log=ReadLog(True))
    texts = [doc.text for doc in docs[: args.articles]]
    nlp = load_pipeline("en_thematic_sm")
    with nlp.select_pipes(disable="thematic_embedder"):
        split = list(nlp.pipe(texts))
    sentences = [sentence.text for doc in split for sentence in doc.sents]
    few = random.Random(0).sample(sentences, min(args.few, len(sentences)))
    print(f"{len(sentences)} sentences of {len(texts)} articles; the transformers: {len(few)}.\n")
    pipelines = {name: load_pipeline(name) for name in sorted(BUNDLED)}
    work = {SPLIT: (len(sentences), partial(run_split, nlp, texts))}
    for name, pipeline in pipelines.items():
        work[f"{name}, whole pipeline"] = len(sentences), partial(run_all, pipeline, texts)
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
    print("| encoder | sentences per CPU s | times MiniLM float32 | share that is not spaCy's |")
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
    quality.add_argument("--glove", type=Path)
    quality.add_argument("--minilm")
    quality.add_argument("--mpnet")
    quality.add_argument("--wordllama", action="store_true")
    quality.add_argument("--out", type=Path)
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
