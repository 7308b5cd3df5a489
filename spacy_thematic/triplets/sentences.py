"""From the paragraphs of an article to its sentences: the opening ones, or all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import compress

from spacy.language import Language
from spacy.tokens import Doc, Span

from spacy_thematic.articles.article import Article
from spacy_thematic.articles.cleaning import is_sentence_length

# No sentence of 50 tokens is longer; what lies behind is not tokenized for an opening sentence.
OPENER_CHARACTERS = 1000
LEAD_IN = (":", ",", ";")


@dataclass
class Sentences:
    """The kept sentences of an article, in reading order, as parallel lists.

    `tokens` holds the words of each sentence, `spaces` whether a space follows each word,
    `sections` and `paragraphs` the number of its section and of its paragraph in the section.
    """

    tokens: list[list[str]] = field(default_factory=list)
    spaces: list[list[bool]] = field(default_factory=list)
    sections: list[int] = field(default_factory=list)
    paragraphs: list[int] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.tokens)

    def select(self, mask: Sequence[bool]) -> Sentences:
        """The sentences where the mask is true."""
        return Sentences(
            list(compress(self.tokens, mask)),
            list(compress(self.spaces, mask)),
            list(compress(self.sections, mask)),
            list(compress(self.paragraphs, mask)),
        )

    def texts(self) -> list[str]:
        """The text of each sentence."""
        return [
            "".join(word + " " * space for word, space in zip(words, spaces)).strip()
            for words, spaces in zip(self.tokens, self.spaces)
        ]

    def append_from(self, other: Sentences, number: int) -> None:
        """Add a sentence of another article."""
        self.tokens.append(other.tokens[number])
        self.spaces.append(other.spaces[number])
        self.sections.append(other.sections[number])
        self.paragraphs.append(other.paragraphs[number])

    def append(self, span: Span, section: int, paragraph: int) -> None:
        self.tokens.append([token.text for token in span])
        self.spaces.append([bool(token.whitespace_) for token in span])
        self.sections.append(section)
        self.paragraphs.append(paragraph)


def opening_sentences(article: Article, nlp: Language, counts: Counter[str]) -> Sentences:
    """The first sentence of each paragraph, where it is a whole one of 5 to 50 tokens (rule ii).

    nlp: a pipeline that sets sentence boundaries. counts: to which the paragraphs are added, and
    how many openers were dropped for which reason.
    """
    kept = Sentences()
    for doc, section, paragraph, cut in _iter_paragraphs(article, nlp, OPENER_CHARACTERS):
        opener = next(iter(_sentences(doc)), None)
        counts["paragraphs"] += 1
        if opener is None:
            counts["openers without words"] += 1
        elif (cut and opener.end == len(doc)) or not is_sentence_length(len(opener)):
            counts["openers dropped by rule ii (length)"] += 1
        elif opener[-1].text in LEAD_IN:
            counts["openers that only lead in to a list or quotation"] += 1
        else:
            kept.append(opener, section, paragraph)
    return kept


def all_sentences(article: Article, nlp: Language) -> Sentences:
    """Every sentence of an article, as in the paper's clustering benchmark (section 5)."""
    kept = Sentences()
    for doc, section, paragraph, _ in _iter_paragraphs(article, nlp, None):
        for sentence in _sentences(doc):
            kept.append(sentence, section, paragraph)
    return kept


def _iter_paragraphs(
    article: Article, nlp: Language, limit: int | None
) -> Iterator[tuple[Doc, int, int, bool]]:
    texts = (
        (
            " ".join(text.split())[:limit],
            (section, paragraph, limit is not None and len(text) > limit),
        )
        for section, entry in enumerate(article.sections)
        for paragraph, text in enumerate(entry.paragraphs)
    )
    for doc, (section, paragraph, cut) in nlp.pipe(texts, as_tuples=True):
        yield doc, section, paragraph, cut


def _sentences(doc: Doc) -> Iterator[Span]:
    return (sent for sent in doc.sents if any(token.is_alpha for token in sent))
