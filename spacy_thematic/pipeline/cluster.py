"""The themes of texts in files."""

import csv
import io
import warnings
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np
import srsly
from spacy.language import Language
from spacy.tokens import Doc

from spacy_thematic.articles.csv_records import Columns
from spacy_thematic.articles.formats import find_language
from spacy_thematic.articles.sources import ReadLog
from spacy_thematic.clustering import ThemeSettings
from spacy_thematic.clustering.settings import make_settings
from spacy_thematic.clustering.theme_changes import ThemeChanges
from spacy_thematic.clustering.units import map_to_topics
from spacy_thematic.files import open_whole, write_bytes
from spacy_thematic.lang.foreign import warn_of_language
from spacy_thematic.pipeline.clusterer import cluster_docs
from spacy_thematic.pipeline.corpus_themes import COLUMNS, CorpusThemes, describe_document
from spacy_thematic.pipeline.embedder import PRETRAINED, find_embedder
from spacy_thematic.pipeline.layout import ensure_layout_pipe
from spacy_thematic.pipeline.loading import load_pipeline
from spacy_thematic.pipeline.text_encoder import find_topic_map
from spacy_thematic.pipeline.texts import allow_long_texts, find_metadata, make_doc, read_texts
from spacy_thematic.pipeline.themes import make_record
from spacy_thematic.rows import mean_row
from spacy_thematic.triplets.corpus_builder import CLUSTERING_CSV
from spacy_thematic.triplets.rules import is_other_language

_LONGEST_PATH, _LONGEST_NAME = 4096, 255
_FEWEST_SPACES = 3


@dataclass(frozen=True)
class ClusteredTexts:
    """Texts and their themes.

    Attributes:
        docs: The texts. `doc._.thematic_clusters` has the themes of each.
        themes: Of all texts. None if the themes of each text were found by themselves.
        changes: What the texts changed in the themes that were given; None without `update`.
        fields: Of the row or record of each text, by name.
        files: The path of the file of each text.
        nlp: The pipeline that processed them; `doc._.thematic_topic` needs it to be there.
        metadata: The fields of each text but itself, as JSON has them.
    """

    names: list[str]
    docs: list[Doc]
    themes: CorpusThemes | None = None
    changes: ThemeChanges | None = None
    fields: list[dict[str, Any]] = field(default_factory=list)
    files: list[str] = field(default_factory=list)
    nlp: Language | None = None
    metadata: list[dict[str, Any]] = field(default_factory=list)


