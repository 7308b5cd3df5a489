"""A page to look at: the text of Docs with each sentence in the colour of its theme."""

import base64
import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from spacy.tokens import Doc

from spacy_thematic.files import write_bytes
from spacy_thematic.naming.content import CONTROLS
from spacy_thematic.report.text import count_sections, list_contents, split_text
from spacy_thematic.report.themes import (
    explain_k,
    find_shared_themes,
    get_themes,
    have_one_theme,
    hue,
    make_columns,
)
from spacy_thematic.span_keys import CLUSTERS_KEY

_FOLDER = Path(__file__).parent / "templates"
_TEMPLATES = Environment(
    loader=FileSystemLoader(_FOLDER),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_TEMPLATES.filters["hue"] = hue
_MANY, _LONG = 200, 200_000
"""From this many texts on, or this many characters of several, a text is shown only when a reader
opens it."""
_CONTROLS = {ord(character): " " for character in CONTROLS.difference("\t\n\r")}
"""What HTML does not allow, and what turns the direction of all that follows."""


def render_page(
    docs: Iterable[Doc],
    title: str = "Themes",
    names: Sequence[str] | None = None,
    timeline: Mapping[str, Mapping[int, int]] | None = None,
    max_texts: int | None = None,
) -> str:
    """Render Docs that `thematic_clusterer` has processed as one self-contained HTML page.

    Of several Docs, the themes that they share come first, with sentences of each from all Docs,
    and links to the Docs. The reader can search and sort them, and save the table as CSV. From 200
    Docs on the reader opens those to see.

    A Doc that `thematic_segmenter` has processed too is shown in its segments, with a list of links
    to them. The rule above each is as long as the boundary there is strong.

    All text is escaped, control characters become spaces, and the page forbids the browser to load
    anything or to run any script but its own.

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
        "themes": themes,
        "groups": groups,
        "contents": list_contents(doc._.thematic_segments or ()),
        "parts": split_text(doc),
        "sections": count_sections(doc),
        "explanation": explain_k(doc),
        "counts": Counter(sentence.id for sentence in doc.spans[CLUSTERS_KEY]),
    }
