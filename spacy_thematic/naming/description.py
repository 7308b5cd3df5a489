"""What groups of sentences are about, described in one way for all kinds of groups."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, fields
from functools import partial
from typing import Any

import numpy as np
from spacy.tokens import Span

from spacy_thematic.lang import get_words
from spacy_thematic.naming.codes_and_units import is_code
from spacy_thematic.naming.content import CONTROLS, clean_name
from spacy_thematic.naming.headings import HeadingFinder, join_names
from spacy_thematic.naming.keywords import find_keywords, make_labels
from spacy_thematic.rows import group_by

_TERM_START, _TERM_END = re.compile(r"(?<!\w)"), re.compile(r"(?:e?s)?(?!\w)")

_WORD = re.compile(r"[^\W\d_]+")
_UNSAFE = dict.fromkeys(map(ord, CONTROLS | set("<>&")), " ")
"""Characters that control a terminal, or are markup to displacy, which shows labels as they are."""

_SHOWN = 6  # The keywords of a description that are printed.

_MOST_SENTENCES, _MOST_NAMES = 20, 10
"""The sentences and the names that a function of the user gets, to name a group."""

Namer = Callable[[list[str], list[str], list[str]], str | None]
"""`(sentences, keywords, names) -> name`, or None to keep the one that was found: the name of a
group, by the texts of its most typical sentences, its keywords, and names that were found for it,
best first each."""

_LONGEST = 60  # The most characters of a sentence that names a group.
_LONGEST_OF_THREE = 80  # The most characters of three names that make that of a broader group.


@dataclass(kw_only=True, repr=False)
class Description:
    """What a group of sentences is about.

    Attributes:
        number: From 1.
        label: Its first keywords, or a sentence where there are none, unique among the groups.
        keywords: The words that tell it from the other groups, best first.
        heading: What a person might call it, None where the encoder has not learned headings: then
            `label` serves.
        heading_score: How well the heading fits, 0 to 1. Of a sentence, how well the best phrase
            does.
    """

    number: int
    label: str
    keywords: list[str]
    heading: str | None = None
    heading_score: float | None = None

    @property
    def name(self) -> str:
        """The heading, or the label if there is no heading."""
        return self.heading or self.label

    def to_dict(self) -> dict[str, Any]:
        """Return the attributes and the name as plain values, for JSON."""
        return {"number": self.number, "name": self.name, **vars(self)}

    def __repr__(self) -> str:
        words = ", ".join(self.keywords[:_SHOWN])
        return f"{type(self).__name__} {self.number}: {self.name} ({words})"

    def __reduce__(self) -> tuple:
        # Spans cannot be pickled, but a Doc can, and where they are in it.
        values = {field.name: _pack(getattr(self, field.name)) for field in fields(self)}
        return _restore, (type(self), values)


class ReadFromDoc:
    """What is read from a Doc each time. To set one of its values raises AttributeError."""

    def __setattr__(self, name: str, value: Any) -> None:
        if name in vars(self):
            what = type(self).__name__.lower()
            raise AttributeError(
                f"A {what} is read from its Doc each time, so that another {name} would be lost: "
                f"{what}.rename(...) names it in the Doc."
            )
        super().__setattr__(name, value)


def read_heading(name: object) -> str:
    """Return what is to be a heading as `clean_name` does. Raises ValueError if it is no text, or
    empty."""
    cleaned = clean_name(name) if isinstance(name, str) else ""
    if not cleaned:
        raise ValueError(f"Expected a name with a letter or more, found {name!r}.")
    return cleaned


def has_term(theme: Description, text: str) -> bool:
    """Tell whether a text has the heading of a theme or one of its keywords, or its plural."""
    # To compile an expression of the terms of each theme takes longer than all searches.
    lower = text.lower()
    for term in map(str.lower, filter(None, [theme.heading, *theme.keywords])):
        start = lower.find(term)
        while start >= 0:
            if _TERM_START.match(lower, start) and _TERM_END.match(lower, start + len(term)):
                return True
            start = lower.find(term, start + 1)
    return False


def _pack(value: Any) -> Any:
    if isinstance(value, Span):
        place = value.doc, value.start, value.end
        return partial(Span, *place, label=value.label_, span_id=value.id_)
    return [*map(_pack, value)] if isinstance(value, list) else value


def _unpack(value: Any) -> Any:
    if isinstance(value, partial):
        return value()
    return [*map(_unpack, value)] if isinstance(value, list) else value


def _restore(cls: type[Description], values: dict[str, Any]) -> Description:
    return cls(**{name: _unpack(value) for name, value in values.items()})


def describe(
    terms: Sequence[Iterable[str]],
    sizes: Sequence[int],
    n_keywords: int,
    finder: HeadingFinder | None = None,
    *,
    headings: bool = True,
    taken: Sequence[str] = (),
    language: str = "",
    order: np.ndarray | None = None,
    kind: str = "theme",
    namer: Namer | None = None,
    named: Collection[int] = (),
) -> list[Description]:
    """Describe groups, so that no two labels are the same, and no two headings alike.

    Args:
        terms: The words of each group that may be keywords, or a Counter of them.
        sizes: The number of sentences of each group.
        finder: Finds the headings of the groups, and says more of the candidates for keywords.
        taken: Names that no heading repeats.
        order: The groups in the order in which they are numbered and returned, (k,); None: as they
            are.
        kind: What a group is: the label of one with a keyword or none and no heading is its most
            typical sentence, shortened; without a finder, the kind and its number.
        namer: Names the groups, whose headings the finder finds, but those that are `named`. Of
            alike names the further ones get the numbers of their groups.
    """
    weigh_all, weigh_best = (finder.weigh_openings, finder.weigh) if finder else (None, None)
    of_texts = finder is not None and finder.n_texts > 1
    keywords = find_keywords(
        terms, sizes, n_keywords, weigh_all, weigh_best, language, of_texts=of_texts
    )
    none = [None] * len(keywords)
    chosen = finder.choose(taken) if finder and headings else none
    places = range(len(keywords)) if order is None else order.tolist()
    said = [*keywords]
    unnamed = [n for n, own in enumerate(keywords) if not own[1:] and not chosen[n]]
    if finder and unnamed:
        typical = finder.list_typical(1)
        for place in unnamed:
            own = [
                text for text in typical[place] if not (is_code(text) or _is_reply(text, language))
            ]
            said[place] = [*map(_shorten, own)] or keywords[place]
    labels = make_labels([said[place] for place in places], kind=kind)
    described = [
        Description(
            number=number,
            label=label,
            keywords=keywords[place],
            heading=heading and heading.text,
            heading_score=heading and heading.score,
        )
        for number, (place, label) in enumerate(zip(places, labels), 1)
        for heading in (chosen[place],)
    ]
    if namer is not None and finder is not None:
        _let_name(namer, finder, dict(zip(places, described)), {*taken}, named)
    return described


def _shorten(sentence: str) -> str:
    name = clean_name(sentence.translate(_UNSAFE)) or "…"
    start = name[:_LONGEST]
    return name if start == name else f"{start.rpartition(' ')[0] or start} …"


def _let_name(
    namer: Namer,
    finder: HeadingFinder,
    described: dict[int, Description],
    taken: set[str],
    named: Collection[int],
) -> None:
    """Give groups, by their places, the names that a function of the user finds. Raises ValueError
    for what is no name."""
    texts, names = finder.list_typical(_MOST_SENTENCES), finder.list_names(_MOST_NAMES)
    for place, one in described.items():
        if place in named or not texts[place]:
            continue
        own = [one.heading] if one.heading else []
        known = [*dict.fromkeys(own + names[place])][:_MOST_NAMES]
        name = namer(texts[place], [*one.keywords], known)
        if name is not None:
            try:
                one.heading, one.heading_score = read_heading(name), None
            except ValueError as error:
                raise ValueError(
                    f"The namer returned {name!r:.80} for {one.label!r}: expected a name, or None "
                    "to keep the one that was found."
                ) from error
        if one.heading in taken:
            one.heading = f"{one.heading} ({one.number})"
        taken.add(one.name)


def _is_reply(text: str, language: str) -> bool:
    """Whether a sentence has only words that stand in any text ("Yeah, yeah.")."""
    words = {*_WORD.findall(text.lower())}
    return bool(words) and words <= get_words(language).in_any_text


def name_broader(
    names: Sequence[str],
    broader: np.ndarray,
    finder: HeadingFinder | None = None,
    language: str = "en",
) -> list[str | None]:
    """Return the name of the broader group of each group; None of one that is alone in it. It is a
    heading of the text, where one stands above half of the broader group or more. Otherwise it has
    the names of its largest groups: of 101 such names two readers tolerated 99 in 100, of the best
    phrases 42.

    Args:
        names: Of the groups, the largest first, (k,).
        broader: Of each group, from 0 without gaps, (k,).
        finder: Of headings of the broader groups. None: there are none in the text.
        language: Of the names.
    """
    members = group_by(names, broader)
    given = finder.find_given(names) if finder else [None] * len(members)
    found = [
        heading.text if heading else _join_first(own, language)
        for heading, own in zip(given, members)
    ]
    return [None if len(members[group]) == 1 else found[group] for group in broader.tolist()]


def _join_first(names: Sequence[str], language: str) -> str:
    """Three names, or two if they would be long."""
    joined = join_names(names[:3], language)
    return joined if len(joined) <= _LONGEST_OF_THREE else join_names(names[:2], language)
