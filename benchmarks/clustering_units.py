"""What `thematic_clusterer` does with texts in order, with the same sentences shuffled, and with
themes that come back: AMI with the sections or topics, clustering sentences or segments.

    python -m benchmarks.clustering_units NAME=FILE... --cache FOLDER [--articles 100] [--seed 0]
        [--models en_thematic_sm en_thematic_md]

A file holds articles, or JSON lines with `sentences` and `labels`. "Halves apart": the first halves
of all sections, then the second halves. "One comes back": two neighbouring sections, the second
between the halves of the first. A cell holds AMI with the true number of themes / with the number
found; "in order" is the share of texts that are taken to be so.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable

import numpy as np
from tqdm import tqdm

from benchmarks.segmented_texts import (
    SegmentedText,
    add_arguments,
    encode_texts,
    join,
    read_sources,
)
from spacy_thematic.clustering.vectors import SentenceVectors
from spacy_thematic.evaluation.markdown import render
from spacy_thematic.measures import clustering_agreement
from spacy_thematic.pipeline.loading import load_pipeline
from spacy_thematic.segmentation.recurring import is_in_order
from spacy_thematic.span_keys import SENTENCES_KEY
from spacy_thematic.triplets.docbin import SENTENCES

Order = Callable[[SegmentedText, np.random.Generator], np.ndarray]


def halves_apart(text: SegmentedText, rng: np.random.Generator) -> np.ndarray:
    sections = np.split(np.arange(len(text.sentences)), text.starts[1:])
    firsts = [section[: len(section) // 2] for section in sections]
    return np.concatenate(firsts + [section[len(section) // 2 :] for section in sections])


def one_comes_back(text: SegmentedText, rng: np.random.Generator) -> np.ndarray:
    sections = np.split(np.arange(len(text.sentences)), text.starts[1:])
    first = rng.integers(max(1, len(sections) - 1))
    outer, inner = sections[first], np.concatenate(sections[first + 1 : first + 2] or [[]])
    half = len(outer) // 2
    return np.concatenate([outer[:half], inner, outer[half:]]).astype(int)


ORDERS: dict[str, Order] = {
    "as it is": lambda text, rng: np.arange(len(text.sentences)),
    "halves apart": halves_apart,
    "one comes back": one_comes_back,
    "shuffled": lambda text, rng: rng.permutation(len(text.sentences)),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    add_arguments(parser)
    parser.add_argument("--most", type=int, default=1_000, help="sentences of a text")
    args = parser.parse_args()
    rows = []
    for name, drawn in read_sources(args):
        texts = [text for text in drawn if len(text.sentences) <= args.most]
        for model in args.models:
            vectors = encode_texts(texts, model, args.cache)
            for order, arrange in ORDERS.items():
                cells = measure(texts, vectors, arrange, args.seed, model)
                rows.append({"texts": f"{name}, {order}, {model}", **cells})
    print(render(rows))


def measure(
    texts: list[SegmentedText], vectors: list[np.ndarray], arrange: Order, seed: int, model: str
) -> dict[str, str]:
    """The row of one set of texts in one order."""
    nlp = load_pipeline(model)
    sentences = nlp.add_pipe("thematic_clusterer", "sentences", config={"units": "sentences"})
    segments = nlp.add_pipe("thematic_clusterer", "segments")
    rng = np.random.default_rng(seed)
    found: dict[str, list[tuple[float, float]]] = {"sentences": [], "segments": []}
    runs, in_order = [], []
    for text, rows in zip(tqdm(texts, disable=None), vectors):
        order = arrange(text, rng)
        labels = np.array(text.labels)[order]
        doc = join(nlp, SegmentedText(text.title, [text.sentences[i] for i in order], []))
        doc.spans[SENTENCES_KEY] = list(doc.spans[SENTENCES])
        doc._.thematic_vectors = rows[order]
        in_order.append(is_in_order(SentenceVectors(rows[order])))
        k = len(set(labels.tolist()))
        for name, component in (("sentences", sentences), ("segments", segments)):
            scores = []
            for number in (k, "auto"):
                component.k = number
                scores.append(agree(labels, component.predict(doc)))
            found[name].append((scores[0], scores[1]))
        runs.append(agree(labels, np.arange(len(labels)) * k // len(labels)))
    cells = {
        name: " / ".join(f"{value:.3f}" for value in np.mean(scores, axis=0))
        for name, scores in found.items()
    }
    return {
        "equal runs": f"{np.mean(runs):.3f}",
        **cells,
        "in order": f"{np.mean(in_order):.0%}",
    }


def agree(labels: np.ndarray, found: np.ndarray) -> float:
    return clustering_agreement(labels, found)["ami"]


if __name__ == "__main__":
    main()
