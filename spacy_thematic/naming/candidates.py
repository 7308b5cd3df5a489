"""Phrases that may name groups of sentences, and what is known of each, by which `naming.ranking`
tells what a person would choose."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import cache, partial, reduce
from itertools import chain
from typing import NamedTuple

import numpy as np

from spacy_thematic.lang import get_words
from spacy_thematic.lang.rarities import RAREST, load_rarities
from spacy_thematic.naming.content import Content, find_openers, to_word_key
from spacy_thematic.naming.keywords import ROMAN, choose_forms, to_term_key
from spacy_thematic.rows import mean_rows, unit_rows

MOST_PHRASES = 16
"""The phrases of a group that are candidates: with 40 names are no better, and take half as long
again."""

_MOST_LINKED = 5
"""The linked phrases of a group that are candidates besides."""

_LEAST, _OF_MOST = 1e-3, 0.3
"""What a linked phrase weighs whose words weigh nothing, and what the weightiest of them adds."""

_NO_CONTENT = get_words("en").links | get_words("en").determiners | get_words("en").joints
_LINKS = _NO_CONTENT - get_words("en").joints

_MOST_SEEN = 6
"""The headings that were seen in training and are candidates of a group besides."""

_LEAST_OF_SEEN = 3
"""The fewest sentences of a group that they may name."""

_OF_SHARE = 0.7
"""The weight of how common these are, where the best are taken."""

_SEVERAL = 1.5
"""How many times as much a phrase of several words weighs when these are taken."""

_unit = partial(unit_rows, centre=False)

Features = dict[str, np.ndarray]
"""What is known of each of p candidates, by name, (p,) each; NaN where nothing is."""


class HeadingScores(NamedTuple):
    """What an encoder knows of headings for k groups of sentences. How much more likely a heading
    is for a group than for any text, in nats, is the product of their rows.

    Attributes:
        headings: Those that were seen in training, then phrases of the text, n of them.
        log_shares: The logarithm of the share of sections in training that each of the former
            heads, (seen,).
        vectors: Unit rows of the headings; the cosine of two says how alike they are, (n, width).
        groups: Rows of the groups, (k, width).
        leanings: What the words of each say for it, in nats, and what its first word does, and its
            last, (n, 3).
        rows: The thematic vectors of the headings, (n, width of the encoder).
    """

    headings: list[str]
    log_shares: np.ndarray
    vectors: np.ndarray
    groups: np.ndarray
    leanings: np.ndarray
    rows: np.ndarray


class Phrases(NamedTuple):
    """The phrases of k groups, p of them; one that several groups have is one of each.

    Attributes:
        groups: The group of each, in order, (p,).
        texts: Of each, as it is mostly written.
        features: What the text says of each.
        holders: A row for each sentence that holds one: its number, and that of the first phrase
            with this text, (2, n).
    """

    groups: np.ndarray
    texts: list[str]
    features: Features
    holders: np.ndarray


def find_phrases(groups: Sequence[Sequence[Content]], most: int = MOST_PHRASES) -> Phrases:
    """Find the phrases of each group of sentences, at most `most`, that tell it best from the
    others. The first of its sentence counts twice, for there stands what a sentence is about."""
    sentences = [*chain.from_iterable(groups)]
    sizes = np.array([len(group) for group in groups], int)
    of_sentence = np.repeat(np.arange(len(groups)), sizes)
    found = [
        (to_term_key(phrase.text), row, phrase)
        for row, sentence in enumerate(sentences)
        for phrase in sentence.phrases
    ]
    written = choose_forms(Counter((key, phrase.text, phrase.begins) for key, _, phrase in found))
    numbers: dict[str, int] = {}
    rows = [
        (numbers.setdefault(key, len(numbers)), row, phrase.leads, phrase.is_whole)
        for key, row, phrase in found
    ]
    key, row, leads, is_whole = np.array(rows, int).reshape(-1, 4).T
    n_keys = len(numbers)
    pairs, pair = np.unique(of_sentence[row] * n_keys + key, return_inverse=True)
    group, of_pair = np.divmod(pairs, max(n_keys, 1))
    count, lead, whole = (
        np.bincount(pair, weights, len(pairs)) for weights in (None, leads, is_whole)
    )
    total = np.bincount(key, minlength=n_keys)[of_pair]
    keys = [*numbers]
    language = sentences[0].lang if sentences else ""
    is_usual = np.array(
        [
            is_empty(one.split(" "), language)
            or _is_judgement(one.split(" "), written[one], language)
            for one in keys
        ],
        bool,
    )
    several = np.array([" " in one for one in keys], bool)
    average = max(1.0, len(key) / max(len(groups), 1))
    weight = (count + lead) * np.log1p(average / total) * np.where(several[of_pair], _SEVERAL, 1)
    weight *= ~is_usual[of_pair]
    is_linked = np.array([not _LINKS.isdisjoint(one.split(" ")) for one in keys], bool)[of_pair]
    weight[is_linked] *= _weigh_words(keys, weight, is_linked, group, of_pair)
    kept = np.union1d(
        _take_best(np.where(is_linked, 0, weight), group, most),
        _take_best(np.where(is_linked, weight, 0), group, _MOST_LINKED),
    )

    held_key, held_row = np.divmod(np.unique(key * len(sentences) + row), max(len(sentences), 1))
    held_pair = np.searchsorted(pairs, of_sentence[held_row] * n_keys + held_key)
    starts = np.cumsum(sizes) - sizes
    is_opener = np.zeros(len(sentences))
    for start, own in zip(starts.tolist(), groups):
        is_opener[[start + number for number in find_openers(own)]] = 1
    n_openers = np.bincount(of_sentence, is_opener, len(groups))
    within = np.bincount(held_pair, minlength=len(pairs))
    without = np.bincount(held_key, minlength=n_keys)[of_pair] - within
    opened = np.bincount(held_pair, is_opener[held_row], len(pairs))
    first, last = np.full(len(pairs), len(sentences)), np.zeros(len(pairs), int)
    np.minimum.at(first, pair, row)
    np.maximum.at(last, pair, row)
    size = sizes[group]
    measured = {
        "count": np.log(count),
        "total": np.log(total),
        "share": within / size,
        "odds": _compare(within, size, without, len(sentences) - size),
        "of_text": (within + without) / len(sentences),
        "opened": opened / np.maximum(n_openers[group], 1),
        "leads": lead / count,
        "whole": whole / count,
        "first": (first - starts[group]) / size,
        "spread": (last - first) / size,
    }
    features = {name: values[kept] for name, values in measured.items()}
    own_keys, firsts = np.unique(of_pair[kept], return_index=True)
    phrase_of = np.full(n_keys, -1)
    phrase_of[own_keys] = firsts
    is_held = phrase_of[held_key] >= 0
    return Phrases(
        group[kept],
        [written[keys[one]] for one in of_pair[kept].tolist()],
        features,
        np.stack([held_row, phrase_of[held_key]])[:, is_held],
    )


def _weigh_words(
    keys: Sequence[str],
    weight: np.ndarray,
    is_linked: np.ndarray,
    group: np.ndarray,
    of_pair: np.ndarray,
) -> np.ndarray:
    """What the words of linked phrases weigh in their groups, (linked,): mostly the least."""
    known = {
        (number, keys[key]): value
        for number, key, value in zip(group.tolist(), of_pair.tolist(), weight.tolist())
    }
    found = []
    for number, key in zip(group[is_linked].tolist(), of_pair[is_linked].tolist()):
        words = [word for word in keys[key].split(" ") if word not in _NO_CONTENT]
        own = [known.get((number, word), 0.0) for word in words]
        found.append(_LEAST + min(own, default=0.0) + _OF_MOST * max(own, default=0.0))
    return np.array(found)


def _take_best(weight: np.ndarray, group: np.ndarray, most: int) -> np.ndarray:
    """The numbers of so many of each group that weigh most."""
    order = np.lexsort((-weight, group))
    rank = np.arange(len(order)) - np.searchsorted(group[order], group[order])
    return order[(rank < most) & (weight[order] > 0)]


class Candidates(NamedTuple):
    """What may name k groups.

    Attributes:
        groups: The group of each, (p,).
        columns: The number of each among the headings of `HeadingScores`, (p,).
        features: What is known of each.
    """

    groups: np.ndarray
    columns: np.ndarray
    features: Features


def find_candidates(
    groups: Sequence[Sequence[Content]],
    rows: np.ndarray,
    phrases: Phrases,
    scores: HeadingScores,
    *,
    seen: bool,
) -> Candidates:
    """Find what may name groups of sentences, with vectors of length one, in their order, (n,
    width), and what is known of it: the phrases of the groups, and if `seen`, headings that were
    seen in training. `scores` are those of both."""
    sizes = np.array([*map(len, groups)])
    means = mean_rows(rows, np.repeat(np.arange(len(groups)), sizes), len(groups))
    places = {text: n for n, text in enumerate(scores.headings)}
    group, columns = phrases.groups, np.array([places[text] for text in phrases.texts], int)
    of_text = {**phrases.features, **_measure_context(phrases, rows, means)}
    if seen:
        more, known = _find_seen(phrases, scores, sizes)
        group, columns = np.append(group, more), np.append(columns, known)
        none = np.full(len(more), np.nan)
        of_text = {name: np.append(values, none) for name, values in of_text.items()}
    texts = [scores.headings[column] for column in columns.tolist()]
    features = {
        **of_text,
        **_measure_words(group, texts, groups),
        "words": np.array([text.count(" ") + 1 for text in texts], float),
        "characters": np.array([*map(len, texts)], float),
        "letters": np.array([sum(map(str.isalpha, text)) / len(text) for text in texts], float),
        "is_written_large": np.array([text[:1].isupper() for text in texts], float),
        **_measure_fits(group, columns, means, rows.mean(axis=0), scores),
        "size": np.log(sizes)[group],
    }
    features |= _compare_within(group, features, len(groups))
    return Candidates(group, columns, features)


def _compare_within(group: np.ndarray, features: Features, k: int) -> Features:
    """By how much features differ from the mean of those of their group, in its standard
    deviations."""
    rows = np.stack([*features.values()], axis=1)
    known = ~np.isnan(rows)
    sums = np.zeros((3, k, rows.shape[1]))
    filled = np.where(known, rows, 0)
    for own, values in zip(sums, (known, filled, filled**2)):
        np.add.at(own, group, values)
    mean, square = sums[1:] / np.maximum(sums[0], 1)
    deviation = np.sqrt(np.maximum(square - mean**2, 0)) + 1e-6
    differences = (rows - mean[group]) / deviation[group]
    return {f"{name}_within": column for name, column in zip(features, differences.T)}


def _find_seen(
    phrases: Phrases, scores: HeadingScores, sizes: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The headings seen in training that fit groups best and are not among their phrases: their
    groups, and their numbers. Few sentences say too little of what they are part of."""
    own: list[set[str]] = [set() for _ in scores.groups]
    for group, text in zip(phrases.groups.tolist(), phrases.texts):
        own[group].add(to_term_key(text))
    fits = scores.groups @ scores.vectors[: len(scores.log_shares)].T
    fits += _OF_SHARE * scores.log_shares
    found: list[tuple[int, int]] = []
    for group in np.flatnonzero(sizes >= _LEAST_OF_SEEN).tolist():
        best = np.argsort(-fits[group], kind="stable")[: 3 * _MOST_SEEN]
        new = [one for one in best.tolist() if to_term_key(scores.headings[one]) not in own[group]]
        found += [(group, one) for one in new[:_MOST_SEEN]]
    groups, columns = np.array(found, int).reshape(-1, 2).T
    return groups, columns


