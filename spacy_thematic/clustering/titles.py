"""Titles of themes: the phrase of the text that lies nearest to a theme's centre."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from spacy.language import Language
from spacy.tokens import Span

from spacy_thematic.clustering.keywords import is_content_word
from spacy_thematic.clustering.seeds import encode_texts
from spacy_thematic.clustering.vectors import centre_of, cluster_sums, unit_rows

_MOST_WORDS = 3
_MOST_CANDIDATES = 200


def find_titles(
    nlp: Language,
    sentences: Sequence[Span],
    vectors: np.ndarray,
    labels: np.ndarray,
    keywords: Sequence[Sequence[str]],
    origin: np.ndarray | None = None,
) -> list[str | None]:
    """For each cluster the phrase of its own sentences whose vector is nearest to its centre, with
    one of its keywords in it if there is such a phrase; no two the same; None where there is none
    left, (k,).

    nlp: the pipeline whose `thematic_embedder` made the vectors, (n, width). labels: (n,), from 0,
    none left out. keywords: of each cluster. origin: (width,), subtracted before cosines are taken;
    None: the vectors' mean. Phrases are scaled to the vectors' mean length, so that they lie among
    them. Of a theme with very many phrases the most frequent are tried. Of equally near ones the
    first is taken.
    """
    origin = centre_of(vectors) if origin is None else origin
    rows = unit_rows(vectors, origin)
    centres = unit_rows(cluster_sums(rows, labels)[0], centre=False)
    lengths = np.linalg.norm(vectors, axis=1)
    length = lengths[lengths > 0].mean() if lengths.any() else 1.0
    titles: list[str | None] = []
    for cluster, centre in enumerate(centres):
        members = [sentences[row] for row in np.flatnonzero(labels == cluster).tolist()]
        phrases = [phrase for phrase in find_candidates(members) if phrase not in titles]
        phrases = [phrase for phrase in phrases if _has_any(phrase, keywords[cluster])] or phrases
        phrases = phrases[:_MOST_CANDIDATES]
        titles.append(None)
        if phrases:
            found = unit_rows(encode_texts(nlp, phrases), centre=False)
            known = found.any(axis=1)
            cosines = unit_rows(found * length, origin) @ centre
            if known.any():
                titles[-1] = phrases[np.where(known, cosines, -np.inf).argmax()]
    return titles


def find_candidates(sentences: Iterable[Span]) -> list[str]:
    """Phrases of sentences, most frequent first: noun chunks without leading and trailing stop
    words, if the Doc is parsed; runs of one to three content words otherwise. Those that occur
    twice or more, if there are some; else those of several words, if there are some."""
    first: dict[str, str] = {}
    total: Counter[str] = Counter()
    for phrase in (phrase.text for sentence in sentences for phrase in _phrases(sentence)):
        total[first.setdefault(phrase.lower(), phrase)] += 1
    phrases = [phrase for phrase, _ in total.most_common()]
    repeated = [phrase for phrase in phrases if total[phrase] > 1]
    return repeated or [phrase for phrase in phrases if " " in phrase] or phrases


def _has_any(phrase: str, keywords: Iterable[str]) -> bool:
    phrase = phrase.lower()
    return any(keyword in phrase for keyword in keywords)


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
