"""The paper's rules of what is kept of an article, one function a rule.

Rules ii to v of Ein Dor et al. (2018), "Learning Thematic Similarity Metric from Article
Sections Using Triplet Networks", section 3.1. No function changes the article it is given.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from dataclasses import replace

from spacy_thematic.articles.article import Article, Section

BACKGROUND = "background"

BACK_MATTER = frozenset(
    {
        # Named by the paper.
        "external links",
        "further reading",
        "references",
        "see also",
        "notes",
        "citations",
        "authored books",
        # Of the same kind.
        "additional reading",
        "bibliography",
        "bibliography and references",
        "citations and notes",
        "endnotes",
        "external link",
        "external links and references",
        "footnotes",
        "footnotes and references",
        "further information",
        "gallery",
        "general references",
        "image gallery",
        "literature cited",
        "notes and citations",
        "notes and references",
        "notes and sources",
        "other references",
        "reading list",
        "reference",
        "references and external links",
        "references and footnotes",
        "references and further reading",
        "references and links",
        "references and notes",
        "references and sources",
        "related articles",
        "related links",
        "related pages",
        "selected bibliography",
        "sources",
        "sources and external links",
        "sources and further reading",
        "sources and references",
        "suggested reading",
        "web links",
        "weblinks",
        "works cited",
    }
)
"""Rule iv: normalised titles of sections that list rather than tell."""


def normalize_title(title: str) -> str:
    """The form of a title in which two spellings of it are the same.

    NFKC, case folded, underscores as spaces, runs of whitespace as one space.
    """
    folded = unicodedata.normalize("NFKC", title).casefold().replace("_", " ")
    return " ".join(folded.split())


def is_sentence_length(n_tokens: int, minimum: int = 5, maximum: int = 50) -> bool:
    """Rule ii: a sentence has from `minimum` to `maximum` tokens."""
    return minimum <= n_tokens <= maximum


def drop_lead_and_background(article: Article) -> Article:
    """Rule iii: the lead goes, and every section titled "Background" with its subsections.

    The lead is a first section without a title, or of level 1. An article that starts with a
    heading has none to lose.
    """
    _, sections = _split_lead(article)
    return replace(article, sections=_drop_titled(sections, frozenset({BACKGROUND})))


def drop_back_matter(article: Article) -> Article:
    """Rule iv: sections that list sources, links and the like go, with their subsections."""
    return replace(article, sections=_drop_titled(article.sections, BACK_MATTER))


def merge_subsections(article: Article) -> Article:
    """Give the paragraphs of every subsection, in order, to the section it stands under.

    The top level is the shallowest that has two headings below the lead, 2 in most articles: a lone
    heading above all others, such as "Contents", does not make them one section.
    """
    lead, sections = _split_lead(article)
    merged = [replace(section, paragraphs=list(section.paragraphs)) for section in lead]
    levels = Counter(section.level for section in sections)
    top = min(
        (level for level, count in levels.items() if count > 1), default=min(levels, default=2)
    )
    for section in sections:
        if section.level > top and len(merged) > len(lead):
            merged[-1].paragraphs.extend(section.paragraphs)
        else:
            merged.append(replace(section, paragraphs=list(section.paragraphs)))
    return replace(article, sections=merged)


def has_enough_sections(article: Article, minimum: int = 5) -> bool:
    """Rule v: at least `minimum` sections hold a paragraph with text in it."""
    usable = sum(any(text.strip() for text in section.paragraphs) for section in article.sections)
    return usable >= minimum


def _split_lead(article: Article) -> tuple[list[Section], list[Section]]:
    first = article.sections[:1]
    has_lead = bool(first) and (first[0].level <= 1 or not first[0].title.strip())
    return article.sections[:has_lead], article.sections[has_lead:]


def _drop_titled(sections: list[Section], titles: frozenset[str]) -> list[Section]:
    kept = []
    dropped_level = None
    for section in sections:
        if dropped_level is not None and section.level > dropped_level:
            continue
        dropped_level = section.level if _matching_title(section.title) in titles else None
        if dropped_level is None:
            kept.append(section)
    return kept


def _matching_title(title: str) -> str:
    return normalize_title(title).strip(" :.'\"*[]{}=").replace("&", "and")