def is_empty(words: Sequence[str], language: str) -> bool:
    """Whether the words of a phrase stand in any text: its first one, in greetings ("dear
    colleagues"), its last one ("a little bit"), or all of them, as those of a time ("last night"),
    common nouns ("people") and Roman numerals do."""
    for greetings, in_any_text, empty in map(_list_empty, {"en", language}):
        if (
            words[0] in greetings
            or words[-1].rstrip(".") in in_any_text
            or all(word.rstrip(".") in empty or ROMAN.fullmatch(word.upper()) for word in words)
        ):
            return True
    return False


@cache
def _list_empty(language: str) -> tuple[tuple[str, ...], frozenset[str], frozenset[str]]:
    """The greetings of a language, the words that stand in any text, and these with those that say
    little."""
    known = get_words(language)
    in_any_text = known.in_any_text | known.titles
    return (
        known.greetings,
        in_any_text,
        in_any_text | known.times | known.common_nouns | known.modifiers,
    )


def _is_judgement(words: Sequence[str], text: str, language: str) -> bool:
    """Whether a phrase begins with a word that says which or how good ("other services", "great
    brunch"), and is no name ("Great Britain")."""
    is_name = text.rpartition(" ")[2][:1].isupper()
    return not is_name and any(words[0] in get_words(known).modifiers for known in {"en", language})


