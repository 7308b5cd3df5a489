"""Whether texts read like English, or which language they are in, by the stop words of each
language that has a file here."""

import re
import warnings
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import chain
from pathlib import Path
from runpy import run_path

import numpy as np
import spacy

from spacy_thematic.lang import iter_languages

_MOST_READ = 10_000
"""Words that tell the language of texts."""
_FEWEST_WORDS, _OF_OTHER = 4, 0.2
"""Different stop words of another language that must be there, and their least share. Of 51,000
English records and pieces of texts three are called foreign, and are; of foreign texts of 15 to 30
words 82 %, of 30 to 60 words 91 %."""
_OF_TEXTS, _MANY, _OF_MANY = 0.1, 10, 0.02
"""The least share of texts of another language that is told, and of as many of them."""
_SHOWN = 60
"""Characters."""
_BLANK_LINES = re.compile(r"\n\s*\n")
_WORD = re.compile(r"[^\W\d_]{2,}")
_LAST_LATIN = "\u024f"


def warn_of_language(texts: Iterable[str], language: str) -> bool:
    """Warn if the first texts of a model for English, or a tenth of their paragraphs, or ten that
    are a fiftieth, hold twice as many stop words of another language, or words in another script,
    as stop words of English. Returns whether they do."""
    if language != "en":
        return False
    shown: list[str] = []
    read: list[tuple[str, list[str]]] = []
    for text in texts:
        pieces = _BLANK_LINES.split(text[: 10 * _MOST_READ])
        of_text = [(piece, words) for piece in pieces if (words := _WORD.findall(piece))]
        read += of_text
        shown += chain.from_iterable(words for _, words in of_text)
        if len(shown) >= _MOST_READ:
            break
    said = "These texts do"
    if most := _find_foreign(shown)[1]:
        text, _ = max(read, key=lambda one: sum(word.lower() in most for word in one[1]))
    else:
        foreign = [text for text, words in read if _find_foreign(words)[1]]
        least = _OF_MANY if len(foreign) >= _MANY else _OF_TEXTS
        if not foreign or len(foreign) < least * len(read):
            return False
        text = foreign[0]
        said = f"{len(foreign)} of the first {len(read)} paragraphs do"
    warnings.warn(
        f'{said} not read like English, such as "{" ".join(text.split())[:_SHOWN]} …": the model '
        "knows little of them. Train a model for their language: see docs/languages.md",
        stacklevel=3,
    )
    return True


def find_language(forms: Sequence[str], words: np.ndarray) -> str:
    """Return the language that the first words of an English model's text are in, by its distinct
    forms, as they are written, and the number of that of each word, (n,): "en" if no other is
    found."""
    is_word = np.array([bool(_WORD.fullmatch(form)) for form in forms], bool)
    words = words[is_word[words]][:_MOST_READ]
    known = find_stop_words("en")
    is_known = np.array([form.lower() in known for form in forms], bool)
    if 3 * np.count_nonzero(is_known[words]) >= len(words):
        return "en"
    return _find_foreign([forms[word] for word in words.tolist()])[0]


def reads_foreign(text: str) -> bool:
    """Tell whether a text has words of another language than English, or in another script."""
    return bool(_find_foreign(_WORD.findall(text))[1])


def _find_foreign(shown: Sequence[str]) -> tuple[str, set[str]]:
    """The language that words, as they are written, are in, and those by which they do not read
    like English, of it or of another script; "en" and none if they do."""
    words = [word.lower() for word in shown]
    known = find_stop_words("en")
    n_english = sum(word in known for word in words)
    if 3 * n_english >= len(words):
        return "en", set()
    # What stands between capitals may be a part of a name: "Ursula von der Leyen".
    near = zip(["a", *shown], words, [*shown[1:], "a"])
    free = [word for before, word, after in near if not (before[0] + after[0]).isupper()]
    others = [word for word in free if word not in known]
    found = {"en": [word for word in others if word > _LAST_LATIN]}
    for code in iter_languages():
        if code != "en":
            stop_words = find_stop_words(code)
            found[code] = [word for word in others if word in stop_words]
    code, most = max(found.items(), key=lambda one: len(one[1]))
    is_most = len(most) > max(_OF_OTHER * len(words), 2 * n_english)
    return (code, {*most}) if is_most and len({*most}) >= _FEWEST_WORDS else ("en", set())


@cache
def find_stop_words(language: str) -> set[str]:
    """Return spaCy's stop words of a language."""
    # To import them imports all of the language: of those that have a file here, 3 s.
    path = Path(spacy.__file__).parent / "lang" / language / "stop_words.py"
    found: set[str] = run_path(str(path))["STOP_WORDS"]
    return found
