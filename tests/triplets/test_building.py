import hashlib
from pathlib import Path

import pytest
import srsly

from spacy_thematic.articles.article import Article, Section
from spacy_thematic.triplets.building import (
    CorpusError,
    CorpusSettings,
    apply_rules,
    build_corpus,
    make_clustering_doc,
    make_triplet_doc,
)
from spacy_thematic.triplets.docbin import get_rows, get_triplets, read_shards
from tests.conftest import make_article

SENTENCE = "The committee met again in the old town hall."


def with_sections(*titles: str, paragraphs: int = 2) -> Article:
    sections = [Section("", 1, [SENTENCE])]
    sections += [Section(title, 2, [SENTENCE] * paragraphs) for title in titles]
    return Article("Town", "test", sections)


def test_rules_iii_and_iv_remove_lead_background_and_back_matter():
    article = with_sections("Background", "History", "Economy", "References", "See also")
    article.sections.append(Section("Empty", 2, ["  "]))
    kept = apply_rules(article, CorpusSettings())
    assert [section.title for section in kept.sections] == ["History", "Economy"]


def test_subsections_are_merged_or_kept_by_the_setting():
    article = with_sections("History")
    article.sections.append(Section("Middle Ages", 3, [SENTENCE]))
    merged = apply_rules(article, CorpusSettings(subsections="merge"))
    assert [len(section.paragraphs) for section in merged.sections] == [3]
    separate = apply_rules(article, CorpusSettings(subsections="separate"))
    assert [section.title for section in separate.sections] == ["History", "Middle Ages"]


def test_rule_v_counts_what_it_drops(nlp):
    from collections import Counter

    counts: Counter = Counter()
    article = apply_rules(with_sections(*"abcd"), CorpusSettings())
    assert make_triplet_doc(article, nlp, CorpusSettings(), counts) is None
    assert counts == {"dropped by rule v (too few sections)": 1}
    assert make_triplet_doc(article, nlp, CorpusSettings(min_sections=4)) is not None


def test_only_openers_of_5_to_50_tokens_are_kept(nlp):
    article = with_sections(*"abcde")
    article.sections[1].paragraphs = [
        "Too short. " + SENTENCE,
        "The first one counts here. The second does not.",
        " ".join(["word"] * 51) + ".",
        " ".join(["word"] * 49) + ".",
        "x" * 2000,
        "One historian of the town wrote:",
        "1234 5678 90",
    ]
    doc = make_triplet_doc(apply_rules(article, CorpusSettings()), nlp, CorpusSettings())
    rows = [row for row in get_rows(doc) if row.id == 0][:-1]
    assert [len(row) for row in rows] == [6, 50]
    assert doc.spans["sentences"].attrs["paragraphs"][:2] == [1, 3]


def test_the_clustering_benchmark_holds_all_sentences_of_sections_with_three(nlp):
    article = with_sections(*"abcde", paragraphs=3)
    article.sections.append(Section("small", 2, [SENTENCE, SENTENCE]))
    article.sections[1].paragraphs[0] += " And so on."
    doc = make_clustering_doc(apply_rules(article, CorpusSettings()), nlp)
    labels = [span.label_ for span in doc.spans["sentences"]]
    assert [labels.count(title) for title in "abcde"] == [4, 3, 3, 3, 3]
    assert "small" not in labels
    article.sections.pop(1)
    assert make_clustering_doc(apply_rules(article, CorpusSettings()), nlp) is None


def digest(folder: Path) -> str:
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    parts = [f"{path.relative_to(folder)}".encode() + path.read_bytes() for path in files]
    return hashlib.sha256(b"".join(parts)).hexdigest()


def test_the_same_input_and_seed_give_the_same_bytes(nlp, tmp_path):
    articles = [make_article(number) for number in range(40)]
    settings = CorpusSettings(shard_size=16)
    for name in ("first", "second"):
        statistics = build_corpus(iter(articles), tmp_path / name, nlp, settings)
    assert digest(tmp_path / "first") == digest(tmp_path / "second")
    build_corpus(iter(articles), tmp_path / "other", nlp, CorpusSettings(seed=1, shard_size=16))
    assert digest(tmp_path / "other") != digest(tmp_path / "first")
    assert sum(statistics[split]["articles"] for split in ("train", "dev", "test")) == 40


def test_statistics_agree_with_the_shards(nlp, tmp_path):
    articles = [make_article(number) for number in range(30)]
    articles += [make_article(3), with_sections("Alone")]
    statistics = build_corpus(iter(articles), tmp_path / "corpus", nlp, CorpusSettings())
    assert statistics["read"]["articles read"] == 32
    assert statistics["read"]["dropped as duplicate"] == 1
    assert statistics["read"]["dropped by rule v (too few sections)"] == 1
    for split in ("train", "dev", "test"):
        docs = list(read_shards(tmp_path / "corpus" / split, nlp.vocab))
        assert statistics[split]["articles"] == len(docs)
        assert statistics[split]["triplets"] == sum(len(get_triplets(doc)) for doc in docs)
    assert srsly.read_json(tmp_path / "corpus" / "statistics.json")["train"] == statistics["train"]


def test_no_usable_article_is_an_error_and_leaves_the_former_corpus(nlp, tmp_path):
    out = tmp_path / "corpus"
    build_corpus([make_article(number) for number in range(20)], out, nlp, CorpusSettings())
    before = digest(out)
    with pytest.raises(CorpusError, match=r"None of the 1 articles.*rule v.*at least 5 sections"):
        build_corpus([with_sections("a", "b")], out, nlp, CorpusSettings())
    assert digest(out) == before
    assert [path.name for path in tmp_path.iterdir()] == ["corpus"]
