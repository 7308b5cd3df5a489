"""What is said of the words of a language: a file a language, named as spaCy names it.

In: the code of a language. Out: its `Words`. To add a language, add a file; what it leaves out is
simply not known there.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import numpy as np

ALL_LANGUAGES = "xx"
"""spaCy's code of texts in any language."""

RAREST = 21.0
"""Bits of a word that is in no table."""

STEPS = 8
"""Of a bit."""

_STEM = 6
"""The fewest letters of a stem."""

_SHORT = 3
"""A word without its ending is longer."""

_FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Words:
    """Words of a language. `en.toml` says what each of these is."""

    before_numbers: frozenset[str] = frozenset()
    never_last: frozenset[str] = frozenset()
    clipped: frozenset[str] = frozenset()
    conjunction: str = ""
    starters: frozenset[str] = frozenset()
    background: tuple[str, ...] = ()
    back_matter: tuple[str, ...] = ()
    in_any_text: frozenset[str] = frozenset()
    fillers: frozenset[str] = frozenset()
    never_in_names: frozenset[str] = frozenset()
    curses: frozenset[str] = frozenset()
    times: frozenset[str] = frozenset()
    common_nouns: frozenset[str] = frozenset()
    modifiers: frozenset[str] = frozenset()
    auxiliaries: frozenset[str] = frozenset()
    after_nouns: frozenset[str] = frozenset()
    directions: frozenset[str] = frozenset()
    says: frozenset[str] = frozenset()
    moderators: frozenset[str] = frozenset()
    adverts: tuple[str, ...] = ()
    past_forms: frozenset[str] = frozenset()
    past_ending: str = ""
    particles: frozenset[str] = frozenset()
    titles: frozenset[str] = frozenset()
    joints: frozenset[str] = frozenset()
    links: frozenset[str] = frozenset()
    determiners: frozenset[str] = frozenset()
    plurals: Mapping[str, str] = field(default_factory=dict)
    endings: tuple[str, ...] = ()
    captions: frozenset[str] = frozenset()
    inserts: frozenset[str] = frozenset()
    attendance: frozenset[str] = frozenset()
    headings_of_parts: frozenset[str] = frozenset()
    headings_of_roles: frozenset[str] = frozenset()
    headings_of_papers: frozenset[str] = frozenset()
    leading_on: tuple[str, ...] = ()
    announcing: frozenset[str] = frozenset()
    non_answers: frozenset[str] = frozenset()
    greetings: tuple[str, ...] = ()
    closings: tuple[str, ...] = ()
    calls: tuple[str, ...] = ()
    menus: tuple[str, ...] = ()
    months: tuple[str, ...] = ()
    before_dates: frozenset[str] = frozenset()
    after_times: frozenset[str] = frozenset()
    pages: frozenset[str] = frozenset()
    usual_sentences: tuple[str, ...] = ()
    asides: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@cache
def iter_languages() -> tuple[str, ...]:
    """Return the codes of the languages that have a file."""
    return tuple(sorted(path.stem for path in _FOLDER.glob("*.toml")))


@cache
def get_words(language: str) -> Words:
    """Return what is known of the words of a language, by spaCy's code of it."""
    if language not in iter_languages():
        return Words()
    found = tomllib.loads((_FOLDER / f"{language}.toml").read_text("utf8"))
    kinds = {one.name: type(one.default) for one in fields(Words)}
    return Words(**{name: _read(value, kinds[name]) for name, value in found.items()})


def _read(value: Any, kind: type) -> Any:
    """A value of a file: a set is words between spaces, or an array, as all that has spaces is."""
    if isinstance(value, dict):
        return {key: _read(own, tuple) for key, own in value.items()}
    if kind is frozenset:
        return frozenset(value.split() if isinstance(value, str) else value)
    return tuple(value) if isinstance(value, list) else value


@cache
def load_rarities(language: str) -> Mapping[str, float] | None:
    """Load the information of the words of a language, in bits: the negative logarithm of their
    share of all words, by `to_word_key`; None if the language has no table, as
    `projects/pretrain/scripts/word_rarities.py` makes it."""
    path = _FOLDER / f"{language}_word_rarities.npz"
    if not path.exists():
        return None
    with np.load(path) as arrays:
        words = arrays["words"].tobytes().decode("utf8").split("\n")
        return dict(zip(words, (arrays["bits"] / STEPS).tolist()))


@lru_cache(maxsize=2**16)
def to_word_key(word: str) -> str:
    """Return what singular and plural of a word in lower case have in common: "bee" of bees,
    "librarie" of library and libraries, "church" of churches, "child" of children."""
    word = get_words("en").plurals.get(word, word)
    if len(word) < 4:
        return word
    if word.endswith("s") and word[-2] not in "su":
        word = word[:-1]
    if word.endswith(("che", "she", "sse", "xe")):
        return word[:-1]
    return f"{word[:-1]}ie" if word.endswith("y") and word[-2] not in "aeiou" else word


def have_one_stem(first: str, second: str) -> bool:
    """Whether two words begin with the same letters, six at least and more than half of the longer
    ("politics, political"), or differ by an ending of English words ("parking, parked")."""
    shared = max(_STEM, max(len(first), len(second)) // 2 + 1)
    # Words of one ending begin with the same letters.
    return first[:shared] == second[:shared] or (
        first[:_SHORT] == second[:_SHORT] and _cut(first) == _cut(second)
    )


def _cut(word: str) -> str:
    ending = next((end for end in get_words("en").endings if word.endswith(end)), "")
    return word.removesuffix(ending) if len(word) - len(ending) > _SHORT else word
