"""Texts whose sentences people have grouped: into sections, segments or topics."""

import argparse
import random
from collections.abc import Sequence
from functools import partial
from operator import itemgetter
from typing import NamedTuple, Self

import numpy as np
import spacy
import srsly
from spacy.language import Language
from spacy.tokens import Doc

from benchmarks.harness import Source
from spacy_thematic.articles.article import Article, Section
from spacy_thematic.articles.formats import read_articles
from spacy_thematic.triplets.article_docs import make_clustering_doc, make_sentence_splitter
from spacy_thematic.triplets.docbin import SENTENCES, make_article_doc
from spacy_thematic.triplets.mining import article_rng, mine_adjacent
from spacy_thematic.triplets.rules import CorpusSettings, apply_rules
from spacy_thematic.triplets.sentences import Sentence

MIN_WORDS = 5
"""Of the turns of a meeting that encoders are measured on."""


class LabelledText(NamedTuple):
    """Sentences, in order; of each the number of its section, segment or topic, below 0 for none,
    and of its paragraph; and what people call each group, where that is known."""

    title: str
    sentences: list[str]
    labels: list[int]
    paragraphs: list[int]
    names: dict[int, str]

    def take(self, order: Sequence[int] | np.ndarray) -> Self:
        """Some of the sentences, in another order, each a paragraph."""
        rows = [int(row) for row in order]
        sentences, labels = ([values[row] for row in rows] for values in self[1:3])
        return self._replace(sentences=sentences, labels=labels, paragraphs=[*range(len(rows))])

    def find_segments(self) -> np.ndarray:
        """The segment of each sentence, from 0, (n,): a run of one label is one."""
        labels = np.array(self.labels)
        return np.cumsum(np.append(False, labels[1:] != labels[:-1]))


def read_texts(source: Source, args: argparse.Namespace) -> list[LabelledText]:
    """Draw at most `args.documents` texts from a file of articles, or of JSON lines that have
    `sentences` and `labels`.

    The groups of an article are its top sections, without the lead, the back matter and sections
    of fewer than three sentences; articles of `args.min_sections` to 12 sections are taken.
    """
    rng = random.Random(args.seed)
    if is_labelled(source):
        records = [
            record
            for record in srsly.read_gzip_jsonl(source.path)
            if record["title"].startswith(source.prefix)
        ]
        rng.shuffle(records)
        return [make_text(record) for record in records[: args.documents]]
    articles = list(read_articles(source.path))
    rng.shuffle(articles)
    settings = CorpusSettings()
    splitter = make_sentence_splitter(settings, spacy.blank("en").vocab)
    make = partial(make_clustering_doc, nlp=splitter, min_sections=args.min_sections)
    docs = filter(None, (make(apply_rules(article, settings)) for article in articles))
    return [read_sections(doc) for doc, _ in zip(docs, range(args.documents))]


def is_labelled(source: Source) -> bool:
    """Whether a file holds sentences with labels, not articles."""
    return "labels" in next(iter(srsly.read_gzip_jsonl(source.path)))


def make_text(record: dict) -> LabelledText:
    sentences = [sentence if sentence.strip() else "-" for sentence in record["sentences"]]
    names = dict(enumerate(record.get("topics", ())))
    paragraphs = [0] * len(sentences)
    return LabelledText(record["title"], sentences, record["labels"], paragraphs, names)


def read_sections(doc: Doc) -> LabelledText:
    spans = doc.spans[SENTENCES]
    # Each section counts its paragraphs from 0.
    places = list(zip([span.id for span in spans], spans.attrs["paragraphs"]))
    number = {place: number for number, place in enumerate(dict.fromkeys(places))}
    return LabelledText(
        spans.attrs["title"],
        [span.text for span in spans],
        [span.id for span in spans],
        [number[place] for place in places],
        {span.id: span.label_ for span in spans},
    )


def make_doc(nlp: Language, text: LabelledText, between: str = " ") -> Doc:
    """A Doc of the sentences of a text as they are, at least one, with thematic vectors. `between`
    is written between two paragraphs."""
    paragraphs = text.paragraphs
    docs = [
        nlp.make_doc(sentence + (between.strip(" ") if paragraph != following else ""))
        for sentence, paragraph, following in zip(
            text.sentences, paragraphs, [*paragraphs[1:], paragraphs[-1]]
        )
    ]
    doc = Doc.from_docs(docs)
    starts = {*np.cumsum([0, *map(len, docs[:-1])]).tolist()}
    for token in doc:
        token.is_sent_start = token.i in starts
    return nlp.get_pipe("thematic_embedder")(doc)


def make_topic_docs(texts: list[LabelledText], nlp: Language) -> list[Doc]:
    """A Doc of each text, such as the turns of a meeting, with its topics as sections. Sentences of
    fewer than five words, or without a topic, are left out. The rest of a topic stands together,
    each a paragraph, and triplets are those of adjacent sections."""
    docs = []
    for text in texts:
        sentences: list[Sentence] = []
        for label, sentence in sorted(zip(text.labels, text.sentences), key=itemgetter(0)):
            if label >= 0 and len(sentence.split()) >= MIN_WORDS:
                sentences.append(Sentence.read(nlp.make_doc(sentence), label, len(sentences)))
        rng = article_rng(text.title, 0)
        sections = [sentence.section for sentence in sentences]
        triplets = mine_adjacent(sections, [*range(len(sentences))], rng)
        topics = [Section("") for _ in range(max(text.labels) + 1)]
        article = Article(text.title, sections=topics)
        docs.append(
            make_article_doc(article, sentences, [], triplets, kind="sen", seed=0, vocab=nlp.vocab)
        )
    return docs
