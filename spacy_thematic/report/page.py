"""A page to look at: the text of Docs with each sentence in the colour of its theme."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from spacy.tokens import Doc

from spacy_thematic.files import write_bytes
from spacy_thematic.report.sections import count_sections, find_sections
from spacy_thematic.report.sentence_map import SIZE, map_sentences
from spacy_thematic.report.themes import get_themes, hue
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


def render_page(
    docs: Iterable[Doc], title: str = "Themes", names: Sequence[str] | None = None
) -> str:
    """Render Docs that `thematic_clusterer` has processed as one self-contained HTML page.

    All text is escaped, and the page forbids the browser to load anything or to run any script but
    its own.

    Args:
        docs: The Docs to show.
        title: The page's title and heading.
        names: A heading for each Doc; "Text 1" and so on if None.

    Raises:
        ValueError: If a Doc has no themes.
        TypeError: If something else than Docs is given.
    """
    script = (_FOLDER / "page.js").read_text(encoding="utf8")
    return _TEMPLATES.get_template("page.html").render(
        title=title,
        policy=_allow_only(script),
        style=Markup((_FOLDER / "page.css").read_text(encoding="utf8")),
        script=Markup(script),
        map_size=SIZE,
        texts=[
            _describe(doc, names[number] if names is not None else f"Text {number + 1}")
            for number, doc in enumerate(docs)
        ],
    )


def write_page(
    docs: Iterable[Doc],
    path: str | Path,
    title: str = "Themes",
    names: Sequence[str] | None = None,
) -> None:
    """Write `render_page(docs, title, names)` to a file, in UTF-8."""
    write_bytes(Path(path), render_page(docs, title, names).encode())


def _allow_only(script: str) -> str:
    """The policy under which a browser runs this script and no other, and loads nothing."""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"


def _describe(doc: Doc, name: str) -> dict[str, Any]:
    """What the template shows of one Doc."""
    themes = get_themes(doc)
    groups: dict[str | None, list[Any]] = {}
    for theme in themes:
        groups.setdefault(theme.parent, []).append(theme)
    sentences, rest = _split_text(doc)
    return {
        "name": name,
        "themes": themes,
        "groups": groups,
        "sentences": sentences,
        "rest": rest,
        "sections": count_sections(doc),
        "points": map_sentences(doc),
    }


class _Sentence(NamedTuple):
    """A sentence without the space around it; the text before it; and the title of its section, if
    it is the first of one."""

    before: str
    heading: str
    number: int
    label: str
    text: str


def _split_text(doc: Doc) -> tuple[list[_Sentence], str]:
    """The sentences, and the text after the last."""
    section_of = find_sections(doc)
    sentences = []
    end, section = 0, ""
    for span in doc.spans[CLUSTERS_KEY]:
        text = span.text.strip()
        start = span.start_char + span.text.index(text)
        before, former = doc.text[end:start], section
        end, section = start + len(text), section_of.get(span.start, "")
        heading = section if section != former else ""
        if heading:
            before = before.strip()
        sentences.append(_Sentence(before, heading, span.id, span.label_, text))
    return sentences, doc.text[end:]
