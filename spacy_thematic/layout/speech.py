"""Who speaks, and when, in chats, minutes, interviews and logs; and the times of subtitles."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise

from spacy_thematic.lang import get_words
from spacy_thematic.layout.blocks import Block
from spacy_thematic.layout.lines import Line, ends_sentence, is_rule, is_unknown, mask_numbers

_MOMENT = r"\d{1,2}:\d{2}(?::\d{2})?(?:[.,]\d{1,6})?"
_CLOCK = rf"{_MOMENT}Z?(?: ?[AP]M)?"
_TO = r" {0,3}(?:-{1,3}>?|[–—→]) {0,3}"
_IN_MARKS = rf"[\[(]{_CLOCK}(?:{_TO}{_CLOCK})?[\])]"
"""A time in brackets, or when someone began to speak and when they ended."""

_DATE = r"(?:\d{1,4}[./-](?:\d{1,4}|[a-z]{3})[./-]\d{1,4}(?:,? |T))"
_TIME = rf"(?:{_IN_MARKS}|[\[(]?{_DATE}?{_CLOCK}[\])]?)[\s,|–-]*"
NAME = r"[^\W\d_][\w.'’-]*(?: [\w.'’-]+){0,2}(?:, [\w.]{1,9})?(?: \((?!\d)[^()\n]{1,30}\))?"
_UNSURE = r"(?: \?{1,3})?"
_UNSEEN = r"[\u200e\u200f\u202a-\u202e\u2066-\u2069]*"
"""The direction of a text. WhatsApp sets it before what nobody typed ("image omitted")."""

_CONTACT = rf"(?:~\s)?{_UNSEEN}(?:{NAME}(?: [\w.'’-]+){{0,3}}|\+\d[\d\s()-]{{6,20}}){_UNSEEN}"
"""Who says a line below whose time we know: a longer name, or the number of a telephone."""

_PART = (
    r"(?-i:(?P<part>[A-ZÀ-Þ][A-ZÀ-Þ'’-]+\.?(?: [A-ZÀ-Þ'’-]+){0,3}))"
    r"(?: ?(?:\[[^\]]{1,80}\]|\([^)]{1,80}\)))?\."
)
"""Who speaks in a play, in capitals, and how."""

_CAPITALS = r"(?:Ma?c|D[aei]|L[ae]|[A-Z]['’])?[A-ZÀ-Þ][A-ZÀ-Þ'’-]{1,29}"
_MEMBER = (
    r"(?-i:(?P<member>(?:(?P<title>(?:M[rs]|Mrs|Dr)\.)|The|[A-Z][a-z]+(?: [A-Z][a-z]+)?)"
    rf" {_CAPITALS}(?: {_CAPITALS}){{0,2}}(?: of(?: [A-Z]\w+){{1,2}}| pro tempore)?)"
    r"(?: ?(?:\[[^\]]{1,80}\]|\([^)]{1,80}\)))?\.(?=\s+[A-ZÀ-Þ\d\"“'‘(\[.]))"
)
"""Who speaks in a hearing of the US Congress, or in its record: "Mr. LEE of Ohio", "The CHAIR"."""

_NICK = r"[^<>/\s][^<>\s]{0,29}"
_COMES = (
    r"\s(?:[\[(].*[\])] )?(?:has )?"
    r"(?:(?:joined|left|quit)(?: the \w+)?(?=\W* ?[^\w\s]|\Z)|is now known)"
)
"""What follows the nick of who comes to a chat, or goes."""

_SAYS = re.compile(
    rf"{_UNSEEN}[*_]{{0,2}}(?P<time>{_TIME})?"
    rf"(?:< {{0,15}}(?P<nick>{_NICK})>\s{{0,3}}(?P<relayed><{_NICK}>)?"
    rf"|[*…]{{1,3}}\s{{1,3}}(?P<actor>{_NICK})(?!{_COMES})"
    rf"|[*_]{{0,2}}\[?(?P<name>(?(time){_CONTACT}|(?:{NAME}{_UNSURE}|\?{{1,3}})))\]?[*_]{{0,2}}"
    rf"(?: ?{_IN_MARKS}:?|:(?:[*_]{{0,2}} ?{_IN_MARKS})?)[*_]{{0,2}}"
    rf"|_(?P<italic>{NAME})(?:\._|_\.)|{_MEMBER}|{_PART}"
    rf"|(?(time)(?P<column>(?<=\s)\W{{0,2}}\w[^<>\s]{{0,29}})(?=\t)|(?!)))(?:\s+|\Z|(?(time)(?!)|(?<=\w:)(?-i:(?=[A-ZÀ-Þ\"“\[]))))",
    re.IGNORECASE,
)
"""Who says a line, at its start: "[10:02] <leo> ", "10:02 < leo> ", "Mary Ann: ",
"**Ann (0:12):** ", "[Ann] [0:12] ", "Ann [0:12 - 0:15] ", "Ann Lee:Yes", "12/05/2026, 9:02 AM -
Leo: ", "Mr. LEE. ", or, in a play, "_Ann._ " or "MRS. ANN LEE [rising]. "; "?: " and "Ann ?: ",
where nobody is sure; what a program passes on ("<bridge> <leo> "), a log in columns, and what a
nick does ("* leo ")."""
_OTHER_COLUMN = re.compile(rf"{_TIME}[^\w\s]{{1,3}}\t", re.IGNORECASE)
"""What stands in place of a nick in a log in columns, as where somebody comes."""
_BOT = re.compile(
    r"\W?(?:zakim|rrsagent|(?:agenda|gh|github|log|meet|track)-?bot)\W?", re.IGNORECASE
)
"""A program that keeps the minutes of a chat."""

_OF_PLAY = 0.1
"""The least share of the lines of a play that begin with who speaks, in capitals."""

_ALONE = re.compile(
    rf"[*_]{{0,2}}(?P<time>{_TIME}(?-i:(?=\W{{0,3}}[A-ZÀ-Þ])))?[*_]{{0,2}}\[?(?P<name>{NAME})"
    rf"(?(time)\]?(?<!\.)|(?:\]?[,:]? +(?:{_IN_MARKS}|{_CLOCK}):?| said:))[*_]{{0,2}}",
    re.IGNORECASE,
)
"""The same on a line of its own: "Ann Lee (0:12):", "Leo 10:02 AM", "[0:12] - Leo", "Leo said:"."""

_TURN = re.compile(rf"\[{_DATE}{_CLOCK}\] \S.{{0,60}}", re.IGNORECASE)
"""When and who, above what is said, in chats of Discord: "[2/1/2025 3:04 PM] ann_42"."""
_BRACED = re.compile(r"\{[A-Z]\w+(?: \w+)?\}")
"""What is below it is no text: "{Reactions}"."""

_ENGLISH = get_words("en")
_CAPITAL = r"[^\W\d_](?<![a-zß-öø-ÿ])"
_NAME_ABOVE = re.compile(
    rf"(?P<name>{_CAPITAL}[\w.'’-]*?(?: (?:{_CAPITAL}|\d|#)[\w.'’-]*?){{0,3}})"
    r"(?: +\([^()]{1,20}\)){0,2}"
    rf"(?P<title>(?: ?(?:--|[–—])|,| -) ?(?={_CAPITAL})[^:;?!]{{2,90}}(?<![.,]))?"
)
"""Who speaks on the lines below, in one to four words with capitals, and the title: "ANN LEE
(V.O.)", "Ann Lee--Chair, Boats", "Ann Lee, Chair"."""

