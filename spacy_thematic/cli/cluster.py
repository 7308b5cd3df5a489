"""`thematic cluster`: the themes of texts, found across all of them or in each text."""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import srsly
import typer

from spacy_thematic.cli.app import app
from spacy_thematic.cli.messages import count, msg
from spacy_thematic.cli.reading_options import SKIP_BAD
from spacy_thematic.span_keys import CLUSTERS_KEY

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

    from spacy_thematic.clustering.changes import ThemeChanges
    from spacy_thematic.pipeline.corpus_themes import CorpusThemes
    from spacy_thematic.pipeline.themes import ThemeDescription

_TABLES = 10
_WHY_UNITS = {
    "texts": "Each text has one theme, since the texts are short: --units sentences groups their sentences",
    "sentences": "Each sentence has a theme, since the texts are long or few: --units texts gives each text one",
}


@app.command("cluster")
def cluster_cli(
    paths: list[Path] = typer.Argument(
        ...,
        help="Plain text, Markdown, HTML, mail, JSONL (one text or article per line), JSON, CSV or Parquet (columns text, title and date), or folders of them",
    ),
    model: str = typer.Option(
        "en_thematic_sm",
        "--model",
        "-m",
        help="Pipeline with thematic_embedder, or a bundled model",
    ),
    out: Path | None = typer.Option(
        None, "--out", "-o", help="JSONL file to write: one text per line, with its themes"
    ),
    html: Path | None = typer.Option(None, "--html", help="HTML page to write"),
    k: str = typer.Option("auto", "--k", help='Number of themes, or "auto"'),
    max_k: int | None = typer.Option(
        None,
        "--max-k",
        help='Most themes that "auto" may find; without it as many as hold across texts, usually 12 in a single text',
        min=1,
    ),
    explain: bool = typer.Option(
        False, "--explain", help="Show the score of each number of themes that was tried"
    ),
    per_document: bool = typer.Option(
        False, "--per-document", help="Find the themes of each text separately"
    ),
    themes: Path | None = typer.Option(
        None, "--themes", help="Folder of saved themes; each sentence gets the nearest"
    ),
    min_similarity: float | None = typer.Option(
        None,
        "--min-similarity",
        help="With --themes, give no theme to sentences whose cosine with every theme is lower than this; .4 leaves out about half of the sentences of unrelated texts",
        min=-1.0,
        max=1.0,
    ),
    update: bool = typer.Option(
        False,
        "--update",
        help="With --themes, add the texts to the saved collection. Its themes keep their numbers, and new themes may be added",
    ),
    save: Path | None = typer.Option(
        None, "--save", help="Folder to save the themes to, for use with --themes"
    ),
    seed_themes: Path | None = typer.Option(
        None, "--seed-themes", help='JSON of themes to look for: {"name": ["example", ...], ...}'
    ),
    headings: bool = typer.Option(
        True,
        "--headings/--no-headings",
        help="Give each theme a heading, if the model has learned headings",
    ),
    broader: int | None = typer.Option(
        None,
        "--broader",
        help="Number of broader themes to group the themes into, 0 for none; without it, across texts, as many as hold",
        min=0,
    ),
    units: Literal["auto", "texts", "sentences"] = typer.Option(
        "auto",
        "--units",
        help="What has one theme across texts; auto: each text, where ten or more are given and they are short",
    ),
    segments: bool = typer.Option(
        False,
        "--segments",
        help="Cut each text where its theme changes. --html shows the segments. With "
        "--per-document, a segment has one theme",
    ),
    lines: Literal["auto", "yes", "no"] = typer.Option(
        "auto",
        "--lines",
        help="Whether each line is a sentence, as in headlines or a chat. auto looks at how most lines begin and end",
    ),
    pages: int = typer.Option(50, "--pages", help="Most texts shown on the HTML page", min=1),
    seed: int = typer.Option(0, "--seed", help="Random seed", min=0),
    skip_bad: bool = SKIP_BAD,
):
    """
    Group the sentences of texts by theme.

    Themes are found across all texts or, with --per-document, in each text alone. A single text is
    clustered alone, too, which uses the order of its sentences, unless its themes are saved.
    """
    from spacy_thematic.cli.outputs import claim_outputs
    from spacy_thematic.cli.shell import clear_errors, warn_of_languages
    from spacy_thematic.clustering import ThemeSettings
    from spacy_thematic.doc_layout import has_lines
    from spacy_thematic.files import check_is_replaceable, write_bytes
    from spacy_thematic.pipeline.clusterer import cluster_docs
    from spacy_thematic.pipeline.corpus_themes import FILES, THEMES, CorpusThemes
    from spacy_thematic.pipeline.loading import load_pipeline
    from spacy_thematic.pipeline.themes import make_record
    from spacy_thematic.report import render_page
    from spacy_thematic.scale import check_are_texts, check_is_outside

    with clear_errors() as held:
        if per_document and (themes or save):
            raise ValueError(
                "--per-document finds separate themes for each text: they cannot be saved by "
                "--save or given by --themes. Leave one of the options out."
            )
        if themes and (seed_themes or broader or k != "auto" or not headings):
            raise ValueError(
                "--themes gives themes that are found already, and named: leave out "
                "--seed-themes, --broader, --k and --no-headings."
            )
        if update and (not themes or save):
            raise ValueError(
                "--update adds the texts to the themes in the folder of --themes, and saves them there: name "
                "that folder, and leave out --save."
            )
        if min_similarity is not None and (not themes or update):
            raise ValueError(
                "--min-similarity says which sentences get one of the themes of --themes: add "
                "--themes, and leave out --update, which finds new themes for the others."
            )
        if update and explain:
            raise ValueError(
                "--update adds to themes that are found already, so no scores say how many there "
                "should be: leave out --explain."
            )
        if segments and not (html or out or per_document):
            raise ValueError(
                "--segments is for --html and --out, which show them, and for --per-document, which gives "
                "each one theme: add one of these."
            )
        settings: dict[str, Any] = {
            "k": int(k) if k.isdecimal() else k,
            "max_k": max_k or "auto",
            "seed": seed,
            "n_broader": "auto" if broader is None else broader,
            "headings": headings,
            "seed_themes": _read_seed_themes(seed_themes) if seed_themes else {},
        }
        ThemeSettings(**settings)  # Checks them before the pipeline is loaded.
        held.enter_context(
            claim_outputs(
                [*paths, model, themes, seed_themes],
                files=[out, html],
                folders=[save],
                updates=[themes if update else None],
            )
        )
        check_are_texts(paths)
        for file in filter(None, (out, html)):
            check_is_outside(file, paths)
        if save:
            check_is_replaceable(save, THEMES, "saved themes", FILES)
        saved = CorpusThemes.load(themes) if themes else None
        nlp = load_pipeline(model)
        warn_of_languages(paths, nlp.vocab.lang)
        clusterers = _complete(nlp, settings, segments, lines)
        with nlp.select_pipes(disable=clusterers):
            names, docs = _read_and_process(paths, nlp, skip_bad)
        if not docs:
            raise ValueError(f"{', '.join(map(str, paths))}: there is no text to cluster.")
        if lines == "auto" and (n := sum(map(has_lines, docs))):
            msg.info(
                f"Each line starts a sentence in {n} of {count(len(docs), 'text')}; --lines no "
                "reads on over their ends"
            )
        by_itself = per_document or (len(docs) == 1 and not (themes or save))
        if by_itself:
            for name in clusterers:
                clusterer: Any = nlp.get_pipe(name)
                docs = list(clusterer.pipe(docs))
        else:
            found = saved or cluster_docs(docs, nlp=nlp, units=units, **settings)
            if saved and themes and update:
                changes = saved.update(docs, nlp, seed)
            elif saved:
                for doc in docs:
                    saved.assign(doc, min_similarity)
            if save:
                found.save(save)
        if out:
            records = (
                {"title": name, **make_record(doc), **_record_segments(doc)}
                for name, doc in zip(names, docs)
            )
            text = "".join(f"{srsly.json_dumps(record)}\n" for record in records)
            write_bytes(out, text.encode("utf8"))
        if html:
            timeline = None if by_itself else found.timeline
            page = render_page(docs[:pages], "Themes", names[:pages], timeline)
            write_bytes(html, page.encode("utf8"))
        # All is written: what is printed from here on may fail.
        if by_itself:
            _print_themes_of_each(names, docs, explain)
            _warn_of_most_of_each(docs, settings["max_k"])
        else:
            _print_themes(found.themes, docs)
            if units == "auto" and not saved:
                msg.info(_WHY_UNITS[found.units])
            if update:
                _print_changes(changes)
            if explain:
                _print_scores(docs[0])
                if others := [str(k) for k in found.levels if k != len(found.themes)]:
                    msg.text(f"Other numbers that hold, for --k: {', '.join(others)}")
            if not saved:
                warn_of_most(found, max_k)
            if save:
                msg.good(f"Saved the themes to {save}: give them to other texts with --themes")
        if out:
            msg.good(f"Saved {out}: {count(len(docs), 'text')} with sentences and themes")
        if html:
            shown = "" if len(docs) <= pages else f" (the first {pages} of {len(docs):,} texts)"
            msg.good(f"Saved {html}: open it in a browser{shown}")
        if saved and themes and update:
            # Last: who repeats a command that was killed adds the texts only once.
            saved.save(themes, keep_sentences=True)
            msg.good(f"Updated {themes}")


