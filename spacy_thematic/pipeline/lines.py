"""The component `thematic_lines`, for texts whose lines are sentences: headlines, chats, mails."""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from spacy.language import Language
from spacy.tokens import Doc

from spacy_thematic.pipeline.settings_pipe import SettingsPipe, check_name
from spacy_thematic.sentences.asides import Line, find_aside_lines, iter_lines
from spacy_thematic.sentences.heading_lines import find_heading_lines, goes_on, measure_width
from spacy_thematic.sentences.speakers import SPEAKER

LINES = "auto", "yes", "no"

_FEWEST = 3
_MOST_WRAPPED = 2 / 3
_FEWEST_LOWER = 0.2
_GOING_ON = ",;:-–—"
_NO = np.uint64(2**64 - 1)
"""What an array of spaCy has where no sentence starts."""

_REMARK = re.compile(r"\([^()]*\)$")


@dataclass(frozen=True)
class LinesSettings:
    """The settings of the component.

    Attributes:
        lines: "yes": each line is a sentence. "auto": where `has_sentence_lines`, a sentence starts
            on each line, none within brackets at its end, and a line that ends without punctuation
            is one sentence; other texts stay as they are. "no": nothing is set.

    Raises:
        ValueError: For other lines.
    """

    lines: str = "auto"

    def __post_init__(self) -> None:
        check_name("lines", self.lines, LINES)


@Language.factory(
    "thematic_lines", assigns=["token.is_sent_start"], default_config={"lines": "auto"}
)
def make_thematic_lines(nlp: Language, name: str, lines: Any) -> "ThematicLines":
    """Make the component from its configuration.

    Raises:
        ValueError: If `lines` is none of those that there are.
    """
    return ThematicLines(nlp, LinesSettings(lines), name=name)


class ThematicLines(SettingsPipe):
    """Sets where sentences start, in texts whose lines are sentences. What it leaves open is for
    the component after it, such as the sentencizer.

    Headings, headers of mails, quoted lines and signatures are sentences by themselves.

    Args:
        nlp: The pipeline that makes it.
        settings: `LinesSettings`, each of which is an attribute, too.
        name: Of the component.
    """

    def __call__(self, doc: Doc) -> Doc:
        """Set the starts of sentences in a Doc, in place."""
        if self.lines == "no" or not len(doc):
            return doc
        text = doc.text
        alone = {*find_aside_lines(text), *find_heading_lines(text)}
        each = self.lines == "yes" or has_sentence_lines(text)
        if not (alone or each):
            return doc
        starts, set_to = doc.to_array("IDX"), doc.to_array("SENT_START")
        token_ends = starts + doc.to_array("LENGTH")
        end, is_after_alone = 0, False
        for line in filter(lambda line: line.text, iter_lines(text)):
            is_alone = line in alone
            former, bounds = end, (line.start, line.start + len(line.text))
            first, end = np.searchsorted(starts, bounds).tolist()
            # Some tokens begin with the line break before the line.
            if first > former and token_ends[first - 1] > line.start:
                first -= 1
            if first == end and is_alone:
                # Some tokenizers leave line breaks, and so the line, within a token.
                first = max(end - 1, 0)
            if first < end and (each or is_alone or is_after_alone):
                set_to[former:first] = _NO
                set_to[first] = 1
            closed = end
            if is_alone or (each and (self.lines == "yes" or not _ends(line))):
                closed = first + 1
            elif each and (remark := _REMARK.search(line.text)):
                # The sentencizer would begin a sentence within the brackets.
                opened = int(np.searchsorted(starts, line.start + remark.start()))
                closed = max(first + 1, opened)
            set_to[closed:end] = _NO
            is_after_alone = is_alone
        return doc.from_array(["SENT_START"], set_to)

    def from_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> "SettingsPipe":
        """Load what `to_disk` wrote; versions to 0.1 wrote nothing."""
        return super().from_disk(path, exclude=exclude) if Path(path).exists() else self


def has_sentence_lines(text: str) -> bool:
    """Return whether sentences start on the lines of a text, which is no prose that was broken into
    lines of some width: whether there are three or more, and most begin with a speaker; or many of
    those that follow each other do not go on with what the line before began."""
    asides = set(find_aside_lines(text))
    lines = [line for line in iter_lines(text) if line not in asides]
    filled = [line for line in lines if line.text]
    if len(filled) < _FEWEST:
        return False
    if sum(bool(SPEAKER.match(line.text)) for line in filled) > len(filled) / 2:
        return True
    pairs = [(first, second) for first, second in pairwise(lines) if first.text and second.text]
    firsts = [second.text[0] for _, second in pairs]
    n_lower, n_upper = sum(map(str.islower, firsts)), sum(map(str.isupper, firsts))
    if sum(map(_ends, filled)) >= len(filled) / 2:
        # Reviews, or a list: not verse, nor a note of a few paragraphs.
        stops = sum(first.text[-1] not in _GOING_ON and _ends(first) for first, _ in pairs)
        return (
            len(pairs) >= _FEWEST and 2 * stops >= len(pairs) and n_lower <= _FEWEST_LOWER * n_upper
        )
    if n_lower < _FEWEST_LOWER * n_upper:
        return True
    width = measure_width(filled)
    n_going_on = sum(goes_on(first, second, width) for first, second in pairs)
    return n_going_on <= len(pairs) * _MOST_WRAPPED


def _ends(line: Line) -> bool:
    return unicodedata.category(line.text[-1]).startswith("P")
