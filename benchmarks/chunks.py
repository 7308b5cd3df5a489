"""How well questions find their answers in the chunks of several chunkers, by Chroma's measures.

    python -m benchmarks.chunks --data DATA [--sizes 200 400] [--top 5]

Smith and Troynikov, "Evaluating Chunking Strategies for Retrieval", Chroma 2024. A line of
`chunking/questions` holds a `corpus` with its `text`, or a `corpus`, a `question` and `references`,
the places of what answers it. The retriever, and the encoder of the semantic chunkers, is
all-MiniLM-L6-v2 from `DATA/minilm`, whose tokenizer counts; without it `en_thematic_lg` retrieves,
and spaCy's tokens count. LangChain's and chonkie's chunkers are measured if they are installed.
Measures are over characters; intervals are 95 per cent, by bootstrap over questions. "Precision
omega" is the IoU of all chunks that touch the answer. Seconds are the processor's, for all corpora.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib.util import find_spec
from itertools import pairwise, product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import spacy
import srsly
from tqdm import tqdm

from benchmarks.harness import Row, find_sources, load_judge, make_parser, parse, print_report
from spacy_thematic.chunking.chunker import Chunker
from spacy_thematic.clustering.vectors import TextEncoder
from spacy_thematic.evaluation.results import estimate_ratio

Span = tuple[int, int]

Split = Callable[[str], list[str]]
"""Cuts a text into chunks."""

Tokenize = Callable[[str], Sequence[Span]]
"""Finds the tokens of a text, by their characters."""

SEPARATORS = ["\n\n", "\n", ".", "?", "!", " ", ""]
"""Chroma's, for the recursive chunker."""


HEADINGS = ("recall", "precision", "IoU", "precision omega")
"""Of the fields of `Scores`."""


class Question(NamedTuple):
    """A question, and where in the text of its corpus its answer stands."""

    corpus: str
    text: str
    answer: list[Span]


class Scores(NamedTuple):
    """The measures of a question. `precision_omega` is the IoU of all chunks that touch the answer,
    the best that a retriever could do with them."""

    recall: float
    precision: float
    iou: float
    precision_omega: float


def main() -> None:
    parser = make_parser(__doc__, sources=("chunking/questions",))
    parser.add_argument("--sizes", type=int, nargs="+", default=[200, 400], help="in tokens")
    parser.add_argument("--top", type=int, default=5, help="chunks to retrieve for a question")
    args = parse(parser)
    (source,) = find_sources(args)
    corpora, questions = read(source.path)
    if args.quick:
        questions, args.sizes = questions[:: len(questions) // 20], args.sizes[-1:]
    judge, encode = load_judge(args)
    tokenize = make_tokenizer(args.data / "minilm")
    scores: dict[str, np.ndarray] = {}
    rows = []
    for name, split in tqdm(make_chunkers(args, tokenize).items(), disable=None):
        split(next(iter(corpora.values()))[:2000])  # The first text loads weights.
        start = time.process_time()
        chunks = {corpus: split(text) for corpus, text in corpora.items()}
        seconds = time.process_time() - start
        found = measure(corpora, questions, chunks, encode, args.top)
        scores[name] = np.array(list(found))
        sizes = [len(tokenize(chunk)) for parts in chunks.values() for chunk in parts]
        rows.append(describe(name, sizes, scores[name], seconds))
    tables = {f"{len(questions)} questions, retrieved by {judge}": rows}
    if differences := list(compare(scores)):
        tables["Differences to the recursive chunker"] = differences
    print_report(args, tables)


def read(path: Path) -> tuple[dict[str, str], list[Question]]:
    """The texts of the corpora by their names, and the questions."""
    corpora, questions = {}, []
    for record in srsly.read_gzip_jsonl(path):
        if "text" in record:
            corpora[record["corpus"]] = record["text"]
        else:
            places = [(at["start_index"], at["end_index"]) for at in record["references"]]
            questions.append(Question(record["corpus"], record["question"], places))
    return corpora, questions


def make_tokenizer(minilm: Path) -> Tokenize:
    if minilm.exists():
        from tokenizers import Tokenizer

        tokenizer = Tokenizer.from_file(str(minilm / "tokenizer.json"))
        tokenizer.no_truncation()
        tokenizer.no_padding()
        return lambda text: tokenizer.encode(text, add_special_tokens=False).offsets
    nlp = spacy.blank("en")
    return lambda text: [(token.idx, token.idx + len(token)) for token in nlp.make_doc(text)]


def make_chunkers(args: argparse.Namespace, tokenize: Tokenize) -> dict[str, Split]:
    def count(text: str) -> int:
        return len(tokenize(text))

    chunkers: dict[str, Split] = {}
    for size in args.sizes:
        chunkers[f"fixed-{size}"] = partial(cut_evenly, tokenize, size=size)
        if find_spec("langchain_text_splitters"):
            from langchain_text_splitters import RecursiveCharacterTextSplitter

            recursive = RecursiveCharacterTextSplitter(
                chunk_size=size, chunk_overlap=0, length_function=count, separators=SEPARATORS
            )
            chunkers[f"recursive-{size}"] = recursive.split_text
    for model, size in product(args.models, args.sizes):
        chunkers[f"ours-{size}, {model}"] = partial(cut, Chunker(size, count, model=model))
    return {**chunkers, **make_semantic_chunkers(args.data / "minilm")}


def make_semantic_chunkers(minilm: Path) -> dict[str, Split]:
    """Those of LangChain and chonkie, by MiniLM, with their own thresholds."""
    chunkers: dict[str, Split] = {}
    if not minilm.exists():
        return chunkers
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(str(minilm), device="cpu", local_files_only=True)
    if find_spec("langchain_experimental"):
        from langchain_core.embeddings import Embeddings
        from langchain_experimental.text_splitter import SemanticChunker

        class MiniLM(Embeddings):
            """The model as LangChain wants it."""

            def embed_documents(self, texts: list[str]) -> list[list[float]]:
                return model.encode(texts).tolist()

            def embed_query(self, text: str) -> list[float]:
                return self.embed_documents([text])[0]

        chunkers["LangChain semantic"] = SemanticChunker(MiniLM()).split_text
    if find_spec("chonkie"):
        from chonkie import SemanticChunker as ChonkieChunker
        from chonkie.embeddings import SentenceTransformerEmbeddings

        semantic = ChonkieChunker(SentenceTransformerEmbeddings(model), chunk_size=400)
        chunkers["chonkie semantic-400"] = lambda text: [one.text for one in semantic.chunk(text)]
    return chunkers


def cut_evenly(tokenize: Tokenize, text: str, size: int) -> list[str]:
    """Cut after every so many tokens."""
    starts = [0, *(start for start, _ in tokenize(text)[size::size]), len(text)]
    return [text[start:end] for start, end in pairwise(starts)]


def cut(chunker: Chunker, text: str) -> list[str]:
    return [chunk.text for chunk in chunker(text)]


def measure(
    corpora: dict[str, str],
    questions: list[Question],
    chunks: dict[str, list[str]],
    encode: TextEncoder,
    top: int,
) -> Iterator[Scores]:
    """The scores of each question, for which chunks of its own corpus are retrieved."""
    spans = {name: find_spans(text, chunks[name]) for name, text in corpora.items()}
    vectors = {name: encode_units(encode, texts) for name, texts in chunks.items()}
    asked = encode_units(encode, [question.text for question in questions])
    for question, row in zip(questions, asked):
        nearest = np.argsort(-vectors[question.corpus] @ row, kind="stable")[:top]
        places = spans[question.corpus]
        retrieved = [places[i] for i in nearest]
        yield score(question.answer, retrieved, places, len(corpora[question.corpus]))


def encode_units(encode: TextEncoder, texts: list[str]) -> np.ndarray:
    """The vectors of texts, (texts, width), of length 1."""
    rows = np.asarray(encode(texts))
    return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)


