"""What blank lines are worth to `thematic_segmenter`: articles as plain text, through the pipeline.

python -m benchmarks.paragraphs NAME=FILE ... [--articles 60] [--models ...]

Each article is one text, without its headings, on one line or with a blank line between paragraphs;
the segments are found with and without what the model has learned of boundaries. Two numbers a
cell: Pk and Boundary Similarity, the number of segments found / told.
"""

from __future__ import annotations

import argparse
import random
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

import numpy as np
from spacy.language import Language
from tqdm import tqdm

from spacy_thematic.articles.article import Article
from spacy_thematic.articles.formats import read_articles
from spacy_thematic.boundary_measures import mean_segmentation_error, segmentation_error
from spacy_thematic.evaluation.markdown import render
from spacy_thematic.pipeline.loading import load_pipeline
from spacy_thematic.segmentation.segments import find_segment_of_each
from spacy_thematic.span_keys import SENTENCES_KEY
from spacy_thematic.triplets.rules import CorpusSettings, apply_rules

SHORTEST, LONGEST = 150, 60_000
"""Characters of a section, and of a text."""

BREAKS = {"one line": " ", "blank lines": "\n\n"}


class Text(NamedTuple):
    """A text, and the character that each of its sections begins with."""

    text: str
    starts: list[int]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("sources", nargs="+", help="NAME=FILE")
    parser.add_argument("--articles", type=int, default=60, help="texts to draw of each source")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--models", nargs="+", default=["en_thematic_sm", "en_thematic_md"])
    args = parser.parse_args()
    table: dict[str, dict[str, str]] = {}
    for source in args.sources:
        name, _, path = source.partition("=")
        articles = draw_articles(Path(path), args.articles, args.seed)
        for model in args.models:
            nlp = load_pipeline(model)
            nlp.add_pipe("thematic_segmenter")
            for way, gap in BREAKS.items():
                texts = [join(sections, gap) for sections in articles]
                for learned in (False, True):
                    row = f"{way}, {'' if learned else 'nothing '}learned, {model}"
                    table.setdefault(row, {})[name] = score(nlp, texts, learned)
    print(render([{"Pk, Boundary Similarity": row, **cells} for row, cells in table.items()]))


def draw_articles(path: Path, n: int, seed: int) -> list[list[list[str]]]:
    """The paragraphs of the sections of at most n articles."""
    articles = list(read_articles(path))
    random.Random(seed).shuffle(articles)
    found = []
    for article in articles:
        sections = find_sections(article)
        if 3 <= len(sections) <= 12 and len(join(sections, "\n\n").text) <= LONGEST:
            found.append(sections)
        if len(found) == n:
            break
    return found


def find_sections(article: Article) -> list[list[str]]:
    """The paragraphs of an article's top sections, without lead, back matter and stubs."""
    kept = [
        [" ".join(paragraph.split()) for paragraph in section.paragraphs if paragraph.strip()]
        for section in apply_rules(article, CorpusSettings()).sections
        if section.title
    ]
    return [paragraphs for paragraphs in kept if sum(map(len, paragraphs)) >= SHORTEST]


def join(sections: list[list[str]], gap: str) -> Text:
    parts = [gap.join(paragraphs) + gap for paragraphs in sections]
    return Text("".join(parts), list(accumulate(map(len, parts), initial=0))[:-1])


def score(nlp: Language, texts: list[Text], learned: bool) -> str:
    """The means over texts."""
    segmenter = nlp.get_pipe("thematic_segmenter")
    scores: dict[bool, list] = {False: [], True: []}
    for text in tqdm(texts, disable=None):
        segmenter.n = "auto"
        doc = nlp(text.text)
        if not learned:
            # What is learned of gaps is that of the encoder whose vectors these are.
            doc._.thematic_vectors = np.pad(doc._.thematic_vectors, ((0, 0), (0, 1)))
        sentences = list(doc.spans[SENTENCES_KEY])
        begins = [span.start_char + span.text.find(span.text.strip()) for span in sentences]
        true = np.searchsorted(text.starts, begins, side="right")
        for is_told in scores:
            segmenter.n = len(set(true.tolist())) if is_told else "auto"
            found = find_segment_of_each(segmenter(doc), sentences)
            scores[is_told].append(segmentation_error(found, true))
    means = [mean_segmentation_error(scores[is_told]) for is_told in scores]
    return " / ".join(f"{mean['pk']:.3f}, {mean['boundary_similarity']:.3f}" for mean in means)


if __name__ == "__main__":
    main()
