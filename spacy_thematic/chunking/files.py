"""The texts of files that are cut into chunks, with their markup where they are one text a file."""

from collections.abc import Iterator
from typing import NamedTuple

from spacy_thematic.articles import converted, html, markdown
from spacy_thematic.articles.csv_records import USUAL, Columns
from spacy_thematic.articles.documents import decode
from spacy_thematic.articles.file_parts import FilePart
from spacy_thematic.articles.lines import ADVICE, bad_record
from spacy_thematic.articles.sources import ReadLog, SourceError, open_source
from spacy_thematic.chunking.layout import Markup
from spacy_thematic.pipeline.texts import EXTRACTED_SUFFIXES, PROSE_SUFFIXES, read_part


class MarkedText(NamedTuple):
    """A text, its markup, and the number of its line, row or mail in the file, from 1; None where
    the file is one text."""

    text: str
    markup: Markup
    number: int | None = None


def read_marked(
    part: FilePart, log: ReadLog, skip_bad: bool = False, columns: Columns = USUAL
) -> Iterator[MarkedText]:
    """Yield the text of a file as it stands there, or those of its rows, records or mails.

    Raises:
        SourceError: For what cannot be read, unless `skip_bad`.
    """
    path, name = part.path, part.path.name.lower()
    if name.endswith(EXTRACTED_SUFFIXES):
        for row in read_part(part, log, skip_bad, columns):
            number = None if name.endswith(PROSE_SUFFIXES) else row.number
            yield MarkedText("\n\n".join(row.paragraphs), "auto", number)
        return
    log.truncated = False
    try:
        if name.endswith(converted.SUFFIXES):
            markup: Markup = "auto" if name.endswith(".pdf") else "markdown"
            yield MarkedText(converted.convert(path), markup)
            log.articles += 1
            return
        with open_source(path, log) as stream:
            content = stream.read()
        if log.truncated and not skip_bad:
            raise SourceError(f"{log.break_message}. {ADVICE}")
    except SourceError as error:
        if not skip_bad:
            raise
        log.skip("bad file", str(error), path)
        return
    markup = "auto"
    if markdown.is_markdown(path, content):
        markup = "markdown"
    elif html.is_html(path, content):
        markup = "html"
    try:
        text = html.decode_html(content) if markup == "html" else decode(content)
    except ValueError as error:
        bad_record(path, "whole file", str(error), log, skip_bad)
        return
    if markup == "html":
        page = html.find_blocks(text)
        html.note_rest(page, page.blocks, log)
    log.articles += 1
    yield MarkedText(text, markup)
