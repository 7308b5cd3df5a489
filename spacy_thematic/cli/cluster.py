"""`thematic cluster`: the themes of texts, found across all of them or in each by itself."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Optional, Union

import typer
from wasabi import msg

from spacy_thematic.cli.app import app

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

    from spacy_thematic.clustering.corpus import CorpusThemes
    from spacy_thematic.clustering.themes import Theme, ThemeName

_TABLES = 10
_MOST_CHARACTERS = 100_000_000


@app.command("cluster")
def cluster_cli(
    paths: list[Path] = typer.Argument(
        ..., help="Texts, Markdown, HTML, JSONL (a text or an article a line), or folders of them"
    ),
    model: str = typer.Option(
        "en_thematic_sm",
        "--model",
        "-m",
        help="Pipeline with thematic_embedder, or a bundled model",
    ),
    out: Optional[Path] = typer.Option(
        None, "--out", "-o", help="JSONL to write: a line a text, with its sentences and themes"
    ),
    html: Optional[Path] = typer.Option(None, "--html", help="HTML page to write"),
    k: str = typer.Option("auto", "--k", help='Number of themes, or "auto"'),
    max_k: int = typer.Option(12, "--max-k", help='The most themes that "auto" tries', min=1),
    per_document: bool = typer.Option(
        False, "--per-document", help="Find the themes of each text by itself"
    ),
    themes: Optional[Path] = typer.Option(
        None, "--themes", help="Folder of saved themes: give these to the texts, find none"
    ),
    save: Optional[Path] = typer.Option(
        None, "--save", help="Folder to write the themes to, for --themes"
    ),
    seeds: Optional[Path] = typer.Option(
        None, "--seeds", help='JSON of themes to look for: {"name": ["example", ...], ...}'
    ),
    titles: bool = typer.Option(
        False, "--titles", help="Give each theme the phrase nearest to its centre as a title"
    ),
    broader: int = typer.Option(
        0, "--broader", help="Number of broader themes to group the themes into", min=0
    ),
    pages: int = typer.Option(
        50, "--pages", help="The most texts that the HTML page shows, the first ones", min=1
    ),
    seed: int = typer.Option(0, "--seed", help="The same seed gives the same themes", min=0),
    skip_bad: bool = typer.Option(
        False, "--skip-bad", help="Pass over files and lines that cannot be read, and say so"
    ),
):
    """
    Group the sentences of texts by theme, across all texts or in each.
    """
    from spacy_thematic.cli.shell import check_output_file, clear_errors
    from spacy_thematic.clustering.corpus import CorpusThemes, cluster_docs
    from spacy_thematic.files import check_is_replaceable, write_bytes
    from spacy_thematic.pipeline.loading import load_pipeline
    from spacy_thematic.report import render_page

    with clear_errors():
        number = _parse_k(k)
        if per_document and (themes or save):
            raise ValueError(
                "--per-document finds themes for each text by itself: leave it out to --save "
                "themes, or to give saved --themes to texts."
            )
        if themes and (seeds or titles or broader or k != "auto"):
            raise ValueError(
                "--themes are found already: leave out --seeds, --titles, --broader and --k."
            )
        wanted = _read_seeds(seeds) if seeds else {}
        for file in filter(None, (out, html)):
            check_output_file(file)
        if save:
            check_is_replaceable(save, "themes.json", "saved themes")
        saved = CorpusThemes.load(themes) if themes else None
        nlp = load_pipeline(model)
        settings: dict[str, Any] = {
            "max_k": max_k,
            "seed": seed,
            "seeds": wanted,
            "titles": titles,
            "n_broader": broader,
        }
        clusterer = {"k": number, **settings} if per_document else None
        names, docs = _read_and_encode(paths, nlp, clusterer, skip_bad)
        if not docs:
            raise ValueError(f"{', '.join(map(str, paths))}: there is no text to cluster.")
        if per_document:
            _print_themes_of_each(names, docs)
        else:
            found = saved or cluster_docs(docs, number, nlp=nlp, **settings)
            if saved:
                for doc in docs:
                    found.assign(doc)
            _print_themes(found, docs)
            if save:
                found.save(save)
                msg.good(f"Saved the themes to {save}: give them to other texts by --themes")
        if out:
            write_bytes(out, _make_lines(names, docs))
            msg.good(f"Saved {out}: {len(docs)} texts with their sentences and themes")
        if html:
            page = render_page(docs[:pages], "Themes", names[:pages])
            write_bytes(html, page.encode("utf8"))
            shown = "" if len(docs) <= pages else f" (the first {pages} of {len(docs)} texts)"
            msg.good(f"Saved {html}: open it in a browser{shown}")


def _parse_k(k: str) -> Union[int, Literal["auto"]]:
    if k == "auto":
        return "auto"
    if not k.isdecimal() or int(k) < 1:
        raise ValueError(f'--k is {k!r}: expected "auto" or a number of at least 1.')
    return int(k)


def _read_seeds(path: Path) -> dict[str, list[str]]:
    import srsly

    expected = 'expected {"name": ["example", ...], ...}'
    try:
        seeds = srsly.read_json(path)
    except ValueError as error:
        raise ValueError(f"{path}: {error}; {expected}.") from error
    if not isinstance(seeds, dict) or not all(
        name.strip()
        and isinstance(examples, list)
        and all(isinstance(example, str) for example in examples)
        for name, examples in seeds.items()
    ):
        raise ValueError(f"{path}: {expected}.")
    return seeds


def _read_and_encode(
    paths: Sequence[Path], nlp: "Language", clusterer: Optional[dict[str, Any]], skip_bad: bool
) -> tuple[list[str], list["Doc"]]:
    """The names and Docs of all texts. clusterer: settings for the themes of each text; None: the
    Docs get vectors alone."""
    from spacy_thematic.articles.sources import ReadLog
    from spacy_thematic.cli.shell import bytes_bar, update_bytes_bar
    from spacy_thematic.cli.texts import make_doc, read_texts
    from spacy_thematic.clustering.seeds import find_embedder

    find_embedder(nlp)
    if not (_pipes(nlp, "parser") or _pipes(nlp, "ner")):
        # The limit is there for the memory that these two need.
        nlp.max_length = _MOST_CHARACTERS
    if clusterer is None:
        disabled = _pipes(nlp, "thematic_clusterer")
    else:
        disabled = []
        for name in _pipes(nlp, "thematic_clusterer") or ["thematic_clusterer"]:
            pipe: Any = nlp.get_pipe(name) if nlp.has_pipe(name) else nlp.add_pipe(name)
            for setting, value in clusterer.items():
                setattr(pipe, setting, value)
    log = ReadLog()
    names, docs = [], []
    with nlp.select_pipes(disable=disabled), bytes_bar(log, "Encoding") as bar:
        made = ((make_doc(nlp, text), text.name) for text in read_texts(paths, log, skip_bad))
        for doc, name in nlp.pipe(made, as_tuples=True):
            update_bytes_bar(bar, log)
            docs.append(doc)
            names.append(name)
    for problem in log.problems:
        msg.warn(problem)
    if (more := log.skipped.total() - len(log.problems)) > 0:
        msg.warn(f"{more} more could not be read")
    return names, docs


def _pipes(nlp: "Language", factory: str) -> list[str]:
    return [name for name in nlp.pipe_names if nlp.get_pipe_meta(name).factory == factory]


def _print_themes(themes: "CorpusThemes", docs: Sequence["Doc"]) -> None:
    from collections import Counter

    from spacy_thematic.span_keys import CLUSTERS_KEY

    sentences = Counter(span.id for doc in docs for span in doc.spans[CLUSTERS_KEY])
    texts = Counter(
        number for doc in docs for number in {span.id for span in doc.spans[CLUSTERS_KEY]}
    )
    _print_table(
        ("Theme", "Label", "Keywords", "Sentences", "Texts"),
        [
            (
                name.number,
                _shown(name),
                ", ".join(name.keywords),
                sentences[name.number],
                texts[name.number],
            )
            for name in themes.names
        ],
    )


def _print_themes_of_each(names: Sequence[str], docs: Sequence["Doc"]) -> None:
    from spacy_thematic.report.terminal import without_controls

    for name, doc in list(zip(names, docs))[:_TABLES]:
        msg.divider(without_controls(name))
        _print_table(
            ("Theme", "Label", "Keywords", "Sentences"),
            [
                (
                    theme.number,
                    _shown(theme),
                    ", ".join(theme.keywords),
                    len(theme.sentences),
                )
                for theme in doc._.thematic_clusters
            ],
        )
    if len(docs) > _TABLES:
        msg.info(f"{len(docs) - _TABLES} more texts: --out and --html have them all")


def _shown(theme: "Union[Theme, ThemeName]") -> str:
    return (theme.title or theme.label) + (" (mixed)" if theme.mixed else "")


def _print_table(header: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    from spacy_thematic.report.terminal import without_controls

    aligns = tuple("l" if name in ("Label", "Keywords") else "r" for name in header)
    msg.table(
        [tuple(without_controls(str(cell)) for cell in row) for row in rows],
        header=header,
        aligns=aligns,
        divider=True,
        max_col=60,
    )


def _make_lines(names: Sequence[str], docs: Sequence["Doc"]) -> bytes:
    import srsly

    lines = [srsly.json_dumps(_make_record(name, doc)) for name, doc in zip(names, docs)]
    return "".join(f"{line}\n" for line in lines).encode("utf8")


def _make_record(name: str, doc: "Doc") -> dict[str, Any]:
    from spacy_thematic.span_keys import CLUSTERS_KEY

    group = doc.spans[CLUSTERS_KEY]
    return {
        "title": name,
        "themes": [
            {
                "number": theme.number,
                "label": theme.label,
                "keywords": theme.keywords,
                "title": theme.title,
                "parent": theme.parent,
                "mixed": theme.mixed,
                "representative": theme.representative.text.strip(),
                "cohesion": round(theme.cohesion, 4),
                "sentences": len(theme.sentences),
            }
            for theme in doc._.thematic_clusters
        ],
        "sentences": [
            {
                "text": span.text.strip(),
                "theme": span.id,
                "label": span.label_,
                "confidence": confidence,
            }
            for span, confidence in zip(group, group.attrs["confidences"])
        ],
    }
