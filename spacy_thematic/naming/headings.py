"""Headings of groups of sentences, chosen together so that no two are alike."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import chain, islice
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np

from spacy_thematic.lang import get_words
from spacy_thematic.lang.foreign import find_language
from spacy_thematic.lang.questions import name_question
from spacy_thematic.layout.dates import is_date
from spacy_thematic.layout.lines import ROMAN
from spacy_thematic.naming.candidates import (
    NO_CONTENT,
    Candidates,
    HeadingScores,
    Phrases,
    find_candidates,
    find_phrases,
    rank_within,
)
from spacy_thematic.naming.content import (
    Content,
    capitalize_name,
    clean_name,
    find_openers,
    to_term_key,
    to_word_key,
)
from spacy_thematic.rows import cluster_sums, group_by, mean_row, number_items, unit_rows
from spacy_thematic.trees import Trees

_SURER = 0.1
"""A heading that is not in the text names a group only if its mark is this much better than those
of all phrases. With this margin as many names are fit as without one, and only a third as many come
from outside the text."""

_LONGEST, _LONGEST_OF_PHRASES = 100, 60
"""The most characters of a heading in the text that names a group, or of several; and of a name of
phrases."""

_PART, _WHOLE, _MOST_PARTS = 0.25, 2 / 3, 3
"""A heading above two thirds of a group names it alone. Those above a quarter or more name it
together, up to three of them."""

_OF_ALL = 0.8
"""A heading above a larger share of all sentences, which has none below it, names only a group that
has half of these."""

_NUMBERING = re.compile(r"^(?:\d+(?:[./]\d+)+[.)]?|(?:\d+|[ivxIVX]+|[A-Za-z])[.)])\s+")
_MARKUP = re.compile(r"[*_`]{2,}|`|\s*\[edit\]$")
_WORD = re.compile(r"[^\W\d_]{2,}")
_PLAIN = re.compile(r"[^\W\d_](?!.{,30}:)[^<>&\[\]{}|\\*_#@~^=/`\u201c\u201d\"]*")
"""A sentence that is a name as it stands, without markup, addresses, and who speaks before it."""

_MOST_EMPTY = 0.2
"""The largest share of sentences of writing that have fewer than two words of content."""

_SAME = 0.9  # The cosine from which on two headings are the same.
_MOST = 20  # The candidates of a group that are kept.

_SURE, _LEAST_SECOND, _LEAST_SECOND_OF_TEXTS = 0.55, 0.25, 0.15
"""A candidate with a mark below the first is joined with one above the second, or in groups of
several texts, where marks are lower, the third. Of the names of 900 themes of texts, readers found
66 in 100 fit with one phrase, 63 with two, and 70 so; of 124 themes of collections, 77 with one
phrase, and 84 so."""

_LEAST_ALONE, _OF_RUN = 0.35, 3
"""A single phrase with a lower mark names no group of one text, or of a few, whose runs have so
many sentences or more on average, as those of a list have not, if the group begins with a sentence
that reads as a name: then this is its name. In 144 readings 56 in 100 of such sentences fit, and 35
of the phrases. Longer sentences, shortened, they minded most of all names."""

_FEWEST_WORDS, _LONGEST_SENTENCE = 3, 80
"""The words of content of this sentence, and its most characters."""

_OF_OTHERS, _OF_OWN, _OF_OWN_TEXTS = 0.1, 0.5, 0.4
"""A phrase that stands in so large a share of the other sentences of a text, and at least half as
often there as in its group, tells it from no other. Of 4,101 groups that readers had named, such a
phrase was the best of 203: it said what the reader said with an F1 of .13, the next one of .19. Of
groups of several texts the share of texts counts: "British Airways" names none of its reviews."""

_MOST_READ = 100  # Sentences that tell the language of a text.
_MANY = 10  # A group of fewer texts may be called by a heading that stands in one of them.

_OF_TEXTS = 0.03
"""The least share of many texts, and two at least, that hold the words of a heading. Of names that
fewer texts hold, most say nothing of the others."""

_SEVERAL, _OF_SHARE, _LEAST_SHARE = 4, 0.25, 0.01
"""Of a group of so many texts that have other groups, too, what the logarithm of the share that
hold a candidate adds to its mark, and the share that counts where only one of them does. With .2
to .3 readers find most names fit."""

_MOST_GROUPS = 1.2
"""Where texts are in so many groups or fewer, on average, groups are of texts, not of sentences."""

_OF_OPENED, _OF_FIT, _OF_LEANINGS = 1.2, 0.25, 0.4
"""What a keyword gains by the openers that have it, and by how well it would fit as a heading."""

HeadingScorer = Callable[[np.ndarray, np.ndarray, Sequence[str]], HeadingScores | None]
"""`(means, origin, phrases) -> scores`, or None where nothing is known of headings."""


class Heading(NamedTuple):
    """A heading.

    Attributes:
        text: With its first letter in upper case.
        score: The mark that a reader would give it, as far as is known, from 0, unfit, to 1, good.
            Of one in the text, the share of the group's sentences that stand below it; of a
            sentence, the mark of the phrase that it replaces.
    """

    text: str
    score: float


@dataclass(eq=False)
class HeadingFinder:
    """Finds headings of groups of sentences, and says which of their keywords are like headings."""

    groups: Sequence[Sequence[Content]]  # k groups of sentences.
    rows: np.ndarray  # The vectors of all sentences, of length one, (n, width).
    labels: np.ndarray  # The group of each sentence, (n,).
    score: HeadingScorer | None  # Says how well headings fit. None: nothing is known of headings.
    # Of the text that all sentences are of, "" if it has none. No heading says half of it or more,
    # and nothing else.
    title: str = ""

    def merge(self, broader: np.ndarray) -> HeadingFinder:
        """Return the same for broader groups, by that of each group, from 0, (k,)."""
        together = [[*chain.from_iterable(members)] for members in group_by(self.groups, broader)]
        order = np.argsort(self.labels, kind="stable")
        labels = broader[self.labels[order]]
        return HeadingFinder(together, self.rows[order], labels, self.score, self.title)

    def weigh_openings(self, terms: Sequence[Sequence[str]]) -> list[np.ndarray]:
        """Return what speaks for each of the terms of each group, in nats, because the group, or a
        run of its sentences, begins with it."""
        return [_OF_OPENED * _measure_opened(own, group) for own, group in zip(terms, self.groups)]

    def weigh(self, candidates: Sequence[Sequence[str]]) -> list[np.ndarray]:
        """Return what speaks for each of the candidates for keywords of each group, in nats, by
        what the encoder has learned of headings: for those that are no phrase of the text the least
        of these, and 0 where nothing is known."""
        if self._scores is None:
            return [np.zeros(len(of_group)) for of_group in candidates]
        scores, n_seen = self._scores, len(self._scores.log_shares)
        fit = _OF_FIT * scores.groups @ scores.vectors[n_seen:].T
        fit += _OF_LEANINGS * scores.leanings[n_seen:, 0]
        places = {to_term_key(text): n for n, text in enumerate(scores.headings[n_seen:])}
        weights = []
        for row, own in zip(fit, candidates):
            known = {text: row[places[key]] for text in own if (key := to_term_key(text)) in places}
            least = min(known.values(), default=0.0)
            weights.append(np.array([known.get(text, least) for text in own]))
        return weights

    def choose(self, taken: Sequence[str] = (), *, new: bool = False) -> list[Heading | None]:
        """Choose a heading for each group, the surest first.

        If no heading of the text is that of a group, candidates are phrases of its sentences, and
        headings that were seen in training. Each has an expected mark of a reader; none may say the
        same as one that is chosen already. A group of one text where all marks are low has the
        sentence that it begins with.

        Args:
            taken: Names that stand beside these, which no heading repeats.
            new: Whether the headings that stand in the text are left out.

        Returns:
            A heading for each group; None where it has no phrase, and, but for those of the text,
            where nothing is known of headings. In speech, which headings learned from writing do
            not fit, it is one of its phrases or sentences.
        """
        none: list[Heading | None] = [None] * len(self.groups)
        given = none if new else self.find_given(taken)
        known = self.candidates if None in given else None
        if known is None:
            return given
        candidates, scores = known
        closed = self._close([*taken, *(heading.text for heading in given if heading)])
        marks = self._mark(candidates, len(scores.log_shares))
        found = _choose(candidates, marks, scores, closed, _split(self.title), self)
        return [own or other for own, other in zip(given, found)]

    def find_given(self, taken: Sequence[str] = ()) -> list[Heading | None]:
        """Return of each group the heading in the text that half of its sentences or more stand
        below, of the smallest part; where less than most of the group does, joined with those of
        its other parts. None where there is none. `taken` is as for `choose`.

        The first sentence below it is in the group, and half of all below it, or nearly all if that
        is most of a text, or if it is like "Summary", which several parts have; unless it is of one
        text alone and divides it: half of the group are directly below it, or none of its sentences
        has a lower heading, and it does not stand above nearly all. It has a word, is no date, not
        long, and does not say what the title says. Numbering and markup are left out, and questions
        are what they ask for."""
        groups, title = self.groups, _split(self.title)
        closed = self._close(taken, given=True)
        given: list[Heading | None] = [None] * len(groups)
        fewest = [_count_fewest(len(own)) for own in self._texts]
        owned = sorted(
            (one.start, one.above, number, one.doc)
            for number, own in enumerate(groups)
            for one in own
        )
        # For each heading, of what is below it: the group, the depth, whether directly, the text.
        below: dict[str, list[tuple[int, int, bool, int]]] = {}
        for _, above, number, doc in owned:
            for depth, text in enumerate(above):
                place = number, depth, depth == len(above) - 1, doc
                below.setdefault(text, []).append(place)
        known: dict[str, int] = {}
        best = [(0.0, 0)] * len(groups)
        parts: list[list[Heading]] = [[] for _ in groups]
        for text, rows in below.items():
            number, depth, *_ = rows[0]
            name = name_question(_NUMBERING.sub("", _MARKUP.sub("", clean_name(text))))
            has_word = not all(map(ROMAN.fullmatch, _WORD.findall(name)))
            is_note = name[:1] in ("[", "(") and name[-1:] in ("]", ")")
            is_name = has_word and not (is_note or is_date(name))
            if len(name) > _LONGEST or not is_name or _split(name) == title:
                continue
            own = [row for row in rows if row[0] == number]
            size, n, n_direct = len(groups[number]), len(own), sum(row[2] for row in own)
            is_parent, is_whole = not all(row[2] for row in rows), 2 * n >= len(rows)
            of_one_text = len({row[3] for row in rows}) == 1
            is_above_all = len(rows) > _OF_ALL * len(owned)
            is_part = 2 * n_direct >= size if is_parent else not is_above_all
            if of_one_text and n < _OF_ALL * len(rows):
                is_of_several = name.lower() in get_words("en").headings_of_papers
                is_part &= not is_of_several
                is_whole &= not (is_above_all or is_of_several)
            is_own = is_whole or (is_part and of_one_text)
            is_own &= len({row[3] for row in own}) >= fewest[number]
            is_new = known.setdefault(name.lower(), number) == number
            if not is_new or name.lower() in closed:
                continue
            if name != text:
                name = capitalize_name(name)
            if 2 * n >= size and is_own and (n / size, depth) > best[number]:
                best[number] = n / size, depth
                given[number] = Heading(name, round(n / size, 4))
            if is_own and is_whole and n_direct >= _PART * size:
                parts[number].append(Heading(name, n_direct / size))
        return [
            (share < _WHOLE and _join(of_parts, self.language)) or heading
            for (share, _), of_parts, heading in zip(best, parts, given)
        ]

    def list_names(self, most: int) -> list[list[str]]:
        """Return what may name each group, best first: its heading in the text, if it has one, then
        its best phrases."""
        names = [[heading.text] if heading else [] for heading in self.find_given()]
        if (known := self.candidates) is not None:
            candidates, scores = known
            marks = self._mark(candidates, len(scores.log_shares))
            for place in rank_within(candidates.groups, marks, most).tolist():
                text = capitalize_name(scores.headings[candidates.columns[place]])
                names[candidates.groups[place]].append(text)
        return [[*dict.fromkeys(own)][:most] for own in names]

    def list_typical(self, most: int) -> list[list[str]]:
        """Return the texts of the sentences of each group that are nearest to its mean, the nearest
        first, each once."""
        rows = unit_rows(self.rows[np.argsort(self.labels, kind="stable")])
        found, first = [], 0
        for group in self.groups:
            own = rows[first : (first := first + len(group))]
            order = np.argsort(-(own @ own.sum(axis=0)), kind="stable").tolist()
            texts = dict.fromkeys(" ".join(group[number].text.split()) for number in order)
            found.append([*texts][:most])
        return found

    @cached_property
    def candidates(self) -> tuple[Candidates, HeadingScores] | None:
        """What may name the groups, and the headings that its columns number; None where there is
        no phrase, or nothing is known of headings."""
        scores = self._scores if self._phrases.texts else None
        if scores is None:
            return None
        rows = self.rows[np.argsort(self.labels, kind="stable")]
        seen = not _is_speech(self.groups)
        return find_candidates(self.groups, rows, self._phrases, scores, seen=seen), scores

    def _mark(self, candidates: Candidates, n_seen: int) -> np.ndarray:
        """The expected marks of candidates, (p,); the first `n_seen` columns are headings that were
        seen in training."""
        groups, _, features = candidates
        n_texts = np.array([*map(len, self._texts)])
        of_several = self.of_several[groups]
        if of_several.any() and n_texts.sum() <= _MOST_GROUPS * self.n_texts:
            marks = load_ranker("texts")(features)
            if not of_several.all():
                marks[~of_several] = load_ranker("sentences")(features)[~of_several]
        else:
            marks = load_ranker("sentences")(features)
            logs = np.log(np.maximum(features["text_share"], _LEAST_SHARE))
            best = np.full(len(n_texts), -np.inf)
            np.maximum.at(best, groups, logs)
            marks += _OF_SHARE * of_several * (logs - best[groups])
        sizes = np.array([*map(len, self.groups)])
        n, own = sizes.sum(), sizes[groups]
        elsewhere = (features["of_text"] * n - features["share"] * own) / np.maximum(n - own, 1)
        elsewhere = np.where(of_several, features["text_elsewhere"], elsewhere)
        usual = np.where(
            of_several, _OF_OWN_TEXTS * features["text_share"], _OF_OWN * features["share"]
        )
        is_general = elsewhere >= np.maximum(_OF_OTHERS, usual)
        return marks - _SURER * (candidates.columns < n_seen) - is_general

    def _close(self, taken: Sequence[str], *, given: bool = False) -> set[str]:
        """What names no group, in lower case; or what does not as a heading given in the text."""
        english = get_words("en")
        roles, papers = english.headings_of_roles, english.headings_of_papers
        if self.n_texts > 1:
            roles = roles | papers
        elif given:
            roles = roles - papers
        return {*roles, *english.headings_of_parts, *map(str.lower, taken)}

    @cached_property
    def _texts(self) -> list[set[int]]:
        """The texts that the sentences of each group are of."""
        return [{sentence.doc for sentence in group} for group in self.groups]

    @property
    def n_texts(self) -> int:
        """The number of texts that the sentences are of."""
        return len(set().union(*self._texts))

    @property
    def of_several(self) -> np.ndarray:
        """Whether each group is of several texts, bool (k,)."""
        return np.array([len(own) >= _SEVERAL for own in self._texts], bool)

    @cached_property
    def language(self) -> str:
        """That of the first sentences, as they are written if the pipeline is an English one."""
        first = next(chain.from_iterable(self.groups), None)
        if first is None or first.lang != "en":
            return first.lang if first else "en"
        texts = islice(chain.from_iterable(self.groups), _MOST_READ)
        words = re.findall(r"\w+", " ".join(one.text for one in texts))
        places, forms = number_items(words)
        return find_language([*forms], places)

    @cached_property
    def _phrases(self) -> Phrases:
        """Of all groups; none where nothing is known of headings."""
        return find_phrases(self.groups if self.score else [])

    @cached_property
    def _scores(self) -> HeadingScores | None:
        if self.score is None or not len(self.groups):
            return None
        phrases = dict.fromkeys(self._phrases.texts)
        sums, sizes = cluster_sums(self.rows, self.labels)
        means = (sums / sizes[:, None]).astype("f")
        return self.score(means, mean_row(self.rows), [*phrases])


def _measure_opened(terms: Sequence[str], group: Sequence[Content]) -> np.ndarray:
    """The share of a group's openers that have each term, all of its words."""
    openers = [group[number].word_keys for number in find_openers(group)]
    counts = Counter(chain.from_iterable(openers))
    keys = map(to_term_key, terms)
    found = [
        sum(map(set(key.split(" ")).issubset, openers)) if " " in key else counts.get(key, 0)
        for key in keys
    ]
    return np.array(found, float) / max(1, len(openers))


