"""The released Wikipedia-sections triplets (Ein Dor et al., 2018).

CSV files with the columns Sentence1 (the anchor), Sentence2 (from its section) and Sentence3
(from another section of its article).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Callable, NamedTuple, cast

from spacy.util import registry

from .csv_records import read_rows
from .reading import ReadLog

COLUMNS = ("Sentence1", "Sentence2", "Sentence3")


class SentenceTriplet(NamedTuple):
    """Three sentences, the first two nearer in theme."""

    anchor: str
    positive: str
    negative: str


@registry.readers("spacy-thematic.SectionTripletsCSV.v1")
def create_section_triplets_reader(
    skip_bad: bool = False,
) -> Callable[[Path, ReadLog], Iterator[SentenceTriplet]]:
    """A reader of released triplets. It yields triplets, not articles."""

    def read(path: Path, log: ReadLog) -> Iterator[SentenceTriplet]:
        for row in read_rows(path, COLUMNS, log, skip_bad):
            yield SentenceTriplet(*cast("tuple[str, str, str]", row))

    return read
