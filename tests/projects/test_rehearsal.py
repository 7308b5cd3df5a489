"""The files that the rehearsal of the workflow `paper` makes, read by the package's own readers."""

import random
import re
from collections import Counter

import numpy as np
import pytest

import rehearsal_files
from paper_data import BENCHMARK, GLOVE, SICK, unpack
from rehearsal import Cost, Size, list_nets, list_parts, net_part
from released_triplets import read_triplets
from sick import read_sick
from skip_thoughts_weights import make_pipeline
from spacy_thematic.articles.article import Article, Section
from spacy_thematic.articles.formats import read_articles
from spacy_thematic.articles.sources import ReadLog
from spacy_thematic.models.vector_tables import load_word_vectors
from spacy_thematic.pipeline.embedder import find_embedder
from tests.conftest import make_article

ARTICLES = [make_article(number) for number in range(300)]


def test_the_benchmark_has_the_largest_and_the_smallest_article(tmp_path):
    rehearsal_files.write_benchmark(ARTICLES, tmp_path / BENCHMARK[0], 7)
    rows = {"train": 40, "validation": 10, "test": 10}
    rehearsal_files.write_triplets(ARTICLES, tmp_path, rows, random.Random(0))
    unpack(tmp_path)
    articles = list(read_articles(tmp_path / "dataset.csv"))
    sizes = [[len(section.paragraphs) for section in article.sections] for article in articles]
    assert [sum(parts) for parts in sizes] == [1614, 17, *[20] * 5]
    assert max(sizes[0]) == 1308
    assert {len(parts) for parts in sizes} == {5, 12}
    assert articles[2].sections[0].paragraphs[0].endswith("are known .")


def test_the_triplets_are_the_same_in_both_formats(tmp_path):
    rows = {"train": 400, "validation": 30, "test": 20}
    rehearsal_files.write_triplets(ARTICLES, tmp_path, rows, random.Random(0))
    rehearsal_files.write_benchmark(ARTICLES, tmp_path / BENCHMARK[0], 2)
    unpack(tmp_path)
    folder = tmp_path / "wikipedia-sections-triplets"
    for split, count in rows.items():
        found = list(read_triplets(folder / f"{split}.csv", ReadLog()))
        mirror = tmp_path / rehearsal_files.MIRROR / f"{split}-00000-of-00001.parquet"
        assert len(found) == count
        assert found == list(read_triplets(mirror, ReadLog()))


def test_pairs_words_and_weights_are_read(tmp_path):
    rng = random.Random(0)
    rehearsal_files.write_sick(ARTICLES, tmp_path / SICK, 0.01, rng)
    sick = read_sick(tmp_path / SICK)
    assert {split: len(pairs) for split, pairs in sick.items()} == {
        "train": 45, "trial": 10, "test": 49,
    }  # fmt: skip
    rehearsal_files.write_glove(ARTICLES, tmp_path / GLOVE[0], 40, rng)
    vocab = load_word_vectors(tmp_path / GLOVE[0])
    assert vocab.vectors.shape == (40, 300)
    assert all(vocab.has_vector(word) for word in (*rehearsal_files.ODD_WORDS, "known"))


def test_skip_thoughts_are_read_in_their_true_width(tmp_path, monkeypatch):
    monkeypatch.setattr(rehearsal_files, "UNITS", {"uni": 8, "bi": 4})
    rehearsal_files.write_skip_thoughts(ARTICLES, tmp_path, 50)
    nlp = make_pipeline(tmp_path)
    assert nlp.vocab.vectors.shape[1] == 2 * rehearsal_files.SKIP_THOUGHTS_WIDTH
    assert find_embedder(nlp).model.get_dim("nO") == 16
    assert np.abs(nlp("The river is known.")[:].sent._.thematic_vector).sum() > 0


def test_the_dump_has_pages_of_all_kinds_and_the_articles_as_they_were(tmp_path):
    article = Article("A & B", "", [Section("", 1, ["Lead text."]), *ARTICLES[0].sections[1:]])
    path = tmp_path / rehearsal_files.DUMP
    rehearsal_files.write_dump([article, *ARTICLES[1:]], path, 60_000, random.Random(0))
    log = ReadLog()
    found = list(read_articles(path, log=log))
    assert not log.problems
    assert log.skipped["redirect"] >= rehearsal_files.REDIRECTS
    assert log.skipped["other namespace"] >= 1
    assert found[0].title == "A & B"
    kept = [section for section in found[0].sections if section.title in {*_titles(article)}]
    assert [[re.sub(r"\s+", " ", text) for text in section.paragraphs] for section in kept] == [
        section.paragraphs for section in article.sections
    ]
    kinds = Counter(len(page.sections) >= 8 for page in found)
    assert kinds[False] > 2 * kinds[True] > 0


def _titles(article):
    return [section.title for section in article.sections]


def test_a_line_through_two_sizes_divides_what_is_fixed_from_what_grows():
    smaller, larger = Cost(10, 12, 500, 1), Cost(13, 18, 500, 4)
    fixed, grown = larger.to_whole(smaller, share=1 / 100)
    assert fixed == pytest.approx((9, 10, 500, 0))
    assert grown == pytest.approx((400, 800, 0, 400))


def test_the_commands_are_those_of_the_project(tmp_path):
    parts = list(list_parts(Size(tmp_path, 1 / 100, 1 / 2500)))
    names = [part.name for part in parts]
    assert names[:3] == ["paper-data, unpacking", "paper-vectors", "paper-corpora, released"]
    assert {"paper-corpora, titles", "paper-nets, sen, 1 update", "paper-tables"} < set(names)
    tables = parts[names.index("paper-tables")].words
    assert tables[tables.index("--triplets") + 1] == "200"
    words = net_part("titles", Size(tmp_path, 1, 1), steps=5).words
    assert words.count("--only") == 1
    assert "paper/nets-5-steps" in words and "--dev" in words
    assert set(list_nets()) >= {"sen", "titles", "released"}
