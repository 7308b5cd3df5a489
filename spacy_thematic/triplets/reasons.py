"""Why articles and openers are left out: the keys of a corpus's statistics, and what they mean."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from spacy_thematic.triplets.rules import CorpusSettings

# Fewer cannot be compared.
MIN_SECTIONS = 2

DUPLICATE = "dropped as duplicate"
LEFT_OUT = "dropped by title"
LEFT_OUT_BY_SENTENCE = "dropped by sentence"
TOO_FEW_SECTIONS = "dropped by rule v (too few sections)"
OTHER_LANGUAGE = "dropped as another language"
NO_TRIPLETS = "dropped for want of triplets"
OF_ARTICLES = (
    DUPLICATE,
    LEFT_OUT,
    LEFT_OUT_BY_SENTENCE,
    TOO_FEW_SECTIONS,
    OTHER_LANGUAGE,
    NO_TRIPLETS,
)

NOT_CLUSTERED = "not in the clustering benchmark"

PARAGRAPHS = "paragraphs"
BAD_LENGTH = "openers dropped by rule ii (length)"
NO_WORDS = "openers without words"
LEADS_IN = "openers that only lead in to a list or quotation"
REPEATED = "openers that are repeated"
NO_PROSE = "openers that are no prose"

MEANINGS = {
    DUPLICATE: "articles dropped: title or text seen before",
    LEFT_OUT: "articles dropped: title to be left out",
    LEFT_OUT_BY_SENTENCE: "articles dropped: a sentence of them is to be left out",
    TOO_FEW_SECTIONS: "articles dropped: too few sections (fewer than {min_sections})",
    OTHER_LANGUAGE: "articles dropped: in another language",
    NO_TRIPLETS: "articles dropped: too few usable openers for a triplet",
    NOT_CLUSTERED: "articles not clustered: not {min_sections} to 12 sections with three sentences",
    PARAGRAPHS: "paragraphs of articles with enough sections",
    BAD_LENGTH: "openers dropped: fewer than 5 or more than 50 tokens",
    NO_WORDS: "openers dropped: without words",
    LEADS_IN: "openers dropped: only lead in to a list or quotation",
    REPEATED: "openers dropped: repeated in other paragraphs",
    NO_PROSE: "openers dropped: not prose, but numbers or formulas",
}
"""In words, for people; the number of rule v is to be filled in."""

_OPENER = (
    "opener is the first sentence of a paragraph, and counts if it has 5 to 50 tokens and is prose "
    "that is not repeated"
)
_NEEDED_SECTION = (
    "A section needs two usable openers at most three paragraphs apart, and the article another "
    "section with one."
)
_NEEDED = {
    "titles": "An article needs two sections with a usable opener each.",
    "sen-rand-article": f"{_NEEDED_SECTION} Several articles must have them.",
}


def describe_dropped(
    counts: Mapping[str, int], min_sections: int, skipped: Mapping[str, int]
) -> Iterator[str]:
    """Say how many articles were left out for which reason, and which option would keep them.

    Args:
        counts: Of articles, by reason.
        min_sections: The number of rule v.
        skipped: Of records that were no articles, or unreadable, by reason.
    """
    if skipped:
        yield "records skipped: " + ", ".join(f"{reason} {n:,}" for reason, n in skipped.items())
    said = {
        OTHER_LANGUAGE: "without --check-language they are kept",
        NO_TRIPLETS: f"an {_OPENER}",
        TOO_FEW_SECTIONS: "at least two are needed to compare",
    }
    if min_sections > MIN_SECTIONS:
        said[TOO_FEW_SECTIONS] = f"--min-sections {MIN_SECTIONS} keeps those with two"
        said[NOT_CLUSTERED] = f"--min-sections {MIN_SECTIONS} clusters those with two"
    for reason in (*OF_ARTICLES, NOT_CLUSTERED):
        if counts.get(reason):
            more = f" ({said[reason]})" if reason in said else ""
            meaning = MEANINGS[reason].format(min_sections=min_sections)
            yield f"{meaning}: {counts[reason]:,}{more}"


def describe_failure(read: dict[str, Any], settings: CorpusSettings) -> str:
    """Say why no article gave a triplet, and what to do about the most frequent reason.

    Args:
        read: The part "read" of a corpus's statistics.
        settings: Those of the corpus.
    """
    dropped = {name: read[name] for name in OF_ARTICLES if name in read}
    dropped |= {f"skipped as {reason}": n for reason, n in read["skipped"].items()}
    if not dropped:
        return "none read. The source holds no articles: give another."
    most = max(dropped, key=dropped.__getitem__)
    advice = {
        DUPLICATE: "Their titles or texts were all read before: give other articles.",
        LEFT_OUT: "Their titles are all to be left out: give other articles.",
        LEFT_OUT_BY_SENTENCE: "All have sentences that are to be left out: give other articles.",
        TOO_FEW_SECTIONS: (
            f"An article needs at least {settings.min_sections} sections with text besides its "
            "lead and back matter: lower --min-sections, or try --subsections separate."
        ),
        OTHER_LANGUAGE: (
            f'They are not in the language "{settings.lang}": name theirs with --lang, or leave '
            "out --check-language."
        ),
        NO_TRIPLETS: (
            f"{_NEEDED.get(settings.kind, _NEEDED_SECTION)} An {_OPENER}. If "
            f'the articles are not in the language "{settings.lang}", name theirs with --lang.'
        ),
    }.get(most, "Give a source of other articles.")
    openers = {name: n for name, n in read.items() if name.startswith("openers")}
    found = ", ".join(f"{n} {name}" for name, n in (dropped | openers).items() if n)
    return f"{found}. Most were {most}. {advice}"
