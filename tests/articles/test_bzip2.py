import bz2
import io
import random

import pytest

from spacy_thematic.articles import bzip2
from spacy_thematic.articles.bzip2 import Bz2File

rng = random.Random(0)
TEXT = b" ".join(rng.choice([b"river", b"king", b"\0\0\0\0", b"\xff"]) for _ in range(100_000))


def read(data, size=1 << 16):
    """The text of a .bz2, and the error that it ends with."""
    file = Bz2File(io.BufferedReader(io.BytesIO(data)))
    texts = []
    try:
        while text := file.read1(size):
            assert len(text) <= size
            texts.append(text)
    except (OSError, EOFError) as error:
        return b"".join(texts), error
    return b"".join(texts), None


@pytest.mark.parametrize("chunk", [64, 1 << 18])
@pytest.mark.parametrize("level", [1, 9])
def test_blocks_and_streams_are_read_in_order(monkeypatch, level, chunk):
    monkeypatch.setattr(bzip2, "_CHUNK", chunk)
    parts = [TEXT, b"", TEXT[:7], TEXT[5:150_000], b"a" * 200_000]
    data = b"".join(bz2.compress(part, level) for part in parts)
    for end in (b"", b"\0" * 5):
        assert read(data + end, 1000) == (b"".join(parts), None)


def test_what_looks_like_a_mark_in_a_block_is_none(monkeypatch):
    data = bz2.compress(TEXT, 1) + bz2.compress(TEXT, 1)
    find = bzip2._find_marks
    n_false = 0

    def find_more(data, first):
        nonlocal n_false
        found = find(data, first)
        places = range(8 * first + 12_345, 8 * (len(data) - 7), 99_999)
        false = [place for place in places if all(abs(place - mark) > 100 for mark in found)]
        n_false += len(false)
        return sorted([*found, *false])

    monkeypatch.setattr(bzip2, "_find_marks", find_more)
    assert read(data) == (2 * TEXT, None)
    assert n_false > 3


def test_a_file_that_is_cut_short_is_read_to_there():
    data = bz2.compress(TEXT, 1)
    for stop in (5, 30, len(data) // 2, len(data) - 11, len(data) - 1):
        text, error = read(data[:stop])
        assert isinstance(error, EOFError)
        assert TEXT.startswith(text)
        assert len(text) > len(TEXT) * stop / len(data) - 200_000


def test_a_damaged_file_is_read_to_there():
    data = bz2.compress(TEXT, 1)
    for place in (4, 20, len(data) // 2, len(data) - 3):
        damaged = bytearray(2 * data)
        damaged[len(data) + place] ^= 16
        text, error = read(bytes(damaged))
        assert "Invalid data stream" in str(error)
        assert text[: len(TEXT)] == TEXT
        assert len(text) > len(TEXT) * (1 + place / len(data)) - 200_000
    assert "Invalid" in str(read(data + b"rubbish")[1])
    assert "Invalid" in str(read(data + b"BZh9 rubbish" + data)[1])


def test_a_long_file_without_a_mark_is_not_held_in_memory():
    file = io.BufferedReader(io.BytesIO(b"BZh9" + bytes(50_000_000)))
    with pytest.raises(OSError, match="Invalid data stream"):
        Bz2File(file).read1(10)
    assert file.tell() < 3_000_000
