"""Triplets of sentence numbers from the section structure of one article.

Source: Ein Dor et al. (2018), sections 3.1 and 3.2.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator, Sequence

Triplet = tuple[int, int, int]

MAX_PARAGRAPHS_APART = 3


def are_near(paragraph: int, other: int, max_apart: int = MAX_PARAGRAPHS_APART) -> bool:
    """Rule i: the sentences of a pair are at most three paragraphs apart."""
    return abs(paragraph - other) <= max_apart


def iter_pairs(sections: Sequence[int], paragraphs: Sequence[int]) -> Iterator[tuple[int, int]]:
    """All pairs of sentences of one section that satisfy rule i, each once, in reading order.

    sections, paragraphs: for each sentence, in reading order, the number of its section and of
    its paragraph in the section.
    """
    for first in range(len(sections)):
        for second in range(first + 1, len(sections)):
            if sections[second] != sections[first]:
                break
            if are_near(paragraphs[first], paragraphs[second]):
                yield first, second


def mine_adjacent(
    sections: Sequence[int], paragraphs: Sequence[int], rng: random.Random
) -> list[Triplet]:
    """triplets-sen: for each pair at most two triplets, with a negative drawn at random from the
    previous and from the next section that has sentences.

    sections must be sorted. Returns (anchor, positive, negative) sentence numbers.
    """
    members = _members(sections)
    order = sorted(members)
    neighbours = {
        section: [order[i] for i in (position - 1, position + 1) if 0 <= i < len(order)]
        for position, section in enumerate(order)
    }
    return [
        (anchor, positive, rng.choice(members[neighbour]))
        for anchor, positive in iter_pairs(sections, paragraphs)
        for neighbour in neighbours[sections[anchor]]
    ]


def mine_random_section(
    sections: Sequence[int], paragraphs: Sequence[int], rng: random.Random
) -> list[Triplet]:
    """As many triplets as triplets-sen, with negatives from any other section of the article."""
    members = _members(sections)
    others = {section: [o for o in members if o != section] for section in members}
    return [
        (anchor, positive, rng.choice(members[rng.choice(others[sections[anchor]])]))
        for anchor, positive, _ in mine_adjacent(sections, paragraphs, rng)
    ]


def mine_random_article(
    sections: Sequence[int],
    paragraphs: Sequence[int],
    rng: random.Random,
    n_foreign: int,
) -> list[Triplet]:
    """As many triplets as triplets-sen, with negatives from other articles: numbers from 0 to
    n_foreign - 1 of sentences of theirs."""
    return [
        (anchor, positive, rng.randrange(n_foreign))
        for anchor, positive, _ in mine_adjacent(sections, paragraphs, rng)
    ]


def mine_titles(sections: Sequence[int]) -> list[Triplet]:
    """triplets-titles: the anchor is the first sentence of a section, the positive the title of
    its section and the negative that of the previous and of the next.

    Returns sentence numbers of the anchors, and for the titles their position among the sections
    that have sentences.
    """
    first: dict[int, int] = {}
    for sentence, section in enumerate(sections):
        first.setdefault(section, sentence)
    order = sorted(first)
    return [
        (first[section], position, neighbour)
        for position, section in enumerate(order)
        for neighbour in (position - 1, position + 1)
        if 0 <= neighbour < len(order)
    ]


def _members(sections: Sequence[int]) -> dict[int, list[int]]:
    members: dict[int, list[int]] = {}
    for sentence, section in enumerate(sections):
        members.setdefault(section, []).append(sentence)
    return members


def article_rng(title: str, seed: int) -> random.Random:
    """A random generator that depends on the article and the seed alone, so that an article's
    triplets are the same whatever other articles are read, in whatever order and process."""
    return random.Random(_hash(f"{seed}\t{title}"))


def split_of(title: str, shares: Sequence[float] = (0.8, 0.1, 0.1)) -> str:
    """The split, "train", "dev" or "test", of an article, from a hash of its normalized title:
    it stays what it is when articles are added. Articles are split, never triplets."""
    position = _hash(title) / 2**64 * sum(shares)
    if position < shares[0]:
        return "train"
    return "dev" if position < shares[0] + shares[1] else "test"


def _hash(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")
