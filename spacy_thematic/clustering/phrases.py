"""Phrases of a text that may be its headings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import NamedTuple

from spacy.tokens import Doc, Span

from spacy_thematic.clustering.keywords import is_content_word

_MOST_WORDS = 3
_NOT_OF_NAMES = {"VERB", "AUX", "ADV"}
_JOINTS = {"of", "de", "von", "'s", "’s"}


def count_phrases(sentences: Iterable[Span]) -> Counter[str]:
    """Count phrases of sentences, each in the form that it mostly has. Where a phrase is the first
    of its sentence it counts twice, for there stands what a sentence is about.

    They are noun chunks without leading and trailing stop words, if the Doc is parsed, and runs of
    one to three content words otherwise, two of which may be joined by a short word ("history of
    art"); without verbs and adverbs, if the Doc has parts of speech. Singular and plural, in upper
    and lower case, are one.
    """
    # The first word of a sentence is written large whatever it is: such forms count last.
    forms: Counter[_Found] = Counter()
    for doc, of_doc in groupby(sentences, key=lambda sentence: sentence.doc):
        find = _find_chunks if _has_chunks(doc) else _find_runs
        for sentence in of_doc:
            forms.update(find(sentence))
    totals: Counter[str] = Counter()
    best: dict[str, str] = {}
    for found, count in sorted(forms.items(), key=lambda item: (item[0].is_large, -item[1])):
        key = _key(found.text)
        best.setdefault(key, found.text)
        totals[key] += 2 * count if found.leads else count
    return Counter({best[key]: count for key, count in totals.items()})


class _Found(NamedTuple):
    """A phrase, whether its sentence begins with it, and whether no other is before it there."""

    text: str
    is_large: bool
    leads: bool


def _key(text: str) -> str:
    lower = text.lower()
    return lower.removesuffix("s") if len(lower) > 3 and not lower.endswith("ss") else lower


def _has_chunks(doc: Doc) -> bool:
    return getattr(doc, "noun_chunks_iterator", None) is not None and doc.has_annotation("DEP")


def _find_runs(sentence: Span) -> Iterator[_Found]:
    text, before = sentence.text, sentence.start_char
    run: list[int] = []
    lead = -1
    joint = False
    for token in sentence:
        if is_content_word(token) and token.pos_ not in _NOT_OF_NAMES:
            start = token.idx - before
            lead = start if lead < 0 else lead
            run = [*run[1 - _MOST_WORDS :], start]
            for first in run:
                yield _Found(text[first : start + len(token)], first == 0, first == lead)
            joint = False
        elif joint or token.lower_ not in _JOINTS:
            run = []
        else:
            joint = True


def _find_chunks(sentence: Span) -> Iterator[_Found]:
    lead = -1
    for chunk in sentence.noun_chunks:
        content = [token.i for token in chunk if is_content_word(token)]
        if content:
            first = content[0]
            lead = first if lead < 0 else lead
            text = sentence.doc[first : content[-1] + 1].text
            yield _Found(text, first == sentence.start, first == lead)
