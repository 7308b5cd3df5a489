"""Nouns, adjectives and verbs among the words of a text, by a table that has learned them.

For pipelines without a tagger. A linear model over a word, its ending, how it is written and the
two words beside it (the local features of a maximum entropy tagger, Ratnaparkhi 1996), learned from
the tags of `en_core_web_md`. `projects/pretrain/scripts/word_classes.py` makes the table.
"""

from array import array
from collections.abc import Container, Sequence
from functools import cache, lru_cache
from pathlib import Path

import numpy as np

NOUN, ADJECTIVE, OTHER = range(3)
"""A noun or a name, an adjective, a verb or an adverb. Of function words nothing is told."""

BEGIN, END = "^", "$"

_MOST_CACHED = 2**16

_OF_VERB = 84
"""By how much more a word that ends in "s" and that without it speak for a verb than for a noun:
"refuses" and "prefers" do, "talks", "builds" and "accounts" may be plurals."""


class WordClasses:
    """The table of a language.

    Args:
        features: What words may have, as `iter_own`, `name_context` and `name_shape` name it.
        weights: Of each for each class, (features, 3).
        bias: Of the classes, (3,).
    """

    def __init__(self, features: Sequence[str], weights: np.ndarray, bias: np.ndarray) -> None:
        self._rows = {feature: row for row, feature in enumerate(features)}
        # The last row is of what is not known.
        self._weights = np.append(weights, np.zeros((1, 3)), axis=0).astype("f")
        self._bias = bias
        self._find = lru_cache(maxsize=_MOST_CACHED)(self._find_rows)
        self.is_verb = lru_cache(maxsize=_MOST_CACHED)(self._is_verb)

    def __call__(
        self,
        forms: Sequence[str],
        words: np.ndarray,
        starts: np.ndarray,
        in_title: np.ndarray | None = None,
    ) -> np.ndarray:
        """Tell the class of each word of a text, NOUN, ADJECTIVE or OTHER, (n,), from the distinct
        forms as they are written, the number of each word's form, (n,), whether a sentence starts
        with it, (n,), and whether it is of a title, in which capitals tell nothing, (n,); None: no
        word is."""
        if not len(words):
            return np.zeros(0, int)
        begin, end = len(forms), len(forms) + 1
        rows = b"".join(map(self._find, (*forms, BEGIN, END)))
        weights = self._weights[np.frombuffer(rows, np.int32).reshape(len(forms) + 2, -1)]
        own = weights[:, :3].sum(axis=1)
        before, after, within, first, small = weights[:, 3:].transpose(1, 0, 2)
        former = np.where(starts, begin, np.append(begin, words[:-1]))
        latter = np.where(np.append(starts[1:], True), end, np.append(words[1:], end))
        shape = np.where(starts[:, None], first[words], within[words])
        if in_title is not None:
            shape = np.where(in_title[:, None], small[words], shape)
        scores = own[words] + before[former] + after[latter] + shape + self._bias
        return scores.argmax(axis=1)

    def _is_verb(self, form: str) -> bool:
        """Whether a word that ends in "s" is a verb by itself, and no plural ("refuses")."""
        lower = form.lower()
        bases = (lower, lower[:-1], lower[:-2], f"{lower[:-3]}y")
        rows = [self._rows.get(f"w {base}") for base in bases]
        found = [row for row in rows if row is not None][:2]
        if rows[0] is None or len(found) < 2 or not lower.endswith("s"):
            return False
        noun, _, other = self._weights[found].sum(axis=0)
        return bool(other - noun >= _OF_VERB)

    def _find_rows(self, form: str) -> bytes:
        """The rows, int32, of what a word says of itself, three, of the word after it, of the word
        before it, and of what its shape says within a sentence, at its start and in a title."""
        features = (
            *iter_own(form),
            name_context(form, self._rows, "p"),
            name_context(form, self._rows, "n"),
            name_shape(form, False),
            name_shape(form, True),
            name_shape(form if form.isupper() else form.lower(), False),
        )
        return array("i", [self._rows.get(feature, -1) for feature in features]).tobytes()


def iter_own(form: str) -> list[str]:
    """Return the features of a word by itself. Its ending counts where the word is unknown, whose
    weight then is none."""
    lower = form.lower()
    return [f"w {lower}", f"e {lower[-3:]}", f"e {lower[-2:]}"]


def name_context(form: str, known: Container[str], side: str) -> str:
    """Return the feature that a word is to the word after it, side "p", or before it, "n": itself
    if that is known, else its last two letters."""
    lower = form.lower()
    feature = f"{side} {lower}"
    return feature if feature in known else f"{side} ~{lower[-2:]}"


def name_shape(form: str, is_first: bool) -> str:
    """Return the feature of how a word is written: whether with a capital, and where."""
    if form[:1].isupper():
        is_acronym = form.isupper() and len(form) > 1
        return "s first" if is_first else "s capitals" if is_acronym else "s capital"
    return "s digit" if form[:1].isdigit() else "s lower"


@cache
def load_word_classes(language: str) -> WordClasses | None:
    """Load the table of a language; None if it has none."""
    path = Path(__file__).parent / f"{language}_word_classes.npz"
    if not path.exists():
        return None
    with np.load(path) as arrays:
        features = arrays["features"].tobytes().decode("utf8").split("\n")
        return WordClasses(features, arrays["weights"], arrays["bias"])
