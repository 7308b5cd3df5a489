"""Themes that a user names in advance, each by a few example words or sentences."""

import re
from collections.abc import Collection, Mapping, Sequence

import numpy as np

from spacy_thematic.clustering.hierarchy import FEW
from spacy_thematic.clustering.vectors import SET_ASIDE, SentenceVectors, TextEncoder
from spacy_thematic.lang import have_one_stem, to_word_key
from spacy_thematic.rows import unit_rows

_FEWEST_CENTRED = 3  # The mean of fewer sentences is no origin.

_FEWEST_BY_CHANCE = 100
"""Of fewer sentences, what is like a seed theme makes up much of how far the cosines spread."""

_LIKE, _NEAR = 0.2, 0.45
"""A sentence is like a seed theme if their cosine is above this, with the sentences' mean as the
origin, or of fewer than three sentences as they are. Of seven or fewer a theme is a large part of
the mean, so that any positive cosine is enough once a sentence is like it."""

_OF_WORDS = 0.3
"""How much the words of a seed theme count beside the cosine, both in standard deviations. Chosen
on seven labelled collections, with the labels as examples, and on articles with their headings:
F1 of a seed theme by itself is .48 for .46 without, of all together .48 for .38 (`md`)."""

_SHORT, _OF_USUAL = 4, 1 / 3
"""Units of fewer words of content, and of less than a third of the median, such as lines of a form
between clauses, are like a seed theme by chance."""


def encode_seed_themes(
    encode: TextEncoder, seed_themes: Mapping[str, Sequence[str]]
) -> np.ndarray | None:
    """Return the mean direction of each seed theme's examples, (seed themes, width); None if there
    are no seed themes. Raises ValueError if a theme has no examples, or none with a word that the
    encoder knows."""
    if not seed_themes:
        return None
    rows = []
    for name, examples in seed_themes.items():
        vectors = encode(list(examples)) if examples else np.zeros((0, 1))
        if not vectors.any():
            raise ValueError(
                f"The seed theme {name!r} has no example with a word that the encoder knows, only "
                f"{list(examples)}: give it some words or sentences of the kind it was trained on."
            )
        rows.append(unit_rows(vectors, centre=False).sum(axis=0))
    return unit_rows(np.stack(rows), centre=False)


def compare_words(
    words: Sequence[Collection[str]], seed_themes: Mapping[str, Sequence[str]]
) -> np.ndarray:
    """Return how many of the words of a seed theme each unit has, by their stems, in standard
    deviations, (n, seed themes): the share of the information of those of an example that are in
    some unit, of the best example. Minus infinity for a unit of few words that has none.

    `words` are those of content of each unit, as `to_word_key` returns them.
    """
    shares = np.zeros((len(words), len(seed_themes)))
    vocabulary = {word for own in words for word in own}
    for column, examples in enumerate(seed_themes.values()):
        for example in examples:
            total, of_example = 0.0, np.zeros(len(words))
            for word in map(to_word_key, re.findall(r"\w+", example.lower())):
                forms = {one for one in vocabulary if one == word or have_one_stem(one, word)}
                has_form = np.array([not forms.isdisjoint(own) for own in words])
                information = np.log(len(words) / max(has_form.sum(), 1)) if forms else 0.0
                of_example += information * has_form
                total += information
            shares[:, column] = np.maximum(shares[:, column], of_example / (total or 1.0))
    sizes = np.array([len(own) for own in words])
    is_short = sizes < min(_SHORT, _OF_USUAL * np.median(sizes))
    compared = shares / np.maximum(shares.std(axis=0), 1e-9)
    return np.where(is_short[:, None] & (shares == 0), -np.inf, compared)


def take_by_seed_themes(
    vectors: SentenceVectors,
    directions: np.ndarray,
    n_sentences: int | None = None,
    *,
    take_all: bool = False,
    compared: np.ndarray | None = None,
) -> np.ndarray:
    """Return the seed theme of largest cosine, and most words, for each sentence, or text, that is
    like it, (n,); negative for those that are like none, unless they take all.

    Of a few sentences, those that are like a seed theme show what it is in this text: their mean
    with the seed theme's direction takes further sentences (Rocchio 1971), and a seed theme that no
    sentence is like takes none. In a longer text this takes as many wrong sentences as right ones.
    Of a hundred or more, a sentence is like one of several seed themes only if it is nearer than
    the nearest of as many by chance, of normal cosines.

    `directions` are those of the seed themes, (seed themes, width), of length one. `n_sentences`
    are those of the text, where the vectors are those of its segments. `compared` are the words of
    eight or more, as `compare_words` returns them; None: they do not count.
    """
    cosines = vectors.unit @ directions.T
    if take_all:
        return cosines.argmax(axis=1)
    limit = _NEAR
    n_sentences = n_sentences or len(cosines)
    if n_sentences >= _FEWEST_CENTRED:
        centres = vectors.centre(directions)
        cosines = vectors.centred @ centres.T
        by_chance = float(cosines.std() * np.sqrt(2 * np.log(len(directions))))
        limit = max(_LIKE, by_chance) if len(cosines) >= _FEWEST_BY_CHANCE else _LIKE
        if n_sentences <= FEW:
            limit, cosines = 0.0, _compare_with_found(vectors.centred, centres)
        elif compared is not None:
            cosines = cosines + _OF_WORDS * cosines.std() * compared
    return np.where(cosines.max(axis=1) > limit, cosines.argmax(axis=1), SET_ASIDE)


def _compare_with_found(rows: np.ndarray, centres: np.ndarray) -> np.ndarray:
    """The cosines of rows, (n, width), with the mean of each seed theme's centre and of the rows
    that are like it, (n, seed themes); -1 where no row is."""
    cosines = rows @ centres.T
    is_like = (cosines == cosines.max(axis=1, keepdims=True)) & (cosines > _LIKE)
    sums = centres + is_like.T.astype(rows.dtype) @ rows
    return np.where(is_like.any(axis=0), rows @ unit_rows(sums, centre=False).T, -1.0)
