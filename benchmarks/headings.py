"""How like the headings of held-out sections are the names that sentences alone get.

    python -m benchmarks.headings NAME=FILE... --minilm MODEL [--articles 100] [--seed 0]
        [--models en_thematic_sm en_thematic_md] [--keybert]

A file holds articles, or JSON lines with `sentences`, `labels` and `topics`. All sections of an
article are named together, "alone" each by its own sentences. Cells: mean cosine with the true
heading by all-MiniLM-L6-v2 / ROUGE-L (Lin 2004) / share with a name. "Of the bank": how often
the true heading, where the bank of the model holds it, is the likeliest of it, and among five.
"""

from __future__ import annotations

import argparse
import gzip
import random
import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import chain
from pathlib import Path

import numpy as np
import spacy
import srsly
from spacy.language import Language
from spacy.tokens import Doc, Span
from tqdm import tqdm

from spacy_thematic.articles.formats import read_articles
from spacy_thematic.clustering.content import read_content
from spacy_thematic.clustering.headings import HeadingFinder
from spacy_thematic.clustering.keywords import find_keywords, find_terms, make_labels
from spacy_thematic.clustering.phrases import count_phrases, find_phrases
from spacy_thematic.clustering.vectors import SentenceVectors, cluster_sums, mean_row
from spacy_thematic.evaluation.encoders import pipeline_encoder
from spacy_thematic.evaluation.markdown import render
from spacy_thematic.papers.baselines.peers import load_sentence_transformer
from spacy_thematic.pipeline.heading_scorer import score_headings
from spacy_thematic.pipeline.loading import load_pipeline
from spacy_thematic.pipeline.text_encoder import find_encoder
from spacy_thematic.triplets.article_docs import make_clustering_doc, make_sentence_splitter
from spacy_thematic.triplets.bank import clean_heading
from spacy_thematic.triplets.docbin import SENTENCES
from spacy_thematic.triplets.rules import CorpusSettings, apply_rules

