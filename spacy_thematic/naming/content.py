"""The words of content of sentences, from which keywords and phrases are made."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import namedtuple
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from itertools import groupby, pairwise
from typing import Any, NamedTuple

import numpy as np
from spacy.attrs import IDS, IDX, LEMMA, LENGTH, ORTH, POS, SENT_START
from spacy.lexeme import Lexeme
from spacy.parts_of_speech import ADJ, ADV, AUX, NOUN, VERB
from spacy.tokens import Doc, Span, Token

from spacy_thematic.doc_layout import SentenceLayout, TokenLayout
from spacy_thematic.lang import get_words, to_word_key
from spacy_thematic.lang.foreign import find_language, find_stop_words
from spacy_thematic.lang.word_classes import load_word_classes
from spacy_thematic.layout.lines import BLANK_LINES, ROMAN
from spacy_thematic.naming.codes_and_units import LONGEST, drop_code, drop_measuring_units, is_code
from spacy_thematic.rows import number_items
from spacy_thematic.span_keys import get_text

_FEWEST_SAID = 2
"""Times that somebody says something whose name is no word of content, if these are most."""

_LONG, _FEWEST_OF_TITLE, _OF_TITLE = 4, 2, 0.8
"""Of a title most words of four letters or more begin with a capital, two at least, beside the
first."""

_FAR = 9  # Tokens from a word to one that is not beside it.

_UNSPACED = re.compile(r"[\u0e00-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")
_OF_UNSPACED = frozenset({"ja", "th", "xx", "zh"})
"""Scripts without spaces between words, and the languages whose tokenizers may divide them: others
take for a word all that stands between two marks, mostly a sentence."""

_CAPITAL_INSIDE = re.compile(r"[a-z]+[A-Z]")
_ELIDED = re.compile(r"([^\W\d_]{1,8})['\u2019](?=[aeiouyhàâæéèêëíîïóôœùúû])", re.IGNORECASE)
"""Before a vowel: not "zo'n" of Dutch."""

_MOST_WORDS = 3  # Words of a phrase.

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

_FILE = re.compile(r"\S+\.(?!(?:ai|io|js|net)$)[a-z]\w{0,3}")
"""A name of a file ("setup.py"), and no library or site ("node.js")."""

_MARK = r"(?:[,;:!?…*\"“”„«»•·`‐–]|(?<!-)-(?!-))"
_EDGES = re.compile(rf"\A(?:{_MARK}|\.(?={_MARK}))+(?=\w)|(?<=\w)(?:{_MARK}|\.(?={_MARK}))+\Z")
"""Marks around a word that a tokenizer left there (",MEDICATIONS")."""

_MARK_INSIDE = re.compile(r"[.:;!?],|[^\W\d]{3},\d")
"""Marks between two words that a tokenizer took for one ("mL.,FLUIDS")."""

_HYPHENS = frozenset({"-", "\u2010", "\u2011"})
_FLAGS: list[int | str] = [
    *"IS_STOP IS_PUNCT IS_SPACE LIKE_NUM LIKE_URL LIKE_EMAIL IS_ALPHA IS_TITLE".split()
]
_ENGLISH = get_words("en")
_NEVER_IN_NAMES = _ENGLISH.in_any_text | _ENGLISH.never_in_names
_NOT_OF_NAMES = (VERB, AUX, ADV)
_OF_NICKS = "_-0123456789"  # What ends nicks ("leo_", "leo2") that others leave out.

_UNSEEN = str.maketrans("", "", "\u00ad\u200b\u2060\ufeff")
"""Soft hyphens, and spaces without a width."""

_NAME = re.compile(r"[^\W\d_][\w'-]*")


class ContentWord(NamedTuple):
    """A word of content."""

    text: str  # As it is written. What hyphens join is one word.
    key: str  # Of its lemma where it has one: what tells it from others, the same in the plural.
    start: int  # Its first character, in its Doc.
    follows: bool  # Whether the token before it is a word of content, too.
    joins: bool  # The same, or one short word stands between the two ("history of art").
    links: bool  # The same, or what may link two phrases does ("access to the lake").
    is_name: bool  # Whether it may be of a name: it is no verb and no adverb, as far as is known.
    is_noun: bool  # Whether it may be the last of a name: it is no adjective either.


Word = tuple[str, str, bool]
"""What tells a word from others, how it is written, and whether it begins a sentence, or is shouted
with all of it: then its capitals say nothing."""


Phrase = tuple[str, bool, bool, bool]
"""A phrase of a sentence: how it is written, and whether its sentence begins with it or is shouted,
no word of content is before it there, and it is no part of a longer one there."""


@dataclass
class Content:
    """A sentence and its words of content. It refers to no Doc, and may outlive its own."""

    doc: int  # What tells its Doc from others that are read with it.
    lang: str  # The language of the Doc.
    start: int  # Its first token.
    end: int  # The token after its last.
    start_char: int  # Its first character.
    text: str  # Its text.
    words: list[ContentWord]  # Its words of content.
    # Where its noun chunks begin and end, in characters of the Doc; None without a parse.
    chunks: list[tuple[int, int]] | None = None
    # The headings in the text that it stands below, of the largest part first.
    above: list[str] = field(default_factory=list)
    said_from: int = 0  # The first character of its text after the name of who speaks.

    @cached_property
    def word_keys(self) -> frozenset[str]:
        """What tells its words from others, where there are no lemmas."""
        return frozenset(to_word_key(word.text.lower()) for word in self.words)

    @cached_property
    def terms(self) -> tuple[list[Word], list[bool]]:
        """Its words that may be keywords, and whether each stands right beside the one before."""
        words: list[Word] = []
        are_beside: list[bool] = []
        empty, is_shouted = _list_in_any_text(self.lang), self.text.isupper()
        is_kept = False
        for word in self.words:
            is_beside, text = is_kept and word.follows, clean_name(word.text)
            is_roman = text.isupper() and ROMAN.fullmatch(text)
            is_kept = not is_roman and text.lower().rstrip(".") not in empty
            if is_kept:
                words.append((word.key, text, word.start == self.start_char or is_shouted))
                are_beside.append(is_beside)
        return words, are_beside

    @cached_property
    def phrases(self) -> list[tuple]:
        """The columns of `Phrase` for its phrases: noun chunks without leading and trailing stop
        words, if the Doc is parsed, and runs of one to three content words otherwise, two of which
        may be joined by a short word ("history of art"), that end with a noun and hold no verb and
        no adverb, as far as their parts of speech are known: from a tagger, or the word classes of
        the language; and two of these that a preposition links ("access to the lake")."""
        found = self._find_runs() if self.chunks is None else self._find_chunks(self.chunks)
        # As columns they are few objects, which Python's garbage collector walks through.
        return [*zip(*found)] or [()] * 4

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
        return text, start == 0 or self.text.isupper(), first is self.words[0], is_whole

    def _find_chunks(self, chunks: Iterable[tuple[int, int]]) -> Iterator[Phrase]:
        starts = [word.start for word in self.words]
        lead = None
        for chunk_start, chunk_end in chunks:
            own = self.words[bisect_left(starts, chunk_start) : bisect_left(starts, chunk_end)]
            start, end = chunk_start - self.start_char, chunk_end - self.start_char
            if own and not BLANK_LINES.search(self.text, start, end):
                lead = lead or own[0]
                text, begins, _, is_whole = self._make_phrase(own[0], own[-1], True)
                yield text, begins, own[0] is lead, is_whole


@lru_cache(maxsize=2**16)
def clean_name(text: str) -> str:
    """Return what a text has of a name: white space as one space, without what is not seen, as
    soft hyphens and byte order marks."""
    seen = text if text.isascii() else text.translate(_UNSEEN)
    return " ".join(seen.split())


@cache
def _list_in_any_text(language: str) -> frozenset[str]:
    return get_words("en").titles | get_words(language).in_any_text


def capitalize_name(name: str) -> str:
    """Return a name with its first letter in upper case, unless its first word has a capital inside
    ("iPad")."""
    return name if _CAPITAL_INSIDE.match(name) else name[:1].upper() + name[1:]


def is_content_word(word: Token | Lexeme) -> bool:
    """Tell whether a word may be a keyword: it has two to 40 characters with two letters among
    them, none that controls a terminal or the direction of a text, and is no stop word, number,
    address, handle, markup or punctuation."""
    return (
        not (word.is_stop or word.is_punct or word.is_space or word.like_num)
        and not (word.like_url or word.like_email)
        and _may_be_content(word.text, word.lang_)
    )


@lru_cache(maxsize=2**16)
def _may_be_content(text: str, language: str) -> bool:
    """What `is_content_word` tells by the letters of a word."""
    return (
        1 < len(text) <= LONGEST
        and not text.startswith(_BEFORE_NO_WORD)
        and not text.lower().rstrip(".").endswith(_AFTER_NO_WORD)
        and not (text.endswith("/") or "//" in text or "--" in text)
        and _OF_NO_WORD.isdisjoint(text)
        and not _MARK_INSIDE.search(text)
        and not is_code(text)
        and not (_UNSPACED.search(text) and language not in _OF_UNSPACED)
        and sum(map(str.isalpha, text)) > 1
    )


@lru_cache(maxsize=2**16)
def _to_base_key(base: str) -> str:
    """The key of a word by its lemma, or as it is written."""
    return to_word_key(_EDGES.sub("", clean_name(base)).lower())


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
        of_doc, text = [*group], get_text(doc)
        layout = SentenceLayout(TokenLayout.read(doc, text), of_doc)
        found += divide_words(read_words(doc, names=names), text, of_doc, layout, {})
    drop_code(found)
    return drop_measuring_units(found) if names else found


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


_Forms = namedtuple(
    "_Forms",
    "is_stop is_punct is_space like_num like_url like_email is_alpha is_title "
    "may_be_content is_joint is_link is_determiner is_hyphen is_i is_markup is_large is_small "
    "is_long ends_in_s is_plural says is_direction is_after_noun is_auxiliary",
)
"""What is known of the distinct forms of the tokens of a Doc by themselves, bool (forms,) each:
`_FLAGS`, and how they are written."""


@lru_cache(maxsize=2**16)
def _describe(text: str, language: str) -> bytes:
    """How a form is written: the last fields of `_Forms`, a byte each."""
    known, lower = get_words(language), text.lower()
    fields = (
        _may_be_content(text, language),
        lower in _ENGLISH.joints,
        lower in _ENGLISH.links,
        lower in _ENGLISH.determiners,
        text in _HYPHENS,
        text == "I",
        not _OF_NO_WORD.isdisjoint(text),
        text[:1].isupper(),
        text.islower(),
        len(text) >= _LONG,
        text.endswith("s"),
        text.endswith("s") and not text.endswith("ss"),
        text in known.says,
        lower in known.directions,
        lower in known.after_nouns,
        lower in known.auxiliaries,
    )
    return bytes(fields)


def _read_forms(doc: Doc, orth: np.ndarray) -> tuple[list[str], _Forms, np.ndarray, np.ndarray]:
    """The distinct forms of the tokens of a Doc, without marks around them, what is known of each,
    the number of that of each token, (n,), and how many marks are before each, and after it, (2,
    forms)."""
    distinct, firsts, of_token = np.unique(orth, return_index=True, return_inverse=True)
    texts = [doc.vocab.strings[form] for form in distinct.tolist()]
    flags = doc.to_array(_FLAGS).reshape(-1, len(_FLAGS))[firsts] > 0
    marks = np.zeros((2, len(texts)), np.int64)
    for number, text in enumerate(texts):
        if not (text.isalnum() or (bare := _EDGES.sub("", text)) == text):
            before = text.index(bare)
            marks[:, number] = before, len(text) - before - len(bare)
            texts[number], lexeme = bare, doc.vocab[bare]
            flags[number] = [lexeme.check_flag(IDS[str(flag)]) for flag in _FLAGS]
    written = np.frombuffer(b"".join([_describe(text, doc.lang_) for text in texts]), bool)
    written = written.reshape(len(texts), len(_Forms._fields) - len(_FLAGS))
    return texts, _Forms(*flags.T, *written.T), of_token, marks


def _measure_elided(text: str, stop_words: Collection[str]) -> int:
    """The length of a stop word that stands before a word without its last vowel: 2 of "J'ai"."""
    elided = _ELIDED.match(text)
    if elided is None:
        return 0
    stem = elided[1].lower()
    is_stop = f"{stem}'" in stop_words or (
        len(stem) > 1 and not {stem, f"{stem}e"}.isdisjoint(stop_words)
    )
    return elided.end() if is_stop else 0


def read_words(doc: Doc, *, names: bool = True) -> tuple[np.ndarray, list[ContentWord]]:
    """Find the words of content of a Doc. Returns the first token of each, (words,), and the words
    in order. names: as for `read_content`."""
    attributes = [ORTH, LEMMA, POS, IDX, LENGTH]
    orth, lemmas, pos, starts, lengths = doc.to_array(attributes).reshape(-1, 5).T
    texts, known, of_token, marks = _read_forms(doc, orth)
    is_joint, is_link = known.is_joint[of_token], known.is_link[of_token]
    is_determiner = known.is_determiner[of_token]
    is_content = known.may_be_content & ~np.logical_or.reduce(known[:6])
    is_content &= ~_only_speaks(known, of_token)
    language = find_language(texts, of_token) if doc.lang_ == "en" else doc.lang_
    if language != doc.lang_:
        empty = {"", *find_stop_words(language), *get_words(language).in_any_text}
        elided = np.array([_measure_elided(text, empty) for text in texts], int)
        texts = [text[n:] for text, n in zip(texts, elided.tolist())]
        orth = np.array([doc.vocab.strings.add(text) for text in texts], np.uint64)[of_token]
        starts, lengths = starts + elided[of_token], lengths - elided[of_token]
        is_content &= np.array([text.lower() not in empty for text in texts], bool)
    is_content = is_content[of_token]
    places = np.flatnonzero(is_content)
    is_hyphen, is_markup = known.is_hyphen[of_token], known.is_markup[of_token]
    is_hyphen[:-1] &= ~known.is_i[of_token[1:]]  # There it is a dash.
    is_hyphen[1:] &= ~is_markup[:-1]
    is_hyphen[:-1] &= ~is_markup[1:]
    places, lasts = _join_compounds(places, is_hyphen, starts, starts + lengths)
    gaps = places - np.append(-_FAR, lasts[:-1])
    before, after = marks[:, of_token]
    starts = starts + before
    gaps[before[places] > 0] = _FAR
    gaps[1:][after[lasts[:-1]] > 0] = _FAR
    follows = gaps == 1
    joins = follows | ((gaps == 2) & is_joint[places - 1])
    links = joins | ((gaps == 2) & is_link[places - 1])
    links |= (gaps == 3) & is_link[np.maximum(places - 2, 0)] & is_determiner[places - 1]
    forms = [texts[form] for form in of_token[places].tolist()]
    bases, number = np.unique(np.where(lemmas > 0, lemmas, orth)[places], return_inverse=True)
    own = [_to_base_key(doc.vocab.strings[base]) for base in bases.tolist()]
    keys = [own[base] for base in number.tolist()]
    for word in np.flatnonzero(lasts > places).tolist():
        forms[word] = _EDGES.sub("", doc[int(places[word]) : int(lasts[word]) + 1].text)
        keys[word] = _to_base_key(forms[word])
    if names and not pos.any():
        pos = _guess_parts_of_speech(doc, texts, known, of_token, is_content)
    is_name = ~np.isin(pos[lasts], _NOT_OF_NAMES)
    is_noun = is_name & (pos[lasts] != ADJ)
    is_noun &= _is_mostly(is_noun, texts, of_token[lasts])
    # "Choosing" is tagged as a verb, and begins a heading.
    is_name |= np.array([form.endswith("ing") for form in forms], bool)
    is_said = np.array(
        [form.lower() in _NEVER_IN_NAMES or bool(_FILE.fullmatch(form)) for form in forms], bool
    )
    is_name &= ~is_said
    is_noun &= ~is_said
    if language == "de":
        is_noun &= np.array([form[:1].isupper() for form in forms], bool)
    of_each = [
        column.tolist()
        for column in (starts[places].astype(int), follows, joins, links, is_name, is_noun)
    ]
    return places, [*map(ContentWord._make, zip(forms, keys, *of_each))]


def _only_speaks(known: _Forms, of_token: np.ndarray) -> np.ndarray:
    """Whether forms are names of who mostly says something ("Kory asks", ", says Kory"),
    (forms,)."""
    is_name = known.is_large & known.is_alpha & ~known.is_stop
    if not known.says.any():
        return np.zeros(len(is_name), bool)
    forms = of_token[~known.is_space[of_token]]
    speaks = np.zeros(len(forms), bool)
    speaks[:-1] = known.says[forms[1:]]
    speaks[2:] |= known.is_punct[forms[:-2]] & known.says[forms[1:-1]]
    n = np.bincount(forms, minlength=len(is_name))
    n_said = np.bincount(forms, speaks, len(is_name))
    return is_name & (n_said >= _FEWEST_SAID) & (2 * n_said > n)


def _is_mostly(is_noun: np.ndarray, texts: Sequence[str], forms: np.ndarray) -> np.ndarray:
    """Whether words are nouns wherever their forms stand, or mostly, (words,)."""
    own = number_items(map(str.lower, texts))[0][forms]
    shares = np.bincount(own, is_noun) / np.maximum(np.bincount(own), 1)
    return shares[own] > 0.5


def divide_words(
    read: tuple[np.ndarray, list[ContentWord]],
    text: str,
    sentences: Sequence[Span],
    layout: SentenceLayout,
    known: dict[Any, Content],
) -> Iterator[Content]:
    """Yield the content of sentences of a Doc with a text, by its words, as `read_words` returns
    them, and their layout: in speech, who speaks is no word of it. What is `known` of the Doc
    already is taken from there; what is new is added."""
    places, words = read[0].tolist(), read[1]
    speech_starts = layout.speech_starts
    before = [
        text[sentence.start_char : start] for sentence, start in zip(sentences, speech_starts)
    ]
    speakers = frozenset(
        name
        for said in (*before, *layout.named_speakers)
        for written in _NAME.findall(said.lower())
        for name in (written, written.rstrip(_OF_NICKS))
    )
    has_chunks = bool(sentences) and _has_chunks(sentences[0].doc)
    for sentence, start, above in zip(sentences, speech_starts, layout.find_headings_above()):
        key = sentence.start, sentence.end, speakers, *above
        if key not in known:
            first, after = (bisect_left(places, end) for end in (sentence.start, sentence.end))
            known[key] = Content(
                doc=id(sentence.doc),
                lang=sentence.doc.lang_,
                start=sentence.start,
                end=sentence.end,
                start_char=sentence.start_char,
                text=text[sentence.start_char : sentence.end_char],
                words=[
                    word
                    for word in words[first:after]
                    if word.start >= start and word.text.lower() not in speakers
                ],
                chunks=[(chunk.start_char, chunk.end_char) for chunk in sentence.noun_chunks]
                if has_chunks
                else None,
                above=above,
                said_from=start - sentence.start_char,
            )
        yield known[key]


def _has_chunks(doc: Doc) -> bool:
    return getattr(doc, "noun_chunks_iterator", None) is not None and doc.has_annotation("DEP")


def _guess_parts_of_speech(
    doc: Doc, texts: Sequence[str], known: _Forms, of_token: np.ndarray, is_content: np.ndarray
) -> np.ndarray:
    """The parts of speech of a Doc that no tagger has read, (n,): NOUN, ADJ and VERB, by the word
    classes of its language; 0 where nothing is known. `is_content` says of each token whether it is
    a word of content, (n,); the others are as `_read_forms` returns them."""
    pos = np.zeros(len(doc), np.int64)
    classes = load_word_classes(doc.lang_)
    is_word = ~known.is_space[of_token]
    if classes is None or not is_word.any():
        return pos
    starts = doc.to_array(SENT_START)[is_word] == 1
    starts[0] = True
    words, in_title = of_token[is_word], np.zeros(len(doc), bool)
    in_title[is_word] = _find_titles(known, words, starts)
    found = classes(texts, words, starts, in_title[is_word])
    pos[is_word] = np.array([NOUN, ADJ, VERB])[found]
    is_small = (known.ends_in_s & known.is_small).tolist()
    is_verb = np.array([own and classes.is_verb(text) for own, text in zip(is_small, texts)], bool)
    is_verb = is_verb[of_token]
    is_after = is_content & (pos == NOUN) & ~known.ends_in_s[of_token]
    pos[1:][is_verb[1:] & is_after[:-1]] = VERB  # "The firm refuses to pay".
    is_large = known.is_large[of_token]
    is_direction = is_large & known.is_direction[of_token]
    pos[:-1][is_direction[:-1] & is_large[1:]] = ADJ
    if get_words(doc.lang_).auxiliaries and doc.has_annotation("SENT_START"):
        _find_lone_verbs(doc, pos, known, of_token, is_content, in_title)
    return pos


def _find_titles(known: _Forms, words: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """Whether words are of sentences that are written as titles ("Zika Outbreak Hits Miami"), (n,),
    by the number of each word's form and whether a sentence starts with it, (n,)."""
    is_long = (known.is_alpha & known.is_long)[words] & ~starts
    sentence = np.cumsum(starts) - 1
    n_long = np.bincount(sentence, is_long)
    n_large = np.bincount(sentence, is_long & known.is_large[words])
    is_title = (n_long >= _FEWEST_OF_TITLE) & (n_large >= _OF_TITLE * n_long)
    return is_title[sentence]


def _find_lone_verbs(
    doc: Doc,
    pos: np.ndarray,
    known: _Forms,
    of_token: np.ndarray,
    is_content: np.ndarray,
    in_title: np.ndarray,
) -> None:
    """Make verbs of what looks like a plural in sentences without a verb: the first that follows a
    singular, before a word of no content or a name ("The river rises in May", "ECI slams Lee").
    In titles verbs are written large, too."""
    is_plural = known.is_plural[of_token] & (known.is_small[of_token] | in_title)
    is_after = (known.is_title | (known.is_stop & ~known.is_after_noun))[of_token]
    is_noun = is_content & (pos == NOUN)
    is_verb = known.is_auxiliary[of_token] | (is_content & (pos == VERB))
    is_found = (
        (is_noun & ~known.ends_in_s[of_token])[:-2] & (is_noun & is_plural)[1:-1] & is_after[2:]
    )
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
    firsts = firsts[ends[last[firsts]] - starts[firsts] <= LONGEST]
    return firsts, last[firsts]
