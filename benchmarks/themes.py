"""The themes that `thematic_clusterer` finds in single texts.

    python -m benchmarks.themes --data DATA [--sources wikipedia/test ...] [--orders "as it is" ...]

Texts: sections as they are; "halves apart", the first halves of all sections, then the second
halves; "one comes back", two sections, the second between the halves of the first; "shuffled"
sentences; "list", 24 to 60 short lines of several documents, which are their topics; "few", three
to seven sentences of one section or more, of several documents. Each is clustered as the component
does by default, by sentences alone, and by the silhouette; "equal runs" reads no word. AMI with the
true groups, the number of themes told and found, the share of pairs of sentences that are rightly
together or apart (the Rand index), and the mean error of the number. Intervals are 95 per cent, by
bootstrap over texts.
"""

import argparse
import random
from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np
from spacy.language import Language
from spacy.tokens import Doc
from tqdm import tqdm

from benchmarks.harness import Row, find_sources, make_parser, parse, print_report
from benchmarks.labelled_texts import LabelledText, make_doc, read_texts
from spacy_thematic.evaluation.results import estimate_ratio
from spacy_thematic.measures import clustering_agreement
from spacy_thematic.pipeline.clusterer import ThematicClusterer
from spacy_thematic.pipeline.loading import load_pipeline

ALONE = {"units": "sentences"}
PLAIN = {"@misc": "spacy-thematic.SilhouetteWithPrior.v1", "weight": 0}
WAYS: dict[str, dict[str, Any]] = {
    "by default": {},
    "sentences": ALONE,
    "sentences, k by the silhouette": {**ALONE, "choose_k": PLAIN},
}
EQUAL_RUNS = "equal runs"
MOST_SENTENCES = 1_000
LINES, LINE_WORDS, LINES_OF_TOPIC = (24, 60), (6, 16), (1, 1, 2, 3, 3, 4, 5, 6, 8)
FEW = 3, 7

Arrange = Callable[[Sequence[LabelledText], random.Random], list[LabelledText]]
"""Makes texts of texts."""