def join_names(names: Sequence[str], language: str = "en") -> str:
    """Join names by commas and the "and" of a language, by semicolons if one of them has either,
    and by nothing if one of them is a question."""
    conjunction = f" {get_words(language).conjunction or 'and'} "
    if any(name.endswith("?") for name in names[:-1]):
        return " ".join(names)
    if any(mark in name for name in names for mark in (conjunction, " and ", ",")):
        return "; ".join(names)
    return conjunction.join([*filter(None, [", ".join(names[:-1])]), *names[-1:]])


def _join(parts: Sequence[Heading], language: str) -> Heading | None:
    """The headings of the largest parts of a group as one, in their order; None where they are not
    most of it, or long."""
    largest = sorted(parts, key=lambda part: -part.score)[:_MOST_PARTS]
    names = [part.text for part in parts if part in largest]
    share = sum(part.score for part in largest)
    name = join_names(names, language)
    if len(names) < 2 or share < _WHOLE or len(name) > _LONGEST:
        return None
    return Heading(name, round(share, 4))


def _count_fewest(n_texts: int) -> float:
    """How many of the texts of a group must hold its name."""
    return max(2, _OF_TEXTS * n_texts) if n_texts >= _MANY else 1


def _repeats_title(text: str, title: frozenset[str]) -> bool:
    """Whether a heading says half of the title's words of content or more, and nothing else."""
    words, title = _split(text) - NO_CONTENT, title - NO_CONTENT
    return words <= title and 2 * len(words) >= len(title) > 0