def cluster(
    paths: Iterable[str | Path],
    *,
    model: str | Path | Language | None = None,
    per_document: bool | Literal["auto"] = "auto",
    themes: CorpusThemes | str | Path | None = None,
    min_similarity: float | None = None,
    update: bool = False,
    units: Literal["auto", "texts", "sentences"] = "auto",
    segments: bool = False,
    lines: Literal["auto", "yes", "no"] = "auto",
    columns: Columns | Mapping[str, str] | None = None,
    skip_bad: bool = False,
    log: ReadLog | None = None,
    on_text: Callable[[], None] = lambda: None,
    **settings: Any,
) -> ClusteredTexts:
    """Group sentences, or whole short texts, by theme.

    Args:
        paths: Files and folders: plain text, Markdown and other markup, HTML, mail, JSONL, CSV,
            Parquet, a dump; or a corpus that `thematic corpus` made, whose articles for clustering
            are taken.
        model: A pipeline with `thematic_embedder`, or its name, or a bundled model; None: that of
            the themes that are given, or `en_thematic_sm`.
        per_document: Whether to find the themes of each text by itself, which uses the order of
            its sentences; "auto": of a single text, unless themes are given.
        themes: Found already, or the folder they are in. Each sentence gets the nearest.
        min_similarity: With `themes`, sentences whose cosine with every theme is lower get none.
        update: With `themes`, whether to add the texts to them, and perhaps new themes. `themes`
            changes.
        units: What has one theme across texts, as for `cluster_docs`.
        segments: Whether to cut each text where its theme changes as well.
        lines: Whether each line is a sentence.
        columns: The names of the columns of texts, titles and dates, such as {"text": "body"};
            those that are not named are "text", "title" and "date".
        skip_bad: Whether to skip what cannot be read.
        log: A `ReadLog`, which counts what is read.
        on_text: Called for each text.
        settings: Of `ThemeSettings`, such as k=5.

    Raises ValueError if a file cannot be read, there is no text, or settings exclude each other,
    TypeError for an unknown setting, or a log that is none.
    """
    if log is not None and not isinstance(log, ReadLog):
        raise TypeError(f"Expected log to be a ReadLog, which counts what is read, found {log!r}.")
    if per_document not in (True, False, "auto"):
        raise ValueError(
            f'Expected per_document to be True, False or "auto", found {per_document!r}.'
        )
    for option, one in zip(("text", "title", "id", "date"), ("text", "title", "title", "date")):
        if (name := f"{option}_column") in settings:
            raise TypeError(
                f"There is no setting {name}: give columns={{{one!r}: {settings[name]!r}}}."
            )
    if per_document is True and themes is not None:
        raise ValueError(
            "per_document finds separate themes for each text, so no themes can be given: leave "
            "out one of them."
        )
    if update and themes is None:
        raise ValueError("Expected the themes that update adds the texts to.")
    if min_similarity is not None and (themes is None or update):
        raise ValueError(
            "min_similarity says which sentences get one of themes: give themes (in the shell add "
            "--themes), and leave out update, which finds new themes for the others."
        )
    chosen = make_settings(**settings)  # Checks them before the pipeline is loaded.
    usual = ThemeSettings(seed=chosen.seed, max_k=chosen.max_k)
    if themes is not None and (
        others := [name for name in settings if getattr(chosen, name) != getattr(usual, name)]
    ):
        raise ValueError(
            "These are themes that already exist and have names: leave out "
            f"{', '.join(others)}, or themes."
        )
    if isinstance(themes, str | Path):
        themes = CorpusThemes.load(themes)
    sources = [
        # Of a corpus its articles for clustering.
        articles if (articles := path / CLUSTERING_CSV).is_file() else path
        for path in _check_paths(paths)
    ]
    if not isinstance(columns, Columns):
        columns = Columns(**(columns or {}))
    model = model or (themes and themes.model) or PRETRAINED
    nlp = model if isinstance(model, Language) else load_pipeline(model)
    for source in sources:
        said, lang = find_language(source), nlp.vocab.lang
        if is_other_language(lang, said):
            warnings.warn(
                f'{source} says that its language is "{said}", and the model is for "{lang}": its '
                "themes say little. Name a model for that language",
                stacklevel=2,
            )
    clusterers = _complete(nlp, settings, segments, lines)
    names, docs, fields, files, metadata = [], [], [], [], []
    log = log or ReadLog()
    log.skip_bad = skip_bad
    with nlp.select_pipes(disable=clusterers):
        texts = read_texts(sources, log, columns)
        for doc, text in nlp.pipe(((make_doc(nlp, t), t) for t in texts), as_tuples=True):
            on_text()
            docs.append(doc)
            names.append(text.name)
            fields.append(text.fields)
            files.append(text.file)
            metadata.append(find_metadata(text, columns))
    n_texts = sum(len(doc) > 0 for doc in docs)
    if not n_texts:
        named = ", ".join(map(str, sources)) or "No file or folder is named"
        raise ValueError(f"{named}: there is no text to cluster.")
    changes = None
    if per_document is True or (per_document == "auto" and n_texts == 1 and themes is None):
        warn_of_language((doc.text for doc in docs), nlp.lang or "")
        for pipe in clusterers:
            docs = list(nlp.get_pipe(pipe).pipe(docs))  # type: ignore[attr-defined]
    elif themes is None:
        themes = cluster_docs(docs, nlp=nlp, units=units, **settings)
        if not isinstance(model, Language):
            themes.model = str(model)  # A saved pipeline does not know where it is.
    elif update:
        changes = themes.update(docs, nlp, settings.get("seed", 0))
    else:
        for doc in docs:
            themes.assign(doc, min_similarity)
    return ClusteredTexts(names, docs, themes, changes, fields, files, nlp, metadata)


def _check_paths(paths: Any) -> list[Path]:
    """The paths, or a single one as a list. Raises TypeError for texts, and tables of them."""
    listed = [paths] if isinstance(paths, str | Path) else paths
    is_table = hasattr(listed, "columns") or not isinstance(listed, Iterable)
    found = [] if is_table else [*listed]
    if is_table or any(not isinstance(path, str | Path) or _is_text(path) for path in found):
        raise TypeError(
            f"Expected paths of files and folders, found {paths!r:.60}. For texts, make Docs of "
            "them, list(nlp.pipe(texts)), and give these to spacy_thematic.cluster_docs."
        )
    return [*map(Path, found)]


def _is_text(path: str | Path) -> bool:
    """Whether a string is no path, but a text: of lines, too long a name, or words of no file."""
    if not isinstance(path, str):
        return False
    is_long = len(path) > _LONGEST_PATH or len(Path(path).name) > _LONGEST_NAME
    has_words = path.count(" ") >= _FEWEST_SPACES
    return is_long or "\n" in path or (has_words and not Path(path).exists())