Namer = Callable[[list[list[Span]]], list[str | None]]
"""The sentences of the sections of a text to the names of these."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("sources", nargs="+", help="NAME=FILE")
    parser.add_argument("--articles", type=int, default=100, help="texts to draw of each source")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--models", nargs="+", default=["en_thematic_sm", "en_thematic_md"])
    parser.add_argument("--minilm", required=True, help="folder or name of all-MiniLM-L6-v2")
    parser.add_argument("--keybert", action="store_true", help="needs the package keybert")
    args = parser.parse_args()
    likeness = load_sentence_transformer(args.minilm)
    pipelines = {model: load_pipeline(model) for model in args.models}
    namers: dict[str, Namer] = {
        "keywords by counts alone": name_by_keywords,
        "most frequent phrase": name_by_count,
    }
    if args.keybert:
        namers["KeyBERT"] = make_keybert(args.minilm)
    for model, nlp in pipelines.items():
        namers[f"keywords, {model}"] = partial(name_by_keywords, nlp=nlp)
        namers[model] = partial(name_together, nlp)
        namers[f"{model}, else keywords"] = partial(name_all, nlp)
        namers[f"{model}, alone"] = partial(name_alone, nlp)
    table: dict[str, dict[str, str]] = {name: {} for name in namers}
    for source in args.sources:
        name, _, path = source.partition("=")
        texts = list(draw_texts(Path(path), args.articles, args.seed))
        column = f"{name} ({sum(len(groups) for groups, _ in texts)})"
        for row, namer in namers.items():
            table[row][column] = measure(texts, namer, likeness)
        for model, nlp in pipelines.items():
            row = f"of the bank, {model}"
            table.setdefault(row, {})[column] = measure_bank(texts, nlp)
    print(render([{"Cosine / ROUGE-L / named": row, **cells} for row, cells in table.items()]))


def draw_texts(path: Path, n: int, seed: int) -> Iterator[tuple[list[list[Span]], list[str]]]:
    """The sentences and the headings of the sections of random texts."""
    nlp = spacy.blank("en")
    with gzip.open(path, "rt", encoding="utf8") as lines:
        records = [srsly.json_loads(line) for line in lines]
    if "topics" in records[0]:
        random.Random(seed).shuffle(records)
        yield from (read_topics(record, nlp) for record in records[:n])
        return
    articles = list(read_articles(path))
    random.Random(seed).shuffle(articles)
    settings = CorpusSettings()
    splitter = make_sentence_splitter(settings, nlp.vocab)
    found = 0
    for article in articles:
        doc = make_clustering_doc(apply_rules(article, settings), splitter)
        if doc is not None and found < n:
            found += 1
            doc._.thematic_title = article.title
            sections: dict[int, list[Span]] = {}
            for span in doc.spans[SENTENCES]:
                sections.setdefault(span.id, []).append(span)
            named = [spans for spans in sections.values() if clean_heading(spans[0].label_)]
            yield named, [clean_heading(spans[0].label_) for spans in named]


def read_topics(record: dict, nlp: Language) -> tuple[list[list[Span]], list[str]]:
    """The turns and the names of the topics of a meeting."""
    docs = [nlp.make_doc(sentence if sentence.strip() else "-") for sentence in record["sentences"]]
    doc = Doc.from_docs(docs)
    ends = np.cumsum([len(one) for one in docs]).tolist()
    topics: dict[int, list[Span]] = {}
    for start, end, label in zip([0, *ends], ends, record["labels"]):
        if label >= 0:
            topics.setdefault(label, []).append(doc[start:end])
    return list(topics.values()), [record["topics"][label] for label in topics]


def name_by_keywords(groups: list[list[Span]], nlp: Language | None = None) -> list[str | None]:
    finder = make_finder(nlp, groups) if nlp else None
    weighers = (finder.weigh_openings, finder.weigh) if finder else ()
    terms = find_terms([*map(read_content, groups)])
    sizes = [*map(len, groups)]
    return [*make_labels(find_keywords(terms, sizes, 8, *weighers, language="en"))]


def name_by_count(groups: list[list[Span]]) -> list[str | None]:
    """The most frequent phrase of two words or more."""
    best = []
    for group in groups:
        counts = count_phrases(chain.from_iterable(find_phrases(read_content(group)))).most_common()
        several = [phrase for phrase, _ in counts if " " in phrase]
        best.append((several or [phrase for phrase, _ in counts] or [None])[0])
    return best


def make_keybert(minilm: str) -> Namer:
    from keybert import KeyBERT
    from sentence_transformers import SentenceTransformer

    model = KeyBERT(SentenceTransformer(minilm))

    def name(groups: list[list[Span]]) -> list[str | None]:
        # All sections at once, so that a phrase that several have is embedded once. An empty one
        # beside them, as a single text gets another kind of answer.
        texts = [*(" ".join(span.text for span in group) for group in groups), ""]
        found = model.extract_keywords(texts, keyphrase_ngram_range=(1, 3), top_n=1)
        return [phrases[0][0] if phrases else None for phrases in found[:-1]]

    return name


def name_together(nlp: Language, groups: list[list[Span]]) -> list[str | None]:
    return [heading and heading.text for heading in make_finder(nlp, groups).choose()]


def name_all(nlp: Language, groups: list[list[Span]]) -> list[str | None]:
    """As themes are named: by keywords where there is no heading."""
    pairs = zip(name_together(nlp, groups), name_by_keywords(groups, nlp))
    return [heading or label for heading, label in pairs]


def name_alone(nlp: Language, groups: list[list[Span]]) -> list[str | None]:
    return [name_together(nlp, [group])[0] for group in groups]


def make_finder(nlp: Language, groups: list[list[Span]]) -> HeadingFinder:
    vectors, labels = encode(nlp, groups)
    score = partial(score_headings, find_encoder(nlp, nlp.make_doc("")))
    return HeadingFinder([*map(read_content, groups)], vectors, labels, score)


def encode(nlp: Language, groups: list[list[Span]]) -> tuple[SentenceVectors, np.ndarray]:
    """The vectors of all sentences, and the section of each."""
    sentences = [span for group in groups for span in group]
    labels = np.repeat(np.arange(len(groups)), [len(group) for group in groups])
    return SentenceVectors(pipeline_encoder(nlp)(sentences[0].doc, sentences)), labels


def measure(
    texts: Sequence[tuple[list[list[Span]], list[str]]],
    namer: Namer,
    likeness: Callable[[list[str]], np.ndarray],
) -> str:
    pairs = [
        (true, found)
        for groups, headings in tqdm(texts, disable=None)
        if groups
        for true, found in zip(headings, namer(groups))
    ]
    named = [(true, found) for true, found in pairs if found]
    if not named:
        return "none named"
    first, second = (likeness([pair[side].lower() for pair in named]) for side in (0, 1))
    norms = np.linalg.norm(first, axis=1) * np.linalg.norm(second, axis=1)
    cosine = float((first * second).sum(axis=1) @ (1 / norms)) / len(named)
    rouge = float(np.mean([rouge_l(true, found) for true, found in named]))
    return f"{cosine:.3f} / {rouge:.3f} / {len(named) / len(pairs):.2f}"


def measure_bank(texts: Sequence[tuple[list[list[Span]], list[str]]], nlp: Language) -> str:
    """Hits at 1 and 5 of true headings that the bank has, and the number of these."""
    ranks = []
    for groups, headings in texts:
        if not groups:
            continue
        vectors, labels = encode(nlp, groups)
        sums, sizes = cluster_sums(vectors.unit, labels)
        means = (sums / sizes[:, None]).astype("f")
        scores = score_headings(
            find_encoder(nlp, nlp.make_doc("")), means, mean_row(vectors.unit), []
        )
        if scores is None:
            return "no headings"
        places = {heading.lower(): place for place, heading in enumerate(scores.headings)}
        fit = scores.groups @ scores.vectors.T
        for odds, heading in zip(fit + scores.log_shares, headings):
            if (place := places.get(heading.lower())) is not None:
                ranks.append(int((odds > odds[place]).sum()))
    found = np.array(ranks)
    return f"{(found < 1).mean():.3f} / {(found < 5).mean():.3f} of {len(found)}"


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
