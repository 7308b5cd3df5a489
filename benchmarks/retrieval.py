"""How well questions find their answers in the chunks of several chunkers, by Chroma's measures.

    python -m benchmarks.retrieval QUESTIONS.jsonl.gz --minilm FOLDER --cache FOLDER
        [--sizes 200 400] [--only NAME...] [--top 5]

Smith and Troynikov, "Evaluating Chunking Strategies for Retrieval", Chroma 2024. A line of
QUESTIONS holds a `corpus` with its `text`, or a `corpus`, a `question`, and `references`, the
places of what answers it. all-MiniLM-L6-v2, a model of sentence-transformers, is the retriever for
all chunkers. Its tokenizer counts for all, and it is the encoder of the semantic ones. LangChain's
and chonkie's chunkers need langchain-text-splitters, langchain-experimental and chonkie. The
vectors of chunks are kept in the folder of --cache. Prints Markdown tables.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import os
import statistics
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise, product
from pathlib import Path
from typing import NamedTuple

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ["HF_HUB_OFFLINE"] = "1"

import numpy as np
import srsly
from chonkie import SemanticChunker as ChonkieChunker
from chonkie.embeddings import SentenceTransformerEmbeddings
from langchain_core.embeddings import Embeddings
from langchain_experimental.text_splitter import SemanticChunker
from langchain_text_splitters import RecursiveCharacterTextSplitter
from sentence_transformers import SentenceTransformer
from tokenizers import Tokenizer
from tqdm import tqdm

from benchmarks.chunk_measures import Scores, Span, find_spans, score
from spacy_thematic.chunking.chunker import Chunker
from spacy_thematic.evaluation.markdown import render

Split = Callable[[str], list[str]]
"""Cuts a text into chunks."""

HEADINGS = ("recall", "precision", "IoU", "precision omega")
"""Of the fields of `Scores`."""
BASES = ("recursive-200", "recursive-400")
SEPARATORS = ["\n\n", "\n", ".", "?", "!", " ", ""]
"""Chroma's, for the recursive chunker."""
LEAST_SECONDS = 2.0
"""A chunker is timed for at least so long, over as many rounds as that takes."""


class Question(NamedTuple):
    """A question, and where in the text of its corpus its answer stands."""

    corpus: str
    text: str
    answer: list[Span]


