"""Held-out articles from a source, a corpus and IBM's file."""

import pytest
import spacy
import srsly

from spacy_thematic.articles.article import Section
from spacy_thematic.articles.sources import ReadLog
from spacy_thematic.evaluation.heldout import iter_clustering_docs, load_heldout
from spacy_thematic.triplets.corpus_builder import build_corpus
from spacy_thematic.triplets.docbin import SENTENCES
from spacy_thematic.triplets.rules import CorpusSettings
from tests.conftest import make_article


@pytest.fixture(scope="module")
def articles():
    found = [make_article(number) for number in range(3)]
    for article in found:
        for section in article.sections[1:]:
            section.paragraphs[0] += " So it is. " + "Very long and " * 30 + "tiresome."
    return found


def lengths(docs):
    return sorted({len(span) for doc in docs for span in doc.spans[SENTENCES]})


def test_short_sentences_are_those_of_5_to_50_tokens(articles, tmp_path):
    path = tmp_path / "articles.jsonl"
    srsly.write_jsonl(path, [article.to_dict() for article in articles])
    nlp = spacy.blank("en")
    for short, expected in ((False, [4, 10, 92]), (True, [10])):
        _, docs = load_heldout(path, nlp, CorpusSettings(), log=ReadLog(), short_sentences=short)
        again = list(iter_clustering_docs(path, nlp, log=ReadLog(), short_sentences=short))
        assert lengths(docs) == lengths(again) == expected
        assert len(docs) == len(again) == 3


def test_a_section_without_three_short_sentences_is_left_out(articles, tmp_path):
    path = tmp_path / "articles.jsonl"
    article = make_article(9)
    section = article.sections[1]
    section.paragraphs = ["So it is. It is so. This one has five words.", *section.paragraphs[:2]]
    article.sections.append(Section("More", 2, make_article(8).sections[1].paragraphs))
    srsly.write_jsonl(path, [article.to_dict()])
    nlp = spacy.blank("en")
    numbers = []
    for short in (False, True):
        (doc,) = iter_clustering_docs(path, nlp, log=ReadLog(), short_sentences=short)
        numbers.append(len({span.label_ for span in doc.spans[SENTENCES]}))
    section.paragraphs.pop()
    srsly.write_jsonl(path, [article.to_dict()])
    (doc,) = iter_clustering_docs(path, nlp, log=ReadLog(), short_sentences=True)
    assert numbers == [6, 6]
    assert len({span.label_ for span in doc.spans[SENTENCES]}) == 5


def test_the_rules_are_those_of_the_language_of_the_pipeline(tmp_path):
    article = make_article(9)
    article.sections.append(Section("Einzelnachweise", 2, make_article(8).sections[1].paragraphs))
    path = tmp_path / "articles.jsonl"
    srsly.write_jsonl(path, [article.to_dict()])
    for lang, expected in (("en", True), ("de", False)):
        nlp = spacy.blank(lang)
        made, (doc,) = load_heldout(path, nlp, CorpusSettings(), log=ReadLog())
        (again,) = iter_clustering_docs(path, nlp, log=ReadLog())
        for found in (*made, doc, again):
            labels = {span.label_ for span in found.spans[SENTENCES]}
            assert ("Einzelnachweise" in labels) == expected


def test_a_corpus_keeps_its_benchmark(articles, tmp_path):
    build_corpus(articles, tmp_path / "corpus", CorpusSettings(shares=(0, 0, 1)))
    nlp = spacy.blank("en")
    _, docs = load_heldout(
        tmp_path / "corpus", nlp, CorpusSettings(), log=ReadLog(), short_sentences=True
    )
    assert lengths(docs) == [4, 10, 92]
