"""The words of content of sentences, from which keywords and phrases are made."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from itertools import groupby, pairwise
from typing import NamedTuple

import numpy as np
from spacy.attrs import IDX, LEMMA, LENGTH, ORTH, POS, SENT_START
from spacy.lexeme import Lexeme
from spacy.parts_of_speech import ADJ, ADV, AUX, NOUN, VERB
from spacy.tokens import Doc, Span, Token
from spacy.vocab import Vocab

from spacy_thematic.doc_layout import SentenceLayout, TokenLayout
from spacy_thematic.lang import get_words, load_rarities
from spacy_thematic.lang.word_classes import load_word_classes
from spacy_thematic.layout.lines import BLANK_LINES

_FEWEST_SAID = 2
"""Times that somebody says something whose name is no word of content, if these are most."""

_LONG, _FEWEST_OF_TITLE, _OF_TITLE = 4, 2, 0.8
"""Of a title most words of four letters or more begin with a capital, two at least, beside the
first."""

_LONGEST = 40
"""Characters of a word."""

_UNSPACED = re.compile(r"[\u0e00-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")
_OF_UNSPACED = frozenset({"ja", "th", "xx", "zh"})
"""Scripts without spaces between words, and the languages whose tokenizers may divide them: others
take for a word all that stands between two marks, mostly a sentence."""

_GLUED = re.compile(r"(?<=[a-z])[A-Z][a-z]{2,}\Z")
"""The second of two words that stand without a space, as where lines were joined ("onYou")."""

_CAPITAL_INSIDE = re.compile(r"[a-z]+[A-Z]")

_MOST_WORDS = 3
"""Words of a phrase."""

_MOST_LINKED = 2
"""Words of the first of two phrases that are linked. The second is not cut: it would say something
else ("work of our public health professionals")."""

CONTROLS = frozenset(
    map(chr, (*range(32), *range(127, 160), *range(0x202A, 0x202F), *range(0x2066, 0x206A)))
)
"""Characters that control a terminal, or the direction of all text that follows."""

_OF_NO_WORD = CONTROLS | set('—;()[]{}<>|="\\')
_BEFORE_NO_WORD = tuple("@/^~'\u2019")
"""What handles, paths, signatures and cut forms begin with ("@lee", "^HP", "'em")."""

_AFTER_NO_WORD = tuple(mark + end for mark in "'\u2019" for end in ("t", "m", "re", "ll", "ve"))
"""What cut forms end with ("DON'T"). The tokenizer divides those in lower case."""

_HYPHENS = frozenset({"-", "\u2010", "\u2011"})
_ENGLISH = get_words("en")
_NOT_OF_NAMES = (VERB, AUX, ADV)
_OF_NICKS = "_-0123456789"
"""What ends nicks ("leo_", "leo2") that others leave out."""

_UNSEEN = str.maketrans("", "", "\u00ad\u200b\u2060\ufeff")
"""Soft hyphens, and spaces without a width."""

ROMAN = re.compile(r"(?=..)X{0,3}(?:IX|IV|V?I{0,3})")
_NAME = re.compile(r"[^\W\d_][\w'-]*")


class ContentWord(NamedTuple):
    """A word of content.

    Attributes:
        text: As it is written. What hyphens join is one word.
        key: Of its lemma where it has one: what tells it from others, the same in the plural.
        start: Its first character, in its Doc.
        follows: Whether the token before it is a word of content, too.
        joins: The same, or one short word stands between the two ("history of art").
        links: The same, or what may link two phrases does ("access to the lake").
        is_name: Whether it may be of a name: it is no verb and no adverb, as far as is known.
        is_noun: Whether it may be the last of a name: it is no adjective either.
    """

    text: str
    key: str
    start: int
    follows: bool
    joins: bool
    links: bool
    is_name: bool
    is_noun: bool


Word = tuple[str, str, bool]
"""What tells a word from others, how it is written, and whether it begins a sentence, or is shouted
with all of it: then its capitals say nothing."""


Phrase = tuple[str, str, bool, bool, bool]
"""A phrase of a sentence: how it is written, what tells it from others, and whether its sentence
begins with it or is shouted, no word of content is before it there, and it is no part of a longer
one there."""


@dataclass
class Content:
    """A sentence and its words of content. It refers to no Doc, and may be kept when that is gone.

    Attributes:
        doc: What tells its Doc from others that are read with it.
        lang: The language of the Doc.
        start: Its first token.
        end: The token after its last.
        start_char: Its first character.
        text: Its text.
        words: Its words of content.
        chunks: Where its noun chunks begin and end, in characters of the Doc; None without a parse.
        above: The headings in the text that it stands below, of the largest part first.
    """

    doc: int
    lang: str
    start: int
    end: int
    start_char: int
    text: str
    words: list[ContentWord]
    chunks: list[tuple[int, int]] | None = None
    above: list[str] = field(default_factory=list)

    @cached_property
    def word_keys(self) -> frozenset[str]:
        """What tells its words from others, where there are no lemmas."""
        return frozenset(to_word_key(word.text.lower()) for word in self.words)

    @cached_property
    def runs(self) -> list[list[Word]]:
        """Its words that may be keywords, those that stand side by side together."""
        runs: list[list[Word]] = [[]]
        empty, is_shouted = _list_in_any_text(self.lang), self.text.isupper()
        for word in self.words:
            if not word.follows and runs[-1]:
                runs.append([])
            text = clean_name(word.text)
            is_roman = text.isupper() and ROMAN.fullmatch(text)
            if not is_roman and text.lower().rstrip(".") not in empty:
                runs[-1].append((word.key, text, word.start == self.start_char or is_shouted))
            elif runs[-1]:
                runs.append([])
        return runs

    @cached_property
    def phrases(self) -> list[Phrase]:
        """Its phrases: noun chunks without leading and trailing stop words, if the Doc is parsed,
        and runs of one to three content words otherwise, two of which may be joined by a short word
        ("history of art"), that end with a noun and hold no verb and no adverb, as far as their
        parts of speech are known: from a tagger, or the word classes of the language; and two of
        these that a preposition links ("access to the lake")."""
        return [*(self._find_runs() if self.chunks is None else self._find_chunks(self.chunks))]

    def _find_runs(self) -> Iterator[Phrase]:
        bounds = self._divide_runs()
        runs = [self.words[begin:end] for begin, end in bounds]
        of_run = [[place for place, word in enumerate(run) if word.is_noun] for run in runs]
        for run, nouns in zip(runs, of_run):
            for last in nouns:
                for first in range(max(0, last + 1 - _MOST_WORDS), last + 1):
                    is_whole = first == 0 and last == nouns[-1]
                    yield self._make_phrase(run[first], run[last], is_whole)
        for place, ((_, end), (begin, _)) in enumerate(pairwise(bounds), 1):
            former, run, nouns = runs[place - 1], runs[place], of_run[place]
            is_short = bool(nouns) and nouns[-1] < _MOST_WORDS
            if end == begin and run[0].links and former[-1].is_noun and is_short:
                second = {word.key for word in run[: nouns[-1] + 1]}
                for word in former[-_MOST_LINKED:]:
                    # "Change and changes" says one thing twice.
                    if {word.key, former[-1].key} != second:
                        yield self._make_phrase(word, run[nouns[-1]], word is former[0])

    def _divide_runs(self) -> list[tuple[int, int]]:
        """Where words in a row begin and end that may be of one name."""
        bounds: list[tuple[int, int]] = []
        for place, word in enumerate(self.words):
            if word.is_name and bounds and bounds[-1][1] == place and word.joins:
                bounds[-1] = bounds[-1][0], place + 1
            elif word.is_name:
                bounds.append((place, place + 1))
        return bounds

    def _make_phrase(self, first: ContentWord, last: ContentWord, is_whole: bool) -> Phrase:
        start = first.start - self.start_char
        text = clean_name(self.text[start : last.start - self.start_char + len(last.text)])
        begins = start == 0 or self.text.isupper()
        return text, to_term_key(text), begins, first is self.words[0], is_whole

    def _find_chunks(self, chunks: Iterable[tuple[int, int]]) -> Iterator[Phrase]:
        starts = [word.start for word in self.words]
        lead = None
        for chunk_start, chunk_end in chunks:
            own = self.words[bisect_left(starts, chunk_start) : bisect_left(starts, chunk_end)]
            start, end = chunk_start - self.start_char, chunk_end - self.start_char
            if own and not BLANK_LINES.search(self.text, start, end):
                lead = lead or own[0]
                text, key, begins, _, is_whole = self._make_phrase(own[0], own[-1], True)
                yield text, key, begins, own[0] is lead, is_whole


@lru_cache(maxsize=2**16)
def clean_name(text: str) -> str:
    """Return what a text has of a name: white space as one space, without what is not seen, as
    soft hyphens and byte order marks."""
    return " ".join(text.translate(_UNSEEN).split())


@cache
def _list_in_any_text(language: str) -> frozenset[str]:
    return get_words("en").titles | get_words(language).in_any_text


def capitalize_name(name: str) -> str:
    """Return a name with its first letter in upper case, unless its first word has a capital inside
    ("iPad")."""
    return name if _CAPITAL_INSIDE.match(name) else name[:1].upper() + name[1:]


class WordsOfDoc(NamedTuple):
    """The words of content of a Doc, from which the content of any of its sentences is made.

    Attributes:
        text: Of the Doc.
        places: The first token of each word, (words,).
        words: In order.
    """

    text: str
    places: np.ndarray
    words: list[ContentWord]


def is_content_word(word: Token | Lexeme) -> bool:
    """Tell whether a word may be a keyword: it has two to 40 characters with two letters among
    them, none that controls a terminal or the direction of a text, and is no stop word, number,
    address, handle, markup or punctuation, nor several words without a space between."""
    text = word.text
    return (
        1 < len(text) <= _LONGEST
        and not (word.is_stop or word.is_punct or word.is_space or word.like_num)
        and not (word.like_url or word.like_email or text.startswith(_BEFORE_NO_WORD))
        and not text.lower().rstrip(".").endswith(_AFTER_NO_WORD)
        and not (text.endswith("/") or "//" in text or "--" in text)
        and _OF_NO_WORD.isdisjoint(text)
        and not (_UNSPACED.search(text) and word.lang_ not in _OF_UNSPACED)
        and not _is_glued(word)
        and sum(map(str.isalpha, text)) > 1
    )


def _is_glued(word: Token | Lexeme) -> bool:
    """Whether a word that the language does not have ends with a stop word written large."""
    after = _GLUED.search(word.text)
    vocab: Vocab = word.vocab  # type: ignore[union-attr]  # Of a Lexeme it is not declared.
    known = load_rarities(word.lang_) or ()
    return after is not None and vocab[after[0]].is_stop and word.lower_ not in known


@lru_cache(maxsize=2**16)
def to_word_key(word: str) -> str:
    """Return what singular and plural of a word in lower case have in common: "bee" of bees,
    "librarie" of library and libraries, "church" of churches, "child" of children."""
    word = _ENGLISH.plurals.get(word, word)
    if len(word) < 4:
        return word
    if word.endswith("s") and word[-2] not in "su":
        word = word[:-1]
    if word.endswith(("che", "she", "sse", "xe")):
        return word[:-1]
    return f"{word[:-1]}ie" if word.endswith("y") and word[-2] not in "aeiou" else word


@lru_cache(maxsize=2**16)
def to_term_key(term: str) -> str:
    """Return what tells a term from others, where there are no lemmas."""
    return " ".join(map(to_word_key, term.lower().split(" ")))


def read_content(sentences: Iterable[Span], *, names: bool = True) -> list[Content]:
    """Find the words of content of sentences. Those of one Doc should stand together: it is read
    once for all of them. `names` says whether it matters which words may be of names; otherwise all
    may."""
    found: list[Content] = []
    for doc, group in groupby(sentences, key=lambda sentence: sentence.doc):
        of_doc, text = [*group], doc.text
        layout = SentenceLayout(TokenLayout.read(doc, text), of_doc)
        found += divide_words(read_words(doc, text, names=names), of_doc, layout, names=names)
    return found


def put_titles_above(contents: Sequence[Content], sentences: Sequence[Span]) -> None:
    """Let the titles of texts be headings of their sentences, where most of a title's words stand
    in its text, as those of a name such as "notes 12" do not."""
    for doc, of_doc in groupby(zip(sentences, contents), key=lambda pair: pair[0].doc):
        own = [content for _, content in of_doc]
        title = str(doc._.thematic_title or "")
        words = {
            to_word_key(word.lower())
            for word in _NAME.findall(title)
            if is_content_word(doc.vocab[word])
        }
        said = {word.key for content in own for word in content.words}
        if title[:1].isupper() and 2 * len(words & said) > len(words):
            for content in own:
                content.above = [title, *content.above]


def find_openers(group: Sequence[Content]) -> list[int]:
    """Return the sentences of a group, by their numbers, that do not stand right after another of
    it."""
    ends = {(content.doc, content.end) for content in group}
    return [
        number for number, content in enumerate(group) if (content.doc, content.start) not in ends
    ]


def read_words(doc: Doc, text: str, *, names: bool = True) -> WordsOfDoc:
    """Find the words of content of a Doc with a text. names: as for `read_content`."""
    strings = doc.vocab.strings
    attributes = [ORTH, LEMMA, POS, IDX, LENGTH]
    orth, lemmas, pos, starts, lengths = doc.to_array(attributes).reshape(-1, 5).T
    distinct, of_token = np.unique(orth, return_inverse=True)
    lexemes = [doc.vocab[form] for form in distinct.tolist()]
    texts = [lexeme.text for lexeme in lexemes]
    lower = [text.lower() for text in texts]
    is_joint, is_link, is_determiner = (
        np.array([text in known for text in lower], bool)[of_token]
        for known in (_ENGLISH.joints, _ENGLISH.links, _ENGLISH.determiners)
    )
    is_content = np.array([*map(is_content_word, lexemes)], bool)[of_token]
    # The tokenizer divides "’ud" as if it began with a quotation mark.
    is_cut = np.array([text == "\u2019" for text in texts], bool)[of_token]
    is_content[1:] &= ~is_cut[:-1] | (starts[1:] > starts[:-1] + lengths[:-1])
    is_content &= ~_only_speaks(lexemes, of_token, get_words(doc.lang_).says)
    places = np.flatnonzero(is_content)
    is_hyphen = np.array([text in _HYPHENS for text in texts], bool)[of_token]
    is_i = np.array([text == "I" for text in texts], bool)[of_token]
    is_hyphen[:-1] &= ~is_i[1:]  # There it is a dash.
    is_markup = ~np.array([*map(_OF_NO_WORD.isdisjoint, texts)], bool)[of_token]
    is_hyphen[1:] &= ~is_markup[:-1]
    is_hyphen[:-1] &= ~is_markup[1:]
    places, lasts = _join_compounds(places, is_hyphen, starts, starts + lengths)
    gaps = places - np.append(-9, lasts[:-1])
    follows = gaps == 1
    joins = follows | ((gaps == 2) & is_joint[places - 1])
    links = joins | ((gaps == 2) & is_link[places - 1])
    links |= (gaps == 3) & is_link[np.maximum(places - 2, 0)] & is_determiner[places - 1]
    forms = [strings[form] for form in orth[places].tolist()]
    bases = np.where(lemmas, lemmas, orth)[places].tolist()
    by_base = {base: to_word_key(clean_name(strings[base]).lower()) for base in set(bases)}
    keys = [by_base[base] for base in bases]
    for word in np.flatnonzero(lasts > places).tolist():
        forms[word] = doc[int(places[word]) : int(lasts[word]) + 1].text
        keys[word] = to_word_key(clean_name(forms[word]).lower())
    if names and not pos.any():
        pos = _guess_parts_of_speech(doc, lexemes, of_token, is_content)
    is_name = ~np.isin(pos[lasts], _NOT_OF_NAMES)
    is_noun = is_name & (pos[lasts] != ADJ)
    is_noun &= _is_mostly(is_noun, lower, of_token[lasts])
    # "Choosing" is tagged as a verb, and begins a heading.
    is_name |= np.array([form.endswith("ing") for form in forms], bool)
    is_said = np.array([form.lower() in _ENGLISH.in_any_text for form in forms], bool)
    is_name &= ~is_said
    is_noun &= ~is_said
    of_each = [
        column.tolist()
        for column in (starts[places].astype(int), follows, joins, links, is_name, is_noun)
    ]
    words = [*map(ContentWord._make, zip(forms, keys, *of_each))]
    return WordsOfDoc(text, places, words)


def _only_speaks(
    lexemes: Sequence[Lexeme], of_token: np.ndarray, says: frozenset[str]
) -> np.ndarray:
    """Whether tokens are names of who mostly says something ("Kory asks", ", says Kory"), (n,)."""
    if says.isdisjoint(one.text for one in lexemes):
        return np.zeros(len(of_token), bool)
    is_name, is_verb, is_mark, is_space = (
        np.array(
            [
                (
                    one.text[0].isupper() and one.is_alpha and not one.is_stop,
                    one.text in says,
                    one.is_punct,
                    one.is_space,
                )
                for one in lexemes
            ],
            bool,
        )
        .reshape(-1, 4)
        .T
    )
    forms = of_token[~is_space[of_token]]
    speaks = np.zeros(len(forms), bool)
    speaks[:-1] = is_verb[forms[1:]]
    speaks[2:] |= is_mark[forms[:-2]] & is_verb[forms[1:-1]]
    n = np.bincount(forms, minlength=len(lexemes))
    n_said = np.bincount(forms, speaks, len(lexemes))
    return (is_name & (n_said >= _FEWEST_SAID) & (2 * n_said > n))[of_token]


def _is_mostly(is_noun: np.ndarray, lower: Sequence[str], forms: np.ndarray) -> np.ndarray:
    """Whether words are nouns wherever their forms stand, or mostly, (words,)."""
    own = np.unique(lower, return_inverse=True)[1][forms]
    shares = np.bincount(own, is_noun) / np.maximum(np.bincount(own), 1)
    return shares[own] > 0.5


def divide_words(
    read: WordsOfDoc, sentences: Sequence[Span], layout: SentenceLayout, *, names: bool = True
) -> Iterator[Content]:
    """Yield the content of sentences of a Doc, by their layout: in speech, who speaks is no word of
    it."""
    bounds = np.array([(sentence.start, sentence.end) for sentence in sentences]).reshape(-1, 2)
    ranges = np.searchsorted(read.places, bounds).tolist()
    starts = [sentence.start_char for sentence in sentences]
    texts = [read.text[sentence.start_char : sentence.end_char] for sentence in sentences]
    said = layout.said
    before = [text[: start - first] for text, first, start in zip(texts, starts, said)]
    speakers = {
        name
        for text in (*before, *layout.timed_speakers)
        for written in _NAME.findall(text.lower())
        for name in (written, written.rstrip(_OF_NICKS))
    }
    has_chunks = names and bool(sentences) and _has_chunks(sentences[0].doc)
    above = layout.find_headings_above()
    rows = zip(sentences, texts, said, above, ranges)
    for sentence, text, start, headings, (first, after) in rows:
        yield Content(
            id(sentence.doc),
            sentence.doc.lang_,
            sentence.start,
            sentence.end,
            sentence.start_char,
            text,
            [
                word
                for word in read.words[first:after]
                if word.start >= start and not (speakers and word.text.lower() in speakers)
            ],
            [(chunk.start_char, chunk.end_char) for chunk in sentence.noun_chunks]
            if has_chunks
            else None,
            headings,
        )


def _has_chunks(doc: Doc) -> bool:
    return getattr(doc, "noun_chunks_iterator", None) is not None and doc.has_annotation("DEP")


def _guess_parts_of_speech(
    doc: Doc, lexemes: Sequence[Lexeme], of_token: np.ndarray, is_content: np.ndarray
) -> np.ndarray:
    """The parts of speech of a Doc that no tagger has read, (n,): NOUN, ADJ and VERB, by the word
    classes of its language; 0 where nothing is known. `lexemes` are those of the Doc, `of_token`
    the number of each token's, and `is_content` whether it is a word of content, (n,)."""
    pos = np.zeros(len(doc), np.int64)
    classes = load_word_classes(doc.lang_)
    is_word = ~np.array([lexeme.is_space for lexeme in lexemes], bool)[of_token]
    if classes is None or not is_word.any():
        return pos
    starts = doc.to_array(SENT_START)[is_word] == 1
    starts[0] = True
    texts = [lexeme.text for lexeme in lexemes]
    words, in_title = of_token[is_word], np.zeros(len(doc), bool)
    in_title[is_word] = _find_titles(lexemes, words, starts)
    found = classes(texts, words, starts, in_title[is_word])
    pos[is_word] = np.array([NOUN, ADJ, VERB])[found]
    is_large = np.array([text[:1].isupper() for text in texts], bool)
    is_direction = is_large & [text.lower() in get_words(doc.lang_).directions for text in texts]
    pos[:-1][is_direction[of_token][:-1] & is_large[of_token][1:]] = ADJ
    if get_words(doc.lang_).auxiliaries and doc.has_annotation("SENT_START"):
        _find_lone_verbs(doc, pos, lexemes, of_token, is_content, in_title)
    return pos


