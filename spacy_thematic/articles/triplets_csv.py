"""The released Wikipedia-sections triplets (Ein Dor et al., 2018).

A folder with train.csv, validation.csv and test.csv, each with the columns Sentence1 (the anchor),
Sentence2 (from its section) and Sentence3 (from another section of its article); or, as a public
mirror has them, with train, validation and test as Parquet files, their names followed by
"-00000-of-00001", and the columns anchor, positive and negative.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, NoReturn, cast

from spacy_thematic.articles.csv_records import read_rows
from spacy_thematic.articles.lines import bad_record
from spacy_thematic.articles.parquet_rows import MAGIC, read_parquet_rows
from spacy_thematic.articles.sources import ReadLog, SourceError, open_source

COLUMNS = ("Sentence1", "Sentence2", "Sentence3")
MIRROR_COLUMNS = ("anchor", "positive", "negative")
SPLIT_OF_FILE = {"train": "train", "validation": "dev", "dev": "dev", "test": "test"}
MAX_GROUP = 1000


class SentenceTriplet(NamedTuple):
    """Three sentences, the first two closer in theme."""

    anchor: str
    positive: str
    negative: str


@dataclass
class TripletGroup:
    """Triplets of one article, as far as the file shows.

    Each but the first shares a sentence with those before it.

    Attributes:
        title: The file's name and a number, since the article's title is not in the file.
        split: "train", "dev" or "test".
        triplets: The triplets, in the order of the file.
    """

    title: str
    split: str
    triplets: list[SentenceTriplet]


def read_triplets(path: Path, log: ReadLog, skip_bad: bool = False) -> Iterator[SentenceTriplet]:
    """Yield the triplets of a released file."""
    with open_source(path, ReadLog(), is_head=True) as stream:
        head = stream.read(len(MAGIC))
    if head == MAGIC:
        rows = read_parquet_rows(path, list(zip(COLUMNS, MIRROR_COLUMNS)), log)
    else:
        rows = read_rows(path, COLUMNS, log, skip_bad)
    for number, row in enumerate(rows, start=1):
        if all(row):
            yield SentenceTriplet(*cast("tuple[str, str, str]", row))
        else:
            bad_record(path, f"row {number}", "a sentence is empty", log, skip_bad)


def read_triplet_groups(path: Path, log: ReadLog, skip_bad: bool) -> Iterator[TripletGroup]:
    """Yield the triplets of a file or folder in groups of at most `MAX_GROUP`.

    Of a folder, the files train, validation and test are read. A file with another name counts as
    train.
    """
    for file in _find_files(path) if path.is_dir() else [path]:
        split = SPLIT_OF_FILE.get(_stem(file), "train")
        triplet_groups = _group(read_triplets(file, log, skip_bad))
        for number, triplets in enumerate(triplet_groups, start=1):
            log.articles += 1
            yield TripletGroup(f"{file.name} {number}", split, triplets)


def _group(triplets: Iterator[SentenceTriplet]) -> Iterator[list[SentenceTriplet]]:
    group: list[SentenceTriplet] = []
    sentences: set[str] = set()
    for triplet in triplets:
        if group and (sentences.isdisjoint(triplet) or len(group) == MAX_GROUP):
            yield group
            group, sentences = [], set()
        group.append(triplet)
        sentences.update(triplet)
    if group:
        yield group


def is_section_triplets(path: Path, head: bytes) -> bool:
    """Whether a file's first line names the columns, or a folder holds files with the names."""
    if head.startswith(MAGIC):
        return True
    header = head.partition(b"\n")[0].lower()
    return all(name.lower().encode() in header for name in COLUMNS) or bool(_find_files(path))


def refuse_as_articles(path: Path, log: ReadLog, skip_bad: bool = False) -> NoReturn:
    """Raise SourceError, which says why there are no articles to read."""
    raise SourceError(
        f"{path} holds triplets of sentences: expected articles. Make a corpus of it with "
        '"python -m spacy thematic corpus", and give that'
    )


def _find_files(path: Path) -> list[Path]:
    files = [*path.glob("*.csv*"), *path.glob("*.parquet")] if path.is_dir() else []
    order = list(SPLIT_OF_FILE)
    return sorted(
        (file for file in files if _stem(file) in SPLIT_OF_FILE),
        key=lambda file: (order.index(_stem(file)), file.name),
    )


def _stem(file: Path) -> str:
    return file.name.partition(".")[0].partition("-")[0].lower()
