"""Phrases of a text that may be its headings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from spacy.tokens import Span

from spacy_thematic.clustering.keywords import is_content_word

_MOST_WORDS = 3
_JOINTS = {"of", "de", "von", "'s", "’s"}


def count_phrases(sentences: Iterable[Span]) -> Counter[str]:
    """Count phrases of sentences, each in the form that it mostly has.

    They are noun chunks without leading and trailing stop words, if the Doc is parsed, and runs of
    one to three content words otherwise, two of which may be joined by a short word ("history of
    art"). Singular and plural, in upper and lower case, are one.
    """
    forms: dict[str, Counter[str]] = {}
    at_start: dict[str, Counter[str]] = {}
    for sentence in sentences:
        for span in _phrases(sentence):
            # The first word of a sentence is written large whatever it is.
            place = at_start if span.start == sentence.start else forms
            place.setdefault(_key(span.text), Counter())[span.text] += 1
    counts: Counter[str] = Counter()
    for key in {**forms, **at_start}:
        best = (forms.get(key) or at_start[key]).most_common(1)[0][0]
        counts[best] = sum(found[key].total() for found in (forms, at_start) if key in found)
    return counts


def _key(text: str) -> str:
    lower = text.lower()
    return lower.removesuffix("s") if len(lower) > 3 and not lower.endswith("ss") else lower


def _phrases(sentence: Span) -> Iterator[Span]:
    has_chunks = getattr(sentence.doc, "noun_chunks_iterator", None) is not None
    if has_chunks and sentence.doc.has_annotation("DEP"):
        for chunk in sentence.noun_chunks:
            content = [token.i for token in chunk if is_content_word(token)]
            if content:
                yield sentence.doc[content[0] : content[-1] + 1]
        return
    run: list[int] = []
    joint = False
    for token in sentence:
        if is_content_word(token):
            run = [*run[1 - _MOST_WORDS :], token.i]
            for start in run:
                yield sentence.doc[start : token.i + 1]
            joint = False
        elif joint or token.lower_ not in _JOINTS:
            run = []
        else:
            joint = True
