"""What the commands print of themes: tables, and why there are so many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Any, Literal

from spacy.tokens import Doc

from spacy_thematic.cli.shell import count, msg, without_controls
from spacy_thematic.clustering.boilerplate import fold_sentence
from spacy_thematic.clustering.n_clusters import find_most
from spacy_thematic.clustering.theme_changes import LIKE, ThemeChanges
from spacy_thematic.clustering.units import UnitKind
from spacy_thematic.doc_layout import drop_speakers
from spacy_thematic.naming.description import Description
from spacy_thematic.pipeline.corpus_themes import CorpusTheme, CorpusThemes
from spacy_thematic.pipeline.themes import ThemeDescription
from spacy_thematic.report.page import explain_k
from spacy_thematic.span_keys import CLUSTERS_KEY

_TABLES = 10
_MOST_LINES = 40
"""Subthemes are printed where a text has no more themes and subthemes."""
_WIDEST = 60
"""The characters of a cell that are shown."""
_OFTEN_UNLIKE = 1 / 4
"""Of texts that are like those of the themes fewer are like none: 0 to .13 of seven collections."""


def print_themes(themes: Sequence[CorpusTheme], docs: Sequence[Doc], units: UnitKind) -> None:
    """Print the themes of a collection, and how many texts each has, and sentences where these were
    grouped."""
    of_each = [doc._.thematic_clusters for doc in docs]
    sentences: Counter[int | str | None] = Counter()
    texts: Counter[int | str | None] = Counter()
    for found in of_each:
        sentences.update({theme.number: len(theme.sentences) for theme in found})
        texts.update({key for theme in found for key in (theme.number, theme.parent)})
    if units == "sentences":
        print_sizes({"Sentences": sentences, "Texts": texts}, themes)
        _print_left_out(docs)
        return
    print_sizes({"Texts": texts}, themes)
    if n := sum(not found for found in of_each):
        msg.text(f"{n} of {len(docs)} texts belong to no theme")


def print_sizes(
    columns: Mapping[str, Mapping[Any, int]],
    themes: Iterable[ThemeDescription],
    with_subthemes: bool = False,
) -> None:
    """Print a table of themes, those of a broader theme below it, the largest first. columns: the
    number to print beside the number of each theme, and beside the name of a broader one, if it is
    not the sum of those of its themes."""
    groups: dict[Any, list[Any]] = {}
    for theme in themes:
        groups.setdefault(theme.parent or theme.number, []).append(theme)
    rows = []
    for key, group in sorted(groups.items(), key=lambda one: -sum(map(_measure, one[1]))):
        is_broader = isinstance(key, str)
        if is_broader:
            sums = (sum(column[theme.number] for theme in group) for column in columns.values())
            sizes = (column.get(key, total) for column, total in zip(columns.values(), sums))
            rows.append(("", _shorten(key, " "), "", *sizes))
        for theme in group:
            sizes = (column[theme.number] for column in columns.values())
            rows.append((theme.number, *_name(theme, is_broader), *sizes))
            for one in theme.subthemes if with_subthemes else ():
                rows.append(("", *_name(one, True), len(one.sentences)))
    msg.table(
        rows,
        header=("Theme", "Name", "Keywords", *columns),
        aligns=("r", "l", "l", *("r" for _ in columns)),
        divider=True,
        max_col=_WIDEST,
    )


def _measure(theme: Any) -> int:
    return theme.size if hasattr(theme, "size") else len(theme.sentences)


def _name(theme: Description, is_within: bool) -> tuple[str, str]:
    """The name of a theme, indented below another, and its keywords."""
    name = f"{'  ' * is_within}{_shorten(theme.name, ' ')}"
    return name, _shorten(", ".join(theme.keywords), ",")


def print_seed_themes(themes: Sequence[Description], seed_themes: Container[str]) -> None:
    """Say which themes are seed themes, if any is."""
    if found := [str(theme.number) for theme in themes if theme.label in seed_themes]:
        others = "" if len(found) == len(themes) else "; the others were found beside them"
        msg.text(f"Seed themes: {', '.join(found)}{others}")


def print_boilerplate(found: CorpusThemes, docs: Iterable[Doc] = ()) -> None:
    """Say which sentences have no theme because many texts have them, as one of the Docs has it."""
    if found.boilerplate:
        longest = max(sorted(found.boilerplate), key=len)
        said = (s.text for doc in docs for s in doc.sents if fold_sentence(s.text) == longest)
        longest = without_controls(next(said, longest).strip())
        such_as = ", such as" if len(found.boilerplate) > 1 else ":"
        msg.info(
            f"Left out {count(len(found.boilerplate), 'sentence')} that many texts repeat{such_as} "
            f'"{_shorten(longest, " ")}"'
        )


def print_changes(changes: ThemeChanges, themes: Iterable[Description]) -> None:
    """Print what an update changed in themes."""
    names = {theme.number: f"{theme.number} {without_controls(theme.name)}" for theme in themes}
    grown = [f"{names[n]} ({growth:.1f})" for n, growth in changes.growth.items()]
    born, died = ([names[number] for number in found] for found in (changes.born, changes.died))
    for title, listed in (
        ("New themes", born),
        ("Growth of the others (1.0: the same share as before)", grown),
        ("Dead themes (less than a tenth of their former share)", died),
    ):
        msg.text(f"{title}: {', '.join(listed) or 'none'}")


def print_themes_of_each(
    names: Sequence[str], docs: Sequence[Doc], explain: bool, max_k: int | Literal["auto"]
) -> None:
    """Print the themes of the first texts, and with `explain` why each has so many."""
    for name, doc in list(zip(names, docs))[:_TABLES]:
        if len(docs) > 1:
            msg.text(f"\n{without_controls(name)}")
        themes = doc._.thematic_clusters
        n_subthemes = sum(len(theme.subthemes) for theme in themes)
        has_room = len(themes) + n_subthemes <= _MOST_LINES
        sizes = {theme.number: len(theme.sentences) for theme in themes}
        print_sizes({"Sentences": sizes}, themes, with_subthemes=has_room)
        if n_subthemes and not has_room:
            msg.info(f"{n_subthemes} subthemes are not shown: see --out or --html")
        _print_left_out([doc])
        if explain:
            _print_scores(doc)
    if len(docs) > _TABLES:
        msg.info(f"{len(docs) - _TABLES} more texts are not shown: see --out and --html")
    _warn_of_most_of_each(docs, max_k)


def print_number(found: CorpusThemes, doc: Doc) -> None:
    """Print why a collection, of which a Doc is one, has so many themes, and other numbers."""
    _print_scores(doc)
    if others := [str(k) for k in found.levels if k != len(found.themes)]:
        msg.text(f"Other stable numbers, for --k: {', '.join(others)}")


def _print_left_out(docs: Sequence[Doc]) -> None:
    """Say how many sentences have no theme, if some have none, but for those that only name who
    speaks."""
    spans = [span for doc in docs for span in drop_speakers(doc.spans[CLUSTERS_KEY])]
    if n := sum(span.id == 0 for span in spans):
        msg.text(f"{n} of {len(spans)} sentences belong to no theme: see --out or --html")


def _print_scores(doc: Doc) -> None:
    """Print why a Doc, or all that were clustered with it, has as many themes as it has."""
    if (explanation := explain_k(doc)) is None:
        msg.info(
            "The number of themes was not chosen by scores: it was given, --max-k left no choice, the "
            "headings set it, the text is in order (there sentences are joined as long as they are "
            "likely to have one theme), or there are only a few sentences or texts that differ"
        )
        return
    msg.text(f"Why {explanation.chosen} themes? {explanation.about}")
    msg.table(
        [
            (k, f"{score:.3f}", "chosen" if k == explanation.chosen else "")
            for k, score in explanation.scores.items()
        ],
        header=("Themes", "Score", ""),
        aligns=("r", "r", "l"),
    )


def _warn_of_most_of_each(docs: Sequence[Doc], max_k: int | Literal["auto"]) -> None:
    """Warn where the best number of themes of a text is the most that was tried."""
    sizes = [len(doc.spans[CLUSTERS_KEY]) for doc in docs]
    most = [
        explanation.chosen
        for explanation, size in zip(map(explain_k, docs), sizes)
        if explanation and find_most(max_k, size) <= explanation.chosen < size - 1
    ]
    if most:
        of = "" if len(docs) == 1 else f" of {count(len(most), 'text')}"
        msg.warn(
            f"The best number of themes{of} is the most that was tried, {max(most)}: there may be "
            f"more. --max-k {2 * max(most)} tries more, --explain shows the scores"
        )


def warn_of_most(found: CorpusThemes, max_k: int | None) -> None:
    """Warn where a collection has as many themes as it may have."""
    if len(found.themes) == max_k:
        msg.warn(
            f"There are as many themes as --max-k allows, {max_k}: without it there may be more"
        )


def warn_of_unlike(docs: Sequence[Doc]) -> None:
    """Warn where many texts are like none of the saved themes that they were given."""
    groups = [doc.spans[CLUSTERS_KEY] for doc in docs]
    scores = [group.attrs["scores"] for group in groups if any(span.id for span in group)]
    unlike = sum(sum(of_text) <= LIKE * len(of_text) for of_text in scores)
    if unlike > _OFTEN_UNLIKE * len(scores):
        msg.warn(
            f"{unlike} of {count(len(scores), 'text')} are like none of these themes: --min-similarity "
            "leaves sentences and texts like these without a theme, and --update finds new themes for "
            "them"
        )


def warn_of_broader(n_themes: int, n_broader: int) -> None:
    """Warn where there are too few themes for as many broader ones as were asked for."""
    if n_themes <= n_broader:
        msg.warn(
            f"Found {count(n_themes, 'theme')}, too few for {n_broader} broader ones, so "
            "there are none: --k sets the number of themes"
        )


def _shorten(cell: str, mark: str) -> str:
    """What fits of a cell, up to the last `mark`."""
    if len(cell) <= _WIDEST:
        return cell
    fitting = cell[: _WIDEST - 2]
    return f"{fitting.rpartition(mark)[0] or fitting} …"
