"""Vectors for the word pieces of tokens, so that no word is unknown."""

import unicodedata
from collections.abc import Callable, Sequence

import numpy as np
from spacy.util import registry
from spacy.vocab import Vocab
from thinc.api import Model
from thinc.types import Ragged

from spacy_thematic.models.spans import DocSpans
from spacy_thematic.models.tables import add_gradient, build_table, open_table, take_rows
from spacy_thematic.rows import count_from

UNKNOWN, FIRST, LAST = "[UNK]", "[CLS]", "[SEP]"
STOP_PIECES = frozenset(("a", "an", "and", "of", "the"))
MAX_CACHED_WORDS = 500_000


@registry.architectures("spacy-thematic.WordPieceVectors.v1")
def build_word_piece_vectors(
    width: int, max_pieces: int = 8, row_rate: float | None = None, whole: bool = False
) -> Model[DocSpans, Ragged]:
    """A learned vector for each word piece (Wu et al. 2016) of the lower-case form of each token,
    as in uncased BERT. The pieces and their vectors are those of a bundled model. Returns a model
    with the output Ragged of (pieces, width).

    Args:
        max_pieces: of one token; the rest of a longer one is left out.
        row_rate: see `LearnedVectors.v1`.
        whole: read a span as BERT does, with punctuation, between `FIRST` and `LAST`. Otherwise
            these, and `STOP_PIECES`, have no vector, a quarter of all: they say little about the
            theme.
    """
    attrs = {"pieces": [], "max_pieces": max_pieces, "whole": whole}
    return build_table("word_piece_vectors", _forward, width, row_rate, **attrs)


def _forward(
    model: Model[DocSpans, Ragged], X: DocSpans, is_train: bool
) -> tuple[Ragged, Callable]:
    open_table(model, is_train)
    lower, lengths = X.words.lower, X.words.lengths
    rows, sizes = _find_pieces(model, X.vocab, lower)
    ends = np.append(0, np.cumsum(sizes))
    pieces_of_span = np.diff(ends[np.append(0, np.cumsum(lengths))])
    if model.attrs["whole"]:
        rows, pieces_of_span = _enclose(get_cutter(model), rows, pieces_of_span)

    def backprop(dY: Ragged) -> DocSpans:
        add_gradient(model, rows, dY.dataXd)
        return X

    return Ragged(take_rows(model, rows), model.ops.asarray1i(pieces_of_span)), backprop


def _enclose(
    cutter: "WordPieces", rows: np.ndarray, sizes: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The rows of each span that has any between `FIRST` and `LAST`, and how many each has."""
    full = sizes[sizes > 0]
    ends = np.cumsum(full)
    places = np.stack([ends - full, ends], axis=1).ravel()
    marks = np.tile([cutter.rows[FIRST], cutter.rows[LAST]], len(full))
    return np.insert(rows, places, marks).astype("i"), sizes + 2 * (sizes > 0)


def _find_pieces(
    model: Model, vocab: Vocab | None, words: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The rows of the pieces of words, one word after the other, and how many each has."""
    if vocab is None or not len(words):
        return np.zeros(0, "i"), np.zeros(0, "i")
    cut = get_cutter(model)
    distinct, inverse = np.unique(words, return_inverse=True)
    pieces = [cut(vocab.strings[int(word)]) for word in distinct]
    sizes = np.array(list(map(len, pieces)), "i")
    starts = np.cumsum(sizes) - sizes
    return np.concatenate(pieces)[count_from(starts[inverse], sizes[inverse])], sizes[inverse]


def get_cutter(model: Model) -> "WordPieces":
    """Return what cuts words into the pieces of a layer, made once."""
    cutter = model.attrs.get("cutter")
    if cutter is None or cutter.pieces is not model.attrs["pieces"]:
        cutter = WordPieces(model.attrs["pieces"], model.attrs["max_pieces"], model.attrs["whole"])
        model.attrs["cutter"] = cutter
    return cutter


class WordPieces:
    """Cuts words into pieces of a vocabulary: the longest first, and so on with the rest. Pieces
    that do not begin a word begin with "##". `whole`: with punctuation and `STOP_PIECES`."""

    def __init__(self, pieces: Sequence[str], max_pieces: int, whole: bool = False):
        self.pieces = pieces
        self.whole = whole
        self.max_pieces = max_pieces
        self.rows = {piece: row for row, piece in enumerate(pieces)}
        self.longest = max(map(len, pieces), default=0)
        self.cache: dict[str, np.ndarray] = {}

    def __call__(self, word: str) -> np.ndarray:
        """The rows of a word's pieces, int32."""
        rows = self.cache.get(word)
        if rows is None:
            if len(self.cache) >= MAX_CACHED_WORDS:
                self.cache.clear()
            rows = self.cache[word] = np.asarray(self._cut(word), dtype="int32")
        return rows

    def _cut(self, word: str) -> list[int]:
        rows: list[int] = []
        for part in split_punctuation(word):
            is_dull = part in STOP_PIECES or unicodedata.category(part[0]).startswith("P")
            if self.whole or not is_dull:
                rows += self._cut_part(part)
            if len(rows) >= self.max_pieces:
                break
        return rows[: self.max_pieces]

    def _cut_part(self, part: str) -> list[int]:
        rows: list[int] = []
        start = 0
        while start < len(part) and len(rows) < self.max_pieces:
            prefix = "##" if start else ""
            for end in range(min(len(part), start + self.longest), start, -1):
                row = self.rows.get(prefix + part[start:end])
                if row is not None:
                    rows.append(row)
                    start = end
                    break
            else:
                return [self.rows[UNKNOWN]]
        return rows


def is_ideograph(char: str) -> bool:
    """Whether a character is of the block of unified ideographs of Chinese, Japanese and Korean."""
    return "\u4e00" <= char <= "\u9fff"


def split_punctuation(word: str) -> list[str]:
    """A word without accents, in lower case, cut at punctuation and between ideographs."""
    parts: list[str] = []
    within = False
    for char in unicodedata.normalize("NFD", word.lower()):
        category = unicodedata.category(char)
        if category == "Mn" or category.startswith("C"):
            continue
        is_space = category.startswith("Z")
        is_alone = category.startswith("P") or char in "$+<=>^`|~" or is_ideograph(char)
        if within and not (is_space or is_alone):
            parts[-1] += char
        elif not is_space:
            parts.append(char)
        within = not (is_space or is_alone)
    return parts
