"""From the paragraphs of an article to its sentences: the opening ones, or all."""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple, Self

from spacy.language import Language
from spacy.tokens import Doc, Span

from spacy_thematic.articles.article import Article
from spacy_thematic.sentences.mending import mended_sentences
from spacy_thematic.sentences.tokenizing import tokenize
from spacy_thematic.triplets.reasons import BAD_LENGTH, LEADS_IN, NO_WORDS, PARAGRAPHS
from spacy_thematic.triplets.rules import is_prose, is_sentence_length

# No sentence of 50 tokens is longer, so only these are tokenized to find an opening sentence.
OPENER_CHARACTERS = 1000
# Nobody writes a longer paragraph. spaCy refuses one ten times as long, and its parser needs a
# gigabyte for this one.
PARAGRAPH_CHARACTERS = 100_000
LEAD_IN = (":", ",", ";")


class Sentence(NamedTuple):
    """A sentence of an article: its words, whether a space follows each, and the numbers of its
    section, and of its paragraph in this."""

    words: list[str]
    spaces: list[bool]
    section: int
    paragraph: int

    @classmethod
    def read(cls, span: Doc | Span, section: int, paragraph: int) -> Self:
        """Read it from a Doc."""
        spaces = [bool(token.whitespace_) for token in span]
        return cls([token.text for token in span], spaces, section, paragraph)

    @property
    def text(self) -> str:
        return "".join(w + " " * space for w, space in zip(self.words, self.spaces)).strip()


def opening_sentences(
    article: Article,
    nlp: Language,
    counts: Counter[str],
    with_lead_ins: bool = False,
    others: list[Sentence] | None = None,
) -> list[Sentence]:
    """Find the first sentence of each paragraph, if it is whole and has 5 to 50 tokens (rule ii).

    Args:
        article: An article.
        nlp: Splits its paragraphs into sentences.
        counts: Receives the number of paragraphs, and of openers dropped for each reason.
        with_lead_ins: Whether to keep those that only lead in to a list or quotation too.
        others: Receives the sentences that open no paragraph, if they are prose of 5 to 50 tokens.
    """
    kept = []
    limit = OPENER_CHARACTERS if others is None else PARAGRAPH_CHARACTERS
    for doc, section, paragraph, cut in _iter_paragraphs(article, nlp, limit):
        sentences = _sentences(doc)
        opener = next(sentences, None)
        counts[PARAGRAPHS] += 1
        if opener is None:
            counts[NO_WORDS] += 1
        elif (cut and opener.end == len(doc)) or not is_sentence_length(len(opener)):
            counts[BAD_LENGTH] += 1
        elif opener[-1].text in LEAD_IN and not with_lead_ins:
            counts[LEADS_IN] += 1
        else:
            kept.append(Sentence.read(opener, section, paragraph))
        if others is not None:
            others += (
                Sentence.read(sentence, section, paragraph)
                for sentence in sentences
                if not (cut and sentence.end == len(doc))
                and is_sentence_length(len(sentence))
                and is_prose(sentence.text.strip())
            )
    return kept


def all_sentences(article: Article, nlp: Language) -> list[Sentence]:
    """Find every sentence of an article, as in the paper's clustering benchmark (section 3.3). Of a
    paragraph, only the first 100,000 characters are read."""
    return [
        Sentence.read(sentence, section, paragraph)
        for doc, section, paragraph, cut in _iter_paragraphs(article, nlp, PARAGRAPH_CHARACTERS)
        for sentence in _sentences(doc)
        if not (cut and sentence.end == len(doc))
    ]


def _iter_paragraphs(
    article: Article, nlp: Language, limit: int
) -> Iterator[tuple[Doc, int, int, bool]]:
    texts = (
        (tokenize(nlp, " ".join(text.split())[:limit]), (section, paragraph, len(text) > limit))
        for section, entry in enumerate(article.sections)
        for paragraph, text in enumerate(entry.paragraphs)
    )
    for doc, (section, paragraph, cut) in nlp.pipe(texts, as_tuples=True):
        yield doc, section, paragraph, cut


def _sentences(doc: Doc) -> Iterator[Span]:
    return (sent for sent in mended_sentences(doc) if any(token.is_alpha for token in sent))
