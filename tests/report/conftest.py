from html.parser import HTMLParser

import numpy as np
import pytest
import spacy

from spacy_thematic.clustering.settings import ThemeSettings
from spacy_thematic.clustering.vectors import SentenceVectors
from spacy_thematic.naming.content import read_content
from spacy_thematic.naming.headings import HeadingFinder
from spacy_thematic.pipeline.reading import Reading
from spacy_thematic.pipeline.segments import write_segments
from spacy_thematic.pipeline.themes import describe_themes, write_themes
from spacy_thematic.rows import group_by
from spacy_thematic.segmentation.passage import Cuts
from spacy_thematic.segmentation.settings import SegmentSettings


class Page(HTMLParser):
    """Text and elements of a page, as a browser would see them."""

    def __init__(self, html):
        super().__init__()
        self.elements, self.text = [], ""
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.text += data

    def find(self, tag, **attrs):
        return [a for t, a in self.elements if t == tag and attrs.items() <= a.items()]


@pytest.fixture
def make_doc():
    """Makes a Doc from sentences and the theme of each."""
    nlp = spacy.blank("xx")
    nlp.add_pipe("sentencizer")

    def make(sentences, labels):
        doc = nlp(" ".join(sentences))
        spans = list(doc.sents)[: len(labels)]
        vectors = np.eye(max(labels, default=0) + 1, 8, dtype=np.float32)[labels]
        vectors += np.random.default_rng(0).normal(0, 0.1, vectors.shape).astype(np.float32)
        vectors = SentenceVectors(vectors)
        groups = np.unique(labels, return_inverse=True)[1]
        contents = group_by(read_content(spans), groups)
        finder = HeadingFinder(contents, vectors.unit, groups, None)
        themes, labels = describe_themes(vectors, labels, ThemeSettings(), "xx", finder)
        write_themes(doc, spans, vectors, labels, themes, algorithm="by_hand")
        return doc

    return make


@pytest.fixture
def cut():
    """Cuts a Doc before some of its sentences."""

    def cut(doc, starts, gains, levels=None):
        levels = np.array(levels or [1] * len(starts))
        cuts = Cuts(np.array(starts), np.array(gains), levels=levels)
        sentences = list(doc.spans["thematic_clusters"])
        reading = Reading(doc, sentences, np.zeros((len(sentences), 1), "f"))
        write_segments(reading, cuts, SegmentSettings(n_keywords=1, headings=False), "by_hand")
        return doc

    return cut