def _compare(within: np.ndarray, size: np.ndarray, without: np.ndarray, rest: np.ndarray):
    """By how much something is more frequent in groups than in the other sentences, in nats."""
    return np.log((within + 0.5) / (size + 1)) - np.log((without + 0.5) / (rest + 1))


def _measure_words(
    of_candidate: np.ndarray, texts: Sequence[str], groups: Sequence[Sequence[Content]]
) -> Features:
    """How often the words of candidates stand in the sentences of their groups, how rare they are
    in the language, and in how many of the sentences any of them stands, or all."""
    sentences = [*chain.from_iterable(groups)]
    sizes = np.array([*map(len, groups)])
    of_sentence = np.repeat(np.arange(len(groups)), sizes)
    keys = [{to_word_key(word.text.lower()) for word in own.words} for own in sentences]
    n_words = np.bincount(of_sentence, [*map(len, keys)], len(groups))
    asked = {word for text in texts for word in to_term_key(text).split(" ")}
    holders: defaultdict[str, list[int]] = defaultdict(list)
    for row, words in enumerate(keys):
        for word in words & asked:
            holders[word].append(row)
    known = {word: np.array(rows) for word, rows in holders.items()}
    counts = {
        word: np.bincount(of_sentence[rows], minlength=len(groups)) for word, rows in known.items()
    }
    rarities = load_rarities(sentences[0].lang) if sentences else None
    nowhere, in_none = np.array([], int), np.zeros(len(groups), int)
    rest = sizes.sum() - sizes
    features = []
    for group, text in zip(of_candidate.tolist(), texts):
        own_words = to_term_key(text).split(" ")
        within = np.array([counts[word][group] for word in own_words if word in counts] or [0])
        total = np.array([counts[word].sum() for word in own_words if word in counts] or [0])
        share = within / max(sizes[group], 1)
        odds = _compare(within, sizes[group], total - within, rest[group])
        content = [word for word in own_words if word not in _NO_CONTENT] or own_words
        rows = [known.get(word, nowhere) for word in content]
        own = np.array([counts.get(word, in_none)[group] for word in content])
        some = np.bincount(of_sentence[np.unique(np.concatenate(rows))], minlength=len(groups))
        every = of_sentence[reduce(np.intersect1d, rows)]
        covered = some[group] / max(sizes[group], 1)
        others = (some.sum() - some[group]) / rest[group] if rest[group] else np.nan
        rarity = np.full(len(content), np.nan)
        if rarities is not None:
            rarity = np.array([rarities.get(word, RAREST) for word in content])
        excess = np.log2((own + 0.1) / (n_words[group] + 1)) + rarity
        features.append(
            {
                "w_most": share.max(),
                "w_last": share[-1],
                "w_odds": odds.mean(),
                "w_most_odds": odds.max(),
                "w_last_odds": odds[-1],
                "rarity": rarity.mean(),
                "rarity_last": rarity[-1],
                "rarity_most": rarity.max(),
                "excess": excess.mean(),
                "excess_last": excess[-1],
                "excess_most": excess.max(),
                "excess_least": excess.min(),
                "any": covered,
                "all": (every == group).sum() / max(sizes[group], 1),
                "any_apart": covered - others,
                "even": own.min() / max(own.max(), 1),
                "rarest_word": np.log1p(own.min()),
                "commonest_word": np.log1p(own.max()),
            }
        )
    return {name: np.array([one[name] for one in features]) for name in features[0]}


