import numpy as np
import pytest
import spacy

from spacy_thematic.clustering.finding import describe_themes
from spacy_thematic.clustering.settings import ThemeSettings
from spacy_thematic.clustering.themes import write_themes
from spacy_thematic.clustering.vectors import SentenceVectors


@pytest.fixture
def make_doc():
    """Makes a Doc from sentences and the theme of each."""
    nlp = spacy.blank("xx")
    nlp.add_pipe("sentencizer")

    def make(sentences, labels):
        doc = nlp(" ".join(sentences))
        spans = list(doc.sents)
        vectors = np.eye(max(labels, default=0) + 1, 8, dtype=np.float32)[labels]
        vectors += np.random.default_rng(0).normal(0, 0.1, vectors.shape).astype(np.float32)
        vectors = SentenceVectors(vectors)
        themes, labels = describe_themes(spans, vectors, labels, ThemeSettings())
        write_themes(doc, spans, vectors, labels, themes, algorithm="by_hand")
        return doc

    return make
