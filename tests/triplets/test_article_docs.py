import csv
import hashlib
import os
import signal
import time
from collections import Counter
from multiprocessing import get_context
from pathlib import Path

import pytest
import srsly

from spacy_thematic.articles.article import Article, Section
from spacy_thematic.engines import LocalEngine
from spacy_thematic.triplets.article_docs import (
    make_clustering_doc,
    make_triplet_docs,
)
from spacy_thematic.triplets.corpus_builder import build_corpus
from spacy_thematic.triplets.docbin import get_rows, get_triplets, read_shards
from spacy_thematic.triplets.rules import CorpusSettings, apply_rules
from tests.conftest import make_article

SENTENCE = "The committee met again in the old town hall."


def sentence(number: int) -> str:
    """A sentence of 7 tokens that is like no other."""
    return f"Member {'abcdefghij'[number % 10] * (number + 3)} met in the hall."


def with_sections(*titles: str, paragraphs: int = 2) -> Article:
    numbers = iter(range(1000))
    sections = [Section("", 1, [SENTENCE])]
    for title in titles:
        sections.append(Section(title, 2, [sentence(next(numbers)) for _ in range(paragraphs)]))
    return Article("Town", "test", sections)


def test_rules_iii_and_iv_remove_lead_background_and_back_matter():
    article = with_sections("Background", "History", "Economy", "References", "See also")
    article.sections.append(Section("Empty", 2, ["  "]))
    kept = apply_rules(article, CorpusSettings())
    assert [section.title for section in kept.sections] == ["History", "Economy"]


def test_subsections_are_merged():
    article = with_sections("History")
    article.sections.append(Section("Middle Ages", 3, [SENTENCE]))
    merged = apply_rules(article, CorpusSettings())
    assert [len(section.paragraphs) for section in merged.sections] == [3]


def make_one(article: Article, nlp, settings=CorpusSettings(), counts=None):
    return make_triplet_docs([apply_rules(article, settings)], nlp, settings, counts)[0]


def test_rule_v_counts_what_it_drops(nlp):
    counts: Counter = Counter()
    assert make_one(with_sections(*"abcd"), nlp, counts=counts) is None
    assert +counts == {"dropped by rule v (too few sections)": 1}
    assert make_one(with_sections(*"abcd"), nlp, CorpusSettings(min_sections=4)) is not None


def test_only_whole_openers_of_5_to_50_tokens_are_kept(nlp):
    article = with_sections(*"abcde")
    article.sections[1].paragraphs = [
        "Too short. " + SENTENCE,
        "The first one counts here. The second does not.",
        " ".join(["word"] * 51) + ".",
        " ".join(["word"] * 49) + ".",
        "x" * 2000,
        "One historian of the town wrote:",
        "1234 5678 90",
        "They won 12:3, 4:5, 6:7, 8:9 and 10:2 in 1999.",
    ]
    counts: Counter = Counter()
    doc = make_one(article, nlp, counts=counts)
    rows = [row for row in get_rows(doc) if row.id == 0][:-1]
    assert [len(row) for row in rows] == [6, 50]
    assert doc.spans["sentences"].attrs["paragraphs"][:2] == [1, 3]
    assert counts["openers dropped by rule ii (length)"] == 3
    assert counts["openers that only lead in to a list or quotation"] == 1
    assert counts["openers without words"] == 1
    assert counts["openers that are no prose"] == 1


def test_repeated_openers_are_dropped_as_boilerplate(nlp):
    articles = [with_sections(*"abcde"), make_article(1)]
    for article in articles:
        article.sections[1].paragraphs.append(SENTENCE)
    counts: Counter = Counter()
    settings = CorpusSettings()
    docs = make_triplet_docs([apply_rules(a, settings) for a in articles], nlp, settings, counts)
    assert counts["openers that are repeated"] == 2
    assert all(SENTENCE not in row.text for doc in docs for row in get_rows(doc))


def kinds_of(doc):
    rows = get_rows(doc)
    n_sentences = len(doc.spans["sentences"])
    return [
        (rows[a].id, rows[p].id, rows[q].id, rows[q].text, p >= n_sentences)
        for a, p, q in get_triplets(doc)
    ]


