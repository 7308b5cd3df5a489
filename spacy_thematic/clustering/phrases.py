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
    # The first word of a sentence is written large whatever it is: such forms count last.
    forms = Counter(phrase for sentence in sentences for phrase in _find_phrases(sentence))
    totals: Counter[str] = Counter()
    best: dict[str, str] = {}
    for (text, _), count in sorted(forms.items(), key=lambda item: (item[0][1], -item[1])):
        key = _key(text)
        best.setdefault(key, text)
        totals[key] += count
    return Counter({best[key]: count for key, count in totals.items()})


def _key(text: str) -> str:
    lower = text.lower()
    return lower.removesuffix("s") if len(lower) > 3 and not lower.endswith("ss") else lower


def _find_phrases(sentence: Span) -> Iterator[tuple[str, bool]]:
    """The phrases of a sentence, and whether each begins it."""
    has_chunks = getattr(sentence.doc, "noun_chunks_iterator", None) is not None
    if has_chunks and sentence.doc.has_annotation("DEP"):
        for chunk in sentence.noun_chunks:
            content = [token.i for token in chunk if is_content_word(token)]
            if content:
                yield sentence.doc[content[0] : content[-1] + 1].text, content[0] == sentence.start
        return
    text, before = sentence.text, sentence.start_char
    run: list[int] = []
    joint = False
    for token in sentence:
        if is_content_word(token):
            start = token.idx - before
            run = [*run[1 - _MOST_WORDS :], start]
            for first in run:
                yield text[first : start + len(token)], first == 0
            joint = False
        elif joint or token.lower_ not in _JOINTS:
            run = []
        else:
            joint = True
