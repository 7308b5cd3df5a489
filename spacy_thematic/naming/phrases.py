"""Phrases of groups of sentences that may be their headings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain
from math import log, log1p

from spacy_thematic.lang import get_words
from spacy_thematic.naming.content import Content, Phrase, find_openers
from spacy_thematic.naming.keywords import to_term_key

_OFTEN = 10
_OF_COUNT, _OF_OPENERS, _OF_SEVERAL = 3.75, 4.3, 1.8
"""What speaks for a phrase besides its fit, in nats, and the most that it is counted. Learned from
3,300 sections of articles, textbooks and other prose: which of their phrases say what their
headings say."""


def count_phrases(phrases: Iterable[Phrase]) -> Counter[str]:
    """Count phrases, each in the form that it mostly has. Where one is the first of its sentence it
    counts twice, for there stands what a sentence is about. Singular and plural, in upper and lower
    case, are one.
    """
    forms = Counter(phrases)
    totals: Counter[str] = Counter()
    best: dict[str, str] = {}
    # The first word of a sentence is written large whatever it is: such forms count last.
    for (text, _, leads), count in sorted(forms.items(), key=lambda item: (item[0][1], -item[1])):
        key = to_term_key(text)
        best.setdefault(key, text)
        totals[key] += 2 * count if leads else count
    return Counter({best[key]: count for key, count in totals.items()})


def pick_phrases(groups: Sequence[Sequence[Content]], most: int = 32) -> list[dict[str, float]]:
    """Find the phrases of each group that tell it best from the others, by the weight that keywords
    have, and somewhat rather those of several words. What every group has, as "yeah" in speech, is
    none.

    Args:
        groups: Sentences.
        most: Phrases of a group.

    Returns:
        For each group its phrases, each with what speaks for it besides its fit, in nats: how often
        it occurs, in which share of the sentences with which the group begins, and several words.
    """
    phrases = [[content.phrases for content in group] for group in groups]
    counts = [count_phrases(chain.from_iterable(of_group)) for of_group in phrases]
    lower = [{phrase: phrase.lower() for phrase in count} for count in counts]
    total: Counter[str] = Counter()
    for count, keys in zip(counts, lower):
        total.update({keys[phrase]: n for phrase, n in count.items()})
    common = set.intersection(*(set(keys.values()) for keys in lower)) if len(counts) > 1 else set()
    average = max(1.0, total.total() / len(counts))
    found = []
    for group, of_group, count, keys in zip(groups, phrases, counts, lower):
        weights = {
            phrase: -n * log1p(average / total[keys[phrase]]) * (1.5 if " " in phrase else 1)
            for phrase, n in count.items()
            if keys[phrase] not in common and not _is_empty(keys[phrase].split(), group[0].lang)
        }
        opened = _measure_openings([of_group[number] for number in find_openers(group)])
        found.append(
            {
                phrase: _OF_COUNT * log(min(count[phrase], _OFTEN))
                + _OF_OPENERS * opened.get(to_term_key(phrase), 0.0)
                + _OF_SEVERAL * (" " in phrase)
                for phrase in sorted(weights, key=weights.__getitem__)[:most]
            }
        )
    return found


def _is_empty(words: Sequence[str], language: str) -> bool:
    """Whether the words of a phrase stand in any text: its last one ("a little bit"), or all of
    them, as those of a time ("last night")."""
    for known in (get_words("en"), get_words(language)):
        in_any_text = known.in_any_text | known.titles
        if words[-1] in in_any_text or all(word in in_any_text | known.times for word in words):
            return True
    return False


def _measure_openings(openers: Sequence[list[Phrase]]) -> dict[str, float]:
    """The share of a group's openers that have each phrase, by its key."""
    keys = ({to_term_key(text) for text, _, _ in opener} for opener in openers)
    return {key: count / len(openers) for key, count in Counter(chain.from_iterable(keys)).items()}
