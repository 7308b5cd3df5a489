"""What several Docs have in common: the themes that run through them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from spacy.tokens import Doc

from spacy_thematic.pipeline.themes import ThemeDescription
from spacy_thematic.report.themes import get_themes

_MOST_PLACES = 8


class Place(NamedTuple):
    """A Doc, by its number from 1, and how many sentences of a theme it has."""

    number: int
    n_sentences: int


class SharedTheme(NamedTuple):
    """A theme of several Docs, the number of its sentences and of the Docs that have it, and those
    that have most of it."""

    theme: ThemeDescription
    n_sentences: int
    n_texts: int
    places: list[Place]


def find_shared_themes(docs: Sequence[Doc]) -> list[SharedTheme]:
    """Find the themes of Docs that were clustered together, largest first.

    Returns:
        None at all for a single Doc, and where a number stands for different themes, as where each
        Doc has themes of its own.

    Raises:
        ValueError: If a Doc has no themes.
        TypeError: If something else than Docs is given.
    """
    described: dict[int, ThemeDescription] = {}
    places: dict[int, list[Place]] = {}
    for number, doc in enumerate(docs, 1):
        for theme in get_themes(doc):
            former = described.setdefault(theme.number, theme)
            if (former.label, former.keywords) != (theme.label, theme.keywords):
                return []
            places.setdefault(theme.number, []).append(Place(number, len(theme.sentences)))
    if len(docs) < 2:
        return []
    found = []
    for number, all_places in places.items():
        all_places.sort(key=lambda place: -place.n_sentences)
        n_sentences = sum(place.n_sentences for place in all_places)
        found.append(
            SharedTheme(described[number], n_sentences, len(all_places), all_places[:_MOST_PLACES])
        )
    return sorted(found, key=lambda shared: (-shared.n_sentences, shared.theme.number))
