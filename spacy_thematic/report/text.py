"""The text of a Doc in parts, one for each segment, the sentences in them, and their sections."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from spacy.tokens import Doc, Span

from spacy_thematic.pipeline.segments import Segment, find_segment_of_each
from spacy_thematic.rows import group_by
from spacy_thematic.span_keys import CLUSTERS_KEY, read_sections

_UNTITLED = "(no title)"


class ShownSentence(NamedTuple):
    """A sentence without the space around it; the text before it; and the title of its section, if
    it is the first of one."""

    before: str
    heading: str
    number: int
    label: str
    text: str


class Part(NamedTuple):
    """The text of a segment, or of a whole Doc without segments: its sentences, and what is after
    the last. `share` is the strength of the boundary at its start, from 0 to 1, the strongest of
    the Doc; None where there is no boundary."""

    segment: Segment | None
    share: float | None
    sentences: list[ShownSentence]
    rest: str


class Entry(NamedTuple):
    """A segment in a table of contents, and the entries below it."""

    segment: Segment
    below: list["Entry"]


def split_text(doc: Doc) -> list[Part]:
    """Split the text of a Doc with themes at its segments, and these into sentences. Returns a part
    for each segment, without the space around it; one for all the text if the Doc has no
    segments."""
    titled = list(_add_titles(doc))
    whole = doc.text  # spaCy joins all tokens at each access.
    segments = doc._.thematic_segments
    if not segments:
        return [Part(None, None, *_split(whole, 0, len(whole), titled))]
    of_each = find_segment_of_each(doc, [span for span, _ in titled])
    within = group_by(titled, of_each, len(segments))
    strongest = max(segment.strength or 0.0 for segment in segments)
    parts = []
    for segment, pairs in zip(segments, within):
        text, start = segment.span.text, segment.span.start_char
        start, end = start + len(text) - len(text.lstrip()), start + len(text.rstrip())
        share = segment.strength
        if share is not None:
            share = max(share, 0.0) / strongest if strongest > 0 else 0.0
        parts.append(Part(segment, share, *_split(whole, start, end, pairs)))
    return parts


def list_contents(segments: Iterable[Segment]) -> list[Entry]:
    """Put each segment below the nearest one before it that is of a higher level."""
    entries: list[Entry] = []
    above: list[Entry] = []
    for segment in segments:
        while above and above[-1].segment.level >= segment.level:
            above.pop()
        entry = Entry(segment, [])
        (above[-1].below if above else entries).append(entry)
        above.append(entry)
    return entries


def _add_titles(doc: Doc) -> Iterator[tuple[Span, str]]:
    """Each sentence, with the title of its section if it is the first of one, "" if not."""
    section_of = _find_sections(doc)
    section = ""
    for sentence in doc.spans[CLUSTERS_KEY]:
        former, section = section, section_of.get(sentence.start, "")
        yield sentence, section if section != former else ""


def _split(
    whole: str, start: int, end: int, titled: Iterable[tuple[Span, str]]
) -> tuple[list[ShownSentence], str]:
    """The sentences between two characters of a text, and what follows the last."""
    sentences = []
    for span, heading in titled:
        text = span.text.strip()
        first = span.start_char + span.text.index(text)
        before = whole[start:first]
        start = first + len(text)
        if heading:
            before = before.strip()
        sentences.append(ShownSentence(before, heading, span.id, span.label_, text))
    return sentences, whole[start:end]


def _find_sections(doc: Doc) -> dict[int, str]:
    """The title of its section for each token that is in one with a title. Benchmark articles have
    their sections in `doc.spans["sentences"]`."""
    return {
        token: span.label_
        for span in read_sections(doc) or doc.spans.get("sentences", ())
        for token in range(span.start, span.end)
        if span.label_
    }


def count_sections(doc: Doc) -> dict[str, Counter[int]]:
    """Count the sentences of each section by the number of their theme. Returns counts by section
    title, in the order of the text. Theme 0 holds the outliers, the title "(no title)" the
    sentences outside sections that have one. Empty for a Doc without titles, and where the sections
    are the themes."""
    section_of = _find_sections(doc)
    counts: dict[str, Counter[int]] = {}
    for sentence in doc.spans[CLUSTERS_KEY] if section_of else ():
        title = section_of.get(sentence.start, _UNTITLED)
        counts.setdefault(title, Counter())[sentence.id] += 1
    themes = [theme for numbers in counts.values() for theme in numbers]
    return {} if len(themes) == len(counts) == len(set(themes)) else counts
