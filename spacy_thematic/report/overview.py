"""What several Docs have in common: the themes that run through them."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from spacy.tokens import Doc

from spacy_thematic.pipeline.themes import ThemeDescription
from spacy_thematic.report.themes import get_themes

_MOST_PLACES = 8
_MOST_EXAMPLES = 60


class Example(NamedTuple):
    """A sentence of a theme, the number of its Doc, and how surely it has the theme, 0 to 1."""

    text: str
    number: int
    confidence: float


class SharedTheme(NamedTuple):
    """A theme of several Docs, the number of its sentences and of the Docs that have it; those that
    have most of it, by their numbers from 1, with its sentences there; and different sentences that
    have it most surely, the surest first."""

    theme: ThemeDescription
    n_sentences: int
    n_texts: int
    places: list[tuple[int, int]]
    examples: list[Example]


def find_shared_themes(docs: Sequence[Doc]) -> list[SharedTheme]:
    """Find the themes of Docs that were clustered together, largest first, by their texts
    where each has one theme: none at all for a single Doc, and where a number stands for different
    themes, as where each Doc has themes of its own. Raises ValueError if a Doc has no themes,
    TypeError for something else than Docs."""
    described: dict[int, ThemeDescription] = {}
    places: dict[int, Counter[int]] = {}
    examples: dict[int, list[Example]] = {}
    for number, doc in enumerate(docs, 1):
        for theme in get_themes(doc):
            former = described.setdefault(theme.number, theme)
            if (former.label, former.keywords) != (theme.label, theme.keywords):
                return []
            places.setdefault(theme.number, Counter())[number] = len(theme.sentences)
            examples.setdefault(theme.number, []).extend(
                Example(sentence.text.strip(), number, confidence)
                for sentence, confidence in zip(theme.sentences, theme.confidences)
            )
    if len(docs) < 2:
        return []
    found = []
    for number, sizes in places.items():
        # Of equal sentences the first.
        distinct = {example.text: example for example in reversed(examples[number])}
        surest = sorted(
            distinct.values(), key=lambda example: (-example.confidence, example.number)
        )
        found.append(
            SharedTheme(
                described[number],
                sizes.total(),
                len(sizes),
                sizes.most_common(_MOST_PLACES),
                surest[:_MOST_EXAMPLES],
            )
        )
    if have_one_theme(docs):
        return sorted(found, key=lambda shared: (-shared.n_texts, shared.theme.number))
    return sorted(found, key=lambda shared: (-shared.n_sentences, shared.theme.number))


def have_one_theme(docs: Sequence[Doc]) -> bool:
    """Whether there are several Docs, and none has several themes."""
    return len(docs) > 1 and all(len(get_themes(doc)) < 2 for doc in docs)
