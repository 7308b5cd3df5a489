"""The words that inline templates put into a sentence.

Only templates inside running text whose words follow from their arguments; all others (infoboxes,
citations, notices, navigation) show nothing here. The arguments are described at
https://en.wikipedia.org/wiki/Template:NAME.
"""

import re
from collections.abc import Callable

from spacy_thematic.lang import get_words

_LOWER_CASE = re.compile(r"\s*lc\s*=\s*(?:y|yes|on)\s*", re.IGNORECASE)


def expand_template(parts: list[str]) -> str:
    """What a template shows, given its name and arguments, divided at the pipes."""
    name = parts[0].strip().replace("_", " ").lower()
    if name in _CONSTANT:
        return _CONSTANT[name]
    if name in _BLOCKS:
        return f"\n\n{_quotation(parts[1:])}\n\n"
    if name in _NOTES:
        note = _first(_positional(parts[1:]))
        return f"\n\n{note}\n\n" if note.count(" ") >= _SPACES_OF_NOTE else ""
    if name in _PREFIXES or name in _INLINE:
        values = _positional(parts[1:])
        shown = _INLINE[name](values) if name in _INLINE else _PREFIXES[name] + _first(values)
        lower = any(_LOWER_CASE.fullmatch(argument) for argument in parts[1:])
        return shown[:1].lower() + shown[1:] if lower else shown
    if name.startswith("lang-"):
        return _first(_positional(parts[1:]))
    function, colon, value = parts[0].partition(":")
    if colon and function.strip().lower() in _PARSER_FUNCTIONS:
        return value.strip()
    return ""


def _positional(arguments: list[str]) -> list[str]:
    values = []
    for argument in arguments:
        key, equals, value = argument.partition("=")
        if not equals:
            values.append(argument.strip())
        elif key.strip().isdigit():
            values.append(value.strip())
        elif not key.strip().replace("-", "").replace("_", "").isalnum():
            values.append(argument.strip())
    return values


def _quotation(arguments: list[str]) -> str:
    for argument in arguments:
        key, equals, value = argument.partition("=")
        if equals and key.strip().lower() in _QUOTED:
            return value.strip()
    return _first(_positional(arguments))


_QUOTED = ("text", "quote", "quotation", "content", "zitat", "citation", "texte", "1")
_BLOCKS = frozenset(
    (
        *("block indent", "blockindent", "blockquote", "bq", "center", "centered pull quote"),
        *("cita", "citation bloc", "citazione", "columns-list", "cquote", "epigraph", "flatlist"),
        *("plainlist", "poem quote", "poemquote", "pull quote", "quotation", "quote", "quote box"),
        *("quote frame", "quotebox", "rquote", "zitat", "цитата"),
    )
)
"""Templates that show a quotation, or a list."""

_NOTES, _SPACES_OF_NOTE = ("caution", "important", "info", "note", "notice", "tip", "warning"), 3
"""Templates that show a note, if it has so many spaces: those of Wikipedia show other things."""


def _first(values: list[str]) -> str:
    return values[0] if values else ""


def _last(values: list[str]) -> str:
    return values[-1] if values else ""


def _spaced(values: list[str]) -> str:
    return " ".join(value for value in values if value)


_RANGE = {"-": "–", "–": "–", "to": " to ", "and": " and ", "or": " or ", "by": " by ", "x": " × "}


def _convert(values: list[str]) -> str:
    if len(values) < 2:
        return _first(values)
    if values[1] in _RANGE and len(values) > 3:
        return f"{_number(values[0])}{_RANGE[values[1]]}{_number(values[2])} {_unit(values[3])}"
    shown = f"{_number(values[0])} {_unit(values[1])}"
    if len(values) > 3 and values[2].isdigit() and values[3].isalpha():
        shown += f" {values[2]} {_unit(values[3])}"
    return shown


def _number(text: str) -> str:
    return f"{int(text):,}" if text.isdecimal() and len(text) < 20 else text


def _unit(code: str) -> str:
    known = {"sqmi": "square miles", "sqkm": "km²", "sqft": "sq ft", "C": "°C", "F": "°F"}
    if code in known:
        return known[code]
    return code[:-1] + {"2": "²", "3": "³"}[code[-1]] if code[-1:] in ("2", "3") else code


def _fraction(values: list[str]) -> str:
    if len(values) == 3:
        return f"{values[0]} {values[1]}/{values[2]}"
    return "/".join(values) if len(values) == 2 else ""


def _as_of(values: list[str]) -> str:
    if not values:
        return ""
    month = values[1] if len(values) > 1 else ""
    if month.isdecimal() and 1 <= int(month[:3]) <= 12:
        month = get_words("en").months[int(month) - 1]
    return f"As of {_spaced([month, values[0]])}"


_CONSTANT = {
    **{"'": "'", "'s": "'s", "\"'": "\"'", "'\"": "'\"", "·": "·", "times": "×", "infin": "∞"},
    **{"ayin": "ʿ", "hamza": "ʾ", "okina": "ʻ", "pi": "π", "spaced mdash": " — "},
    **dict.fromkeys(("-", "en dash", "endash", "ndash", "–"), "–"),
    **dict.fromkeys(("dash", "snd", "snds", "spaced en dash", "spaced ndash", "spnd"), " – "),
    **dict.fromkeys(("em dash", "emdash", "mdash", "—"), "—"),
    **dict.fromkeys(("nbsp", "nnbsp", "space", "thin space", "thinsp"), " "),
}

_PARSER_FUNCTIONS = frozenset({"formatnum", "lc", "lcfirst", "nowrap", "uc", "ucfirst"})

_OF_FIRST = """
    abbr, angbr, angle bracket, big, bold, citation needed span, cn-span, em, flag,
    flagcountry, flagu, iast, ill, illm, interlanguage link, ipa, interlanguage link multi,
    italic, linktext, mvar, nihongo, no bold, no italic, no wrap, nobold, nobr, noitalic,
    not a typo, nowrap, polytonic, proper name, q-inline, sc, sic, small, smallcaps, strong,
    sub, sup, tooltip, unicode, val, vanchor, var, visible anchor, wikt-lang
"""
"""Templates that show their first argument."""

_PREFIXES = {
    **dict.fromkeys(re.split(r",\s+", _OF_FIRST.strip()), ""),
    **{"c.": "c. ", "circa": "c. ", "e": "×10^", "euro": "€", "gbp": "£"},
    **{"hms": "HMS ", "ss": "SS ", "us$": "US$", "uss": "USS ", "£": "£", "€": "€"},
}
"""What templates show before their first argument."""

_INLINE: dict[str, Callable[[list[str]], str]] = {
    **dict.fromkeys(("color", "colored text", "font color", "lang", "rtl-lang"), _last),
    **dict.fromkeys(("script", "transl", "transliteration"), _last),
    **dict.fromkeys(("chem", "chem2"), "".join),
    **dict.fromkeys(("convert", "cvt"), _convert),
    **dict.fromkeys(("frac", "fraction", "sfrac"), _fraction),
    **{"as of": _as_of, "audio": lambda values: _first(values[1:]), "ship": _spaced},
}
