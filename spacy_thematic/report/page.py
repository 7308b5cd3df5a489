"""A page to look at: the text of Docs with each sentence in the colour of its theme, the themes
that several Docs share, and how much there is of each when."""

import base64
import hashlib
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import attrgetter
from pathlib import Path
from typing import Any, NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from spacy.tokens import Doc, Span

from spacy_thematic.clustering.n_clusters import WHAT_SCORES_SAY
from spacy_thematic.clustering.n_communities import explain_scores
from spacy_thematic.files import write_bytes
from spacy_thematic.lang import ALL_LANGUAGES
from spacy_thematic.naming.content import CONTROLS
from spacy_thematic.pipeline.corpus_themes import OF_COLLECTION
from spacy_thematic.pipeline.segments import Segment, find_segment_of_each
from spacy_thematic.pipeline.themes import Theme, ThemeDescription
from spacy_thematic.rows import group_by
from spacy_thematic.span_keys import CLUSTERS_KEY, check_is_doc, read_sections

_FOLDER = Path(__file__).parent / "templates"
_TEMPLATES = Environment(
    loader=FileSystemLoader(_FOLDER),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_MANY, _LONG = 200, 200_000
"""From this many texts on, or this many characters of several, a text is shown only when a reader
opens it."""
_CONTROLS = {ord(character): " " for character in CONTROLS.difference("\t\n\r")}
"""What HTML does not allow, and what turns the direction of all that follows."""
_MOST_PLACES = 8
_MOST_EXAMPLES = 60
_MOST_COLUMNS = 24
_PERIODS: list[tuple[float, Callable[[str], str]]] = [
    (2, lambda date: date[:10]),
    (_MOST_COLUMNS, lambda date: date[:7]),
    (3 * _MOST_COLUMNS, lambda date: f"{date[:4]}-Q{_month(date) // 3 + 1}" if date[4:] else date),
    (math.inf, lambda date: date[:4]),
]
"""Days, months, quarters and years, each with the months that dates span which it shows."""


class ShownSentence(NamedTuple):
    """A sentence without the space around it, the text before it, and the title of the section that
    it begins, if it does."""

    before: str
    heading: str
    number: int
    label: str
    text: str


class Part(NamedTuple):
    """The sentences of a segment, or of a Doc without segments, and what is after the last. `share`
    is the strength of the boundary at its start, from 0 to 1, the strongest of the Doc, or None."""

    segment: Segment | None
    share: float | None
    sentences: list[ShownSentence]
    rest: str


def render_page(
    docs: Iterable[Doc],
    title: str = "Themes",
    names: Sequence[str] | None = None,
    timeline: Mapping[str, Mapping[int, int]] | None = None,
    max_texts: int | None = None,
) -> str:
    """Render Docs that `thematic_clusterer` has processed as one self-contained HTML page.

    Of several Docs, the themes that they share come first, with sentences of each, and links to the
    Docs. The reader can search and sort them, and save the table as CSV. From 200 Docs on the
    reader opens those to see. A Doc with segments is shown in these, with a list of links to them.
    All text is escaped, and the page forbids the browser to load anything or to run any script but
    its own.

    Args:
        names: A heading for each Doc; "Text 1" and so on if None.
        timeline: Of `CorpusThemes`, to show how much there is of each shared theme when.
        max_texts: How many Docs are shown whole, the first ones. All count in what comes before
            them. None: all are shown.

    Raises:
        ValueError: If a Doc has no themes.
        TypeError: If something else than Docs is given.
    """
    docs = list(docs)
    headings = names if names is not None else [f"Text {n}" for n in range(1, len(docs) + 1)]
    script = (_FOLDER / "page.js").read_text(encoding="utf8")
    page = _TEMPLATES.get_template("page.html").render(
        title=title,
        policy=_allow_only(script),
        style=Markup((_FOLDER / "page.css").read_text(encoding="utf8")),
        script=Markup(script),
        shared=find_shared_themes(docs),
        is_of_texts=have_one_theme(docs),
        columns=make_columns(timeline or {}),
        names=headings,
        on_demand=len(docs) >= _MANY
        or (len(docs) > 1 and sum(len(doc.text) for doc in docs) >= _LONG),
        texts=[
            _describe(doc, number, name)
            for number, (doc, name) in enumerate(zip(docs[:max_texts], headings), 1)
        ],
    )
    return page.translate(_CONTROLS)


def write_page(
    docs: Iterable[Doc],
    path: str | Path,
    title: str = "Themes",
    names: Sequence[str] | None = None,
    timeline: Mapping[str, Mapping[int, int]] | None = None,
    max_texts: int | None = None,
) -> None:
    """Write Docs as an HTML page to a file, in UTF-8: `render_page(docs, title, names, timeline,
    max_texts)`."""
    write_bytes(Path(path), render_page(docs, title, names, timeline, max_texts).encode())


def _allow_only(script: str) -> str:
    """The policy under which a browser runs this script and no other, and loads nothing."""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"


def _describe(doc: Doc, number: int, name: str) -> dict[str, Any]:
    themes = get_themes(doc)
    groups: dict[str | None, list[Any]] = {}
    for theme in themes:
        groups.setdefault(theme.parent, []).append(theme)
    return {
        "number": number,
        "name": name,
        "lang": doc.lang_.replace(ALL_LANGUAGES, ""),
        "themes": themes,
        "groups": groups,
        "contents": list_contents(doc._.thematic_segments or ()),
        "parts": split_text(doc),
        "explanation": explain_k(doc),
        "counts": Counter(sentence.id for sentence in doc.spans[CLUSTERS_KEY]),
    }


def split_text(doc: Doc) -> list[Part]:
    """Split the text of a Doc with themes into sentences, in a part for each segment, without the
    space around it; one for all the text if the Doc has no segments."""
    titled = list(_add_titles(doc))
    whole = doc.text  # spaCy joins all tokens at each access.
    segments = doc._.thematic_segments
    if not segments:
        return [Part(None, None, *_split(whole, 0, len(whole), titled))]
    of_each = find_segment_of_each(doc, [span for span, _ in titled])
    within = group_by(titled, of_each, len(segments))
    strongest = max(segment.strength or 0.0 for segment in segments)
    parts = []
    for segment, pairs in zip(segments, within):
        text, start = segment.span.text, segment.span.start_char
        start, end = start + len(text) - len(text.lstrip()), start + len(text.rstrip())
        share = segment.strength
        if share is not None:
            share = max(share, 0.0) / strongest if strongest > 0 else 0.0
        parts.append(Part(segment, share, *_split(whole, start, end, pairs)))
    return parts


def list_contents(segments: Iterable[Segment]) -> list[tuple[Segment, list]]:
    """Put each segment below the nearest one before it that is of a higher level: segments, each
    with a list of those below it."""
    entries: list[tuple[Segment, list]] = []
    within = [(0, entries)]
    for segment in segments:
        while within[-1][0] >= segment.level:
            within.pop()
        below: list[tuple[Segment, list]] = []
        within[-1][1].append((segment, below))
        within.append((segment.level, below))
    return entries


def _add_titles(doc: Doc) -> Iterator[tuple[Span, str]]:
    """Each sentence, with the title of its section if it is the first of one, "" if not."""
    # Benchmark articles have their sections in `doc.spans["sentences"]`.
    section_of = {
        token: span.label_
        for span in read_sections(doc) or doc.spans.get("sentences", ())
        for token in range(span.start, span.end)
        if span.label_
    }
    former = ""
    for sentence in doc.spans[CLUSTERS_KEY]:
        section = section_of.get(sentence.start, "")
        yield sentence, section if section != former else ""
        former = section


def _split(
    whole: str, start: int, end: int, titled: Iterable[tuple[Span, str]]
) -> tuple[list[ShownSentence], str]:
    """The sentences between two characters of a text, and what follows the last."""
    sentences = []
    for span, heading in titled:
        text = span.text.strip()
        first = span.start_char + span.text.index(text)
        before = whole[start:first]
        start = first + len(text)
        if heading:
            before = before.strip()
        sentences.append(ShownSentence(before, heading, span.id, span.label_, text))
    return sentences, whole[start:end]


def get_themes(doc: Doc) -> list[Theme]:
    """Return `doc._.thematic_clusters`. Raises ValueError if the Doc has no themes, TypeError if it
    is not a Doc."""
    check_is_doc(doc)
    themes = doc._.thematic_clusters
    if themes is None:
        raise ValueError(
            'This Doc has no themes: process it with a pipeline that has "thematic_clusterer".'
        )
    return themes


def hue(number: int) -> int:
    """Return the hue of a theme in degrees; consecutive numbers are far apart in colour."""
    return round(212 + (number - 1) * 137.508) % 360


_TEMPLATES.filters["hue"] = hue


def displacy_options(doc: Doc) -> dict[str, Any]:
    """Return options for `displacy.render(doc, style="span", options=...)`. With them, displaCy
    shows the sentences with the labels of their themes, in the colours of the HTML page. Raises
    ValueError if the Doc has no themes."""
    colours = {theme.label: f"hsl({hue(theme.number)} 75% 88%)" for theme in get_themes(doc)}
    return {"spans_key": CLUSTERS_KEY, "colors": colours}


class Explanation(NamedTuple):
    """The score of each number of themes that was tried, the number that was chosen, and what the
    scores say."""

    scores: dict[int, float]
    chosen: int
    about: str


def explain_k(doc: Doc) -> Explanation | None:
    """Return the scores by which the number of themes of a Doc, or of its collection, was chosen;
    None where it was given, or found in another way."""
    attrs = doc.spans[CLUSTERS_KEY].attrs
    scores = dict(attrs.get("k_scores", ()))
    is_of_collection = attrs["algorithm"] == OF_COLLECTION
    # Earlier versions did not say what was chosen, and the `k` of one text of many is its own.
    chosen = attrs.get("k_chosen", None if is_of_collection else attrs["k"])
    if not scores or chosen is None:
        return None
    about = explain_scores(scores) if is_of_collection else WHAT_SCORES_SAY
    if not is_of_collection and attrs["k"] < chosen:
        about += f" Similar themes were then merged, so that {attrs['k']} of {chosen} are left."
    return Explanation(scores, chosen, about)


class Example(NamedTuple):
    """A sentence of a theme, the number of its Doc, and how surely it has the theme, 0 to 1."""

    text: str
    number: int
    confidence: float


class SharedTheme(NamedTuple):
    """A theme of several Docs, the number of its sentences and of the Docs that have it; those that
    have most of it, by their numbers from 1, with its sentences there; and different sentences, the
    surest first, the first of each text where each has one theme."""

    theme: ThemeDescription
    n_sentences: int
    n_texts: int
    places: list[tuple[int, int]]
    examples: list[Example]


def find_shared_themes(docs: Sequence[Doc]) -> list[SharedTheme]:
    """Find the themes of Docs that were clustered together, largest first; none for a single Doc,
    and where each Doc has themes of its own. Raises ValueError if a Doc has no themes, TypeError
    for something else than Docs."""
    described: dict[int, ThemeDescription] = {}
    places: dict[int, Counter[int]] = {}
    examples: dict[int, list[Example]] = {}
    of_texts = have_one_theme(docs)
    shown = 1 if of_texts else None
    for number, doc in enumerate(docs, 1):
        for theme in get_themes(doc):
            former = described.setdefault(theme.number, theme)
            if (former.label, former.keywords) != (theme.label, theme.keywords):
                return []
            places.setdefault(theme.number, Counter())[number] = len(theme.sentences)
            examples.setdefault(theme.number, []).extend(
                Example(sentence.text.strip(), number, confidence)
                for sentence, confidence in [*zip(theme.sentences, theme.confidences)][:shown]
            )
    if len(docs) < 2:
        return []
    found = []
    for number, sizes in places.items():
        # Of equal sentences the first.
        distinct = {example.text: example for example in reversed(examples[number])}
        surest = sorted(distinct.values(), key=lambda one: (-one.confidence, one.number))
        n_sentences, most = sizes.total(), sizes.most_common(_MOST_PLACES)
        best = surest[:_MOST_EXAMPLES]
        found.append(SharedTheme(described[number], n_sentences, len(sizes), most, best))
    size = attrgetter("n_texts" if of_texts else "n_sentences")
    return sorted(found, key=lambda shared: (-size(shared), shared.theme.number))


def have_one_theme(docs: Sequence[Doc]) -> bool:
    """Whether there are several Docs, and none has several themes."""
    return len(docs) > 1 and all(len(get_themes(doc)) < 2 for doc in docs)


def make_columns(timeline: Mapping[str, Mapping[int, int]]) -> dict[str, Counter[int]]:
    """Return a timeline by day where the dates span at most two months, by month in two years, by
    quarter in six, and else by year; by the next where there are more than 24 columns. Returns at
    least two columns, the sentences of each theme by the name of the time; none where the dates
    tell nothing apart."""
    dates = sorted(filter(None, timeline))
    columns: dict[str, Counter[int]] = {}
    months = [12 * int(date[:4]) + _month(date) for date in dates]
    for most, name in _PERIODS if dates else ():
        columns = {}
        for date in dates:
            columns.setdefault(name(date), Counter()).update(timeline[date])
        if months[-1] - months[0] < most and len(columns) <= _MOST_COLUMNS:
            break
    return dict(sorted(columns.items())) if len(columns) > 1 else {}


def _month(date: str) -> int:
    """From 0; 0 for a date that is a year."""
    return int(date[5:7] or 1) - 1
