"""Documents that markitdown or Pandoc turn into Markdown, and PDF, of which pdfminer tells the
text."""

import re
from pathlib import Path

from spacy_thematic.articles.documents import decode
from spacy_thematic.articles.sources import SourceError

_CONVERTERS = {
    ".docx": "DocxConverter",
    ".epub": "EpubConverter",
    ".ipynb": "IpynbConverter",
    ".pptx": "PptxConverter",
}
OF_MARKITDOWN = (*_CONVERTERS, ".pdf")
OF_PANDOC = {".odt": "odt", ".rtf": "rtf", ".tex": "latex"}
SUFFIXES = (*OF_MARKITDOWN, *OF_PANDOC)
_STYLES = """
p[style-name='Title'] => h1:fresh
p[style-name='Subtitle'] => h2:fresh
p[style-name='Quote'] => blockquote > p:fresh
p[style-name='Intense Quote'] => blockquote > p:fresh
"""
"""Of Word, which its reader takes for paragraphs."""
_LINE_OF_SLIDE = re.compile(r"\n(?![\n|])")
_ABSTRACT = re.compile(r"\\(?:begin|end)\{abstract\}")
"""Around an abstract of LaTeX, which Pandoc takes for metadata."""
_LEFT_BY_NOTES = re.compile(r"[ \xa0]+\([\s\xa0,;]*\)|[ \xa0]+(?=[.,;:](?:\s|\Z))")
"""What is left around a reference or citation that Pandoc does not know."""
_METADATA = re.compile(r"\*\*(\w+):\*\* ([^\n]*)\n?")


def convert(path: Path) -> str:
    """Return a document as Markdown; of PDF the plain text. Raises SourceError if what reads it is
    missing, or cannot read the file."""
    is_of_pandoc = path.suffix.lower() in OF_PANDOC
    found = _convert_by_pandoc(path) if is_of_pandoc else _convert_by_markitdown(path)
    return found.replace("\0", "").encode("utf8", errors="replace").decode()


def _convert_by_pandoc(path: Path) -> str:
    suffix = path.suffix.lower()
    try:
        import pypandoc
    except ImportError as error:
        raise _name_missing(path, "Pandoc", "pandoc") from error
    options = ["--standalone", "--wrap=none", "--sandbox", "--quiet"]
    to_markdown = "gfm-raw_html", OF_PANDOC[suffix], options
    try:
        if suffix != ".tex":
            return pypandoc.convert_file(path, *to_markdown)
        text = _ABSTRACT.sub("\n\n", decode(path.read_bytes()))
        return _LEFT_BY_NOTES.sub("", pypandoc.convert_text(text, *to_markdown))
    except (OSError, RuntimeError, ValueError) as error:
        # Two lines say where the error is, and what it is; those below show it.
        reason = str(error).rpartition("during conversion: ")[2].split("\n")
        raise _name_unreadable(path, " ".join(reason[:2]).strip()) from error


def _convert_by_markitdown(path: Path) -> str:
    suffix = path.suffix.lower()
    try:
        from markitdown import StreamInfo, converters
        from pdfminer.high_level import extract_text
    except ImportError as error:
        raise _name_missing(path, "markitdown", "files") from error
    try:
        with path.open("rb") as file:
            if suffix == ".pdf":  # In which markitdown takes lines of prose for tables.
                found = extract_text(file)
            else:  # Not by MarkItDown, which reads what is damaged as plain text.
                converter = getattr(converters, _CONVERTERS[suffix])()
                info = StreamInfo(extension=suffix)
                found = converter.convert(file, info, style_map=_STYLES).markdown
    except Exception as error:  # Each kind is read by another library, with errors of its own.
        reason = str(error).strip().rpartition("\n")[2] or type(error).__name__
        raise _name_unreadable(path, reason) from error
    if suffix == ".pptx":  # Each line of a slide is a paragraph of it.
        found = _LINE_OF_SLIDE.sub("\n\n", found)
    elif suffix == ".epub":
        head, _, rest = found.partition("\n\n")
        if _METADATA.match(head):
            fields = (f"{key.lower()}: {value}" for key, value in _METADATA.findall(head))
            found = "\n".join(("---", *fields, "---", rest))
    return found


def _name_missing(path: Path, reader: str, extra: str) -> SourceError:
    return SourceError(
        f"{path} needs {reader} to be read: install spacy-thematic[{extra}], or save the text as "
        ".txt, Markdown or HTML"
    )


def _name_unreadable(path: Path, reason: str) -> SourceError:
    return SourceError(f"{path} is not a readable {path.suffix.lower()} file: {reason}")