_OF_NAMES, _OF_ENDED = 0.5, 0.6
"""The share of the lines like names that are names of speakers, and that of these which stand below
the end of a sentence, from which they are such."""

_NO_NAMES = _ENGLISH.in_any_text | {"false", "true"}
"""Replies, and the like."""

_LEFT_OUT = re.compile(
    r"<[^<>]*>|\[[^\[\]]*\]|(?:Reacted|(?P<reply>Replying)) to [\"“].*[\"”](?: with \S{1,9})?"
    r"|Removed an? \S{1,9} reaction from [\"“].*[\"”]|\S{1,30} has (?:joined|left) [#&]\S{1,50}"
    r"|\u200e.*|[^\u200e]{1,200} \u200e\w+ \w+"
)
"""What stands for a picture, or a sound; in what Zoom saves, a reaction, or what is above a reply;
in logs of IRC who came and left; and what WhatsApp marks as typed by nobody."""

_STAMP = re.compile(rf"[*_]{{0,2}}[\[(]?{_MOMENT}(?:{_TO}{_MOMENT})?[\])]?:?[*_]{{0,2}}(?:\s+|\Z)")
"""When a line was said: "[0:00:48] ", "0:00:48-0:01:08: "."""

_OF_SENTENCES = 0.9
"""The least share of the lines of a transcript that begin in lower case where the line before ends
no sentence, and else with a capital: of 26 such it was at least .95, of 12 chats at most .64."""

