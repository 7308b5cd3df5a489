"""IBM's Wikipedia Sentence Clustering Benchmark (Ein Dor et al., 2018).

A CSV file with the columns Article Title, Sentence, SectionTitle and Article Link, one sentence
a row, the rows of an article together.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from spacy.util import registry

from spacy_thematic.articles.article import Article, Section
from spacy_thematic.articles.csv_records import read_rows
from spacy_thematic.articles.sources import Reader, ReadLog

COLUMNS = ("Article Title", "Sentence", "SectionTitle", "Article Link")


@registry.readers("spacy-thematic.SentenceClusteringCSV.v1")
def create_sentence_clustering_reader(skip_bad: bool = False) -> Reader:
    """A reader of the benchmark's CSV file. Each sentence becomes a paragraph of its section."""

    def read(path: Path, log: ReadLog) -> Iterator[Article]:
        rows = read_rows(path, COLUMNS, log, skip_bad)
        for (title, link), members in groupby(rows, key=lambda row: (row[0], row[3])):
            sections: dict[str, Section] = {}
            for _, sentence, heading, _ in members:
                section = sections.setdefault(heading, Section(heading, 2))
                section.paragraphs.append(sentence)
            log.articles += 1
            yield Article(title, link, list(sections.values()))

    return read
