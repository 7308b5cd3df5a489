"""From released triplets to Docs: articles are unknown, only sentences and triplets are left."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from spacy.language import Language
from spacy.tokens import Doc

from spacy_thematic.articles.article import Article, Section
from spacy_thematic.articles.triplets_csv import TripletGroup
from spacy_thematic.sentences import tokenizing
from spacy_thematic.triplets.docbin import make_doc
from spacy_thematic.triplets.rules import CorpusSettings
from spacy_thematic.triplets.sentences import Sentence


def make_released_doc(group: TripletGroup, nlp: Language, settings: CorpusSettings) -> Doc:
    """Make a Doc of a group of triplets, with each sentence once, section by section.

    Anchors and positives that triplets connect count as one section without a title. No rule or
    filter is applied: the triplets stay as they were released.

    Raises:
        ValueError: If the settings ask for another kind of triplets, fewer of them, or rules.
    """
    if settings.kind != "sen":
        raise ValueError(
            f'Released triplets are of the kind "sen": "{settings.kind}" needs articles.'
        )
    if settings.per_article or settings.paper_rules:
        raise ValueError(
            "Released triplets are taken as they are, so --per-article and --paper-rules do "
            "nothing: leave them out."
        )
    numbers: dict[str, int] = {}
    for triplet in group.triplets:
        for text in triplet:
            numbers.setdefault(text, len(numbers))
    pairs = [(numbers[anchor], numbers[positive]) for anchor, positive, _ in group.triplets]
    n_sections, sections = find_components(len(numbers), pairs)
    texts = sorted(numbers, key=lambda text: sections[numbers[text]])
    sentences = [
        Sentence.read(tokenizing.make_doc(nlp, text), sections[numbers[text]], 0) for text in texts
    ]
    rows = {text: row for row, text in enumerate(texts)}
    return make_doc(
        Article(group.title, "Wikipedia sections", [Section("")] * n_sections),
        sentences,
        [],
        [(rows[anchor], rows[positive], rows[other]) for anchor, positive, other in group.triplets],
        kind=settings.kind,
        seed=settings.seed,
        vocab=nlp.vocab,
    )


def find_components(n: int, pairs: Sequence[tuple[int, int]]) -> tuple[int, list[int]]:
    """How many groups of n numbers pairs connect, directly or not, and the group of each number, in
    the order of their lowest ones."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    graph = coo_array((np.ones(len(pairs)), tuple(zip(*pairs))), (n, n))
    n_groups, groups = connected_components(graph, directed=False)
    return n_groups, groups.tolist()
