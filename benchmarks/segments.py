"""How well segmenters find the segments that people made: Pk, WindowDiff, Boundary Similarity.

    python -m benchmarks.segments --data DATA [--sources segments/choi:1/3-11 ...]

`thematic_segmenter` gets the sentences as they are; in rows with "paragraphs", also the blank lines
between paragraphs. "Number told": it is told the number of segments. TextTiling cuts by the same
vectors. A cell holds Pk with its 95 per cent interval by bootstrap over texts, WindowDiff and
Boundary Similarity, then the mean number of segments. Pk and WindowDiff are errors.
"""

import argparse
from collections.abc import Iterator
from typing import Any, cast

import numpy as np
from spacy.tokens import Doc
from tqdm import tqdm

from benchmarks.harness import find_sources, make_parser, parse, print_report
from benchmarks.labelled_texts import LabelledText, make_doc, read_texts
from benchmarks.text_tiling import text_tiling
from spacy_thematic.boundary_measures import ERRORS, mean_segmentation_error, segmentation_error
from spacy_thematic.evaluation.results import estimate_ratio
from spacy_thematic.pipeline.loading import load_pipeline
from spacy_thematic.pipeline.segmenter import ThematicSegmenter
from spacy_thematic.span_keys import SEGMENTS_KEY, SENTENCES_KEY

OURS = "ours"
METHODS: dict[str, Any] = {OURS: "kernel_change_points", "TextTiling": text_tiling}
BETWEEN = {"": " ", ", paragraphs": "\n\n"}


def main() -> None:
    parser = make_parser(
        __doc__,
        sources=(
            "segments/choi:1/3-11",
            "segments/wiki50",
            "wikipedia/test",
            "prose/dev",
            "textbooks/dev",
            "meetings/dev",
        ),
    )
    parser.add_argument("--min-sections", type=int, default=5, help="that a document needs")
    args = parse(parser)
    table: dict[str, dict[str, str]] = {}
    for source in find_sources(args):
        texts = read_texts(source, args)
        for row, cell in measure(texts, args):
            table.setdefault(row, {})[source.name] = cell
    title = " / ".join(ERRORS.values())
    print_report(args, {title: [{"segmenter": row, **cells} for row, cells in table.items()]})


def measure(texts: list[LabelledText], args: argparse.Namespace) -> Iterator[tuple[str, str]]:
    """The rows of one source, and what stands in them."""
    yield "no cuts", describe(texts, [np.zeros(len(text.labels), int) for text in texts])
    has_paragraphs = any(text.paragraphs[-1] > 0 for text in texts)
    for model in args.models:
        nlp = load_pipeline(model)
        for suffix, between in BETWEEN.items():
            if suffix and not has_paragraphs:
                continue
            docs = [make_doc(nlp, text, between) for text in tqdm(texts, desc=model, disable=None)]
            for method, algorithm in METHODS.items():
                if suffix and method != OURS:
                    continue
                pipe = nlp.create_pipe("thematic_segmenter", config={"headings": False})
                segmenter = cast(ThematicSegmenter, pipe)
                segmenter.algorithm = algorithm
                name = f"{method}{suffix}, {model}"
                yield name, describe(texts, [segment(segmenter, doc, "auto") for doc in docs])
                told = [
                    segment(segmenter, doc, int(text.find_segments()[-1]) + 1)
                    for text, doc in zip(texts, docs)
                ]
                yield f"{name}, number told", describe(texts, told)


def segment(segmenter: ThematicSegmenter, doc: Doc, n: Any) -> np.ndarray:
    """The segment of each sentence, (n,)."""
    segmenter.n = n
    segmenter(doc)
    starts = [span.start for span in doc.spans[SEGMENTS_KEY]]
    sentences = [span.start for span in doc.spans[SENTENCES_KEY]]
    return np.searchsorted(starts, sentences, side="right")


def describe(texts: list[LabelledText], found: list[np.ndarray]) -> str:
    """The measures, means over texts."""
    scores = [
        segmentation_error(segments, text.find_segments()) for text, segments in zip(texts, found)
    ]
    means = mean_segmentation_error(scores)
    pk = estimate_ratio([score["pk"] for score in scores])
    n = np.mean([len(set(segments.tolist())) for segments in found])
    return f"{pk} / {means['window_diff']:.3f} / {means['boundary_similarity']:.3f}; {n:.1f}"


if __name__ == "__main__":
    main()
