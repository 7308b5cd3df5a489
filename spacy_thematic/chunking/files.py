"""Chunks of files, for the commands `chunk` and `embed --units chunks`."""

from collections.abc import Iterator
from typing import Any

from spacy_thematic.articles.csv_records import Columns
from spacy_thematic.articles.file_parts import FilePart
from spacy_thematic.articles.sources import ReadLog, bad_record
from spacy_thematic.chunking.chunker import Chunk, Chunker
from spacy_thematic.chunking.source import Markup
from spacy_thematic.pipeline.texts import MarkedText, read_marked


class FileChunker:
    """Cuts the texts of files by their markup, in a memory zone that lasts until the next is asked
    for.

    Args:
        topics: Whether vectors of chunks are topics, as a call of `Chunker` returns them; else they
            are those of its `cut`.
        settings: Those of `Chunker`, but its markup.
    """

    def __init__(self, topics: bool = True, **settings: Any) -> None:
        markups: tuple[Markup, ...] = ("auto", "html", "markdown")
        self._chunkers: dict[str, Chunker] = {
            markup: Chunker(markup=markup, **settings) for markup in markups
        }
        self._topics = topics

    def __call__(
        self, part: FilePart, log: ReadLog, columns: Columns
    ) -> Iterator[tuple[MarkedText, list[Chunk]]]:
        """Yield the texts of a file, or of a part of one, each with its chunks, whose positions are
        in `MarkedText.text`. Raises SourceError, unless the log skips it, for what cannot be read
        or cut."""
        for read in read_marked(part, log, columns):
            chunker = self._chunkers[read.markup]
            with chunker.nlp.memory_zone():
                try:
                    chunks = chunker(read.text) if self._topics else chunker.cut(read.text)
                except ValueError as error:
                    bad_record(part.path, f"text {read.place[1:] or 1}", str(error), log)
                    continue
                yield read, chunks