class Chunks(NamedTuple):
    """What a chunker made of the corpora, and the CPU seconds that it took for all of them."""

    texts: dict[str, list[str]]
    seconds: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("questions", type=Path)
    parser.add_argument("--minilm", required=True, help="folder of all-MiniLM-L6-v2")
    parser.add_argument("--sizes", type=int, nargs="+", default=[200, 400], help="in tokens")
    parser.add_argument("--only", nargs="+", help="names of chunkers")
    parser.add_argument("--top", type=int, default=5, help="chunks to retrieve for a question")
    parser.add_argument("--cache", type=Path, required=True)
    args = parser.parse_args()
    corpora, questions = read(args.questions)
    model = SentenceTransformer(args.minilm, device="cpu", local_files_only=True)
    encode = partial(encode_texts, model, args.cache)
    tokenizer = Tokenizer.from_file(str(Path(args.minilm) / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    chunkers = make_chunkers(model, tokenizer, args.sizes)
    chunks, scores = {}, {}
    for name in tqdm(args.only or chunkers, disable=None):
        chunks[name] = time_chunks(chunkers[name], corpora)
        found = measure(corpora, questions, chunks[name].texts, encode, args.top)
        scores[name] = np.array(list(found))
    print(render(list(make_lines(chunks, scores, partial(count_pieces, tokenizer)))), end="\n\n")
    print(render(list(compare_by_corpus(scores, questions))), end="\n\n")
    print(render(list(compare_with_bases(scores))))


def read(path: Path) -> tuple[dict[str, str], list[Question]]:
    """The texts of the corpora by their names, and the questions."""
    corpora, questions = {}, []
    with gzip.open(path, "rt", encoding="utf8") as lines:
        for record in map(srsly.json_loads, lines):
            if "text" in record:
                corpora[record["corpus"]] = record["text"]
            else:
                places = [(at["start_index"], at["end_index"]) for at in record["references"]]
                questions.append(Question(record["corpus"], record["question"], places))
    return corpora, questions


class MiniLM(Embeddings):
    """A model of sentence-transformers as LangChain wants it."""

    def __init__(self, model: SentenceTransformer) -> None:
        self.model = model

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return self.model.encode(texts).tolist()

    def embed_query(self, text: str) -> list[float]:
        return self.embed_documents([text])[0]


def make_chunkers(
    model: SentenceTransformer, tokenizer: Tokenizer, sizes: list[int]
) -> dict[str, Split]:
    count = partial(count_pieces, tokenizer)
    chunkers: dict[str, Split] = {"fixed-200": partial(cut_evenly, tokenizer, size=200)}
    for size in sizes:
        recursive = RecursiveCharacterTextSplitter(
            chunk_size=size, chunk_overlap=0, length_function=count, separators=SEPARATORS
        )
        chunkers[f"recursive-{size}"] = recursive.split_text
    for name, size in product(("sm", "md"), sizes):
        chunker = Chunker(size, count, model=f"en_thematic_{name}")
        chunkers[f"ours-{size}, {name}"] = partial(cut_thematically, chunker)
    chunkers["LangChain semantic"] = SemanticChunker(MiniLM(model)).split_text
    semantic = ChonkieChunker(SentenceTransformerEmbeddings(model), chunk_size=400)
    chunkers["chonkie semantic-400"] = partial(cut_by_chonkie, semantic)
    return chunkers


def count_pieces(tokenizer: Tokenizer, text: str) -> int:
    return len(tokenizer.encode(text, add_special_tokens=False))


def cut_evenly(tokenizer: Tokenizer, text: str, size: int) -> list[str]:
    """Cut after every so many tokens."""
    places = tokenizer.encode(text, add_special_tokens=False).offsets
    starts = [0, *(start for start, _ in places[size::size]), len(text)]
    return [text[start:end] for start, end in pairwise(starts)]


def cut_thematically(chunker: Chunker, text: str) -> list[str]:
    return [chunk.text for chunk in chunker(text)]


def cut_by_chonkie(chunker: ChonkieChunker, text: str) -> list[str]:
    return [chunk.text for chunk in chunker.chunk(text)]


def time_chunks(split: Split, corpora: dict[str, str]) -> Chunks:
    """Cut all corpora, and take the median of the CPU seconds of some rounds."""
    split(next(iter(corpora.values()))[:2000])  # The first text loads weights.
    rounds: list[float] = []
    while sum(rounds) < LEAST_SECONDS:
        start = time.process_time()
        texts = {name: split(text) for name, text in corpora.items()}
        rounds.append(time.process_time() - start)
    return Chunks(texts, statistics.median(rounds))


def encode_texts(model: SentenceTransformer, cache: Path, texts: list[str]) -> np.ndarray:
    """The vectors of texts, (texts, width), of length 1; each is cut at the model's limit."""
    key = hashlib.sha256("\0".join(texts).encode()).hexdigest()[:16]
    path = cache / f"{key}.npy"
    if not path.exists():
        cache.mkdir(parents=True, exist_ok=True)
        np.save(path, model.encode(texts, normalize_embeddings=True))
    return np.load(path)


def measure(
    corpora: dict[str, str],
    questions: list[Question],
    chunks: dict[str, list[str]],
    encode: Callable[[list[str]], np.ndarray],
    top: int,
) -> Iterator[Scores]:
    """The scores of each question, for which chunks of its own corpus are retrieved."""
    spans = {name: find_spans(text, chunks[name]) for name, text in corpora.items()}
    vectors = {name: encode(texts) for name, texts in chunks.items()}
    asked = encode([question.text for question in questions])
    for question, row in zip(questions, asked):
        nearest = np.argsort(-vectors[question.corpus] @ row, kind="stable")[:top]
        places = spans[question.corpus]
        retrieved = [places[i] for i in nearest]
        yield score(question.answer, retrieved, places, len(corpora[question.corpus]))


def make_lines(
    chunks: dict[str, Chunks], scores: dict[str, np.ndarray], count: Callable[[str], int]
) -> Iterator[dict[str, str]]:
    """Sizes, measures with their standard deviations over questions, and the time of chunking."""
    for name, (texts, seconds) in chunks.items():
        sizes = [count(chunk) for parts in texts.values() for chunk in parts]
        line = {"chunker": name, "chunks": str(len(sizes))}
        line["tokens, mean (5 to 95 per cent)"] = "{:.0f} ({:.0f} to {:.0f})".format(
            np.mean(sizes), *np.percentile(sizes, [5, 95])
        )
        for heading, values in zip(HEADINGS, scores[name].T):
            line[heading] = f"{values.mean():.3f} ± {values.std():.3f}"
        line["CPU s"] = f"{seconds:.2f}"
        if BASES[0] in chunks:
            line[f"times {BASES[0]}"] = f"{seconds / chunks[BASES[0]].seconds:.1f}"
        yield line


def compare_by_corpus(
    scores: dict[str, np.ndarray], questions: list[Question]
) -> Iterator[dict[str, str]]:
    """The means of recall and IoU over the questions of each corpus."""
    corpora = np.array([question.corpus for question in questions])
    for name, rows in scores.items():
        line = {"recall / IoU": name}
        for corpus in dict.fromkeys(corpora.tolist()):
            means = rows[corpora == corpus].mean(axis=0)
            line[f"{corpus} ({(corpora == corpus).sum()})"] = f"{means[0]:.3f} / {means[2]:.3f}"
        yield line


def compare_with_bases(scores: dict[str, np.ndarray]) -> Iterator[dict[str, str]]:
    """The differences to the recursive chunker, with 95 per cent intervals by bootstrap over
    questions."""
    draws = np.random.default_rng(0)
    for name, rows in scores.items():
        line = {"less the base": name}
        for base in BASES:
            if base in scores and base != name:
                differences = rows - scores[base]
                drawn = draws.integers(len(rows), size=(2000, len(rows)))
                limits = np.percentile(differences[drawn].mean(axis=1), [2.5, 97.5], axis=0)
                for measured in (0, 2):
                    line[f"{HEADINGS[measured]}, {base}"] = "{:+.3f} ({:+.3f} to {:+.3f})".format(
                        differences[:, measured].mean(), *limits[:, measured]
                    )
        yield line


if __name__ == "__main__":
    main()
