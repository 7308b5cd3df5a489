import bz2
import gzip
import io
import lzma
import os
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from threading import Thread

import pyarrow
import pytest
import srsly
from pyarrow import parquet

from spacy_thematic.articles.csv_records import USUAL
from spacy_thematic.articles.file_parts import read_parquet_texts
from spacy_thematic.articles.formats import read_articles, read_records
from spacy_thematic.articles.sources import MAX_PROBLEMS, ReadLog, SourceError, open_source
from spacy_thematic.models.vector_tables import load_word_vectors
from spacy_thematic.pipeline.texts import read_texts
from spacy_thematic.scale.embedding import plan_partitions
from tests.conftest import make_article

TEXT = b"".join(b"line %d of a longer text\n" % number for number in range(20_000))


def read_all(path, log):
    with open_source(path, log) as stream:
        return stream.read()


@pytest.mark.parametrize("compress", [bytes, gzip.compress, bz2.compress, lzma.compress])
def test_compression_is_told_by_content_not_by_name(tmp_path, compress):
    path = tmp_path / "source.txt"
    path.write_bytes(compress(TEXT))
    log = ReadLog()
    assert read_all(path, log) == TEXT
    assert log.bytes_read == log.total_bytes == path.stat().st_size
    assert not log.truncated


def test_all_streams_of_a_multistream_bz2_are_read(tmp_path):
    path = tmp_path / "source.bz2"
    path.write_bytes(bz2.compress(b"first ") + bz2.compress(b"second"))
    assert read_all(path, ReadLog()) == b"first second"


def test_bytes_are_counted_while_reading(tmp_path):
    path = tmp_path / "source.txt"
    path.write_bytes(TEXT)
    log = ReadLog()
    with open_source(path, log) as stream:
        stream.read(10)
        assert 0 < log.bytes_read < len(TEXT)