def _split(text: str) -> frozenset[str]:
    return frozenset(map(to_word_key, re.findall(r"[^\W_]+", text.lower())))


def _is_speech(groups: Sequence[Sequence[Content]]) -> bool:
    """Whether many sentences hold hardly a word of content ("Yeah. I think so."), as in speech: of
    meetings it is mostly a third, of articles, textbooks and other prose at most a tenth."""
    is_empty = [len(sentence.words) < 2 for sentences in groups for sentence in sentences]
    return sum(is_empty) > _MOST_EMPTY * len(is_empty)


def _choose(
    candidates: Candidates,
    marks: np.ndarray,
    scores: HeadingScores,
    closed: set[str],
    title: frozenset[str],
    finder: HeadingFinder,
) -> list[Heading | None]:
    """The heading of each group, of its best candidates, by their marks, (p,): the best mark of all
    first, and no two that say the same. Then those whose candidate is not sure may be called by a
    second one, too, which has no word of the first, or by the sentence that they begin with."""
    groups = finder.groups
    chosen: list[list[int]] = [[] for _ in groups]
    own_words: list[frozenset[str]] = [frozenset()] * len(groups)
    said: list[frozenset[str]] = []
    said_stems: set[frozenset[str]] = set()
    vectors = np.empty((2 * len(groups), scores.vectors.shape[1]), "f")
    best = rank_within(candidates.groups, marks, _MOST)
    best = best[np.argsort(-marks[best], kind="stable")]
    of_several = finder.of_several
    least = np.where(of_several, _LEAST_SECOND_OF_TEXTS, _LEAST_SECOND)
    seconds = best[marks[best] >= least[candidates.groups[best]]]
    for n_before, places in enumerate((best, seconds)):
        for place in places.tolist():
            group, column = candidates.groups[place], candidates.columns[place]
            text, vector, own = scores.headings[column], scores.vectors[column], chosen[group]
            if len(own) != n_before or (own and marks[own[0]] >= _SURE):
                continue
            words = frozenset(word.strip("-–—") for word in text.lower().split())
            stems = _split(text) - NO_CONTENT
            if (
                text.lower() in closed
                or all(
                    len(word) < 2 or word.lower() in closed or ROMAN.fullmatch(word)
                    for word in text.split()
                )
                or _repeats_title(text, title)
                or not own_words[group].isdisjoint(stems)
                or any(words <= other or other <= words for other in said)
                or stems in said_stems
                or (vectors[: len(said)] @ vector > _SAME).any()
            ):
                continue
            vectors[len(said)] = vector
            said.append(words)
            own_words[group] = stems
            said_stems.add(stems)
            own.append(place)
    found: list[Heading | None] = []
    for group, own in enumerate(chosen):
        texts = [scores.headings[candidates.columns[place]] for place in own]
        mark = float(marks[own[0]]) if own else 0.0
        if len(own) < 2 and mark < _LEAST_ALONE and not of_several[group]:
            opening = _open(groups[group])
            is_new = opening.lower() not in closed and not _repeats_title(opening, title)
            if opening and is_new:
                texts = [opening]
                closed.add(opening.lower())
        found.append(_name(texts, mark, finder.language) if texts else None)
    return found