def _read_seed_themes(path: Path) -> Any:
    try:
        text = path.read_text("utf8")
        found = srsly.json_loads(text)
        groups = found.values() if isinstance(found, dict) else [None]
        if not all(isinstance(g, list) and all(isinstance(e, str) for e in g) for g in groups):
            raise ValueError(f"found {found!r:.50}")
        return json.loads(text, object_pairs_hook=_check_distinct)
    except ValueError as error:
        raise ValueError(f'{path}: {error}; expected {{"name": ["example", ...], ...}}.') from error


def _check_distinct(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    names = Counter(name for name, _ in pairs)
    if twice := [name for name, n in names.items() if n > 1]:
        raise ValueError(f"{twice[0]!r} stands there twice")
    return dict(pairs)


def _complete(nlp: "Language", settings: dict[str, Any], segments: bool, lines: str) -> list[str]:
    """Add to a pipeline what is missing, and return the names of its clusterers, which find themes of
    each text with some settings."""
    from spacy_thematic.pipeline.embedder import find_embedder
    from spacy_thematic.pipeline.layout import ensure_layout_pipe
    from spacy_thematic.pipeline.texts import allow_long_texts

    find_embedder(nlp)
    ensure_layout_pipe(nlp).lines = lines
    allow_long_texts(nlp)
    if segments and not _pipes(nlp, "thematic_segmenter"):
        nlp.add_pipe("thematic_segmenter", after=_pipes(nlp, "thematic_embedder")[0])
    for name in _pipes(nlp, "thematic_segmenter"):
        segmenter: Any = nlp.get_pipe(name)
        segmenter.settings = replace(segmenter.settings, headings=settings["headings"])
    clusterers = _pipes(nlp, "thematic_clusterer")
    if not clusterers:
        nlp.add_pipe("thematic_clusterer")
        clusterers = ["thematic_clusterer"]
    for name in clusterers:
        pipe: Any = nlp.get_pipe(name)
        pipe.settings = replace(pipe.settings, **settings)
    return clusterers


def _read_and_process(
    paths: Sequence[Path], nlp: "Language", skip_bad: bool
) -> tuple[list[str], list["Doc"]]:
    """The names and Docs of all texts."""
    from spacy_thematic.articles.sources import ReadLog
    from spacy_thematic.cli.shell import bytes_bar, update_bytes_bar
    from spacy_thematic.pipeline.texts import make_doc, read_texts

    log = ReadLog()
    names, docs = [], []
    with bytes_bar(log, "Encoding") as bar:
        made = ((make_doc(nlp, text), text.name) for text in read_texts(paths, log, skip_bad))
        for doc, name in nlp.pipe(made, as_tuples=True):
            update_bytes_bar(bar, log)
            docs.append(doc)
            names.append(name)
    for problem in log.list_problems():
        msg.warn(problem)
    for line in (*log.describe_passed_over(), *log.describe_left_out()):
        msg.info(line)
    if log.bad_dates:
        msg.warn(
            f"Dates that are not in ISO 8601 are passed over, {log.bad_dates:,} in all: expected dates "
            f"such as 2024-05-31, 2024-05 or 2024, found {log.bad_date}"
        )
    return names, docs


def _pipes(nlp: "Language", factory: str) -> list[str]:
    return [name for name in nlp.pipe_names if nlp.get_pipe_meta(name).factory == factory]


def _print_themes(themes: "Sequence[ThemeDescription]", docs: Sequence["Doc"]) -> None:
    sentences: Counter[int] = Counter()
    texts: Counter[int] = Counter()
    for theme in (theme for doc in docs for theme in doc._.thematic_clusters):
        sentences[theme.number] += len(theme.sentences)
        texts[theme.number] += 1
    counts = [(theme, sentences[theme.number], texts[theme.number]) for theme in themes]
    print_theme_table(("Sentences", "Texts"), counts)
    _print_left_out(docs)


def _print_changes(changes: "ThemeChanges") -> None:
    born, died = changes.born, changes.died
    msg.text(f"New themes: {', '.join(map(str, born)) or 'none'}")
    msg.text(f"Themes that have died: {', '.join(map(str, died)) or 'none'}")
    grown = [f"{number} ({growth:.1f})" for number, growth in changes.growth.items() if growth]
    msg.text(f"Growth of the others (1.0: the same share as before): {', '.join(grown) or 'none'}")


def _print_themes_of_each(names: Sequence[str], docs: Sequence["Doc"], explain: bool) -> None:
    from spacy_thematic.report.terminal import without_controls

    for name, doc in list(zip(names, docs))[:_TABLES]:
        if len(docs) > 1:
            msg.divider(without_controls(name))
        counts = [(theme, len(theme.sentences)) for theme in doc._.thematic_clusters]
        print_theme_table(("Sentences",), counts)
        _print_left_out([doc])
        if explain:
            _print_scores(doc)
    if len(docs) > _TABLES:
        msg.info(f"{len(docs) - _TABLES} more texts are not shown: see --out and --html")


def _print_left_out(docs: Sequence["Doc"]) -> None:
    """Say how many sentences have no theme, if some have none."""
    spans = [span for doc in docs for span in doc.spans[CLUSTERS_KEY]]
    if n := sum(span.id == 0 for span in spans):
        msg.text(f"{n} of {len(spans)} sentences belong to no theme: see --out or --html")


def _record_segments(doc: "Doc") -> dict[str, Any]:
    """The segments of a Doc as plain values, if it has some."""
    segments = doc._.thematic_segments
    return {} if segments is None else {"segments": [one.to_dict() for one in segments]}


def _print_scores(doc: "Doc") -> None:
    """Print why a Doc, or all that were clustered with it, has as many themes as it has."""
    from spacy_thematic.report.explanation import explain_k

    if (explanation := explain_k(doc)) is None:
        msg.info(
            "The number of themes was not chosen by scores: it was given, the headings set it, or "
            "the text has only a few sentences, which are merged as long as they are alike"
        )
        return
    msg.text(f"Why {explanation.chosen} themes? {explanation.about} The largest score decides.")
    msg.table(
        [
            (k, f"{score:.3f}", "chosen" if k == explanation.chosen else "")
            for k, score in explanation.scores.items()
        ],
        header=("Themes", "Score", ""),
        aligns=("r", "r", "l"),
    )


def _warn_of_most_of_each(docs: Sequence["Doc"], max_k: int | Literal["auto"]) -> None:
    """Warn where the best number of themes of a text is the most that was tried."""
    from spacy_thematic.clustering.n_clusters import find_most
    from spacy_thematic.report.explanation import explain_k

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


def warn_of_most(found: "CorpusThemes", max_k: int | None) -> None:
    """Warn where a collection has as many themes as it may have."""
    if len(found.themes) == max_k:
        msg.warn(
            f"There are as many themes as --max-k allows, {max_k}: without it there may be more"
        )


def print_theme_table(columns: Sequence[str], counts: Iterable[Sequence[Any]]) -> None:
    """Print a table of themes. counts: rows of a theme and a number for each column."""
    from spacy_thematic.report.terminal import without_controls

    rows = [
        (theme.number, theme.name, ", ".join(theme.keywords), *numbers)
        for theme, *numbers in counts
    ]
    msg.table(
        [tuple(without_controls(str(cell)) for cell in row) for row in rows],
        header=("Theme", "Name", "Keywords", *columns),
        aligns=("r", "l", "l", *("r" for _ in columns)),
        divider=True,
        max_col=60,
    )
