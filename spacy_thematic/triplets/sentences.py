"""From the paragraphs of an article to its sentences: the opening ones, or all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import compress

from spacy.language import Language
from spacy.tokens import Doc, Span, Token

from spacy_thematic.articles.article import Article
from spacy_thematic.triplets.abbreviations import is_before_number, is_never_last
from spacy_thematic.triplets.reasons import BAD_LENGTH, LEADS_IN, NO_WORDS, PARAGRAPHS
from spacy_thematic.triplets.rules import is_prose, is_sentence_length

# No sentence of 50 tokens is longer, so only these are tokenized to find an opening sentence.
OPENER_CHARACTERS = 1000
# Nobody writes a longer paragraph. spaCy refuses one ten times as long, and its parser needs a
# gigabyte for this one.
PARAGRAPH_CHARACTERS = 100_000
WINDOW = 50
LEAD_IN = (":", ",", ";")

# Words that, if capitalised, begin a sentence after "U.S.", "Inc." or "World War I.", where the
# sentencizer ends none.
STARTERS = frozenset(
    [
        "After",
        "Although",
        "At",
        "But",
        "He",
        "Her",
        "His",
        "However",
        "In",
        "It",
        "Its",
        "On",
        "She",
        "That",
        "The",
        "There",
        "These",
        "They",
        "This",
        "When",
        "While",
    ]
)


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
            " ".join(text.split())[:limit],
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


def mended_sentences(doc: Doc) -> Iterator[Span]:
    """Yield the sentences of a Doc from the sentencizer, with plainly wrong boundaries corrected.

    No sentence ends before a lower-case word that continues it, inside parentheses that the next
    one closes, or after an abbreviation that is never last. One does end after "U.S." or "I."
    before a word such as "The". An opening quotation mark or parenthesis belongs to the sentence
    after it.
    """
    starts = [sent.start for sent in doc.sents]
    starts += [token.i for token in doc if token.text in STARTERS and _follows_initial(token)]
    bounds = sorted({_before_opening_marks(doc, start) for start in starts})
    begin = 0
    for start, end in zip(bounds[1:], [*bounds[2:], len(doc)]):
        if not _belong_together(doc, begin, start, end):
            yield doc[begin:start]
            begin = start
    yield doc[begin:]


def _before_opening_marks(doc: Doc, start: int) -> int:
    first = start
    while first > 0 and doc[first - 1].is_punct and not doc[first - 1].whitespace_:
        first -= 1
    return first if first > 0 and doc[first - 1].whitespace_ else start


def _follows_initial(token: Token) -> bool:
    """Whether the word before, ignoring quotation marks, is like "U.S."."""
    doc, last = token.doc, token.i - 1
    while last > 0 and doc[last].is_quote:
        last -= 1
    word = doc[last].text if last >= 0 else ""
    is_abbreviation = len(word) > 1 and word.endswith(".")
    return is_abbreviation and not is_never_last(word[:-1].casefold(), doc.lang_)


def _belong_together(doc: Doc, begin: int, start: int, end: int) -> bool:
    """Whether the tokens from `begin` to `start` and those from there to `end` are one sentence."""
    following = doc[start:end]
    first = next((token for token in following if not token.is_punct), None)
    if first is None:
        return True
    begins_lower = next((token.is_lower for token in doc[begin:start] if token.is_alpha), True)
    if not begins_lower and _goes_on(first, doc[start - 1]):
        return True
    # Windows, so that many sentences that belong together do not take quadratic time.
    recent = doc[max(begin, start - WINDOW) : start]
    if doc[begin].text != "(" and _count_open(recent) > 0 > _count_open(following):
        return True
    words = recent.text.rstrip("([\"' ").split()
    if not words or not words[-1].endswith("."):
        return False
    abbreviation = words[-1].strip("([\"'.").casefold()
    if first.text[0].isdigit() and is_before_number(abbreviation, doc.lang_):
        return True
    return is_never_last(abbreviation, doc.lang_)


def _goes_on(first: Token, stop: Token) -> bool:
    """Whether a lower-case word goes on with the sentence that the mark before it seemed to end."""
    if first.doc.lang_ == "en":
        # "data. npm makes" are two sentences, '"Jeopardy!" and' and "etc.) or" are one.
        return first.is_alpha and first.is_lower and (first.is_stop or stop.text != ".")
    # The tokenizers of other languages know fewer abbreviations: "5 млн. руб.".
    return first.is_lower


def _count_open(span: Span) -> int:
    return sum((token.text == "(") - (token.text == ")") for token in span)