def halves_apart(text: LabelledText, rng: random.Random) -> LabelledText:
    sections = split(text)
    firsts = [section[: len(section) // 2] for section in sections]
    seconds = [section[len(section) // 2 :] for section in sections]
    return text.take(np.concatenate([*firsts, *seconds]))


def one_comes_back(text: LabelledText, rng: random.Random) -> LabelledText:
    sections = split(text)
    place = rng.randrange(max(1, len(sections) - 1))
    outer, half = sections[place], len(sections[place]) // 2
    inner = [row for section in sections[place + 1 : place + 2] for row in section]
    return text.take([*outer[:half], *inner, *outer[half:]])


def shuffle(text: LabelledText, rng: random.Random) -> LabelledText:
    return text.take(rng.sample(range(len(text.labels)), len(text.labels)))


def split(text: LabelledText) -> list[np.ndarray]:
    """The rows of each segment."""
    return np.split(np.arange(len(text.labels)), np.flatnonzero(np.diff(text.labels)) + 1)


def make_lists(texts: Sequence[LabelledText], rng: random.Random) -> list[LabelledText]:
    """As many lists as texts, each line a sentence of a text, which is its topic."""
    least, most = LINE_WORDS
    topics = [[s for s in text.sentences if least <= len(s.split()) <= most] for text in texts]
    lists = []
    for _ in texts:
        n, lines = rng.randint(*LINES), list[tuple[str, int]]()
        for number in rng.sample(range(len(topics)), len(topics)):
            size = min(rng.choice(LINES_OF_TOPIC), len(topics[number]), n - len(lines))
            lines += [(line, number) for line in rng.sample(topics[number], size)]
        rng.shuffle(lines)
        lists.append(join(lines))
    return lists


def make_few(texts: Sequence[LabelledText], rng: random.Random) -> list[LabelledText]:
    """As many short texts as texts, each of runs of sentences from sections of several texts: a
    fifth have one run, a fifth one for each sentence."""
    found = []
    for _ in texts:
        n, kind = rng.randint(*FEW), rng.random()
        sizes = [n] if kind < 0.2 else [1] * n if kind < 0.4 else []
        while sum(sizes) < n:
            sizes.append(rng.randint(1, n - sum(sizes)))
        rows: list[tuple[str, int]] = []
        for number, size in enumerate(sizes):
            text = rng.choice(texts)
            section = rng.choice(split(text))
            start = rng.randrange(max(1, len(section) - size + 1))
            rows += [(text.sentences[row], number) for row in section[start : start + size]]
        found.append(join(rows))
    return found


def join(rows: Sequence[tuple[str, int]]) -> LabelledText:
    sentences, labels = map(list, zip(*rows))
    return LabelledText("", sentences, labels, [*range(len(rows))], {})


def each(change: Callable[[LabelledText, random.Random], LabelledText]) -> Arrange:
    """Change each text by itself."""
    return lambda texts, rng: [change(text, rng) for text in texts]


ORDERS: dict[str, Arrange] = {
    "as it is": lambda texts, rng: [*texts],
    "halves apart": each(halves_apart),
    "one comes back": each(one_comes_back),
    "shuffled": each(shuffle),
    "list": make_lists,
    "few": make_few,
}


def main() -> None:
    parser = make_parser(__doc__, sources=("wikipedia/test",))
    parser.add_argument("--min-sections", type=int, default=5, help="that a document needs")
    parser.add_argument("--orders", nargs="+", choices=ORDERS, default=[*ORDERS])
    parser.add_argument("--ways", nargs="+", choices=WAYS, default=[*WAYS])
    args = parse(parser)
    tables = {}
    for source in find_sources(args):
        drawn = [one for one in read_texts(source, args) if len(one.labels) <= MOST_SENTENCES]
        for order in args.orders:
            texts = ORDERS[order](drawn, random.Random(args.seed))
            size = np.mean([len(text.labels) for text in texts])
            n = np.mean([len(set(text.labels)) for text in texts])
            title = (
                f"{source.name}, {order}: {len(texts)} texts, {size:.0f} sentences, {n:.1f} groups"
            )
            tables[title] = list(measure(texts, order, args))
    print_report(args, tables)


def measure(texts: list[LabelledText], order: str, args: argparse.Namespace) -> list[Row]:
    """The rows of one kind of text."""
    told = [find_runs(text) for text in texts]
    rows = [{"clustered": EQUAL_RUNS, "AMI, number told": score(texts, told, "ami")}]
    for model in args.models:
        nlp = load_pipeline(model)
        between = "\n" if order == "list" else " "
        docs = [make_doc(nlp, text, between) for text in tqdm(texts, desc=model, disable=None)]
        for way in args.ways:
            rows.append({"clustered": f"{way}, {model}", **cluster(nlp, texts, docs, WAYS[way])})
    return rows


def cluster(
    nlp: Language, texts: list[LabelledText], docs: list[Doc], config: dict[str, Any]
) -> Row:
    """The scores of one way to cluster."""
    component = cast(ThematicClusterer, nlp.create_pipe("thematic_clusterer", config=config))
    told = []
    for text, doc in zip(texts, docs):
        component.k = len(set(text.labels))
        told.append(component.predict(doc))
    component.k = "auto"
    found = [component.predict(doc) for doc in docs]
    errors = [
        abs(len(set(own.tolist()) - {-1}) - len(set(text.labels)))
        for own, text in zip(found, texts)
    ]
    return {
        "AMI, number told": score(texts, told, "ami"),
        "AMI": score(texts, found, "ami"),
        "pairs": score(texts, found, "ri"),
        "error of the number": estimate_ratio(errors),
    }


def find_runs(text: LabelledText) -> np.ndarray:
    """As many runs of equal length as there are groups."""
    n = len(text.labels)
    return np.arange(n) * len(set(text.labels)) // n


def score(texts: list[LabelledText], found: list[np.ndarray], measure: str) -> str:
    """The mean over texts, with its interval. A sentence that is set aside is like no other."""
    values = []
    for text, labels in zip(texts, found):
        alone = -1 - np.arange(len(labels))
        own = np.where(labels < 0, alone, labels)
        values.append(clustering_agreement(np.array(text.labels), own)[measure])
    return str(estimate_ratio(values))


if __name__ == "__main__":
    main()
