"""What is kept of an article: the rules i to v of Ein Dor et al. (2018), "Learning Thematic
Similarity Metric from Article Sections Using Triplet Networks", section 3.1, each in one function,
and two filters of our own. No function changes the article it is given."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain
from typing import Literal

from spacy_thematic.articles.article import Article, Section, normalize_title
from spacy_thematic.lang import ALL_LANGUAGES, get_words, iter_languages

Kind = Literal["sen", "sen-rand-section", "sen-rand-article", "titles"]

# In prose about two words in five are stop words; hardly any are those of another language.
MIN_STOP_WORDS = 0.15
MIN_LETTERS = 0.6
MAX_DIGITS = 0.2

# The headings that the paper names in its rule iv.
BACK_MATTER_OF_THE_PAPER = (
    *("External links", "Further reading", "References", "See also", "Notes", "Citations"),
    "Authored books",
)


@dataclass(frozen=True)
class CorpusSettings:
    """What decides the content of a corpus.

    Attributes:
        kind: Where negatives come from, or "titles"; see `mining`.
        min_sections: The number of rule v.
        shares: Of articles for train, dev and test.
        lang: Language of the articles: of the tokenizer, and of the headings of rules iii and iv.
        sentences: "openers" of paragraphs alone, or "all", which adds the other sentences as a
            span group that no triplet refers to.
        paper_rules: The paper's rules alone: of English headings, rule iv leaves out only those
            that it names, and openers are kept that only lead in, are repeated or are no prose.
    """

    kind: Kind = "sen"
    seed: int = 0
    min_sections: int = 5
    shares: tuple[float, float, float] = (0.8, 0.1, 0.1)
    shard_size: int = 500
    lang: str = "en"
    sentences: Literal["openers", "all"] = "openers"
    paper_rules: bool = False


def apply_rules(article: Article, settings: CorpusSettings) -> Article:
    """Apply rules iii and iv, merge subsections, and remove sections without text."""
    article = drop_lead_and_background(merge_subsections(article), settings.lang)
    article = drop_back_matter(article, settings.lang, settings.paper_rules)
    return replace(article, sections=list(filter(_has_text, article.sections)))


def are_near(paragraph: int, other: int) -> bool:
    """Rule i: the sentences of a pair are at most three paragraphs apart."""
    return abs(paragraph - other) <= 3


def is_sentence_length(n_tokens: int) -> bool:
    """Rule ii: a sentence has from 5 to 50 tokens."""
    return 5 <= n_tokens <= 50


def drop_lead_and_background(article: Article, lang: str = "en") -> Article:
    """Rule iii: leave out the lead, and each section titled "Background" with its subsections. The
    lead is a first section without a title, or of level 1."""
    _, sections = _split_lead(article)
    return replace(article, sections=_drop_titled(sections, find_background(lang)))


def drop_back_matter(article: Article, lang: str = "en", paper_rules: bool = False) -> Article:
    """Rule iv: leave out sections of `find_back_matter`, with their subsections."""
    titles = find_back_matter(lang, paper_rules)
    return replace(article, sections=_drop_titled(article.sections, titles))


def has_enough_sections(article: Article, minimum: int = 5) -> bool:
    """Rule v: at least `minimum` sections hold a paragraph with text in it."""
    return sum(map(_has_text, article.sections)) >= minimum


def merge_subsections(article: Article) -> Article:
    """Move the paragraphs of all subsections, in order, to the section above them. The top level is
    the shallowest with two headings below the lead, 2 in most articles: a lone heading above all
    others, such as "Contents", is not a top level."""
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


def is_prose(text: str) -> bool:
    """Whether a text is prose, not a table, a list of results or a formula: at least 60 % of its
    characters without spaces are letters, and at most 20 % digits."""
    solid = "".join(text.split())
    letters = sum(map(str.isalpha, solid))
    digits = sum(map(str.isdigit, solid))
    return bool(solid) and letters >= MIN_LETTERS * len(solid) and digits <= MAX_DIGITS * len(solid)


def is_in_language(tokens: Iterable[str], stop_words: set[str]) -> bool:
    """Whether at least 15 % of the words among some tokens are stop words of a language."""
    words = [token.lower() for token in tokens if token.isalpha()]
    return sum(word in stop_words for word in words) >= MIN_STOP_WORDS * len(words)


def _has_text(section: Section) -> bool:
    return any(text.strip() for text in section.paragraphs)


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
        dropped_level = section.level if normalize_heading(section.title) in titles else None
        if dropped_level is None:
            kept.append(section)
    return kept


def is_other_language(model: str, text: str) -> bool:
    """Whether a model of one language is for other texts than those of another; "" is unknown."""
    return bool(model and text) and model not in (text, ALL_LANGUAGES)


def normalize_heading(heading: str) -> str:
    """The form of a heading that all its spellings share, without punctuation around it."""
    normal = normalize_title(heading).replace("’", "'")
    return normal.strip(" :.'\"*[]{}=").replace("&", "and")


@cache
def find_background(lang: str) -> frozenset[str]:
    """Rule iii: the normalised headings of "Background" in a language, and in English."""
    return _normalize(get_words(own).background for own in _find_languages(lang))


@cache
def find_back_matter(lang: str, paper_rules: bool = False) -> frozenset[str]:
    """Rule iv: the normalised headings of sections that list sources, links and the like, in a
    language and in English; "xx" has those of all languages. With `paper_rules`, of the English
    ones those alone that the paper names."""
    own = [get_words(own).back_matter for own in _find_languages(lang) if own != "en"]
    english = BACK_MATTER_OF_THE_PAPER if paper_rules else get_words("en").back_matter
    return _normalize((english, *own))


def _find_languages(lang: str) -> Iterable[str]:
    return iter_languages() if lang == ALL_LANGUAGES else {"en", lang}


def _normalize(lists: Iterable[Iterable[str]]) -> frozenset[str]:
    return frozenset(map(normalize_heading, chain.from_iterable(lists)))
