"""English questions as names: "Resetting the password" for "How do I reset my password?"."""

import re

_MOST_WORDS = 12

_ADVERB = r"(?:(?:also|best|just|please|simply|still|[a-z]{3,}[a-oq-z]ly) )?"
_ASKS_HOW = re.compile(
    r"(?:how|where|when)(?: (?:do|can|could|should|would|must|may) (?:i|we|you|one)| to)"
    rf" {_ADVERB}([a-z]+)(?![\w'’-])(.*)"
    rf"|(?:can|could|should|may|must) (?:i|we|you) {_ADVERB}([a-z]+)(?![\w'’-])(.*)",
    re.IGNORECASE,
)
_ASKS_WHAT = re.compile(r"(?:what|who)(?:['’]s| is| are| was| were) (.*)", re.IGNORECASE)
_ARTICLE = re.compile(r"\A(?:the|an?|my|your|our) ", re.IGNORECASE)
_SECOND_VERB = re.compile(r"(?<= and )[a-z]+\b|(?<= or )[a-z]+\b")
_OWN = re.compile(r"\b(?:my|your|our)\b")
_NO_VERBS = frozenset(
    "be have need not it this that they he she my your the i we you when feel know like mean think "
    "want backup checkout login logon logout lookup setup signup".split()
)
_NO_NAME = re.compile(
    r"(?:i|you|he|she|it|we|they|there|this|that|these|those|new|next|wrong|up|here|really|so|been"
    r"|meant|responsible|necessary|special|good|not|behind|inside|in|on|at|to|with)\b"
    r"|[a-z]+ed(?: (?:as|at|by|for|from|in|on|to|with)\b| “| \"|\Z)"
    r"|.*(?:\b(?:going|trying) to\b|(?:,|\band|\bor) (?:and )?(?:for )?"
    r"(?:how|why|what|when|where|who)\b"
    r"|\b(?:about|called|for|like|of|on|with)\Z)",
    re.IGNORECASE,
)
"""What is no noun, or more than one: "What were you doing?", "What is it for?", "What is done?"."""

_DOUBLED = frozenset(
    "admit begin commit control debug forget format opt permit prefer refer rerun reset submit "
    "transfer unplug unzip upset".split()
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
    if asks and not _NO_NAME.match(asks[1]):
        name = _ARTICLE.sub("", asks[1])
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
