"""Abbreviations after which the sentencizer wrongly ends a sentence, by language.

Only those that spaCy's tokenizer of the language does not keep with their full stop. English ones
count in every language.
"""

from __future__ import annotations


def is_before_number(abbreviation: str, lang: str) -> bool:
    """Whether an abbreviation, casefolded, without its full stop, belongs to a number after it."""
    return abbreviation in _BEFORE_NUMBERS["en"] or abbreviation in _BEFORE_NUMBERS.get(lang, ())


def is_never_last(abbreviation: str, lang: str) -> bool:
    """Whether no sentence ends after an abbreviation, casefolded and without its full stop."""
    return abbreviation in _NEVER_LAST["en"] or abbreviation in _NEVER_LAST.get(lang, ())


_BEFORE_NUMBERS = {
    "en": frozenset("al bef c ca ch ed est fig figs no nos op p pp pt sec vol vols".split()),
    "bg": frozenset("ал бр ок стр т фиг чл".split()),
    "fr": frozenset("apr art av chap env n".split()),
    "it": frozenset("art cap cfr n".split()),
    "pl": frozenset("art nr ok pkt poz rys s str".split()),
    "pt": frozenset("art cap n".split()),
    "ru": frozenset("гл кв кн ок п рис с см ст стр т табл ч".split()),
    "sv": frozenset("kap nr s".split()),
}

_NEVER_LAST = {
    "en": frozenset(
        (
            "approx cf dept e.g eng i.e lit suppl translit v viz vs "
            "brig capt cmdr col cpl hon lt maj msgr pvt sgt"
        ).split()
    ),
    "bg": frozenset("акад бул ген инж напр о-в проф св сл ул".split()),
    "fr": frozenset("dr mgr prof".split()),
    "it": frozenset("avv cfr dott gen ing mons on prof sec sig sigg".split()),
    "pl": frozenset("al abp bp dr gen im inż kpt ks m.in mjr np p płk prof św tj tzw ul".split()),
    "pt": frozenset("av dr dra eng gen prof profa séc sr sra".split()),
    "ru": frozenset("акад ген гр им пер пл пос пр просп проф св см ср ул".split()),
    "sv": frozenset("dr fr hr jfr prof".split()),
}
