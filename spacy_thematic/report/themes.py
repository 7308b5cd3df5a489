"""What views of themes need: those of a Doc, why there are so many, and a colour for each; those
that several Docs share, and how much there is of each when."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from spacy.tokens import Doc

from spacy_thematic.clustering.communities import choose_middle
from spacy_thematic.pipeline.corpus_themes import OF_COLLECTION
from spacy_thematic.pipeline.themes import Theme, ThemeDescription
from spacy_thematic.span_keys import CLUSTERS_KEY, check_is_doc

_WITHIN_A_TEXT = (
    "How well that many themes are apart, from -1 to 1, less what a number costs that is unusual "
    "for the length of the text. Numbers are left out with which one theme would have more than "
    "a third of a text in order. The largest score decides."
)
_OF_COLLECTION = (
    "How well that many themes hold: how far those of random parts of the texts agree with them, "
    "at most 1."
)
_OF_SEVERAL = "Of the numbers with the largest scores the middle one is taken."
_OF_ONE = "No other number could be tried."
_MOST_PLACES = 8
_MOST_EXAMPLES = 60
_MOST_COLUMNS = 24
_PERIODS: list[tuple[int, Callable[[str], str]]] = [
    (2, lambda date: date[:10]),
    (_MOST_COLUMNS, lambda date: date[:7]),
    (3 * _MOST_COLUMNS, lambda date: f"{date[:4]}-Q{_month(date) // 3 + 1}" if date[4:] else date),
]
"""Days, months and quarters, each with the most months that dates may span to be shown by it."""


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


def displacy_options(doc: Doc) -> dict[str, Any]:
    """Return options for `displacy.render(doc, style="span", options=...)`: they show the sentences
    under the labels of their themes, in the colours of the page. Raises ValueError if the Doc has
    no themes."""
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
    if not scores:
        return None
    if attrs["algorithm"] == OF_COLLECTION:
        choice = _OF_SEVERAL if len(scores) > 1 else _OF_ONE
        return Explanation(scores, choose_middle(scores), f"{_OF_COLLECTION} {choice}")
    about, chosen = _WITHIN_A_TEXT, max(scores, key=scores.__getitem__)
    if attrs["k"] < chosen:
        about += f" Of {chosen}, those that are alike were joined, so that there are {attrs['k']}."
    return Explanation(scores, chosen, about)


class Example(NamedTuple):
    """A sentence of a theme, the number of its Doc, and how surely it has the theme, 0 to 1."""

    text: str
    number: int
    confidence: float


class SharedTheme(NamedTuple):
    """A theme of several Docs, the number of its sentences and of the Docs that have it; those that
    have most of it, by their numbers from 1, with its sentences there; and different sentences that
    have it most surely, the surest first, the first of each text where each has one theme."""

    theme: ThemeDescription
    n_sentences: int
    n_texts: int
    places: list[tuple[int, int]]
    examples: list[Example]


def find_shared_themes(docs: Sequence[Doc]) -> list[SharedTheme]:
    """Find the themes of Docs that were clustered together, largest first, by their texts
    where each has one theme: none at all for a single Doc, and where a number stands for different
    themes, as where each Doc has themes of its own. Raises ValueError if a Doc has no themes,
    TypeError for something else than Docs."""
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
    size = "n_texts" if of_texts else "n_sentences"
    return sorted(found, key=lambda shared: (-getattr(shared, size), shared.theme.number))


def have_one_theme(docs: Sequence[Doc]) -> bool:
    """Whether there are several Docs, and none has several themes."""
    return len(docs) > 1 and all(len(get_themes(doc)) < 2 for doc in docs)


def make_columns(timeline: Mapping[str, Mapping[int, int]]) -> dict[str, Counter[int]]:
    """Return a timeline by day where the dates span at most two months, by month in two years, by
    quarter in six, and else by year; by the next where there are more than 24 columns. Those
    without a text are left out, and so are texts without a date. Returns at least two columns, the
    sentences of each theme by the name of the time; none where the dates tell nothing apart."""
    dates = sorted(filter(None, timeline))
    if not dates:
        return {}
    first, last = (12 * int(date[:4]) + _month(date) for date in (dates[0], dates[-1]))
    columns = _group(timeline, dates, lambda date: date[:4])
    for most, name in reversed(_PERIODS):
        finer = _group(timeline, dates, name)
        if last - first < most and len(finer) <= _MOST_COLUMNS:
            columns = finer
    return columns if len(columns) > 1 else {}


def _month(date: str) -> int:
    """From 0; 0 for a date that is a year."""
    return int(date[5:7] or 1) - 1


def _group(
    timeline: Mapping[str, Mapping[int, int]], dates: Sequence[str], name: Callable[[str], str]
) -> dict[str, Counter[int]]:
    """Group dates by what a function calls them."""
    grouped: dict[str, Counter[int]] = {}
    for date in dates:
        grouped.setdefault(name(date), Counter()).update(timeline[date])
    return dict(sorted(grouped.items()))
