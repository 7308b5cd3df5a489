"""Documents that markitdown turns into Markdown, and PDF, of which pdfminer tells the text."""

import re
from pathlib import Path

from spacy_thematic.articles.sources import SourceError

_CONVERTERS = {
    ".docx": "DocxConverter",
    ".epub": "EpubConverter",
    ".ipynb": "IpynbConverter",
    ".pptx": "PptxConverter",
}
SUFFIXES = (*_CONVERTERS, ".pdf")
_STYLES = """
p[style-name='Title'] => h1:fresh
p[style-name='Subtitle'] => h2:fresh
p[style-name='Quote'] => blockquote > p:fresh
p[style-name='Intense Quote'] => blockquote > p:fresh
"""
"""Of Word, which its reader takes for paragraphs."""
_LINE_OF_SLIDE = re.compile(r"\n(?![\n|])")
_METADATA = re.compile(r"\*\*(\w+):\*\* ([^\n]*)\n?")


def convert(path: Path) -> str:
    """Return a document as Markdown; of PDF the plain text. Raises SourceError if markitdown is
    missing, or cannot read the file."""
    suffix = path.suffix.lower()
    try:
        from markitdown import StreamInfo, converters
        from pdfminer.high_level import extract_text
    except ImportError as error:
        raise SourceError(
            f"{path} needs markitdown to be read: install spacy-thematic[files], or save the text "
            "as .txt, Markdown or HTML"
        ) from error
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
        raise SourceError(f"{path} is not a readable {suffix} file: {reason}") from error
    if suffix == ".pptx":  # Each line of a slide is a paragraph of it.
        found = _LINE_OF_SLIDE.sub("\n\n", found)
    elif suffix == ".epub":
        head, _, rest = found.partition("\n\n")
        if _METADATA.match(head):
            fields = (f"{key.lower()}: {value}" for key, value in _METADATA.findall(head))
            found = "\n".join(("---", *fields, "---", rest))
    return found.replace("\0", "").encode("utf8", errors="replace").decode()
