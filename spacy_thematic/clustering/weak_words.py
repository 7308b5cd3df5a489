"""Words of English that hardly say what a text is about."""

from __future__ import annotations

OF_ANY_TEXT = frozenset(
    "alright asked asks bit boo brrr btw came come comes coming ed eds erm etc getting goes gone "
    "got haha hello hey hi hmm lol lot lots mm mmm nope ok okay omitted perfect please quick said "
    "say saying says sorry thank thanks thing things today told tomorrow took uh um went wo wow "
    "yeah yep yes yesterday yup".split()
)
"""They are in any story, chat or mail, and never keywords."""

_TIMES = frozenset(
    "second seconds minute minutes hour hours day days week weeks weekend month months year years "
    "decade decades century centuries morning mornings afternoon evening evenings night nights "
    "noon midnight monday tuesday wednesday thursday friday saturday sunday january february march "
    "april june july august september october november december later early earlier recent "
    "recently ago time times half".split()
)
_IRREGULAR = frozenset(
    "became began bought brought built caught chose cut drank drew drove fell felt flew forgot "
    "found fought froze gave grew heard held hid hit hung kept knew laid lay led left let lost "
    "made met paid put ran rang rode rose sang sat saw sent set shone shook shot slept smelt sold "
    "spent spoke stole stood struck stuck swam swept swung taught thought threw told tore woke "
    "understood won wore wrote".split()
)
_PARTICLES = frozenset("al da das de del den der di du el la las le les los san st van von".split())
_SHORT = 4


def is_weak(word: str) -> bool:
    """Tell whether a word says when something happens ("evening"), is the past form of a verb
    ("stood", "smelled"), or a particle of names ("de")."""
    if word.lower() in _TIMES or word.lower() in _PARTICLES or word in _IRREGULAR:
        return True
    return len(word) > _SHORT and word.islower() and word.endswith("ed")
