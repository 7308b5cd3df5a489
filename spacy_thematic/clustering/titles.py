"""Titles of themes: the phrase of the text that lies nearest to a theme's centre."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from spacy.tokens import Span

from spacy_thematic.clustering.keywords import is_content_word
from spacy_thematic.clustering.vectors import (
    SentenceVectors,
    TextEncoder,
    cluster_centres,
    unit_rows,
)

_MOST_WORDS = 3
_MOST_CANDIDATES = 200


def find_titles(
    encode: TextEncoder,
    sentences: Sequence[Span],
    vectors: SentenceVectors,
    labels: np.ndarray,
    keywords: Sequence[Sequence[str]],
) -> list[str | None]:
    """Find for each cluster the phrase of its own sentences whose vector is nearest to its centre.

    Args:
        encode: Encodes phrases as the sentences were encoded.
        sentences: In which phrases are looked for.
        vectors: Of the sentences.
        labels: The cluster of each sentence, from 0 without gaps, (n,).
        keywords: Of each cluster. Phrases with a keyword are preferred to those without.

    Returns:
        A phrase for each cluster, no two the same; None where none is left. Of a cluster with very
        many phrases the most frequent are tried. Of equally near ones the first is taken.
    """
    centres = cluster_centres(vectors.centred, labels)
    titles: list[str | None] = []
    for cluster, centre in enumerate(centres):
        members = [sentences[row] for row in np.flatnonzero(labels == cluster).tolist()]
        phrases = [phrase for phrase in find_candidates(members) if phrase not in titles]
        named = [p for p in phrases if any(word in p.lower() for word in keywords[cluster])]
        phrases = (named or phrases)[:_MOST_CANDIDATES]
        titles.append(None)
        if phrases:
            directions = unit_rows(encode(phrases), centre=False)
            known = directions.any(axis=1)
            cosines = vectors.centre(directions) @ centre
            if known.any():
                titles[-1] = phrases[np.where(known, cosines, -np.inf).argmax()]
    return titles


def find_candidates(sentences: Iterable[Span]) -> list[str]:
    """Find phrases of sentences, most frequent first.

    They are noun chunks without leading and trailing stop words, if the Doc is parsed, and runs of
    one to three content words otherwise: those that occur at least twice; if there are none, those
    of several words; if there are none, all.
    """
    first: dict[str, str] = {}
    total: Counter[str] = Counter()
    for phrase in (phrase.text for sentence in sentences for phrase in _phrases(sentence)):
        total[first.setdefault(phrase.lower(), phrase)] += 1
    phrases = [phrase for phrase, _ in total.most_common()]
    repeated = [phrase for phrase in phrases if total[phrase] > 1]
    return repeated or [phrase for phrase in phrases if " " in phrase] or phrases


def _phrases(sentence: Span) -> Iterator[Span]:
    has_chunks = getattr(sentence.doc, "noun_chunks_iterator", None) is not None
    if has_chunks and sentence.doc.has_annotation("DEP"):
        for chunk in sentence.noun_chunks:
            content = [token.i for token in chunk if is_content_word(token)]
            if content:
                yield sentence.doc[content[0] : content[-1] + 1]
        return
    run: list[int] = []
    for token in sentence:
        run = [*run[1 - _MOST_WORDS :], token.i] if is_content_word(token) else []
        for start in run:
            yield sentence.doc[start : token.i + 1]
