"""Triplets of sentence numbers from the section structure of one article, as in Ein Dor et al.
(2018), sections 3.1 and 3.2."""

import random
from collections.abc import Iterator, Sequence

from spacy_thematic.rows import group_by
from spacy_thematic.triplets.hashes import hash_text
from spacy_thematic.triplets.rules import are_near

Triplet = tuple[int, int, int]


def iter_pairs(sections: Sequence[int], paragraphs: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield each pair of sentences of one section that satisfies rule i, in reading order, from the
    numbers of each sentence's section and of its paragraph in it."""
    for first in range(len(sections)):
        for second in range(first + 1, len(sections)):
            if sections[second] != sections[first]:
                break
            if are_near(paragraphs[first], paragraphs[second]):
                yield first, second


def mine_adjacent(
    sections: Sequence[int], paragraphs: Sequence[int], rng: random.Random
) -> list[Triplet]:
    """Mine triplets-sen: for each pair at most two triplets (anchor, positive, negative), one with
    a random negative from the previous section that has sentences, one from the next."""
    members = _members(sections)
    order = list(members)
    neighbours = {
        section: order[max(position - 1, 0) : position] + order[position + 1 : position + 2]
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
    """Mine as many triplets as `mine_adjacent`, with negatives from any other section."""
    members = _members(sections)
    others = {section: [o for o in members if o != section] for section in members}
    return [
        (anchor, positive, rng.choice(members[rng.choice(others[sections[anchor]])]))
        for anchor, positive, _ in mine_adjacent(sections, paragraphs, rng)
    ]


def mine_titles(sections: Sequence[int]) -> list[Triplet]:
    """Mine triplets-titles: the anchor is the first sentence of a section, the positive the title
    of its section, and the negative the title of the previous or the next section. Titles are
    numbered by their positions among the sections that have sentences."""
    members = _members(sections)
    return [
        (sentences[0], position, neighbour)
        for position, sentences in enumerate(members.values())
        for neighbour in (position - 1, position + 1)
        if 0 <= neighbour < len(members)
    ]


def _members(sections: Sequence[int]) -> dict[int, list[int]]:
    """The sentences of each section that has some."""
    groups = group_by(range(len(sections)), sections)
    return {section: group for section, group in enumerate(groups) if group}


def article_rng(title: str, seed: int) -> random.Random:
    """Make a random generator that depends on the article and the seed alone, so that its triplets
    depend neither on other articles nor on the process."""
    return random.Random(hash_text(f"{seed}\t{title}"))


def split_of(title: str, shares: Sequence[float] = (0.8, 0.1, 0.1)) -> str:
    """Choose "train", "dev" or "test" for an article by a hash of its normalized title, so that the
    choice stays when articles are added. Articles are split, never triplets."""
    position = hash_text(title) / 2**64 * sum(shares)
    if position < shares[0]:
        return "train"
    return "dev" if position < shares[0] + shares[1] else "test"