def test_all_sentences_stand_behind_what_the_triplets_count(nlp):
    article = with_sections(*"abcde")
    for section in article.sections:
        section.paragraphs = [f"{text} It had seven members then." for text in section.paragraphs]
    openers = make_one(article, nlp, CorpusSettings())
    doc = make_one(article, nlp, CorpusSettings(sentences="all"))
    assert get_triplets(doc) == get_triplets(openers)
    assert [row.text for row in get_rows(doc)] == [row.text for row in get_rows(openers)]
    assert "others" not in openers.spans
    others = doc.spans["others"]
    assert {span.text for span in others} == {"It had seven members then."}
    assert [(span.id, span.label_) for span in others][:3] == [(0, "a"), (0, "a"), (1, "b")]
    assert others.attrs["paragraphs"] == [0, 1] * 5
    assert others[0].start == get_rows(doc)[-1].end
    assert list(doc.sents)[-1].start == others[-1].start


def test_the_variants_draw_their_negatives_where_they_say(nlp):
    articles = [with_sections(*"abcdef", paragraphs=3), make_article(1), make_article(2)]
    docs = {}
    for kind in ("sen", "sen-rand-section", "sen-rand-article", "titles"):
        settings = CorpusSettings(kind=kind)
        made = make_triplet_docs([apply_rules(a, settings) for a in articles], nlp, settings)
        docs[kind] = made[0]
        assert made[0].spans["triplets"].attrs["kind"] == kind
    sen = kinds_of(docs["sen"])
    assert all(a == p and abs(a - n) == 1 for a, p, n, _, _ in sen)
    anywhere = kinds_of(docs["sen-rand-section"])
    assert len(anywhere) == len(sen)
    assert all(a == p != n for a, p, n, _, _ in anywhere)
    assert any(abs(a - n) > 1 for a, _, n, _, _ in anywhere)
    foreign = kinds_of(docs["sen-rand-article"])
    assert len(foreign) == len(sen)
    assert all(text.endswith("are known.") for _, _, _, text, _ in foreign)
    assert all(n >= 6 for _, _, n, _, _ in foreign)
    titles = kinds_of(docs["titles"])
    assert len(titles) == 2 * 6 - 2
    assert all(a == p and abs(a - n) == 1 and is_title for a, p, n, _, is_title in titles)
    assert {text for _, _, _, text, _ in titles} == {f"Town {title}" for title in "abcdef"}


def test_a_lone_article_has_no_foreign_negatives(nlp):
    assert make_one(with_sections(*"abcde"), nlp, CorpusSettings(kind="sen-rand-article")) is None


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


def test_an_overlong_title_is_cut_in_the_title_rows(nlp):
    article = with_sections(*"abcde")
    article.title = "Wide " * 300_000
    doc = make_one(article, nlp)
    assert all(len(title.text) <= 1000 for title in doc.spans["titles"])


def digest(folder: Path) -> str:
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    parts = [f"{path.relative_to(folder)}".encode() + path.read_bytes() for path in files]
    return hashlib.sha256(b"".join(parts)).hexdigest()


def test_the_same_input_and_seed_give_the_same_bytes(tmp_path):
    articles = [make_article(number) for number in range(40)]
    settings = CorpusSettings(shard_size=16)
    for name in ("first", "second"):
        statistics = build_corpus(iter(articles), tmp_path / name, settings)
    with LocalEngine(2) as engine:
        build_corpus(iter(articles), tmp_path / "two", settings, engine=engine)
    assert digest(tmp_path / "first") == digest(tmp_path / "second") == digest(tmp_path / "two")
    build_corpus(iter(articles), tmp_path / "other", CorpusSettings(seed=1, shard_size=16))
    assert digest(tmp_path / "other") != digest(tmp_path / "first")
    assert sum(statistics[split]["articles"] for split in ("train", "dev", "test")) == 40


def test_titles_to_leave_out_are_compared_in_any_spelling(nlp, tmp_path):
    articles = [make_article(number) for number in range(20)]
    left_out = ["LAND_3", " land  7", "Atlantis"]
    out = tmp_path / "corpus"
    statistics = build_corpus(iter(articles), out, CorpusSettings(), leave_out=left_out)
    assert statistics["read"]["dropped by title"] == 2
    titles = {doc.spans["sentences"].attrs["title"] for doc in read_shards(out, nlp.vocab)}
    assert titles == {article.title for article in articles} - {"Land 3", "Land 7"}