_STARTS_WITH_TIME = re.compile(_UNSEEN + _TIME, re.IGNORECASE)

_FIRST_TIME = re.compile(r"(\d{1,2}):(\d{2})")
_WORD = re.compile(r"\S*[^\W\d_]\S*?([\]:>–-]?)(?=\s|\Z)")
_IN_BRACKETS = re.compile(r"\[[^\s\[]\S*\]|\[[^\[\]]*\]")
_PREFIX_END = re.compile(r"(?:\d\d:\d\d:\d\d\S*|[\]:>|–-])(?=\s)")
"""A prefix ends after a mark, or a time of day."""

_FEWEST = 3
"""Lines from which a shape is one of the text."""

_OF_TIMED = 0.6
"""Where more of the lines that begin with the time are said by someone, or most speakers stand in
angle brackets, the others say only who came and went."""

_OF_LINES, _FEWEST_LOGGED, _LONGEST_PREFIX = 0.6, 5, 240
"""The share and the number of lines that begin alike in a log, and characters of that beginning."""

_TIMES = re.compile(r"(?:\d+:)?\d\d:\d\d[.,]\d{3} --> .*")


def detect_speech(lines: Sequence[Line]) -> Iterator[Block]:
    """Yield as speakers what stands before what someone says, or above it on a line of its own;
    and as asides the lines of a chat that nobody says, such as who came.

    A name and a colon are a speaker where names repeat: each line of a glossary has its own. One
    alone that repeats is none ("Note:"), but for one who asks the others ("Moderator:"). Where
    nobody speaks, yield as prefixes whatever most lines of a log begin with: times, names and
    numbers between the same marks."""
    turns = {block.start: block for block in _find_turns(lines)}
    yield from turns.values()
    unknown = [line for line in lines if is_unknown(line) and line.start not in turns]
    texts = [line.text for line in unknown]
    are_alone = find_speakers(texts)
    if not any(are_alone):
        are_alone = _find_names_above(texts)
    yield from (line.as_block("speaker") for line, alone in zip(unknown, are_alone) if alone)
    unknown = [line for line, alone in zip(unknown, are_alone) if not alone]
    said = _find_said(unknown)
    ends = _find_ends(said) or _find_prefixes(unknown)
    bots = {line.start for line, match in said if _BOT.fullmatch(_find_name(match))}
    timed = {line.start for line in unknown if _STARTS_WITH_TIME.match(line.text)}
    n_timed = sum(match["time"] is not None for _, match in said)
    are_marked = 2 * sum(bool(match["nick"] or match["column"]) for _, match in said) > len(said)
    are_most = n_timed >= max(_FEWEST, 0 if are_marked else _OF_TIMED * len(timed))
    is_reply = False
    for line in unknown:
        if (end := ends.get(line.start)) is not None:
            left_out = _LEFT_OUT.fullmatch(line.text, end)
            is_aside = left_out is not None or line.start in bots
            kind = "aside" if is_aside else "speaker" if said else "prefix"
            yield Block(kind, line.start, line.end if is_aside else line.start + end)
            is_reply = bool(left_out and left_out["reply"])
        elif is_reply:
            yield line.as_block("line")
        elif are_most and line.start in timed:
            yield line.as_block("aside")


def _find_turns(lines: Sequence[Line]) -> Iterator[Block]:
    """Yield as speakers the lines that say when and who, with a blank line above, and most with
    what is said right below; and as asides then the paragraphs between rules, and those that begin
    with what is no text."""
    groups = groupby(lines, lambda line: not line.text)
    paragraphs = [[*group] for is_blank, group in groups if not is_blank]
    turns = [own for own in paragraphs if is_unknown(own[0]) and _TURN.fullmatch(own[0].text)]
    n_said = sum(len(own) > 1 and not _TURN.fullmatch(own[1].text) for own in turns)
    if n_said < _FEWEST or 2 * n_said <= len(turns):
        return
    yield from (own[0].as_block("speaker") for own in turns)
    for own in paragraphs:
        if _BRACED.fullmatch(own[0].text) or (is_rule(own[0].text) and is_rule(own[-1].text)):
            yield from (line.as_block("aside") for line in own if is_unknown(line))


