import bz2
import gzip
import lzma

import pytest

from spacy_thematic.articles.sources import MAX_PROBLEMS, ReadLog, SourceError, open_source

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


@pytest.mark.parametrize("compress", [gzip.compress, lzma.compress])
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