def _open(group: Sequence[Content]) -> str:
    """The first sentence of a group that has some words of content, if it reads as a name and the
    group has few runs of sentences; "" otherwise."""
    first = next((one for one in group if len(one.words) >= _FEWEST_WORDS), None)
    if first is None or len(group) < _OF_RUN * len(find_openers(group)):
        return ""
    said = clean_name(first.text[first.said_from :])
    # Not the last full stop of "the U.S."
    said = said.removesuffix("" if "." in said.rpartition(" ")[2][:-1] else ".")
    is_name = len(said) <= _LONGEST_SENTENCE and said.isprintable() and _PLAIN.fullmatch(said)
    return said if is_name and not said[0].islower() else ""


def _name(texts: Sequence[str], mark: float, language: str) -> Heading:
    """A heading of the texts, or of the first if all are long."""
    first = capitalize_name(texts[0])
    name = join_names([first, *texts[1:]], language)
    score = round(min(max(mark, 0.0), 1.0), 4)
    return Heading(name if len(name) <= _LONGEST_OF_PHRASES else first, score)


@cache
def load_ranker(of: Literal["sentences", "texts"]) -> Trees:
    """Load the ranker for groups of sentences of one text, or of a few, or that for groups of
    texts, which have learned how readers mark candidates for headings: the sum of its trees is the
    mark that a reader would give a candidate, 0 for unfit, .5 for fair and 1 for good.
    `projects/pretrain/scripts/name_ranker.py` makes their files."""
    name = {"sentences": "ranker.npz", "texts": "ranker_of_texts.npz"}[of]
    return Trees.load(Path(__file__).parent / name)
