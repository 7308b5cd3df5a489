"""Why articles and openers are left out: the keys of a corpus's statistics, and what they mean."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType

# Fewer cannot be compared.
MIN_SECTIONS = 2

DUPLICATE = "dropped as duplicate"
LEFT_OUT = "dropped by title"
LEFT_OUT_BY_SENTENCE = "dropped by sentence"
TOO_FEW_SECTIONS = "dropped by rule v (too few sections)"
NO_TRIPLETS = "dropped for want of triplets"
NOT_CLUSTERED = "not in the clustering benchmark"

PARAGRAPHS = "paragraphs"
BAD_LENGTH = "openers dropped by rule ii (length)"
NO_WORDS = "openers without words"
LEADS_IN = "openers that only lead in to a list or quotation"
REPEATED = "openers that are repeated"
NO_PROSE = "openers that are no prose"

_MEANINGS = {
    DUPLICATE: "articles dropped: title or text seen before",
    LEFT_OUT: "articles dropped: title to be left out",
    LEFT_OUT_BY_SENTENCE: "articles dropped: a sentence of them is to be left out",
    TOO_FEW_SECTIONS: "articles dropped: too few sections (fewer than {min_sections})",
    NO_TRIPLETS: "articles dropped: too few usable openers for a triplet",
    NOT_CLUSTERED: "articles not clustered: not {min_sections} to 12 sections with three sentences",
}


def describe_dropped(
    counts: Mapping[str, int], min_sections: int, skipped: Mapping[str, int] = MappingProxyType({})
) -> Iterator[str]:
    """Say how many articles, and records that were none, were left out for which reason, and which
    option would keep them. `min_sections` is the number of rule v."""
    if skipped:
        yield "records skipped: " + ", ".join(f"{reason} {n:,}" for reason, n in skipped.items())
    said = {
        NO_TRIPLETS: "two openers of a section, at most three paragraphs apart, and one of another "
        "section make a triplet; an opener is the first sentence of a paragraph, and counts if it "
        "has 5 to 50 tokens and is prose that is not repeated",
        TOO_FEW_SECTIONS: "at least two are needed to compare; a section has a paragraph, for "
        "lists, quotations and code do not count",
    }
    if min_sections > MIN_SECTIONS:
        said[TOO_FEW_SECTIONS] = f"--min-sections {MIN_SECTIONS} keeps those with two"
        said[NOT_CLUSTERED] = f"--min-sections {MIN_SECTIONS} clusters those with two"
    for reason, meaning in _MEANINGS.items():
        if counts.get(reason):
            more = f" ({said[reason]})" if reason in said else ""
            yield f"{meaning.format(min_sections=min_sections)}: {counts[reason]:,}{more}"