def detect_subtitles(lines: Sequence[Line]) -> Iterator[Block]:
    """Yield as asides the times of subtitles, the numbers above them, and the header of WebVTT."""
    are_times = [_TIMES.fullmatch(line.text) is not None for line in lines]
    for line, is_time, is_above in zip(lines, are_times, [*are_times[1:], False]):
        is_header = line.text == "WEBVTT" and any(are_times)
        if is_time or is_header or (is_above and line.text.isdecimal()):
            yield line.as_block("aside")


def find_speakers(texts: Sequence[str]) -> list[bool]:
    """Tell of lines, or headings, whether each is who speaks below it, and when: whether there are
    three or more of that shape, and most have a name that others have. Where the time comes first,
    nothing else that happens then stands right below, as in a programme."""
    found = [
        match if match and not (match["time"] and _STARTS_WITH_TIME.match(after)) else None
        for match, after in zip(map(_ALONE.fullmatch, texts), [*texts[1:], "0:00"])
    ]
    names = Counter(match["name"].casefold() for match in found if match)
    n_repeated = sum(n for n in names.values() if n > 1)
    are_speakers = names.total() >= _FEWEST and 2 * n_repeated > names.total()
    return [are_speakers and match is not None for match in found]


def _find_names_above(texts: Sequence[str]) -> list[bool]:
    """Tell of lines whether each is the name of who says what is below it, as in a screenplay: one
    of two or more that each stand three times or more above other lines, most of them below the end
    of a sentence, and are most of the lines like names. Most stand seldom in lower case, unlike
    headings ("Returns"). Then a name that is seldom there is one too if others say it, or if it has
    a title, as speakers do."""
    found = [_NAME_ABOVE.fullmatch(text.strip("_")) for text in texts]
    names = [match["name"] if match else "" for match in found]
    lines = [*zip(names, texts)]
    above = Counter(
        name
        for (name, _), (after, text) in pairwise(lines)
        if name and not (after or is_rule(text) or _NO_NAMES & {*name.lower().split()})
    )
    often = {name: n for name, n in above.items() if n >= _FEWEST}
    n_names = sum(name in often for name in names)
    n_ended = sum(ends_sentence(text) for (_, text), (name, _) in pairwise(lines) if name in often)
    least = max(_OF_NAMES * sum(map(bool, names)), _OF_PLAY * len(texts))
    if len(often) < 2 or n_names < least or n_ended < _OF_ENDED * n_names:
        return [False] * len(texts)
    words = Counter(word for text in texts for word in re.findall(r"\w+", text))
    n_small = sum(words[name.lower()] > n for name, n in often.items())
    if 2 * n_small >= len(often):
        return [False] * len(texts)
    titled = {match["name"] for match in found if match and match["title"]}
    said = {word for name, text in lines if not name for word in re.findall(r"\w+", text)}
    seldom = {
        name
        for name in above.keys() - often.keys()
        if (name in titled and not titled.isdisjoint(often))
        or (
            name.rpartition(" ")[2] in said
            and not any(words[word.lower()] for word in re.findall(r"\w{2,}", name))
        )
    }
    return [name in often or name in seldom for name in names]


def are_said(texts: Sequence[str]) -> bool:
    """Tell whether someone says most lines, as far as these alone tell."""
    n_said = len(_find_said([Line(0, text) for text in texts]))
    return n_said >= _FEWEST and 2 * n_said > len(texts)


def drop_times(paragraphs: Sequence[str]) -> list[str]:
    """Drop the times before the lines of a transcript in which sentences go on from one line to the
    next, as those of subtitles; they stay where each line says something, or who speaks."""
    texts = [line.strip() for one in paragraphs for line in one.split("\n") if line.strip()]
    said = [text for line in texts if (text := _STAMP.sub("", line, count=1))]
    n_timed = sum(_STAMP.match(line) is not None for line in texts)
    if n_timed < max(_FEWEST, len(said) / 2) or are_said(texts):
        return [*paragraphs]
    pairs = [
        (first[-1].isalnum() or first[-1] == ",", second[0].islower())
        for first, second in pairwise(said)
    ]
    n_broken, n_ended = pairs.count((True, True)), pairs.count((False, False))
    if not n_broken or not n_ended or n_broken + n_ended < _OF_SENTENCES * len(pairs):
        return [*paragraphs]
    lines = (
        [_STAMP.sub("", line.strip(), count=1) for line in one.split("\n")] for one in paragraphs
    )
    return ["\n".join(filter(None, own)) for own in lines]


