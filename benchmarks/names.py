"""How like the headings of held-out sections are the names that their sentences get.

    python -m benchmarks.names --data DATA [--sources wikipedia/test ...]

The sections of a document are given to `thematic_clusterer` as themes. It names them together: by a
heading where one is likely enough, by keywords elsewhere. A cell holds the mean cosine with the
true heading, with its 95 per cent interval by bootstrap over sections, the mean ROUGE-L (Lin 2004),
and the share of sections that have such a name. The cosine is that of all-MiniLM-L6-v2, found in
`DATA/minilm`, or that of `en_thematic_lg`. KeyBERT is measured if it and MiniLM are there.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from typing import Any, cast

import numpy as np
from spacy.language import Language
from tqdm import tqdm

from benchmarks.harness import MINILM, find_sources, load_judge, make_parser, parse, print_report
from benchmarks.labelled_texts import LabelledText, make_doc, read_texts
from spacy_thematic.clustering.vectors import TextEncoder
from spacy_thematic.evaluation.results import estimate_ratio
from spacy_thematic.pipeline.clusterer import ThematicClusterer
from spacy_thematic.pipeline.loading import load_pipeline
from spacy_thematic.pipeline.themes import Theme

NAMES: dict[str, Callable[[Theme], str | None]] = {
    "names": lambda theme: theme.name,
    "headings": lambda theme: theme.heading,
    "keywords": lambda theme: theme.label,
}

Pair = tuple[str, str | None]
"""The true heading of a section, and the name that it gets."""


def main() -> None:
    parser = make_parser(
        __doc__,
        sources=("wikipedia/test", "textbooks/dev", "prose/dev", "meetings/dev"),
        documents=30,
    )
    parser.add_argument("--min-sections", type=int, default=5, help="that a document needs")
    args = parse(parser)
    judge, compare = load_judge(args)
    table: dict[str, dict[str, str]] = {}
    for source in find_sources(args):
        texts = read_texts(source, args)
        for row, pairs in name_all(texts, args):
            column = f"{source.name} ({len(pairs)})"
            table.setdefault(row, {})[column] = describe(pairs, compare)
    title = f"Cosine by {judge} / ROUGE-L; share named"
    print_report(args, {title: [{"name": row, **cells} for row, cells in table.items()]})


def name_all(
    texts: Sequence[LabelledText], args: argparse.Namespace
) -> Iterator[tuple[str, list[Pair]]]:
    """The rows of one source, and the pairs of each."""
    if find_spec("keybert") and (args.data / "minilm").exists():
        yield f"KeyBERT, {MINILM}", name_by_keybert(texts, str(args.data / "minilm"))
    for model in args.models:
        nlp = load_pipeline(model)
        found = [name_themes(nlp, text) for text in tqdm(texts, desc=model, disable=None)]
        for row, read in NAMES.items():
            yield (
                f"{row}, {model}",
                [(true, read(theme)) for own in found for true, theme in own],
            )


def name_themes(nlp: Language, text: LabelledText) -> list[tuple[str, Theme]]:
    """The true heading of each section, and the theme that it is."""
    labels = np.unique(text.labels, return_inverse=True)[1]
    doc = make_doc(nlp, text)
    clusterer = cast(ThematicClusterer, nlp.create_pipe("thematic_clusterer"))
    clusterer.set_annotations(doc, labels)
    starts = {span.start: name for span, name in zip(doc.sents, names_of(text))}
    return [
        (starts[theme.sentences[0].start], theme)
        for theme in doc._.thematic_clusters
        if starts[theme.sentences[0].start]
    ]


def names_of(text: LabelledText) -> list[str]:
    """The heading of the section of each sentence, "" for none."""
    return [text.names.get(label, "") for label in text.labels]


def name_by_keybert(texts: Sequence[LabelledText], minilm: str) -> list[Pair]:
    from keybert import KeyBERT
    from sentence_transformers import SentenceTransformer

    model = KeyBERT(SentenceTransformer(minilm))
    pairs: list[Pair] = []
    for text in texts:
        sections: dict[str, list[str]] = {}
        for name, sentence in zip(names_of(text), text.sentences):
            sections.setdefault(name, []).append(sentence)
        sections.pop("", None)
        # All sections at once, so that a phrase that several have is embedded once. An empty one
        # beside them, as a single text gets another kind of answer.
        joined: list[Any] = [*map(" ".join, sections.values()), ""]
        found = model.extract_keywords(joined, keyphrase_ngram_range=(1, 3), top_n=1)
        names = [phrases[0][0] if phrases else None for phrases in found[:-1]]
        pairs += zip(sections, names)
    return pairs


def describe(pairs: Sequence[Pair], compare: TextEncoder) -> str:
    """The measures of a row, means over the sections that are named."""
    named = [(true, name) for true, name in pairs if name]
    if not named:
        return "none named"
    true, found = (np.asarray(compare([pair[side].lower() for pair in named])) for side in (0, 1))
    norms = np.linalg.norm(true, axis=1) * np.linalg.norm(found, axis=1)
    cosines = (true * found).sum(axis=1) / np.maximum(norms, 1e-12)
    rouge = np.mean([rouge_l(*pair) for pair in named])
    return f"{estimate_ratio(cosines)} / {rouge:.3f}; {len(named) / len(pairs):.0%}"


def rouge_l(first: str, second: str) -> float:
    """The F measure of the longest common subsequence of words."""
    a, b = (re.findall(r"\w+", text.lower()) for text in (first, second))
    lengths = np.zeros((len(a) + 1, len(b) + 1), int)
    for i, word in enumerate(a):
        for j, other in enumerate(b):
            longest = max(lengths[i, j + 1], lengths[i + 1, j])
            lengths[i + 1, j + 1] = lengths[i, j] + 1 if word == other else longest
    return 2 * int(lengths[-1, -1]) / max(len(a) + len(b), 1)


if __name__ == "__main__":
    main()
