"""How segmenters do on texts whose segments people made: Pk, WindowDiff and boundary similarity.

    python -m benchmarks.segmentation NAME=FILE... --cache FOLDER [--articles 100] [--seed 0]
        [--models en_thematic_sm en_thematic_md]

A file holds articles, or JSON lines with `sentences` and `labels`.
NAME=FILE:PREFIX takes the texts whose title begins so, such as `1/` of Choi's four sets. Rows with
"true n" are told the number of segments; the others find it.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from functools import partial

import numpy as np
from tqdm import tqdm

from benchmarks.segmented_texts import SegmentedText, add_arguments, encode_texts, read_sources
from spacy_thematic.boundary_measures import ERRORS, mean_segmentation_error, segmentation_error
from spacy_thematic.evaluation.markdown import render
from spacy_thematic.pipeline.gap_scorer import score_gaps
from spacy_thematic.pipeline.loading import load_pipeline
from spacy_thematic.pipeline.text_encoder import find_encoder
from spacy_thematic.segmentation.finding import weigh_lengths
from spacy_thematic.segmentation.gaps import GapScorer
from spacy_thematic.segmentation.kernel_change_points import create_kernel_change_points
from spacy_thematic.segmentation.passage import Passage, Segmenter
from spacy_thematic.segmentation.text_tiling import create_text_tiling
from spacy_thematic.segmentation.trivial import (
    create_equal_length,
    create_no_cuts,
    create_random_cuts,
)

TRIVIAL: dict[str, tuple[Segmenter, bool]] = {
    "no boundary": (create_no_cuts(), False),
    "random": (create_random_cuts(), False),
    "random, true n": (create_random_cuts(), True),
    "equal length": (create_equal_length(), False),
    "equal length, true n": (create_equal_length(), True),
}
METHODS: dict[str, tuple[Segmenter, bool]] = {
    "TextTiling": (create_text_tiling(), False),
    "TextTiling, true n": (create_text_tiling(), True),
    "ours": (create_kernel_change_points(), False),
    "ours, true n": (create_kernel_change_points(), True),
    "ours, no learned score": (create_kernel_change_points(boundary_weight=0), False),
    "ours, no learned score, true n": (create_kernel_change_points(boundary_weight=0), True),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    add_arguments(parser)
    args = parser.parse_args()
    table: dict[str, dict[str, str]] = {}
    for name, texts in read_sources(args):
        for row, cell in measure(texts, args):
            table.setdefault(row, {})[name] = cell
    headings = " / ".join(ERRORS.values())
    print(render([{headings: row, **cells} for row, cells in table.items()]))


def measure(texts: list[SegmentedText], args: argparse.Namespace) -> Iterator[tuple[str, str]]:
    """The rows of one source, and what stands in them."""
    nothing = [np.zeros((len(text.sentences), 1), np.float32) for text in texts]
    for name, (segmenter, is_told) in TRIVIAL.items():
        yield name, score(texts, nothing, segmenter, is_told, lambda *_: None)
    for model in args.models:
        vectors = encode_texts(texts, model, args.cache)
        nlp = load_pipeline(model)
        scorer = partial(score_gaps, find_encoder(nlp, nlp.make_doc("")))
        for name, (segmenter, is_told) in METHODS.items():
            yield f"{name}, {model}", score(texts, vectors, segmenter, is_told, scorer)


def score(
    texts: list[SegmentedText],
    vectors: list[np.ndarray],
    segmenter: Segmenter,
    is_told: bool,
    score_gaps: GapScorer,
) -> str:
    """The means of the measures over texts, and of the number of segments found."""
    scores, numbers = [], []
    for seed, (text, rows) in enumerate(zip(tqdm(texts, disable=None), vectors)):
        lengths = np.array([len(sentence) for sentence in text.sentences], np.float32)
        passage = Passage(rows, weights=weigh_lengths(lengths), log_odds=score_gaps(rows, lengths))
        starts = segmenter(passage, len(text.starts) if is_told else None, seed).starts
        found, true = number(starts, len(rows)), number(text.starts, len(rows))
        scores.append(segmentation_error(found, true))
        numbers.append(len(starts))
    means = mean_segmentation_error(scores)
    return f"{' / '.join(f'{means[name]:.3f}' for name in ERRORS)} ({np.mean(numbers):.1f})"


def number(starts: np.ndarray | list[int], n: int) -> np.ndarray:
    """The segment of each of n sentences."""
    return np.searchsorted(starts, np.arange(n), side="right")


if __name__ == "__main__":
    main()
