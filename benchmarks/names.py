"""How like the headings of held-out sections are the names that their sentences get.

    python -m benchmarks.names --data DATA [--sources wikipedia/test ...]

The sections of a document are given to `thematic_clusterer` as themes, which it names together. A
cell holds the share of sections whose name says what the heading says (F1 of their stems of five
letters of at least a half) and the mean cosine with the heading, each with its 95 per cent interval
by bootstrap over sections, the mean ROUGE-L (Lin 2004), and the processor seconds for 100 sections,
from vectors on with ours. The cosine is that of all-MiniLM-L6-v2, found in `DATA/minilm`, or that
of `en_thematic_lg`. Beside ours: the phrase of three words at most with the highest c-TF-IDF among
the sections of the document.
"""

import argparse
import re
import time
from collections.abc import Callable, Iterator, Sequence
from typing import cast

import numpy as np
from spacy.language import Language
from spacy.tokens import Doc
from tqdm import tqdm

from benchmarks import harness
from benchmarks.labelled_texts import LabelledText, make_doc, read_texts
from spacy_thematic.clustering.vectors import TextEncoder
from spacy_thematic.evaluation.results import estimate_ratio
from spacy_thematic.pipeline.clusterer import ThematicClusterer
from spacy_thematic.pipeline.loading import load_pipeline
from spacy_thematic.pipeline.themes import Theme
from spacy_thematic.rows import unit_rows

NAMES: dict[str, Callable[[Theme], str | None]] = {
    "names": lambda theme: theme.name,
    "keywords": lambda theme: theme.label,
}

Pair = tuple[str, str | None]
"""The true heading of a section, and the name that it gets."""


def main() -> None:
    parser = harness.make_parser(
        __doc__,
        sources=("wikipedia/test", "textbooks/dev", "prose/dev", "meetings/dev"),
        documents=30,
    )
    parser.add_argument("--min-sections", type=int, default=5, help="that a document needs")
    args = harness.parse(parser)
    judge, compare = harness.load_judge(args)
    table: dict[str, dict[str, str]] = {}
    for source in harness.find_sources(args):
        texts = read_texts(source, args)
        for row, pairs, seconds in name_all(texts, args):
            cell = f"{describe(pairs, compare)}; {100 * seconds / len(pairs):.1f} s"
            table.setdefault(row, {})[source.name] = cell
    title = f"Says the heading / cosine by {judge} / ROUGE-L; seconds for 100"
    harness.print_report(args, {title: [{"name": row, **cells} for row, cells in table.items()]})


def name_all(
    texts: Sequence[LabelledText], args: argparse.Namespace
) -> Iterator[tuple[str, list[Pair], float]]:
    """The rows of one source, the pairs of each, and the seconds that the names took."""
    pairs: list[Pair] = []
    start = time.process_time()
    for text in texts:
        sections = join_sections(text)
        pairs += zip(sections, name_by_class_tf_idf([*sections.values()]))
    yield "c-TF-IDF", pairs, time.process_time() - start
    for model in args.models:
        nlp = load_pipeline(model)
        docs = [make_doc(nlp, text) for text in tqdm(texts, desc=model, disable=None)]
        start = time.process_time()
        found = [name_themes(nlp, text, doc) for text, doc in zip(texts, docs)]
        seconds = time.process_time() - start
        for row, read in NAMES.items():
            pairs = [(true, read(theme)) for own in found for true, theme in own]
            yield f"{row}, {model}", pairs, seconds


def name_themes(nlp: Language, text: LabelledText, doc: Doc) -> list[tuple[str, Theme]]:
    """The true heading of each section, and the theme that it is."""
    labels = np.unique(text.labels, return_inverse=True)[1]
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


def join_sections(text: LabelledText) -> dict[str, str]:
    """The text of each section that has a heading, by it."""
    sections: dict[str, list[str]] = {}
    for name, sentence in zip(names_of(text), text.sentences):
        if name:
            sections.setdefault(name, []).append(sentence)
    return {name: " ".join(sentences) for name, sentences in sections.items()}


def name_by_class_tf_idf(sections: list[str]) -> list[str | None]:
    """BERTopic's weights (Grootendorst 2022, equation 2): tf log(1 + A / f)."""
    from sklearn.feature_extraction.text import CountVectorizer

    vectorizer = CountVectorizer(ngram_range=(1, 3), stop_words="english")
    counts = vectorizer.fit_transform(sections).toarray()
    terms = vectorizer.get_feature_names_out()
    weights = counts * np.log(1 + counts.sum() / len(sections) / counts.sum(axis=0))
    return [terms[best] for best in weights.argmax(axis=1).tolist()]


def describe(pairs: Sequence[Pair], compare: TextEncoder) -> str:
    """The measures of a row: who says the heading, of all sections; the others, means over those
    that are named."""
    named = [(true, name) for true, name in pairs if name]
    if not named:
        return "none named"
    says = [name is not None and agree(true, name) >= 0.5 for true, name in pairs]
    true, found = (
        unit_rows(compare([pair[side].lower() for pair in named]), centre=False) for side in (0, 1)
    )
    cosines = (true * found).sum(axis=1)
    rouge = np.mean([rouge_l(*pair) for pair in named])
    return f"{estimate_ratio(says)} / {estimate_ratio(cosines)} / {rouge:.3f}"


def agree(first: str, second: str) -> float:
    """The F1 of the stems of two names."""
    a, b = harness.find_stems(first), harness.find_stems(second)
    return 2 * len(a & b) / max(len(a) + len(b), 1)


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
