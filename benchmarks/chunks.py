"""How well questions find their answers in the chunks of several chunkers, by Chroma's measures.

    python -m benchmarks.chunks --data DATA [--sizes 200 400] [--top 5]

Smith and Troynikov, "Evaluating Chunking Strategies for Retrieval", Chroma 2024. A line of
`chunking/questions` holds a `corpus` with its `text`, or a `corpus`, a `question` and `references`,
the places of what answers it. The retriever is all-MiniLM-L6-v2 from `DATA/minilm`, whose
tokenizer counts; without it `en_thematic_lg` retrieves, and spaCy's tokens count. LangChain's
recursive chunker is measured if it is installed. Measures are over characters; intervals are 95 per
cent, by bootstrap over questions. Seconds are the processor's, for all corpora.

With `--sources` of articles, such as `prose/dev textbooks/dev`, headings are the questions, and the
sections below them the answers. The chunkers do not see the headings. BM25 retrieves chunks of
the same article; headings without a word that the article has are left out. A row of the bootstrap
is an article.
"""

import argparse
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib.util import find_spec
from itertools import chain, groupby, pairwise, product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import spacy
import srsly
from tqdm import tqdm

from benchmarks import harness
from spacy_thematic.chunking.chunker import Chunker
from spacy_thematic.clustering.vectors import TextEncoder
from spacy_thematic.evaluation.results import estimate_ratio
from spacy_thematic.rows import unit_rows

Span = tuple[int, int]

Split = Callable[[str], list[str]]
"""Cuts a text into chunks."""

Tokenize = Callable[[str], Sequence[Span]]
"""Finds the tokens of a text, by their characters."""

SEPARATORS = ["\n\n", "\n", ".", "?", "!", " ", ""]
"""Chroma's, for the recursive chunker."""


HEADINGS = ("recall", "precision", "IoU")
"""Of the fields of `Scores`."""


class Question(NamedTuple):
    """A question, and where in the text of its corpus its answer stands."""

    corpus: str
    text: str
    answer: list[Span]


class Scores(NamedTuple):
    """The measures of a question."""

    recall: float
    precision: float
    iou: float


