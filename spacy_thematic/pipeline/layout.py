"""The component `thematic_layout`, which finds the blocks of a text, and where sentences start."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import chain, pairwise
from pathlib import Path
from typing import Any

import numpy as np
from spacy.language import Language
from spacy.tokens import Doc, Span
from spacy.util import registry

from spacy_thematic.checks import make_plain
from spacy_thematic.doc_layout import ensure_layout, read_blocks
from spacy_thematic.layout.blocks import BEGINNINGS
from spacy_thematic.layout.lines import (
    END_WITHIN,
    LONGEST_HEADING,
    are_wrapped,
    ends_sentence,
    iter_lines,
)
from spacy_thematic.layout.plain import DETECTORS, LINES
from spacy_thematic.pipeline.settings_pipe import SettingsPipe, check_name, take_settings

_CLOSED = ("heading", "aside", "code", "table", *BEGINNINGS)
"""Blocks of one sentence."""

_LONGEST_SENTENCE = 200
"""Tokens without an end of a sentence, from which each line is one, or what marks part."""

_PIECE = 25
"""Those of a piece, more or less, where there are neither lines nor marks."""

_SENTENCE_ENDS = frozenset(".!?…。！？")

_NO = np.uint64(2**64 - 1)
"""What an array of spaCy has where no sentence starts."""


@dataclass(frozen=True)
class LayoutSettings:
    """The settings of the component, see docs/reference/components.md. Detectors are short names of
    `DETECTORS`, or blocks of a config that make a `Detector`."""

    lines: str = "auto"
    detectors: Sequence[str | Mapping[str, Any]] = tuple(DETECTORS)

    def __post_init__(self) -> None:
        make_plain(self)
        check_name("lines", self.lines, LINES)
        if isinstance(self.detectors, tuple):
            object.__setattr__(self, "detectors", [*self.detectors])


_ASSIGNS = ["token.is_sent_start", "doc.spans"]
_DEFAULTS = asdict(LayoutSettings())


@Language.factory("thematic_layout", assigns=_ASSIGNS, default_config=_DEFAULTS)
@Language.factory("thematic_lines", assigns=_ASSIGNS, default_config=_DEFAULTS)
@take_settings(LayoutSettings)
def make_thematic_layout(nlp: Language, name: str, **settings: Any) -> "ThematicLayout":
    """Make the component from its configuration. "thematic_lines" is its former name. Raises
    ValueError if a setting is unknown."""
    return ThematicLayout(nlp, LayoutSettings(**settings), name=name)


class ThematicLayout(SettingsPipe):
    """Writes the blocks of a Doc to `doc.spans["thematic_layout"]`, unless they are there, labelled
    by their kinds, of `spacy_thematic.layout.blocks.KINDS`, and sets where sentences start: with
    each block. What it leaves open is for the component after it, such as the sentencizer. Headings
    and asides are sentences by themselves, and so is a line that ends without punctuation, unless
    it is long, and a sentence plainly ends within it."""

    def __call__(self, doc: Doc) -> Doc:
        """Write the blocks of a Doc, and set the starts of its sentences, in place."""
        ensure_layout(doc, self.detectors, self.lines)
        if self.lines != "no" and len(doc):
            self._set_starts(doc)
        elif not doc.has_annotation("SENT_START"):
            for start in chain.from_iterable(_find_cuts(span, "no") for span in read_blocks(doc)):
                doc[start].is_sent_start = True
        return doc

    def from_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> "SettingsPipe":
        """Load what `to_disk` wrote; versions to 0.1 wrote nothing."""
        return super().from_disk(path, exclude=exclude) if Path(path).exists() else self

    def _set_starts(self, doc: Doc) -> None:
        set_to = doc.to_array("SENT_START")
        starts = doc.to_array("IDX")
        end = 0
        for span in read_blocks(doc):
            # Tokens that hide a line break are in two blocks.
            start = span.start if span.start >= end or span.end <= end else end
            if span.label_ in BEGINNINGS and start < end:
                set_to[start + 1 : span.end] = _NO  # "Dr. Lee, Psy.D:"
                continue
            set_to[end:start] = _NO
            set_to[start] = 1
            closed = span.end
            if span.label_ in _CLOSED or (span.label_ == "line" and self._is_one(span)):
                closed = start + 1
            elif span.label_ == "line" and (remark := _find_remark(span.text)):
                # The sentencizer would begin a sentence within the brackets.
                opened = np.searchsorted(starts, span.start_char + remark)
                closed = max(start + 1, int(opened))
            set_to[closed : span.end] = _NO
            set_to[_find_cuts(span, self.lines)] = 1
            end = max(end, span.end)
        doc.from_array(["SENT_START"], set_to)

    def _is_one(self, span: Span) -> bool:
        text = span.text.rstrip()
        is_long = len(text) > LONGEST_HEADING
        holds_several = ends_sentence(text) or (is_long and END_WITHIN.search(text))
        return self.lines == "yes" or not holds_several

    def _resolve(self, name: str, value: Any) -> Any:
        if name != "detectors":
            return super()._resolve(name, value)
        detectors = [*map(_find_detector, value)] if isinstance(value, list) else [None]
        if not all(map(callable, detectors)):
            raise ValueError(
                f"Expected detectors to be a list of {', '.join(map(repr, DETECTORS))} and of "
                f'blocks such as {{"@misc": "my-logs.v1"}}, found {value!r}.'
            )
        return detectors


def _find_detector(name: Any) -> Any:
    """What a short name stands for, or a block of a config makes; None for anything else."""
    if isinstance(name, Mapping) and any(key.startswith("@") for key in name):
        return registry.resolve({"detectors": dict(name)})["detectors"]
    return DETECTORS.get(name) if isinstance(name, str) else None


def _find_cuts(span: Span, lines: str) -> list[int]:
    """Where no sentence ends for long: the tokens that begin lines; where there are none, or marks
    part prose that is broken into lines, or lines are to be joined ("no"), what marks part; else
    pieces."""
    if len(span) <= _LONGEST_SENTENCE:
        return []
    ends = [token.i for token in span if token.text[-1] in _SENTENCE_ENDS]
    cuts: list[int] = []
    for first, after in pairwise([span.start, *ends, span.end]):
        if after - first <= _LONGEST_SENTENCE:
            continue
        within = span.doc[first : after - 1]
        begin_lines = [token.i + 1 for token in within if lines != "no" and "\n" in token.text]
        parts = _find_parts(within)
        if begin_lines and not (parts and are_wrapped([*iter_lines(within.text)])):
            parts = begin_lines
        cuts += parts or [
            _find_piece(span.doc[place : place + _PIECE // 2])
            for place in range(first + _PIECE, after - _PIECE // 2, _PIECE)
        ]
    return cuts


def _find_piece(span: Span) -> int:
    """The first token after a space that may begin a clause, as one of those that carry little
    after one that carries much; else the first after a space, or of all."""
    doc = span.doc
    begin = [
        token.i
        for token in span
        if not token.is_space and (doc[token.i - 1].whitespace_ or doc[token.i - 1].is_space)
    ]
    clauses = (i for i in begin if doc[i].is_stop and not doc[i - 1 - doc[i - 1].is_space].is_stop)
    return next(clauses, begin[0] if begin else span.start)


def _find_parts(span: Span) -> list[int]:
    """The tokens after semicolons; in what is longer than two pieces, after colons, and commas
    before what may begin a clause; than four, after any comma; none if a part is longer than a
    sentence may be."""
    parts = [span.start]
    for token, after in pairwise(span):
        is_end = token.text == ";" or (token.text in (",", ":") and token.whitespace_)
        is_clause = token.text == ":" or after.is_stop or after.text == "("
        fewest = 0 if token.text == ";" else (2 if is_clause else 4) * _PIECE
        if is_end and after.i - parts[-1] >= fewest:
            parts.append(after.i)
    longest = max(after - first for first, after in pairwise([*parts, span.end]))
    return parts[1:] if longest <= _LONGEST_SENTENCE else []


def _find_remark(text: str) -> int:
    """Where a remark in brackets at the end of a text begins; 0 if there is none."""
    opened = text.rfind("(")
    return opened if text.endswith(")") and ")" not in text[opened:-1] else 0


def ensure_layout_pipe(nlp: Language) -> ThematicLayout:
    """Return the component of a pipeline, which is added as the first if it is missing."""
    found: list[Any] = [pipe for _, pipe in nlp.pipeline if isinstance(pipe, ThematicLayout)]
    return (found or [nlp.add_pipe("thematic_layout", first=True)])[0]
