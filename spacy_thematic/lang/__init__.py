"""What is said of the words of a language: a module a language, named as spaCy names it.

In: the code of a language. Out: its `Words`. To add a language, add a module with `WORDS`; what it
leaves out is simply not known there.
"""

import pkgutil
from functools import cache
from importlib import import_module

from spacy_thematic.lang.words import Words, headings, words

__all__ = ["ALL_LANGUAGES", "Words", "get_words", "headings", "iter_languages", "words"]

ALL_LANGUAGES = "xx"
"""spaCy's code of texts in any language."""

LONGEST_CODE = 3
"""Letters of a code. The other modules here are of no language."""


@cache
def iter_languages() -> tuple[str, ...]:
    """Return the codes of the languages that have a module."""
    names = (name for _, name, _ in pkgutil.iter_modules(__path__))
    return tuple(sorted(name for name in names if len(name) <= LONGEST_CODE))


@cache
def get_words(language: str) -> Words:
    """Return what is known of the words of a language, by spaCy's code of it."""
    if language not in iter_languages():
        return Words()
    return import_module(f"{__name__}.{language}").WORDS
