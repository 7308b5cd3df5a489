"""Held-out articles from a source, a corpus and IBM's file."""

from collections import Counter

import pytest
import spacy
import srsly

from spacy_thematic.articles.article import Section
from spacy_thematic.articles.sources import ReadLog
from spacy_thematic.evaluation.evaluate import load_heldout
from spacy_thematic.triplets.corpus_builder import build_corpus
from spacy_thematic.triplets.docbin import SENTENCES
from spacy_thematic.triplets.reasons import describe_dropped
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


def test_the_rules_are_those_of_the_language_of_the_pipeline(tmp_path):
    article = make_article(9)
    article.sections.append(Section("Einzelnachweise", 2, make_article(8).sections[1].paragraphs))
    path = tmp_path / "articles.jsonl"
    srsly.write_jsonl(path, [article.to_dict()])
    for lang, expected in (("en", True), ("de", False)):
        nlp = spacy.blank(lang)
        made, (doc,) = load_heldout(path, nlp, CorpusSettings(), log=ReadLog())
        for found in (*made, doc):
            labels = {span.label_ for span in found.spans[SENTENCES]}
            assert ("Einzelnachweise" in labels) == expected


def test_a_corpus_keeps_its_benchmark(articles, tmp_path):
    build_corpus(articles, tmp_path / "corpus", CorpusSettings(shares=(0, 0, 1)))
    nlp = spacy.blank("en")
    _, docs = load_heldout(tmp_path / "corpus", nlp, CorpusSettings(), log=ReadLog())
    assert lengths(docs) == [4, 10, 92]


def test_articles_beside_a_corpus_are_read_and_not_the_corpus(tmp_path):
    for number in range(6):
        article = make_article(number)
        lines = [f"# {article.title}"]
        for section in article.sections[1:]:
            lines += [f"## {section.title}", *section.paragraphs]
        (tmp_path / f"{number}.md").write_text("\n\n".join(lines))
    others = [make_article(number) for number in range(10, 30)]
    build_corpus(others, tmp_path / "corpus", CorpusSettings())
    build_corpus(others[:2], tmp_path / "test", CorpusSettings(shares=(0, 0, 1)))
    triplets, clustering = load_heldout(
        tmp_path, spacy.blank("en"), CorpusSettings(), log=ReadLog()
    )
    titles = {f"Land {number}" for number in range(6)}
    for docs in (triplets, clustering):
        assert {doc.spans[SENTENCES].attrs["title"] for doc in docs} == titles


def test_a_corpus_without_test_articles_is_refused(tmp_path):
    build_corpus([make_article(0)], tmp_path / "corpus", CorpusSettings(shares=(1, 0, 0)))
    with pytest.raises(ValueError, match=r"has no test articles.*--shares, or name its .*dev"):
        load_heldout(tmp_path / "corpus", spacy.blank("en"), CorpusSettings(), log=ReadLog())
    triplets, clustering = load_heldout(
        tmp_path / "corpus" / "train", spacy.blank("en"), CorpusSettings(), log=ReadLog()
    )
    assert (len(triplets), len(clustering)) == (1, 0)


def test_what_is_left_out_of_a_source_is_counted_with_the_option_that_keeps_it(tmp_path):
    articles = [make_article(number) for number in range(3)]
    del articles[0].sections[4:]
    articles[1].sections[1].paragraphs[2:] = []
    path = tmp_path / "articles.jsonl"
    srsly.write_jsonl(path, [article.to_dict() for article in articles])
    nlp = spacy.blank("en")
    counts: Counter[str] = Counter()
    load_heldout(path, nlp, CorpusSettings(), log=ReadLog(), counts=counts)
    assert list(describe_dropped(counts, 5, {"bad record": 2, "redirect": 1000})) == [
        "records skipped: bad record 2, redirect 1,000",
        "articles dropped: too few sections (fewer than 5): 1 "
        "(--min-sections 2 keeps those with two)",
        "articles not clustered: not 5 to 12 sections with three sentences: 2 "
        "(--min-sections 2 clusters those with two)",
    ]
    counts.clear()
    settings = CorpusSettings(min_sections=2)
    load_heldout(path, nlp, settings, log=ReadLog(), counts=counts)
    assert list(describe_dropped(counts, 2, {})) == []