def main() -> None:
    parser = harness.make_parser(__doc__, sources=("chunking/questions",))
    parser.add_argument("--sizes", type=int, nargs="+", default=[200, 400], help="in tokens")
    parser.add_argument("--top", type=int, default=5, help="chunks to retrieve for a question")
    args = harness.parse(parser)
    sources = harness.find_sources(args)
    by_headings = sources[0].path.parent.name != "chunking"
    corpora, questions = read_headings(sources, args) if by_headings else read(sources[0].path)
    if args.quick:
        questions, args.sizes = questions[:: len(questions) // 20], args.sizes[-1:]
    judge, encode = ("BM25", None) if by_headings else harness.load_judge(args)
    tokenize = make_tokenizer(args.data / "minilm")
    scores: dict[str, np.ndarray] = {}
    rows = []
    for name, split in tqdm(make_chunkers(args, tokenize).items(), disable=None):
        split(next(iter(corpora.values()))[:2000])  # The first text loads weights.
        start = time.process_time()
        chunks = {corpus: split(text) for corpus, text in corpora.items()}
        seconds = time.process_time() - start
        if encode is None:
            scores[name] = measure_by_words(corpora, questions, chunks, args.top)
        else:
            scores[name] = np.array([*measure(corpora, questions, chunks, encode, args.top)])
        sizes = [len(tokenize(chunk)) for parts in chunks.values() for chunk in parts]
        rows.append(describe(name, sizes, scores[name], seconds))
    tables = {f"{len(questions)} questions, retrieved by {judge}": rows}
    if differences := list(compare(scores)):
        tables["Differences to the recursive chunker"] = differences
    harness.print_report(args, tables)


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


def read_headings(
    sources: Sequence[harness.Source], args: argparse.Namespace
) -> tuple[dict[str, str], list[Question]]:
    """The texts of articles by their numbers, without headings, and the headings as questions: of
    articles with three or more, of sections with text of their own."""
    corpora, questions = {}, []
    for article in chain.from_iterable(harness.draw_articles(source, args) for source in sources):
        name, text, own = str(len(corpora)), harness.get_text(article), []
        start, known = 0, set(find_words(text))
        for section in article.sections:
            length = len("\n\n".join(section.paragraphs))
            if length and known & {*find_words(section.title)}:
                own.append(Question(name, section.title, [(start, start + length)]))
            start += length + 2 * bool(length)
        if len(own) >= 3:
            corpora[name] = text
            questions += own
    return corpora, questions


def find_words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def measure_by_words(
    corpora: dict[str, str], questions: list[Question], chunks: dict[str, list[str]], top: int
) -> np.ndarray:
    """The mean scores of the questions of each corpus, (corpora, 3), for which BM25 retrieves."""
    rows = []
    for name, own in groupby(questions, key=lambda question: question.corpus):
        text, counts = corpora[name], [Counter(find_words(chunk)) for chunk in chunks[name]]
        places, n = find_spans(text, chunks[name]), len(counts)
        sizes = np.array([count.total() for count in counts])
        norms = 1.2 * (0.25 + 0.75 * sizes / sizes.mean())
        found = []
        for question in own:
            total = np.zeros(n)
            for word in {*find_words(question.text)}:
                times = np.array([count[word] for count in counts])
                holding = np.count_nonzero(times)
                rareness = np.log1p((n - holding + 0.5) / (holding + 0.5))
                total += rareness * times * 2.2 / (times + norms)
            nearest = [places[i] for i in np.argsort(-total, kind="stable")[:top]]
            found.append(score(question.answer, nearest, len(text)))
        rows.append(np.mean(found, axis=0))
    return np.array(rows)


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
        chunker = Chunker(size, count, model=model)
        chunkers[f"ours-{size}, {model}"] = lambda text, of=chunker: [one.text for one in of(text)]
    return chunkers


def cut_evenly(tokenize: Tokenize, text: str, size: int) -> list[str]:
    """Cut after every so many tokens."""
    starts = [0, *(start for start, _ in tokenize(text)[size::size]), len(text)]
    return [text[start:end] for start, end in pairwise(starts)]


def measure(
    corpora: dict[str, str],
    questions: list[Question],
    chunks: dict[str, list[str]],
    encode: TextEncoder,
    top: int,
) -> Iterator[Scores]:
    """The scores of each question, for which chunks of its own corpus are retrieved."""
    spans = {name: find_spans(text, chunks[name]) for name, text in corpora.items()}
    vectors = {name: unit_rows(encode(texts), centre=False) for name, texts in chunks.items()}
    asked = unit_rows(encode([question.text for question in questions]), centre=False)
    for question, row in zip(questions, asked):
        nearest = np.argsort(-vectors[question.corpus] @ row, kind="stable")[:top]
        retrieved = [spans[question.corpus][i] for i in nearest]
        yield score(question.answer, retrieved, len(corpora[question.corpus]))


def find_spans(text: str, chunks: list[str]) -> list[Span]:
    """Where chunks stand in a text. Chunkers differ in the white space that they keep, so it does
    not count. Raises ValueError if the chunks are not the whole text, each part once."""
    if "".join(text.split()) != "".join("".join(chunks).split()):
        raise ValueError("Expected the chunks to be the text but for white space.")
    places = [i for i, character in enumerate(text) if not character.isspace()]
    ends = np.cumsum([len("".join(chunk.split())) for chunk in chunks]).tolist()
    return [(places[start], places[end - 1] + 1) for start, end in pairwise([0, *ends])]


def score(answer: list[Span], retrieved: list[Span], length: int) -> Scores:
    """The measures of one question on a text of some length in characters."""
    wanted, found = cover(answer, length), cover(retrieved, length)
    common = (wanted & found).sum()
    return Scores(
        recall=common / wanted.sum(),
        precision=common / found.sum(),
        iou=common / (wanted | found).sum(),
    )


def cover(spans: list[Span], length: int) -> np.ndarray:
    """Whether each character stands in a span, (length,)."""
    covered = np.zeros(length, dtype=bool)
    for start, end in spans:
        covered[start:end] = True
    return covered


def describe(name: str, sizes: list[int], scores: np.ndarray, seconds: float) -> harness.Row:
    row: dict[str, Any] = {"chunker": name, "chunks": len(sizes)}
    low, high = np.percentile(sizes, [5, 95])
    row["tokens, mean (5 to 95 per cent)"] = f"{np.mean(sizes):.0f} ({low:.0f} to {high:.0f})"
    for heading, values in zip(HEADINGS, scores.T):
        row[heading] = estimate_ratio(values)
    return {**row, "s": f"{seconds:.1f}"}


def compare(scores: dict[str, np.ndarray]) -> Iterator[harness.Row]:
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