def _complete(nlp: Language, settings: dict[str, Any], segments: bool, lines: str) -> list[str]:
    """Add to a pipeline what is missing, and return the names of its clusterers, which find themes
    of each text with some settings."""
    pipe: Any
    find_embedder(nlp)
    ensure_layout_pipe(nlp).lines = lines
    allow_long_texts(nlp)
    if segments and not _list_pipes(nlp, "thematic_segmenter"):
        nlp.add_pipe("thematic_segmenter", after=_list_pipes(nlp, "thematic_embedder")[0])
    for pipe in map(nlp.get_pipe, _list_pipes(nlp, "thematic_segmenter")):
        for name in {"headings", "namer"} & settings.keys():
            setattr(pipe, name, settings[name])
    if not _list_pipes(nlp, "thematic_clusterer"):
        nlp.add_pipe("thematic_clusterer")
    clusterers = _list_pipes(nlp, "thematic_clusterer")
    for pipe in map(nlp.get_pipe, clusterers):
        pipe.settings = replace(pipe.settings, **settings)
    return clusterers


def _list_pipes(nlp: Language, factory: str) -> list[str]:
    return [name for name in nlp.pipe_names if nlp.get_pipe_meta(name).factory == factory]


def write_table(path: Path, found: ClusteredTexts) -> None:
    """Write a CSV or Parquet file, by its ending, with a row for each text: the fields of its row
    or record, or its `title`, `date` if a text has one, front matter and `text`; and what
    `describe_document` says: `theme`, `theme_name`, `theme_parent`, `theme_share` and
    `theme_confidence`; and `file`, where there are several. What the input calls by one of these
    names stays; the theme that was found is then called `thematic_theme`, and so on. No two names
    differ in case alone. Parquet has a `vector` as well, of what the text is about. A file with
    another ending has a line of JSON for each text: its sentences, themes and segments, and the
    other fields of its row as `metadata`."""
    if path.suffix.lower() not in (".csv", ".parquet"):
        lines = map(_make_line, found.names, found.files, found.docs, found.metadata)
        write_bytes(path, "".join(lines).encode())
        return
    described = [*map(describe_document, found.docs)]
    has_dates = any(one["date"] for one, own in zip(described, found.fields) if not own)
    own_names = COLUMNS[: 1 + has_dates]
    read: dict[str, str] = {}
    rows = []
    for doc, one, own, metadata in zip(found.docs, described, found.fields, found.metadata):
        named = {name: one[name] for name in own_names}
        own = own or {**named, **metadata, **named, "text": doc.text}
        rows.append(_rename_equal(own, read))
    written = {key: _find_free(f"theme_{key}", read) for key in COLUMNS[3:]}
    written = {"theme": _find_free("theme", read), **written}
    if len({*found.files}) > 1:
        written["file"] = _find_free("file", read)
    for row, one, source in zip(rows, described, found.files):
        values = {**one, "file": source}
        row |= {name: values[key] for key, name in written.items()}
    names = [*dict.fromkeys((*read.values(), *rows[0]))]
    if path.suffix.lower() == ".csv":
        text = io.StringIO()
        writer = csv.DictWriter(text, names)
        writer.writeheader()
        writer.writerows(rows)
        write_bytes(path, text.getvalue().encode("utf8"))
        return
    import pyarrow
    from pyarrow import parquet

    table = pyarrow.table({name: _align([row.get(name) for row in rows]) for name in names})
    # The topics of texts, or where the model has learned none their mean vectors.
    means = np.stack([mean_row(doc._.thematic_vectors) for doc in found.docs])
    topics = find_topic_map(found.docs[0])
    vectors = [*(means if topics is None else map_to_topics(means, topics))]
    column = pyarrow.array(vectors, pyarrow.list_(pyarrow.float32()))
    table = table.append_column(_find_free("vector", read), column)
    with open_whole(path) as file:
        parquet.write_table(table, file)


def _make_line(name: str, file: str, doc: Doc, metadata: dict[str, Any]) -> str:
    record = {"title": name, "file": file, "date": doc._.thematic_date, "text": doc.text}
    record |= {"metadata": metadata, **make_record(doc)}
    if (segments := doc._.thematic_segments) is not None:
        record["segments"] = [segment.to_dict() for segment in segments]
    return f"{srsly.json_dumps(record)}\n"


def _rename_equal(record: Mapping[str, Any], names: dict[str, str]) -> dict[str, Any]:
    """A record whose names are, where they differ in case alone, those of other records; a second
    in the record gets a number. names: those so far, by what they are in lower case."""
    row: dict[str, Any] = {}
    for name, value in record.items():
        while (shown := names.setdefault(name.lower(), name)) in row:
            name += ".1"
        row[shown] = value
    return row


def _find_free(name: str, taken: Collection[str]) -> str:
    while name in taken:
        name = f"thematic_{name}"
    return name


def _align(values: list[Any]) -> list[Any]:
    """Values of one type: texts, where records have others beside each other."""
    kinds = {type(value) for value in values if value is not None}
    return values if len(kinds) < 2 else [v if v is None else str(v) for v in values]
