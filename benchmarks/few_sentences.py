"""What belongs together in a text of three to seven sentences.

    python -m benchmarks.few_sentences FILE ... [--texts 300] [--seed 0] [--models ...]

A text has one section, or several, of one article or of as many articles: a fifth of the texts have
one for all sentences, a fifth one for each, the others one for each one to six. Prints, for each
bundled model, the share of pairs of sentences that are told right to be of one section, or of two;
also with `thematic_segmenter` in the pipeline, and with blank lines between paragraphs: those of a
section are one or two.
"""

from __future__ import annotations

import argparse
import random
from itertools import combinations
from pathlib import Path
from typing import NamedTuple, cast

from spacy.language import Language
from tqdm import tqdm

from benchmarks.sentences import draw_sections
from spacy_thematic.clustering.n_clusters import (
    KChooser,
    create_silhouette_with_prior,
)
from spacy_thematic.evaluation.markdown import render
from spacy_thematic.evaluation.significance import Estimate, estimate_ratio
from spacy_thematic.pipeline.clusterer import ThematicClusterer
from spacy_thematic.pipeline.loading import load

SENTENCES, WORDS = (3, 7), (5, 30)
LONGEST = 6
"""Sentences of a section that stand together."""

PIECES = {"one article": True, "several articles": False}
AS_IT_COMES = "as it comes"
WAYS: dict[str, KChooser] = {
    AS_IT_COMES: create_silhouette_with_prior(),
    "as longer texts": create_silhouette_with_prior().__call__,
}

Sections = list[list[str]]


class Text(NamedTuple):
    """Sentences, the section of each, and whether a paragraph begins with each."""

    sentences: list[str]
    sections: list[int]
    begins: list[bool]

    def join(self, in_paragraphs: bool) -> str:
        gaps = ["\n\n" if begins and in_paragraphs else " " for begins in self.begins]
        return "".join(map(str.__add__, gaps, self.sentences)).strip()


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--texts", type=int, default=300, help="of each kind")
    parser.add_argument("--articles", type=int, default=80, help="of each file")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--models", nargs="+", default=["en_thematic_sm", "en_thematic_md"])
    args = parser.parse_args()
    rng = random.Random(args.seed)
    articles = [sections for path in args.files for sections in read(path, args.articles, rng)]
    texts = {
        kind: [draw(articles, is_one, rng) for _ in range(args.texts)]
        for kind, is_one in PIECES.items()
    }
    rows = []
    for model in args.models:
        nlp = load(model)
        clusterer = cast(ThematicClusterer, nlp.get_pipe("thematic_clusterer"))
        for way, choose_k in WAYS.items():
            clusterer.choose_k = choose_k
            rows.append({"model": model, "clustered": way, **measure_all(nlp, texts)})
        clusterer.choose_k = WAYS[AS_IT_COMES]
        nlp.add_pipe("thematic_segmenter", before="thematic_clusterer")
        rows.append({"model": model, "clustered": "with segments", **measure_all(nlp, texts)})
    print(render(rows))


def measure_all(nlp: Language, texts: dict[str, list[Text]]) -> dict[str, Estimate]:
    return {
        f"{kind}{in_paragraphs}": estimate_ratio(
            [[measure(nlp, text, bool(in_paragraphs)) for text in tqdm(some, disable=None)]]
        )
        for kind, some in texts.items()
        for in_paragraphs in ("", ", in paragraphs")
    }


def measure(nlp: Language, text: Text, in_paragraphs: bool) -> float:
    """The share of pairs of sentences that are told right."""
    doc = nlp(text.join(in_paragraphs))
    themes, end = [], 0
    for sentence in text.sentences:
        start = doc.text.index(sentence, end)
        end = start + len(sentence)
        spans = [s for s in doc.spans["thematic_clusters"] if s.start_char <= start < s.end_char]
        # What is set aside is of no theme, and like nothing else.
        themes.append((spans[0].id if spans else 0) or -len(themes))
    right = [
        (themes[i] == themes[j]) == (text.sections[i] == text.sections[j])
        for i, j in combinations(range(len(themes)), 2)
    ]
    return sum(right) / len(right)


def draw(articles: list[Sections], is_one: bool, rng: random.Random) -> Text:
    n = rng.randint(*SENTENCES)
    kind = rng.random()
    sizes = [n] if kind < 0.2 else [1] * n if kind < 0.4 else []
    while sum(sizes) < n:
        sizes.append(min(rng.randint(1, LONGEST), n - sum(sizes)))
    if is_one:
        large = [sections for sections in articles if len(sections) >= len(sizes)]
        drawn = rng.sample(rng.choice(large), len(sizes))
    else:
        drawn = [rng.choice(rng.choice(articles)) for _ in sizes]
    sentences, numbers, begins = [], [], []
    for number, (section, size) in enumerate(zip(drawn, sizes)):
        start = rng.randint(0, len(section) - size)
        sentences += section[start : start + size]
        numbers += [number] * size
        # Half of what a section has more than one sentence of is two paragraphs.
        second = 1 + (start + size) % (size - 1) if size > 1 and start % 2 else 0
        begins += [place in (0, second) for place in range(size)]
    return Text(sentences, numbers, begins)


def read(path: Path, n_articles: int, rng: random.Random) -> list[Sections]:
    """The sentences of the sections of random articles, of those that have enough."""
    found = []
    for sections in draw_sections(path, n_articles, WORDS, rng):
        if long := [section for section in sections if len(section) >= SENTENCES[1]]:
            found.append(long)
    return found


if __name__ == "__main__":
    main()