def find_spans(text: str, chunks: list[str]) -> list[Span]:
    """Where chunks stand in a text. Chunkers differ in the white space that they keep, so it does
    not count.

    Raises:
        ValueError: If the chunks are not the whole text, each part once.
    """
    if "".join(text.split()) != "".join("".join(chunks).split()):
        raise ValueError("Expected the chunks to be the text but for white space.")
    places = [i for i, character in enumerate(text) if not character.isspace()]
    ends = np.cumsum([len("".join(chunk.split())) for chunk in chunks]).tolist()
    return [(places[start], places[end - 1] + 1) for start, end in pairwise([0, *ends])]


def score(answer: list[Span], retrieved: list[Span], chunks: list[Span], length: int) -> Scores:
    """The measures of one question on a text of some length in characters."""
    wanted, found = cover(answer, length), cover(retrieved, length)
    touching = cover([span for span in chunks if wanted[slice(*span)].any()], length)
    common = (wanted & found).sum()
    return Scores(
        recall=common / wanted.sum(),
        precision=common / found.sum(),
        iou=common / (wanted | found).sum(),
        precision_omega=(wanted & touching).sum() / (wanted | touching).sum(),
    )


def cover(spans: list[Span], length: int) -> np.ndarray:
    """Whether each character stands in a span, (length,)."""
    covered = np.zeros(length, dtype=bool)
    for start, end in spans:
        covered[start:end] = True
    return covered


def describe(name: str, sizes: list[int], scores: np.ndarray, seconds: float) -> Row:
    row: dict[str, Any] = {"chunker": name, "chunks": len(sizes)}
    low, high = np.percentile(sizes, [5, 95])
    row["tokens, mean (5 to 95 per cent)"] = f"{np.mean(sizes):.0f} ({low:.0f} to {high:.0f})"
    for heading, values in zip(HEADINGS, scores.T):
        row[heading] = estimate_ratio(values)
    return {**row, "s": f"{seconds:.1f}"}


def compare(scores: dict[str, np.ndarray]) -> Iterator[Row]:
    """The differences of recall and IoU to the recursive chunker of the same size."""
    for name, rows in scores.items():
        base = f"recursive-{name.partition(',')[0].rpartition('-')[2]}"
        if base in scores and base != name:
            recall, iou = (
                f"{estimate_ratio(rows[:, place] - scores[base][:, place]):+.3f}"
                for place in (0, 2)
            )
            yield {"chunker": f"{name}, less {base}", "recall": recall, "IoU": iou}


if __name__ == "__main__":
    main()
