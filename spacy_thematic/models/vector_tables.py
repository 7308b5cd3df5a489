"""Tables of word vectors in several formats, as a spaCy vocabulary."""

import zipfile
import zlib
from array import array
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import numpy as np
from spacy.vectors import Vectors
from spacy.vocab import Vocab
from thinc.util import to_numpy

from spacy_thematic.articles.sources import ReadLog, open_source

_DAMAGED_ZIP = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, OSError)


def load_word_vectors(path: Path, limit: int = 0) -> Vocab:
    """Read a table of word vectors. Raises ValueError if the format is another, or a number is not
    finite.

    Args:
        path: A folder of a spaCy pipeline, or its vocab folder; .npz with the arrays `words` and
            `vectors`; or text with one word and its numbers in each line (GloVe, word2vec,
            fastText), with or without word2vec's first line of two sizes, plain, compressed or
            the only file in a .zip.
        limit: Reads only the first words, this many; 0 reads all. No effect on folders.
    """
    if path.is_dir():
        return _load_folder(path)
    if not path.exists():
        raise ValueError(f"There is no table of word vectors at {path}: check the path.")
    if path.suffix == ".npz":
        words, data = _load_npz(path, limit)
    else:
        words, data = _load_text(path, limit)
    check_finite(data, words.__getitem__, f"in {path}")
    vocab = Vocab(vectors_name=path.stem)
    vocab.vectors = Vectors(strings=vocab.strings, data=data, keys=words, name=path.stem)
    return vocab


def check_finite(data: np.ndarray, find_word: Callable[[int], str], place: str) -> None:
    """Check a table of word vectors, (words, width), of which `find_word` knows the word of a row.
    Raises ValueError if a number is not finite."""
    # A sum takes less memory than a comparison.
    bad = ~np.isfinite(to_numpy(data.sum(axis=1, dtype="d")))
    if bad.any():
        raise ValueError(
            f"{int(bad.sum())} of {len(bad)} word vectors {place} hold NaN or infinity, the first "
            f"that of {find_word(int(bad.argmax()))!r}. Remove these words from the table."
        )


def _load_folder(path: Path) -> Vocab:
    folder = path / "vocab" if (path / "vocab").is_dir() else path
    if not (folder / "vectors").is_file():
        raise ValueError(
            f"{path} is not a spaCy pipeline with word vectors: it has no vocab/vectors. Pipelines "
            "of the sizes md and lg have word vectors."
        )
    vocab = Vocab().from_disk(folder, exclude=["lookups"])
    if not vocab.vectors.shape[0]:
        raise ValueError(
            f"{path} has an empty table of word vectors: choose a pipeline with word vectors."
        )
    return vocab


def _load_npz(path: Path, limit: int) -> tuple[list[str], np.ndarray]:
    try:
        with np.load(path, allow_pickle=False) as arrays:
            words, data = arrays["words"], arrays["vectors"]
        data = data.astype("f", copy=False)
    except (*_DAMAGED_ZIP, ValueError, KeyError, MemoryError) as error:
        raise ValueError(
            f"Expected {path} to hold the arrays `words` (strings) and `vectors` (floats), and no "
            "pickled objects: write it by `np.savez(path, words=..., vectors=...)`."
        ) from error
    if data.ndim != 2 or len(words) != len(data):
        raise ValueError(
            f"Expected equally many words and vectors in {path}, found arrays of shapes "
            f"{words.shape} and {data.shape}."
        )
    end = limit or len(words)
    return words[:end].tolist(), data[:end]


def _load_text(path: Path, limit: int) -> tuple[list[str], np.ndarray]:
    words: dict[str, None] = {}
    # Grows in place, where rows to be stacked would be there twice.
    data = array("f")
    width = 0
    for number, line in enumerate(_iter_lines(path)):
        parts = line.rstrip().split(" ")
        if number == 0 and len(parts) == 2:
            continue
        width = width or len(parts) - 1
        # GloVe 840B has words with spaces in them.
        word = " ".join(parts[:-width])
        try:
            row = np.array(parts[-width:], dtype="f")
            if width < 2 or len(parts) <= width:
                raise ValueError(f"{len(parts)} fields")
        except ValueError as error:
            raise ValueError(
                f"Line {number + 1} of {path} is not a word and {max(width, 2)} numbers: {error}."
            ) from error
        if word not in words:
            words[word] = None
            data.frombytes(row.tobytes())
        if limit and len(words) == limit:
            break
    if not words:
        raise ValueError(f"{path} is empty: expected lines of a word and its numbers.")
    return list(words), np.frombuffer(data, "f").reshape(-1, width)


def _iter_lines(path: Path) -> Iterator[str]:
    if path.suffix != ".zip":
        with open_source(path, ReadLog()) as file:
            yield from _decode(file)
        return
    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
            if len(names) != 1:
                raise ValueError(
                    f"Expected one file in {path}, found {names}: unpack and give the right one."
                )
            with archive.open(names[0]) as packed:
                yield from _decode(packed)
    except _DAMAGED_ZIP as error:
        raise ValueError(
            f"{path} is not a whole .zip ({error}): fetch it again, or unpack it."
        ) from error


def _decode(lines: Iterable[bytes]) -> Iterator[str]:
    return (line.decode("utf8", errors="replace") for line in lines)
