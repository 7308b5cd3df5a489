"""Themes against sections, for a Doc whose sections are known."""

from collections import Counter

from spacy.tokens import Doc

from spacy_thematic.span_keys import CLUSTERS_KEY, read_sections

_UNTITLED = "(no title)"


def find_sections(doc: Doc) -> dict[int, str]:
    """Return the title of its section for each token that is in one with a title.

    The sections are the spans in `doc.spans["sections"]`, or in `["sentences"]` as the benchmark
    articles have them; their labels are the titles. Empty if the Doc has neither.
    """
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
    section_of = find_sections(doc)
    counts: dict[str, Counter[int]] = {}
    for sentence in doc.spans[CLUSTERS_KEY] if section_of else ():
        title = section_of.get(sentence.start, _UNTITLED)
        counts.setdefault(title, Counter())[sentence.id] += 1
    themes = [theme for numbers in counts.values() for theme in numbers]
    return {} if len(themes) == len(counts) == len(set(themes)) else counts