def find_minutes(text: str) -> int | None:
    """Return the minutes since midnight, or since the start, of the time in a text, if any."""
    time = _FIRST_TIME.search(text)
    return int(time[1]) * 60 + int(time[2]) if time else None


def _find_said(lines: Sequence[Line]) -> list[tuple[Line, re.Match[str]]]:
    """The lines that someone says, and who does."""
    found = [(line, match) for line in lines if (match := _SAYS.match(line.text))]
    if sum(match["part"] is not None for _, match in found) < _OF_PLAY * len(lines):
        found = [(line, match) for line, match in found if match["part"] is None]
    if not any(match["title"] for _, match in found):  # "Part II. The".
        found = [(line, match) for line, match in found if not match["member"]]
    if not any(_OTHER_COLUMN.match(line.text) for line in lines):
        found = [(line, match) for line, match in found if not match["column"]]
    nicks = {_find_name(match) for _, match in found if not match["actor"]}
    found = [(line, match) for line, match in found if _find_name(match) in nicks]
    sure = [(line, match) for line, match in found if match["time"] or match["member"]]
    names = Counter(_find_name(match) for _, match in found)
    n_repeated = sum(n for n in names.values() if n > 1)
    if len(found) > len(lines) / 2 and n_repeated + len(sure) >= len(found) / 2:
        return found
    often = {name for name, n in names.items() if n >= _FEWEST}
    large = {match["name"] for _, match in found if match["name"] and match["name"].isupper()}
    has_large = sum(name.casefold() in often for name in large) > 1
    repeated = [
        (line, match)
        for line, match in found
        if _find_name(match) in often or (has_large and match["name"] in large)
    ]
    are_speakers = len(often) > 1 or not _ENGLISH.moderators.isdisjoint(often)
    return repeated if are_speakers and len(repeated) > len(found) / 2 else sure


def _find_ends(said: Sequence[tuple[Line, re.Match[str]]]) -> dict[int, int]:
    """How many characters of each line say who says it. After the nick of a program that passes on
    what others say, as most of its lines tell, comes that of who does."""
    times = Counter(match["nick"] for _, match in said)
    passed_on = Counter(match["nick"] for _, match in said if match["relayed"])
    programs = {nick for nick, n in passed_on.items() if n >= max(_FEWEST, times[nick] / 2)}
    return {
        line.start: match.start("relayed")
        if match["relayed"] and match["nick"] not in programs
        else match.end()
        for line, match in said
    }


def _find_name(match: re.Match[str]) -> str:
    kinds = "nick", "column", "actor", "name", "italic", "member", "part"
    name = next(filter(None, map(match.__getitem__, kinds))).casefold()
    return name.strip("@+%&~!_").removesuffix(" ?")


def _find_prefixes(lines: Sequence[Line]) -> dict[int, int]:
    """The length of what most lines begin with, by their first characters: a prefix of a shape that
    most have, with a number in it."""
    prefixes = {
        line.start: {
            _shape(line.text[:end]): end
            for mark in _PREFIX_END.finditer(line.text, 0, _LONGEST_PREFIX)
            for end in [mark.end() + 1]
            if any(map(str.isdigit, line.text[:end]))
        }
        for line in lines
    }
    counts = Counter(shape for own in prefixes.values() for shape in own)
    least = max(_FEWEST_LOGGED, _OF_LINES * len(lines))
    common = {shape for shape, n in counts.items() if n >= least}
    return {
        start: max(own[shape] for shape in common & own.keys())
        for start, own in prefixes.items()
        if not common.isdisjoint(own)
    }


def _shape(text: str) -> str:
    """The shape of a prefix: names that a log has in one place may have digits and marks or not,
    but for the last mark."""
    return mask_numbers(_WORD.sub(r"w\1", _IN_BRACKETS.sub("[w]", " ".join(text.split()))))
