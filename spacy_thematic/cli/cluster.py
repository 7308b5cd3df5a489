"""`thematic cluster`: the themes of texts, found across all of them or in each text."""

import json
from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import srsly
import typer

from spacy_thematic.cli import shell
from spacy_thematic.cli.app import TEXTS, GroupedOptions, command
from spacy_thematic.cli.shell import msg

if TYPE_CHECKING:
    from spacy_thematic.pipeline.cluster import ClusteredTexts

_input = partial(typer.Option, rich_help_panel="Input")
_output = partial(typer.Option, rich_help_panel="Output")
_saved_themes = partial(typer.Option, rich_help_panel="Saved themes")
_themes = partial(typer.Option, rich_help_panel="Themes")

_WHY_UNITS = {
    "texts": "Each text has one theme, since the texts are short. To group sentences instead, add --units sentences",
    "sentences": "Each sentence has a theme, since the texts are long or few. To give each text one theme, add --units texts",
}


@command(TEXTS, "cluster notes/ --html themes.html", cls=GroupedOptions)
def cluster_cli(
    paths: list[Path] = typer.Argument(
        ...,
        help='Files or folders: plain text, Markdown, reStructuredText, AsciiDoc, Org, wikitext, HTML, subtitles, mail, JSONL (one text or article per line) and Parquet. JSON, CSV and TSV files are read only if you name the file itself, not just its folder. The same goes for PDF, DOCX and the like, which need markitdown, and for LaTeX, ODT and RTF, which need Pandoc. In a table, the column "text" holds the texts. If a CSV, TSV, JSONL or JSON file has no column "text", the column with by far the most words is used. The columns "title" and "date" are optional. Use "-" to read standard input',
    ),
    model: str | None = typer.Option(
        None,
        "--model",
        "-m",
        help="Pipeline with thematic_embedder, or a bundled model; default: the model of --themes, or en_thematic_sm",
    ),
    out: Path | None = _output(
        None,
        "--out",
        "-o",
        help="File to write: .jsonl has a line for each text, with its themes, its sentences, and their positions in the text; .csv and .parquet have a row for each text, with its main theme and all columns of the input; .parquet also has a vector for each text",
    ),
    html: Path | None = _output(None, help="HTML page to write"),
    pages: int = _output(
        500,
        help="Maximum number of texts shown in full on the HTML page; its tables count all texts",
        min=1,
    ),
    explain: bool = _output(
        False, "--explain", help="Show the score of each number of themes that was tried"
    ),
    save: Path | None = _output(None, help="Folder to save the themes to, for use with --themes"),
    k: str = _themes("auto", help='Number of themes, or "auto"'),
    max_k: int | None = _themes(
        None,
        help='Largest number that "auto" may choose. For several texts, the default is half the number of texts or sentences that are grouped. For a single text, the default depends on its length, and is more than 12 only for long texts',
        min=1,
    ),
    per_document: bool = _themes(
        False, "--per-document", help="Find the themes of each text separately"
    ),
    units: Literal["auto", "texts", "sentences"] = _themes(
        "auto",
        help='What to group: whole texts, or the sentences of all texts. "auto" groups whole texts if there are at least ten and they are short',
    ),
    seed_themes: Path | None = _themes(
        None,
        help='JSON file of themes to look for, with example words or sentences: {"name": ["example", ...], ...}',
    ),
    headings: bool = _themes(
        True,
        "--headings/--no-headings",
        help='Name each theme after a heading in the texts, a phrase from them, or a heading that is common in articles, such as "Early life". Phrases and common headings need a model that was trained on section headings, as the bundled models were. --no-headings names each theme after its keywords',
    ),
    broader: int | None = _themes(
        None,
        help="Number of broader themes to group the themes into; 0 makes none; default: chosen automatically for several texts, and 0 for a single text",
        min=0,
    ),
    segments: bool = _themes(
        False,
        "--segments",
        help="Also cut each text where its theme changes. --html and --out FILE.jsonl show the segments",
    ),
    seed: int = shell.SEED,
    themes: Path | None = _saved_themes(
        None,
        help="Folder of saved themes; each sentence (or text) gets the nearest theme",
    ),
    min_similarity: float | None = _saved_themes(
        None,
        help="With --themes, give no theme to a sentence whose cosine with every theme is lower than this; with en_thematic_md, .4 leaves out about half of the sentences in unrelated texts",
        min=-1.0,
        max=1.0,
    ),
    update: bool = _saved_themes(
        False,
        "--update",
        help="With --themes, add the texts to the saved collection. Its themes keep their numbers, and new themes may be added",
    ),
    lines: Literal["auto", "yes", "no"] = _input(
        "auto",
        help='Whether each line is a sentence, as in headlines or a chat. "auto" decides by how most lines begin and end',
    ),
    text_column: str = shell.TEXT_COLUMN,
    id_column: str = shell.ID_COLUMN,
    date_column: str = shell.DATE_COLUMN,
    skip_bad: bool = shell.SKIP_BAD,
):
    """
    Group sentences, or whole short texts, by theme.

    Themes are found across all texts. With --per-document, the themes of each text are found separately, and the order of its sentences counts. A single text is treated as with --per-document. But with --save or --themes, even a single text is treated as a collection.
    """
    from spacy_thematic.articles.csv_records import Columns
    from spacy_thematic.cli import theme_tables
    from spacy_thematic.clustering.units import LONG
    from spacy_thematic.doc_layout import has_lines
    from spacy_thematic.files import check_is_outside, check_is_replaceable
    from spacy_thematic.pipeline.cluster import cluster, write_table
    from spacy_thematic.pipeline.corpus_themes import FILES, THEMES
    from spacy_thematic.report import write_page
    from spacy_thematic.span_keys import CLUSTERS_KEY

    with shell.clear_errors() as held:
        if per_document and (themes or save):
            raise ValueError(
                "--per-document finds separate themes for each text: they cannot be saved by "
                "--save or given by --themes. Leave one of the options out."
            )
        if update and (not themes or save):
            raise ValueError(
                "--update adds the texts to the themes in the folder of --themes, and saves them there: name "
                "that folder, and leave out --save."
            )
        if update and explain:
            raise ValueError(
                "--update adds to themes that already exist, so there are no scores for their number: "
                "leave out --explain."
            )
        if segments and not (html or out):
            raise ValueError(
                "--segments needs --html or --out, which show the segments: add one of these."
            )
        if k.isdecimal() and max_k:
            raise ValueError(
                f'--max-k is an upper limit for --k "auto", and --k is {k}: leave one of them out.'
            )
        settings: dict[str, Any] = {
            "k": int(k) if k.isdecimal() else k,
            "max_k": max_k or "auto",
            "seed": seed,
            "n_broader": "auto" if broader is None else broader,
            "headings": headings,
            "seed_themes": _read_seed_themes(seed_themes) if seed_themes else {},
        }
        held.enter_context(
            shell.claim_outputs(
                [*paths, model, themes, seed_themes],
                files=[out, html],
                folders=[save],
                updates=[themes if update else None],
            )
        )
        shell.check_ending(out, ".jsonl", ".csv", ".parquet")
        shell.check_ending(html, ".html", ".htm")
        for file in filter(None, (out, html)):
            check_is_outside(file, paths)
        if save:
            check_is_replaceable(save, THEMES, "saved themes", FILES)
        with shell.reading_bar("Encoding") as (log, on_text):
            found = cluster(
                paths,
                model=model,
                per_document=per_document or (False if save else "auto"),
                themes=themes,
                min_similarity=min_similarity,
                update=update,
                units=units,
                segments=segments,
                lines=lines,
                columns=Columns(text_column, id_column, date_column),
                skip_bad=skip_bad,
                log=log,
                on_text=on_text,
                **settings,
            )
        docs = found.docs
        if save and found.themes:
            found.themes.save(save)
        if out:
            write_table(out, found)
        if html:
            timeline = found.themes.timeline if found.themes else None
            title = found.names[0] if len(docs) == 1 else "Themes"
            write_page(docs, html, title, _tell_apart(found), timeline, pages)
        if update and found.themes and themes:
            # Last: who repeats a command that was killed adds the texts only once.
            found.themes.save(themes, keep_sentences=True)
        # All is written: what is printed from here on may fail.
        shell.say_what_is_missing(log)
        if log.bad_dates:
            msg.warn(
                f"Ignored {shell.count(log.bad_dates, 'date')} that cannot be read: expected dates "
                f"such as 2024-05-31, 2024-05 or 2024, found {log.bad_date}. Rewrite the others like "
                "these; in a spreadsheet, format the column as YYYY-MM-DD"
            )
        if lines == "auto" and (n := sum(map(has_lines, docs))):
            where = "" if len(docs) == 1 else f" in {n} of {shell.count(len(docs), 'text')}"
            msg.info(f"Each line starts a sentence{where}; --lines no joins lines")
        if found.themes is None:
            theme_tables.print_themes_of_each(found.names, docs, explain, settings["max_k"])
            if len(docs) == 1:
                clusters = docs[0]._.thematic_clusters
                theme_tables.print_seed_themes(clusters, settings["seed_themes"])
            if units != "auto" and not per_document:
                msg.warn(
                    "--units is about several texts, and there is one: it has no effect. --save or "
                    "--themes treats a single text as a collection"
                )
            most = max(len(doc._.thematic_clusters) for doc in docs)
            theme_tables.warn_of_broader(most, broader or 0)
        else:
            theme_tables.print_themes(found.themes.themes, docs, found.themes.units)
            theme_tables.print_seed_themes(found.themes.themes, settings["seed_themes"])
            if units == "auto" and not themes:
                msg.info(_WHY_UNITS[found.themes.units])
                n_long = sum(len(doc.spans[CLUSTERS_KEY]) > LONG for doc in docs)
                if n_long and found.themes.units == "texts":
                    msg.info(
                        f"{shell.count(n_long, 'text')} of more than {LONG} sentences got one theme each: "
                        "--units sentences finds several in them"
                    )
            theme_tables.print_boilerplate(found.themes, docs)
            if found.changes:
                theme_tables.print_changes(found.changes, found.themes.themes)
            if explain:
                theme_tables.print_number(found.themes, docs[0])
            if themes and not update:
                theme_tables.warn_of_unlike(docs)
            if not themes:
                theme_tables.warn_of_most(found.themes, max_k)
                theme_tables.warn_of_broader(len(found.themes.themes), broader or 0)
            if save:
                msg.good(f"Saved the themes to {save}: give them to other texts with --themes")
        n_dated = sum(bool(doc._.thematic_date) for doc in docs)
        if found.themes and html and 0 < n_dated < len(docs):
            msg.info(
                f"{n_dated:,} of {shell.count(len(docs), 'text')} have a date: the others are not in the "
                "themes over time"
            )
        if out:
            msg.good(f"Saved {out}: {shell.count(len(docs), 'text')} with their themes")
            if segments and out.suffix.lower() != ".jsonl":
                msg.info("Segments are not in it: --out FILE.jsonl writes them too")
        if html:
            shown = f" (the first {pages} of {len(docs):,} texts in full)" * (len(docs) > pages)
            msg.good(f"Saved {html}: open it in a browser{shown}")
        if update:
            msg.good(f"Updated {themes}")


def _tell_apart(found: "ClusteredTexts") -> list[str]:
    """The names of texts, those of several with their dates, or else their files."""
    times = Counter(found.names)
    marks = (doc._.thematic_date or Path(file).stem for doc, file in zip(found.docs, found.files))
    return [
        f"{name} ({mark})" if times[name] > 1 else name for name, mark in zip(found.names, marks)
    ]


def _read_seed_themes(path: Path) -> Any:
    try:
        text = path.read_text("utf-8-sig")
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
        raise ValueError(f"{twice[0]!r} is there twice")
    return dict(pairs)