def _measure_context(phrases: Phrases, rows: np.ndarray, means: np.ndarray) -> Features:
    """How the sentences that hold phrases fit the groups. rows: of all sentences; means: of the
    groups."""
    origin = rows.mean(axis=0)
    row, phrase = phrases.holders
    distinct, number = np.unique(phrase, return_inverse=True)
    context = mean_rows(rows[row], number, len(distinct))
    places = {phrases.texts[one]: place for place, one in enumerate(distinct.tolist())}
    columns = np.array([places[text] for text in phrases.texts], int)
    fits = _unit(means - origin) @ _unit(context - origin).T
    return {
        **_compare_groups("context", fits, phrases.groups, columns),
        "context_whole": (_unit(means) @ _unit(context).T)[phrases.groups, columns],
        "context_text": (_unit(context) @ _unit(origin[None])[0])[columns],
    }


def _compare_groups(name: str, fits: np.ndarray, group: np.ndarray, column: np.ndarray) -> Features:
    """How well candidates fit their groups, and by how much better than the best of the others,
    of the fit of all, (k, columns)."""
    own = fits[group, column]
    others = fits.T[column]
    others[np.arange(len(group)), group] = -np.inf
    best = others.max(axis=1) if len(fits) > 1 else np.full(len(group), np.nan)
    return {name: own, f"{name}_apart": own - best}


def _measure_fits(
    group: np.ndarray,
    columns: np.ndarray,
    means: np.ndarray,
    origin: np.ndarray,
    scores: HeadingScores,
) -> Features:
    """How well candidates fit their groups as headings, how near their own vectors are to the means
    of the groups, and what their words say for them."""
    used, place = np.unique(columns, return_inverse=True)
    units = _unit(scores.rows[used]).T
    known = np.full(len(scores.headings), np.nan)
    known[: len(scores.log_shares)] = scores.log_shares
    return {
        **_compare_groups("fit", scores.groups @ scores.vectors[used].T, group, place),
        **_compare_groups("query", _unit(means - origin) @ units, group, place),
        "query_whole": (_unit(means) @ units)[group, place],
        **dict(zip(("leaning", "l_first", "l_last"), scores.leanings[columns].T)),
        "known": known[columns],
    }
