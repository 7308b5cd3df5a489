"""Headings of what is left out of an article, for rules iii and iv: those of its language, and of
English."""

from collections.abc import Iterable
from functools import cache
from itertools import chain

from spacy_thematic.articles.article import normalize_title
from spacy_thematic.lang import ALL_LANGUAGES, get_words, iter_languages
from spacy_thematic.lang.en import BACK_MATTER_OF_THE_PAPER


def is_other_language(model: str, text: str) -> bool:
    """Whether a model of one language is for other texts than those of another; "" is unknown."""
    return bool(model and text) and model not in (text, ALL_LANGUAGES)


def normalize_heading(heading: str) -> str:
    """The form of a heading that all its spellings share, without punctuation around it."""
    normal = normalize_title(heading).replace("’", "'")
    return normal.strip(" :.'\"*[]{}=").replace("&", "and")


@cache
def find_background(lang: str) -> frozenset[str]:
    """Rule iii: the normalised headings of "Background" in a language, and in English."""
    return _normalize(get_words(own).background for own in _find_languages(lang))


@cache
def find_back_matter(lang: str, paper_rules: bool = False) -> frozenset[str]:
    """Rule iv: the normalised headings of sections that list sources, links and the like, in a
    language and in English; "xx" has those of all languages. With `paper_rules`, of the English
    ones those alone that the paper names."""
    own = [get_words(own).back_matter for own in _find_languages(lang) if own != "en"]
    english = BACK_MATTER_OF_THE_PAPER if paper_rules else get_words("en").back_matter
    return _normalize((english, *own))


def _find_languages(lang: str) -> Iterable[str]:
    return iter_languages() if lang == ALL_LANGUAGES else {"en", lang}


def _normalize(lists: Iterable[Iterable[str]]) -> frozenset[str]:
    return frozenset(map(normalize_heading, chain.from_iterable(lists)))
