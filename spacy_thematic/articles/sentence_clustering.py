"""IBM's Wikipedia Sentence Clustering Benchmark (Ein Dor et al., 2018).

A CSV file with the columns Article Title, Sentence, SectionTitle and Article Link: one sentence in
each row, and the rows of an article together.
"""

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from spacy_thematic.articles.article import Article, Section
from spacy_thematic.articles.csv_records import read_rows
from spacy_thematic.articles.sources import ReadLog

COLUMNS = ("Article Title", "Sentence", "SectionTitle", "Article Link")


def read_sentence_clustering(path: Path, log: ReadLog, lists: bool = False) -> Iterator[Article]:
    """Yield the articles of the benchmark. Each sentence is a paragraph of its section."""
    rows = read_rows(path, COLUMNS, log)
    for (title, link), members in groupby(rows, key=lambda row: (row[0], row[3])):
        sections: dict[str, Section] = {}
        for _, sentence, heading, _ in members:
            section = sections.setdefault(heading, Section(heading, 2))
            section.paragraphs.append(sentence)
        log.articles += 1
        yield Article(title, link, list(sections.values()))
