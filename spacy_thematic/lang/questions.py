"""English questions as names: "Resetting the password" for "How do I reset my password?"."""

from __future__ import annotations

import re

_MOST_WORDS = 12

_ASKS_HOW = re.compile(
    r"(?:how|where|when)(?: (?:do|can|could|should|would|must|may) (?:i|we|you|one)| to)"
    r" (?:best |easily |actually )?([a-z]+)\b(.*)"
    r"|(?:do|can|could|should|may|must) (?:i|we|you) (?:also |still |just )?([a-z]+)\b(.*)",
    re.IGNORECASE,
)
_ASKS_WHAT = re.compile(r"(?:what|who)(?:['’]s| is| are| was| were) (.*)", re.IGNORECASE)
_ARTICLE = re.compile(r"(?:the|an?|my|your|our) ", re.IGNORECASE)
_SECOND_VERB = re.compile(r"(?<= and )[a-z]+\b|(?<= or )[a-z]+\b")
_OWN = re.compile(r"\b(?:my|your|our)\b")
_NO_VERBS = frozenset("be have need not it this that they he she my your the i we you".split())
_NO_NAMES = frozenset("new next wrong up".split())
_DOUBLED = frozenset(
    "admit begin commit control forget format opt permit prefer refer reset submit transfer "
    "unzip upset".split()
)
_SHORT_SYLLABLE = re.compile(r"[^aeiou]*[aeiou][^aeiouwxy]|qu[aeiou][^aeiouwxy]")


def name_question(text: str) -> str:
    """Return the name of what a question asks for: how something is done, or what it is. A text of
    another form stays as it is.

    Args:
        text: A heading.
    """
    question = text.rstrip()
    if not question.endswith("?") or question.count(" ") >= _MOST_WORDS:
        return text
    question = question.rstrip("? ")
    if asks := _ASKS_HOW.fullmatch(question):
        verb, rest = (asks[1] or asks[3]).lower(), asks[2] if asks[1] else asks[4]
        if verb not in _NO_VERBS:
            if rest.startswith((" and ", " or ")):
                rest = _SECOND_VERB.sub(lambda second: to_gerund(second[0]), rest, count=1)
            return f"{to_gerund(verb).capitalize()}{_OWN.sub('the', rest)}"
    asks = _ASKS_WHAT.fullmatch(question)
    if asks and asks[1] not in _NO_NAMES:
        name = _ARTICLE.sub("", asks[1], count=1)
        return name[:1].upper() + name[1:]
    return text


def to_gerund(verb: str) -> str:
    """Return the form of a verb with "ing": "setting" of "set"."""
    if verb.endswith("ie"):
        return f"{verb[:-2]}ying"
    if verb.endswith("e") and not verb.endswith(("ee", "oe", "ye")):
        return f"{verb[:-1]}ing"
    if verb in _DOUBLED or _SHORT_SYLLABLE.fullmatch(verb):
        return f"{verb}{verb[-1]}ing"
    return f"{verb}ing"