def _find_titles(lexemes: Sequence[Lexeme], words: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """Whether words are of sentences that are written as titles ("Zika Outbreak Hits Miami"), (n,),
    by the number of each word's form and whether a sentence starts with it, (n,)."""
    is_large, is_long = np.array(
        [(one.text[:1].isupper(), one.is_alpha and len(one.text) >= _LONG) for one in lexemes], bool
    ).T[:, words]
    sentence = np.cumsum(starts) - 1
    is_long &= ~starts
    n_long, n_large = np.bincount(sentence, is_long), np.bincount(sentence, is_long & is_large)
    is_title = (n_long >= _FEWEST_OF_TITLE) & (n_large >= _OF_TITLE * n_long)
    return is_title[sentence]


def _find_lone_verbs(
    doc: Doc,
    pos: np.ndarray,
    lexemes: Sequence[Lexeme],
    of_token: np.ndarray,
    is_content: np.ndarray,
    in_title: np.ndarray,
) -> None:
    """Make verbs of what looks like a plural in sentences without a verb: the first that follows a
    singular, before a word of no content or a name ("The river rises in May", "ECI slams Lee").
    In titles verbs are written large, too."""
    known = get_words(doc.lang_)
    ends_in_s, is_plural, is_small, is_after, is_auxiliary = np.array(
        [
            (
                (text := one.text)[-1] == "s",
                text[-1] == "s" != text[-2:-1],
                text.islower(),
                one.is_title or (one.is_stop and one.lower_ not in known.after_nouns),
                one.lower_ in known.auxiliaries,
            )
            for one in lexemes
        ],
        bool,
    ).T[:, of_token]
    is_plural &= is_small | in_title
    is_noun = is_content & (pos == NOUN)
    is_verb = is_auxiliary | (is_content & (pos == VERB))
    is_found = (is_noun & ~ends_in_s)[:-2] & (is_noun & is_plural)[1:-1] & is_after[2:]
    seen = -1
    for place in (np.flatnonzero(is_found) + 1).tolist():
        if place > seen:
            sentence = doc[place].sent
            seen = sentence.end - 1
            if not is_verb[sentence.start : sentence.end].any():
                pos[place] = VERB


def _join_compounds(
    places: np.ndarray, is_hyphen: np.ndarray, starts: np.ndarray, ends: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The first and the last token of each word of content, (words,) each, where what hyphens join
    is one word ("Seals-Jones", "X-ray"), or none if it is too long. `places` are those of the words
    of content; `is_hyphen`, `starts` and `ends` say of each token whether it is a hyphen, its first
    character, and the one after its last."""
    joined = is_hyphen[1:-1] & (ends[:-2] == starts[1:-1]) & (ends[1:-1] == starts[2:])
    first, last = np.arange(len(starts)), np.arange(len(starts))
    for hyphen in (np.flatnonzero(joined) + 1).tolist():
        first[hyphen + 1] = first[hyphen - 1]
        last[first[hyphen + 1]] = hyphen + 1
    firsts = np.unique(first[places])
    firsts = firsts[ends[last[firsts]] - starts[firsts] <= _LONGEST]
    return firsts, last[firsts]
