"""Phrases of a text that may be its headings."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby

from spacy.tokens import Doc

from spacy_thematic.clustering.content import Content
from spacy_thematic.clustering.keywords import to_term_key

_MOST_WORDS = 3

Phrase = tuple[str, bool, bool]
"""A phrase, whether its sentence begins with it, and whether no other is before it there."""


def find_phrases(sentences: Iterable[Content]) -> list[list[Phrase]]:
    """Find the phrases of each sentence.

    They are noun chunks without leading and trailing stop words, if the Doc is parsed, and runs of
    one to three content words otherwise, two of which may be joined by a short word ("history of
    art"), that end with a noun and hold no verb and no adverb, as far as their parts of speech are
    known: from a tagger, or the word classes of the language.
    """
    found = []
    for doc, of_doc in groupby(sentences, key=lambda content: content.sentence.doc):
        find = _find_chunks if _has_chunks(doc) else _find_runs
        found += [[*find(content)] for content in of_doc]
    return found


def count_phrases(phrases: Iterable[Phrase]) -> Counter[str]:
    """Count phrases, each in the form that it mostly has. Where one is the first of its sentence it
    counts twice, for there stands what a sentence is about. Singular and plural, in upper and lower
    case, are one.
    """
    forms = Counter(phrases)
    totals: Counter[str] = Counter()
    best: dict[str, str] = {}
    # The first word of a sentence is written large whatever it is: such forms count last.
    for (text, _, leads), count in sorted(forms.items(), key=lambda item: (item[0][1], -item[1])):
        key = to_term_key(text)
        best.setdefault(key, text)
        totals[key] += 2 * count if leads else count
    return Counter({best[key]: count for key, count in totals.items()})


def _has_chunks(doc: Doc) -> bool:
    return getattr(doc, "noun_chunks_iterator", None) is not None and doc.has_annotation("DEP")


def _find_runs(content: Content) -> Iterator[Phrase]:
    text, before = content.text, content.sentence.start_char
    run: list[int] = []
    lead = -1
    for word in content.words:
        start = word.start - before
        end = start + len(word.text)
        lead = start if lead < 0 else lead
        if not (word.joins and word.is_name):
            run = []
        if word.is_name:
            run = [*run[1 - _MOST_WORDS :], start]
            for first in run if word.is_noun else ():
                yield text[first:end], first == 0, first == lead


def _find_chunks(content: Content) -> Iterator[Phrase]:
    sentence, text, words = content
    before = sentence.start_char
    starts = [word.start for word in words]
    lead = -1
    for chunk in sentence.noun_chunks:
        own = words[bisect_left(starts, chunk.start_char) : bisect_left(starts, chunk.end_char)]
        if own:
            first, end = own[0].start - before, own[-1].start + len(own[-1].text) - before
            lead = first if lead < 0 else lead
            yield text[first:end], first == 0, first == lead
