"""Texts whose segments people made, drawn at random, and the vectors of their sentences by several
encoders, kept in a folder between runs."""

from __future__ import annotations

import argparse
import gzip
import hashlib
import random
import sys
from collections.abc import Iterator
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

import numpy as np
import spacy
import srsly
from spacy.language import Language
from spacy.tokens import Doc
from tqdm import tqdm

from spacy_thematic.articles.article import Article, Section
from spacy_thematic.articles.formats import read_articles
from spacy_thematic.evaluation.encoders import pipeline_encoder
from spacy_thematic.pipeline.loading import load_pipeline
from spacy_thematic.pretrained import find_path
from spacy_thematic.triplets.article_docs import make_clustering_doc, make_sentence_splitter
from spacy_thematic.triplets.docbin import SENTENCES, make_doc
from spacy_thematic.triplets.mining import article_rng, mine_adjacent
from spacy_thematic.triplets.rules import CorpusSettings, apply_rules
from spacy_thematic.triplets.sentences import Sentences

LABELLED = "labels"
MIN_WORDS = 5


class SegmentedText(NamedTuple):
    """Sentences, and the number of the segment, or of the topic, that each belongs to."""

    title: str
    sentences: list[str]
    labels: list[int]

    @property
    def starts(self) -> list[int]:
        """The first sentence of each segment: a run of one label is one."""
        labels = self.labels
        return [i for i, label in enumerate(labels) if i == 0 or label != labels[i - 1]]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `read_sources` reads, the models and the cache."""
    parser.add_argument("sources", nargs="+", help="NAME=FILE or NAME=FILE:PREFIX")
    parser.add_argument("--articles", type=int, default=100, help="texts to draw of each source")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--min-sections", type=int, default=5, help="that an article needs")
    parser.add_argument("--models", nargs="+", default=["en_thematic_sm", "en_thematic_md"])
    parser.add_argument("--cache", type=Path, required=True)


def read_sources(args: argparse.Namespace) -> Iterator[tuple[str, list[SegmentedText]]]:
    """The name of each source, and the texts drawn from it."""
    for source in args.sources:
        name, _, place = source.partition("=")
        path, _, prefix = place.partition(":")
        texts = draw_texts(Path(path), args.articles, args.seed, args.min_sections, prefix)
        sizes = [len(text.sentences) for text in texts]
        print(f"{name}: {len(texts)} texts, {np.mean(sizes):.0f} sentences", file=sys.stderr)
        yield name, texts


def draw_texts(
    path: Path, n: int, seed: int, min_sections: int, prefix: str = ""
) -> list[SegmentedText]:
    """Draw at most n texts, of which fewer are the first of more, from a file of JSON lines.

    A line holds `sentences` with `labels`, and a title that begins with `prefix`, or an article. Of
    an article, the top sections are segments, as in the clustering benchmark: no lead, no back
    matter, no section of fewer than three sentences, `min_sections` to 12 sections.
    """
    with gzip.open(path, "rt", encoding="utf8") as lines:
        records = [srsly.json_loads(line) for line in lines]
    if LABELLED in records[0]:
        texts = [
            SegmentedText(record["title"], record["sentences"], record["labels"])
            for record in records
            if record["title"].startswith(prefix)
        ]
        random.Random(seed).shuffle(texts)
        return texts[:n]
    articles = list(read_articles(path))
    random.Random(seed).shuffle(articles)
    settings = CorpusSettings()
    splitter = make_sentence_splitter(settings, spacy.blank("en").vocab)
    texts = []
    for article in articles:
        doc = make_clustering_doc(apply_rules(article, settings), splitter, min_sections)
        if doc is not None:
            spans = doc.spans[SENTENCES]
            texts.append(
                SegmentedText(
                    article.title, [span.text for span in spans], [span.id for span in spans]
                )
            )
        if len(texts) == n:
            break
    return texts


def make_topic_docs(texts: list[SegmentedText], nlp: Language) -> list[Doc]:
    """A Doc of each text, such as the turns of a meeting, with its topics as sections.

    Sentences of fewer than five words, or with a label below 0, are left out. The rest of a topic
    stands together, each a paragraph, and triplets are those of adjacent sections.
    """
    docs = []
    for text in texts:
        sentences = Sentences()
        for label, sentence in sorted(zip(text.labels, text.sentences), key=itemgetter(0)):
            if label >= 0 and len(sentence.split()) >= MIN_WORDS:
                sentences.append(nlp.make_doc(sentence)[:], label, len(sentences))
        triplets = mine_adjacent(
            sentences.sections, sentences.paragraphs, article_rng(text.title, 0)
        )
        topics = [Section("") for _ in range(max(text.labels) + 1)]
        article = Article(text.title, sections=topics)
        docs.append(make_doc(article, sentences, [], triplets, kind="sen", seed=0, vocab=nlp.vocab))
    return docs


def encode_texts(texts: list[SegmentedText], model: str, cache: Path) -> list[np.ndarray]:
    """The vectors of the sentences of each text, (sentences, width), by a bundled model."""
    weights = find_path(model).read_bytes()
    sentences = "\0".join(sentence for text in texts for sentence in text.sentences)
    key = hashlib.sha256(weights + sentences.encode()).hexdigest()[:16]
    path = cache / f"{Path(model).name}-{key}.npy"
    if not path.exists():
        nlp = load_pipeline(model)
        encode = pipeline_encoder(nlp)
        rows = []
        for text in tqdm(texts, desc=model, disable=None):
            doc = join(nlp, text)
            rows.append(encode(doc, list(doc.spans[SENTENCES])))
        cache.mkdir(parents=True, exist_ok=True)
        np.save(path, np.concatenate(rows))
    ends = np.cumsum([len(text.sentences) for text in texts])
    return np.split(np.load(path), ends[:-1])


def join(nlp: Language, text: SegmentedText) -> Doc:
    """A Doc of the sentences as they are."""
    docs = [nlp.make_doc(sentence if sentence.strip() else "-") for sentence in text.sentences]
    doc = Doc.from_docs(docs)
    ends = np.cumsum([len(one) for one in docs]).tolist()
    doc.spans[SENTENCES] = [doc[start:end] for start, end in zip([0, *ends], ends)]
    return doc
