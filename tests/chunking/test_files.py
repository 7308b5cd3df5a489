import pytest
import srsly

from spacy_thematic.articles.csv_records import USUAL
from spacy_thematic.articles.file_parts import FilePart
from spacy_thematic.articles.sources import ReadLog, SourceError
from spacy_thematic.chunking.files import FileChunker

RIVERS, KINGS = "The river floods the valley.", "The king fought a long war."


def chunk_file(path, log=None, **settings):
    chunker = FileChunker(**{"min_tokens": 0, **settings})
    return [*chunker(FilePart(path), log or ReadLog(), USUAL)]


def test_positions_are_in_the_text_that_is_cut(tmp_path):
    path = tmp_path / "a.jsonl"
    srsly.write_jsonl(path, [{"text": RIVERS}, {"text": KINGS}])
    found = chunk_file(path)
    assert [read.place for read, _ in found] == [":1", ":2"]
    assert [(one.start, one.end) for _, chunks in found for one in chunks] == [(0, 28), (0, 27)]
    path = tmp_path / "a.md"
    text = f"---\ntitle: A\n---\n# Rivers\n\n{RIVERS}\n\n# Kings\n\n{KINGS}\n"
    path.write_bytes(b"\xef\xbb\xbf" + text.encode())
    ((read, chunks),) = chunk_file(path)
    assert (read.text, read.markup) == (text, "markdown")
    assert [one.text for one in chunks] == [text[one.start : one.end] for one in chunks]
    assert len(chunks) == 2 and chunks[0].start == text.index("# Rivers")


def test_what_cannot_be_cut_is_named_or_skipped(tmp_path):
    path = tmp_path / "a.jsonl"
    srsly.write_jsonl(path, [{"text": "x" * 9}, {"text": KINGS}])
    settings = {"max_tokens": 8, "tokenizer": lambda text: [*text] * (9 if "x" in text else 0)}
    with pytest.raises(SourceError, match=r"a\.jsonl.*text 1"):
        chunk_file(path, **settings)
    log = ReadLog(skip_bad=True)
    assert [read.text for read, _ in chunk_file(path, log, **settings)] == [KINGS]
    assert log.count_unread() == 1


def test_vectors_are_topics_unless_they_are_to_be_kept_in_a_store(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text(RIVERS)
    widths = [
        len(chunk_file(path, model="en_thematic_md", vectors=True, topics=topics)[0][1][0].vector)
        for topics in (True, False)
    ]
    assert widths[0] != widths[1]
