"""From an article to what is kept of it: the paper's rules and the quality filters, counted."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Literal

from spacy_thematic.articles.article import Article
from spacy_thematic.articles.cleaning import (
    drop_back_matter,
    drop_lead_and_background,
    merge_subsections,
)
from spacy_thematic.triplets.sentences import Sentences

Kind = Literal["sen", "sen-rand-section", "sen-rand-article", "titles"]
KINDS: tuple[Kind, ...] = ("sen", "sen-rand-section", "sen-rand-article", "titles")

# The keys of a corpus's statistics that count articles which are not in it.
DUPLICATE = "dropped as duplicate"
TOO_FEW_SECTIONS = "dropped by rule v (too few sections)"
OTHER_LANGUAGE = "dropped as another language"
NO_TRIPLETS = "dropped for want of triplets"
REASONS = (DUPLICATE, TOO_FEW_SECTIONS, OTHER_LANGUAGE, NO_TRIPLETS)

# In prose about two words in five are stop words; of another language's hardly any.
MIN_STOP_WORDS = 0.15
MIN_LETTERS = 0.6
MAX_DIGITS = 0.2


@dataclass(frozen=True)
class CorpusSettings:
    """What decides the content of a corpus.

    kind: where negatives come from, or "titles"; see `mining`. subsections: "merge" their
    paragraphs into their top section, or keep them "separate". min_sections: rule v. shares: of
    train, dev and test. shard_size: articles read for each shard. pipeline: name or path of a
    spaCy pipeline that finds sentences; None for a tokenizer of `lang` and the sentencizer.
    check_language: drop articles that are not in the language of that pipeline.
    """

    kind: Kind = "sen"
    seed: int = 0
    subsections: Literal["merge", "separate"] = "merge"
    min_sections: int = 5
    shares: tuple[float, float, float] = (0.8, 0.1, 0.1)
    shard_size: int = 500
    lang: str = "en"
    pipeline: str | None = None
    check_language: bool = False


def apply_rules(article: Article, settings: CorpusSettings) -> Article:
    """Rules iii and iv, and the merging of subsections; sections left without text are removed."""
    if settings.subsections == "merge":
        article = merge_subsections(article)
    article = drop_back_matter(drop_lead_and_background(article))
    kept = [section for section in article.sections if any(p.strip() for p in section.paragraphs)]
    return Article(article.title, article.source, kept)


def is_prose(text: str) -> bool:
    """Whether at least 60 % of the characters that are no spaces are letters, and at most 20 %
    digits: what is not are tables, lists of results, formulas."""
    solid = "".join(text.split())
    letters = sum(map(str.isalpha, solid))
    digits = sum(map(str.isdigit, solid))
    return bool(solid) and letters >= MIN_LETTERS * len(solid) and digits <= MAX_DIGITS * len(solid)


def is_in_language(sentences: Sentences, stop_words: set[str]) -> bool:
    """Whether at least 15 % of the words of an article's sentences are stop words of a language."""
    words = [word.lower() for tokens in sentences.tokens for word in tokens if word.isalpha()]
    return sum(word in stop_words for word in words) >= MIN_STOP_WORDS * len(words)


def drop_bad_openers(found: list[Sentences], counts: Counter[str]) -> list[Sentences]:
    """The opening sentences of some articles without those that are no prose, and without
    boilerplate: a sentence that opens paragraphs more than once in these articles."""
    texts = [sentences.texts() for sentences in found]
    repeated = Counter(text.casefold() for article_texts in texts for text in article_texts)
    kept = []
    for sentences, article_texts in zip(found, texts):
        mask = []
        for text in article_texts:
            reason = None
            if repeated[text.casefold()] > 1:
                reason = "openers that are repeated"
            elif not is_prose(text):
                reason = "openers that are no prose"
            if reason:
                counts[reason] += 1
            mask.append(reason is None)
        kept.append(sentences.select(mask))
    return kept