@pytest.mark.parametrize(
    "compress", [gzip.compress, partial(bz2.compress, compresslevel=1), lzma.compress]
)
def test_what_came_before_a_cut_is_read(tmp_path, compress):
    path = tmp_path / "source"
    data = compress(TEXT)
    path.write_bytes(data[: len(data) // 2])
    log = ReadLog()
    text = read_all(path, log)
    assert TEXT.startswith(text)
    assert len(text) > len(TEXT) // 10
    assert log.truncated
    assert str(path) in log.problems[0]


def test_what_came_before_damage_is_read(tmp_path):
    path = tmp_path / "source.bz2"
    damaged = bytearray(bz2.compress(b"a second stream"))
    damaged[20] ^= 0xFF
    path.write_bytes(bz2.compress(TEXT) + damaged)
    log = ReadLog()
    assert read_all(path, log) == TEXT
    assert log.truncated


@pytest.mark.parametrize(
    "content", [b"<html>Not found</html>", b"BZh9 but no bzip2 data", bz2.compress(TEXT)[:30]]
)
def test_bz2_of_which_nothing_can_be_read(tmp_path, content):
    path = tmp_path / "dump.xml.bz2"
    path.write_bytes(content)
    with pytest.raises(SourceError, match=r"dump\.xml\.bz2.*Download it again"):
        read_all(path, ReadLog())


def test_missing_file(tmp_path):
    with pytest.raises(SourceError, match=r"no file or folder .*nowhere"):
        read_all(tmp_path / "nowhere", ReadLog())


def test_folder_instead_of_file(tmp_path):
    with pytest.raises(SourceError, match="is a folder: expected a file"):
        read_all(tmp_path, ReadLog())


def test_log_keeps_the_first_problems_and_counts_all():
    log = ReadLog()
    for number in range(MAX_PROBLEMS + 5):
        log.skip("bad record", f"problem {number}")
    assert len(log.problems) == MAX_PROBLEMS
    assert log.problems[0] == "problem 0"
    assert log.skipped["bad record"] == MAX_PROBLEMS + 5


@contextmanager
def piped(content, first):
    """The path of a pipe into which someone writes, `first` bytes before the rest."""
    reading, writing = os.pipe()

    def write():
        with suppress(BrokenPipeError), os.fdopen(writing, "wb", buffering=0) as pipe:
            for start in range(first):
                pipe.write(content[start : start + 1])
            pipe.write(content[first:])

    writer = Thread(target=write, daemon=True)
    writer.start()
    try:
        yield Path(f"/dev/fd/{reading}")
    finally:
        os.close(reading)
        writer.join()


def make_lines(n_articles=60):
    articles = [make_article(number) for number in range(n_articles)]
    return "".join(srsly.json_dumps(article.to_dict()) + "\n" for article in articles).encode()


@pytest.mark.parametrize("compress", [bytes, gzip.compress, bz2.compress, lzma.compress])
@pytest.mark.parametrize("first", [0, 3])
def test_nothing_of_a_pipe_is_lost(compress, first):
    lines = make_lines(400)
    assert len(compress(lines)) > 20_000
    with piped(compress(TEXT), first) as path:
        (text,) = read_texts([path], ReadLog())
        assert "\n".join(text.paragraphs) == TEXT.decode().strip()
    for read in (read_articles, read_records):
        with piped(compress(lines), first) as path:
            assert len(list(read(path, log=ReadLog()))) == 400
    with piped(compress(lines), first) as path:
        assert len(list(read_texts([path], ReadLog()))) == 400


def test_an_article_in_a_pipe_is_whole():
    page = b"<!DOCTYPE html><html><body>" + b"<p>A paragraph of words.</p>\n" * 5_000
    with piped(page, 0) as path:
        (article,) = read_articles(path)
        assert sum(len(section.paragraphs) for section in article.sections) == 5_000


def test_a_table_of_word_vectors_may_come_from_a_pipe():
    table = "".join(f"word{number} 1 2 {number}\n" for number in range(9_000))
    with piped(gzip.compress(table.encode()), 3) as path:
        assert len(load_word_vectors(path).vectors) == 9_000


def test_what_is_read_from_its_end_or_by_several_processes_is_no_pipe():
    stream = io.BytesIO()
    parquet.write_table(pyarrow.table({"text": ["a"]}), stream)
    with (
        piped(stream.getvalue(), 0) as path,
        pytest.raises(SourceError, match="is a pipe.*end of a Parquet file"),
    ):
        list(read_parquet_texts(path, USUAL))
    with piped(TEXT, 0) as path, pytest.raises(SourceError, match="is a pipe.*more than once"):
        plan_partitions([path], 1000, ReadLog())


def test_a_dash_is_standard_input():
    with piped(make_lines(400), 0) as path:
        stdin = os.dup(0)
        os.dup2(int(path.name), 0)
        try:
            assert len(list(read_texts([Path("-")], ReadLog()))) == 400
        finally:
            os.dup2(stdin, 0)
            os.close(stdin)


@contextmanager
def unprivileged():
    """Permissions do not bind root."""
    b"x".decode("utf-8-sig")  # Whose module may be closed to others.
    user = os.geteuid()
    if user == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(user)


def test_what_of_a_folder_cannot_be_read_is_said(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    tmp_path.chmod(0o755)
    folder = Path("texts")
    (folder / "closed").mkdir(parents=True)
    (folder / "open.txt").write_text("A river.")
    (folder / "gone.txt").symlink_to("nowhere")
    (folder / "round.txt").symlink_to("round.txt")
    (folder / "loop").symlink_to(".")
    (folder / "closed").chmod(0)
    with unprivileged():
        log = ReadLog(skip_bad=True)
        assert len(list(read_texts([folder], log))) == 1
        assert [problem.split(",")[0] for problem in log.problems] == [
            f"{folder}/gone.txt", f"{folder}/round.txt", f"{folder}/closed"
        ]  # fmt: skip
        with pytest.raises(SourceError, match="gone.txt.*a link to nothing.*--skip-bad"):
            list(read_texts([folder], ReadLog()))
    for name in ("gone.txt", "round.txt"):
        (folder / name).unlink()
    with unprivileged(), pytest.raises(SourceError, match="closed.*Permission denied"):
        list(read_texts([folder], ReadLog()))


def test_what_is_not_listed_is_counted_for_each_file(tmp_path):
    for name, n in (("a", MAX_PROBLEMS + 5), ("b", 7)):
        (tmp_path / f"{name}.jsonl").write_text("{\n" * n + '{"text": "A river."}\n')
    log = ReadLog(skip_bad=True)
    assert len(list(read_texts([tmp_path], log))) == 2
    assert log.list_problems()[MAX_PROBLEMS:] == [
        f"{tmp_path / 'a.jsonl'}: 5 more could not be read",
        f"{tmp_path / 'b.jsonl'}: 7 more could not be read",
    ]