def test_paper_rules_alone_keep_what_our_filters_drop(nlp):
    article = with_sections("History", "Economy", "Culture", "Sport", "Media", "Gallery")
    article.sections[1].paragraphs += [
        SENTENCE, SENTENCE, "Its members in 1990 were the following:", "12 7 33 8 91 won 4.",
    ]  # fmt: skip
    ours, counts = make_one(article, nlp), Counter()
    paper = make_one(article, nlp, CorpusSettings(paper_rules=True), counts)
    texts = [[span.text for span in doc.spans["sentences"]] for doc in (ours, paper)]
    assert texts[1].count(SENTENCE) == 2 and SENTENCE not in texts[0]
    assert {"Its members in 1990 were the following:", "12 7 33 8 91 won 4."} < {*texts[1]}
    assert {span.label_ for span in paper.spans["sentences"]} - {
        span.label_ for span in ours.spans["sentences"]
    } == {"Gallery"}
    assert not [reason for reason in counts if reason.startswith("openers") and counts[reason]]


def test_statistics_agree_with_the_shards(nlp, tmp_path):
    articles = [make_article(number) for number in range(60)]
    same_text = make_article(3)
    same_text.title = "Another title"
    articles += [make_article(3), same_text, with_sections("Alone")]
    articles += [Article(title, "", []) for title in ("A list", "Another list")]  # No copies.
    out = tmp_path / "corpus"
    statistics = build_corpus(iter(articles), out, CorpusSettings(shard_size=25))
    assert statistics["settings"]["sentences"] == "openers"
    assert statistics["read"]["articles read"] == 65
    assert statistics["read"]["dropped as duplicate"] == 2
    assert statistics["read"]["dropped by rule v (too few sections)"] == 3
    for split in ("train", "dev", "test"):
        docs = list(read_shards(out / split, nlp.vocab))
        assert statistics[split]["articles"] == len(docs)
        assert statistics[split]["triplets"] == sum(len(get_triplets(doc)) for doc in docs)
    assert srsly.read_json(out / "statistics.json")["train"] == statistics["train"]
    with (out / "clustering.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == statistics["clustering"]["sentences"] > 0
    assert list(rows[0]) == ["Article Title", "Sentence", "SectionTitle", "Article Link"]
    benchmark = list(read_shards(out / "clustering", nlp.vocab))
    spans = [span for doc in benchmark for span in doc.spans["sentences"]]
    assert [(r["Sentence"], r["SectionTitle"]) for r in rows] == [(s.text, s.label_) for s in spans]
    trained = {
        doc.spans["sentences"].attrs["title"]
        for split in ("train", "dev")
        for doc in read_shards(out / split, nlp.vocab)
    }
    assert not trained & {doc.spans["sentences"].attrs["title"] for doc in benchmark}


def test_no_usable_article_is_an_error_and_leaves_the_former_corpus(tmp_path):
    out = tmp_path / "corpus"
    build_corpus([make_article(number) for number in range(20)], out, CorpusSettings())
    before = digest(out)
    with pytest.raises(ValueError, match="None of the 1 articles.*fewer than 5.*--min-sections 2"):
        build_corpus([with_sections("a", "b")], out, CorpusSettings())
    assert digest(out) == before
    assert [path.name for path in tmp_path.iterdir()] == ["corpus"]


def test_nothing_but_a_corpus_is_replaced(tmp_path):
    (tmp_path / "thesis.txt").write_text("years of work")
    with pytest.raises(FileExistsError, match="a folder with other things in it"):
        build_corpus([make_article(1)], tmp_path, CorpusSettings())
    with pytest.raises(FileExistsError, match="is a file"):
        build_corpus([make_article(1)], tmp_path / "thesis.txt", CorpusSettings())
    assert (tmp_path / "thesis.txt").read_text() == "years of work"


def build(out: Path, processes: int = 1) -> None:
    articles = (make_article(number) for number in range(400))
    with LocalEngine(processes) as engine:
        build_corpus(articles, out, CorpusSettings(shard_size=10), source="x", engine=engine)


def build_in_session(out: Path, processes: int) -> None:
    """In a session of its own, so that its workers can be killed with it."""
    os.setsid()
    build(out, processes)


@pytest.mark.parametrize("processes", [1, 2])
def test_a_build_killed_at_any_moment_resumes_to_the_same_bytes(tmp_path, processes):
    build(tmp_path / "whole")
    out = tmp_path / "killed"
    blocks = tmp_path / ".killed.building" / "blocks"
    for n_blocks in (1, 12, 25):
        child = get_context("fork").Process(target=build_in_session, args=(out, processes))
        child.start()
        while len(list(blocks.glob("*.json"))) < n_blocks and child.is_alive():
            time.sleep(0.002)
        os.killpg(child.pid, signal.SIGKILL)
        child.join()
        assert not out.exists()
        assert len(list(blocks.glob("*.json"))) >= n_blocks
    build(out, processes)
    assert digest(out) == digest(tmp_path / "whole")
