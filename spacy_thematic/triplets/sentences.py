"""From the paragraphs of an article to its sentences: the opening ones, or all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import compress

from spacy.language import Language
from spacy.tokens import Doc, Span

from spacy_thematic.articles.article import Article
from spacy_thematic.sentences.mending import mended_sentences
from spacy_thematic.sentences.tokenizing import make_doc
from spacy_thematic.triplets.reasons import BAD_LENGTH, LEADS_IN, NO_WORDS, PARAGRAPHS
from spacy_thematic.triplets.rules import is_prose, is_sentence_length

# No sentence of 50 tokens is longer, so only these are tokenized to find an opening sentence.
OPENER_CHARACTERS = 1000
# Nobody writes a longer paragraph. spaCy refuses one ten times as long, and its parser needs a
# gigabyte for this one.
PARAGRAPH_CHARACTERS = 100_000
LEAD_IN = (":", ",", ";")


@dataclass
class Sentences:
    """Sentences of an article, in reading order, as parallel lists.

    Attributes:
        tokens: The words of each sentence.
        spaces: Whether a space follows each word.
        sections: The number of each sentence's section.
        paragraphs: The number of each sentence's paragraph in its section.
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
        """Add one of another article's sentences."""
        self.tokens.append(other.tokens[number])
        self.spaces.append(other.spaces[number])
        self.sections.append(other.sections[number])
        self.paragraphs.append(other.paragraphs[number])

    def append(self, span: Span, section: int, paragraph: int) -> None:
        """Add a sentence."""
        self.tokens.append([token.text for token in span])
        self.spaces.append([bool(token.whitespace_) for token in span])
        self.sections.append(section)
        self.paragraphs.append(paragraph)


def opening_sentences(
    article: Article, nlp: Language, counts: Counter[str], with_lead_ins: bool = False
) -> Sentences:
    """Find the first sentence of each paragraph, if it is whole and has 5 to 50 tokens (rule ii).

    Args:
        article: An article after `apply_rules`.
        nlp: A pipeline that sets sentence boundaries.
        counts: Receives the number of paragraphs, and of openers dropped for each reason.
        with_lead_ins: Keep those that only lead in to a list or quotation too.
    """
    kept = Sentences()
    mend = _needs_mending(nlp)
    for doc, section, paragraph, cut in _iter_paragraphs(article, nlp, OPENER_CHARACTERS):
        opener = next(_sentences(doc, mend), None)
        counts[PARAGRAPHS] += 1
        if opener is None:
            counts[NO_WORDS] += 1
        elif (cut and opener.end == len(doc)) or not is_sentence_length(len(opener)):
            counts[BAD_LENGTH] += 1
        elif opener[-1].text in LEAD_IN and not with_lead_ins:
            counts[LEADS_IN] += 1
        else:
            kept.append(opener, section, paragraph)
    return kept


def all_sentences(article: Article, nlp: Language) -> Sentences:
    """Find every sentence of an article, as in the paper's clustering benchmark (section 5).

    Of a paragraph, only the first 100,000 characters are read.
    """
    kept = Sentences()
    mend = _needs_mending(nlp)
    for doc, section, paragraph, cut in _iter_paragraphs(article, nlp, PARAGRAPH_CHARACTERS):
        for sentence in _sentences(doc, mend):
            if not (cut and sentence.end == len(doc)):
                kept.append(sentence, section, paragraph)
    return kept


def other_sentences(article: Article, nlp: Language) -> Sentences:
    """Find the sentences that open no paragraph, if they are prose of 5 to 50 tokens (rule ii)."""
    found = all_sentences(article, nlp)
    places = list(zip(found.sections, found.paragraphs))
    opens = [place != previous for place, previous in zip(places, [None, *places])]
    return found.select(
        [
            not opener and is_sentence_length(len(tokens)) and is_prose(text)
            for opener, tokens, text in zip(opens, found.tokens, found.texts())
        ]
    )


def _iter_paragraphs(
    article: Article, nlp: Language, limit: int
) -> Iterator[tuple[Doc, int, int, bool]]:
    texts = (
        (
            make_doc(nlp, " ".join(text.split())[:limit]),
            (section, paragraph, len(text) > limit),
        )
        for section, entry in enumerate(article.sections)
        for paragraph, text in enumerate(entry.paragraphs)
    )
    for doc, (section, paragraph, cut) in nlp.pipe(texts, as_tuples=True):
        yield doc, section, paragraph, cut


def _sentences(doc: Doc, mend: bool) -> Iterator[Span]:
    found = mended_sentences(doc) if mend else doc.sents
    return (sent for sent in found if any(token.is_alpha for token in sent))


def _needs_mending(nlp: Language) -> bool:
    """Whether punctuation alone sets the sentence boundaries."""
    return not {"parser", "senter"} & set(nlp.pipe_names)
