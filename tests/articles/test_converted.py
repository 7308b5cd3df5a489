"""Documents that markitdown or Pandoc read."""

import json
import zipfile

import pytest

from spacy_thematic.articles.sources import ReadLog, SourceError
from spacy_thematic.pipeline.texts import read_texts

SHIPS = "Ships sail to the sea."


def write_zip(path, files):
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)


def write_docx(path):
    space = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    relations = "http://schemas.openxmlformats.org/package/2006/relationships"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"
    kinds = "http://schemas.openxmlformats.org/package/2006/content-types"
    main = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
    style = '<w:pPr><w:pStyle w:val="Heading1"/></w:pPr>'
    write_zip(
        path,
        {
            "[Content_Types].xml": f'<Types xmlns="{kinds}"><Default Extension="rels" ContentType='
            '"application/vnd.openxmlformats-package.relationships+xml"/><Override PartName='
            f'"/word/document.xml" ContentType="{main}"/></Types>',
            "_rels/.rels": f'<Relationships xmlns="{relations}"><Relationship Id="r1" '
            f'Type="{office}" Target="word/document.xml"/></Relationships>',
            "word/styles.xml": f'<w:styles xmlns:w="{space}"><w:style w:type="paragraph" '
            'w:styleId="Heading1"><w:name w:val="heading 1"/></w:style></w:styles>',
            "word/_rels/document.xml.rels": f'<Relationships xmlns="{relations}"><Relationship '
            f'Id="r1" Type="{office.rpartition("/")[0]}/styles" Target="styles.xml"/>'
            "</Relationships>",
            "word/document.xml": f'<w:document xmlns:w="{space}"><w:body><w:p>{style}<w:r><w:t>'
            f"Ships</w:t></w:r></w:p><w:p><w:r><w:t>{SHIPS}</w:t></w:r></w:p></w:body>"
            "</w:document>",
        },
    )


def write_epub(path):
    write_zip(
        path,
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": '<container><rootfiles><rootfile full-path="a.opf"/>'
            "</rootfiles></container>",
            "a.opf": '<package xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata><dc:title>Sea'
            '</dc:title></metadata><manifest><item id="a" href="a.xhtml"/></manifest><spine>'
            '<itemref idref="a"/></spine></package>',
            "a.xhtml": f"<html><body><h1>Ships</h1><p>{SHIPS}</p></body></html>",
        },
    )


def write_ipynb(path):
    cell = {"cell_type": "markdown", "metadata": {}, "source": ["# Ships\n", "\n", SHIPS]}
    code = {"cell_type": "code", "metadata": {}, "outputs": [], "source": ["x = 1"]}
    notebook = {"cells": [cell, code], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    path.write_text(json.dumps(notebook))


def write_pptx(path):
    slides = pytest.importorskip("pptx").Presentation()
    slide = slides.slides.add_slide(slides.slide_layouts[1])
    slide.shapes.title.text = "Ships"
    slide.placeholders[1].text = SHIPS
    slides.save(path)


def write_pdf(path):
    content = f"BT /F1 12 Tf 72 700 Td ({SHIPS}) Tj ET"
    font = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"
    objects = [
        "<</Type/Catalog/Pages 2 0 R>>",
        "<</Type/Pages/Kids[3 0 R]/Count 1>>",
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources"
        f"<</Font<</F1 {font}>>>>>>",
        f"<</Length {len(content)}>>stream\n{content}\nendstream\n",
    ]
    body = "%PDF-1.4\n"
    places = []
    for number, one in enumerate(objects, start=1):
        places.append(len(body))
        body += f"{number} 0 obj\n{one}\nendobj\n"
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    start = len(body)
    body += f"xref\n0 5\n0000000000 65535 f \n{table}trailer<</Size 5/Root 1 0 R>>\n"
    path.write_text(f"{body}startxref\n{start}\n%%EOF")


@pytest.mark.parametrize("write", [write_docx, write_epub, write_ipynb, write_pdf, write_pptx])
def test_what_markitdown_reads_is_read(tmp_path, write):
    pytest.importorskip("markitdown")
    path = tmp_path / f"a.{write.__name__.removeprefix('write_')}"
    write(path)
    (text,) = read_texts([path], ReadLog())
    assert SHIPS in text.paragraphs


def test_titles_and_quotations_of_word_are_such(tmp_path):
    pytest.importorskip("markitdown")
    document = pytest.importorskip("docx").Document()
    document.add_heading("The Sea", 0)
    document.add_paragraph(SHIPS)
    document.add_paragraph("The sea is deep.", style="Quote")
    document.save(tmp_path / "a.docx")
    (text,) = read_texts([tmp_path / "a.docx"], ReadLog())
    assert (text.name, text.paragraphs) == ("The Sea", [SHIPS, "The sea is deep."])
    assert text.kinds == {1: "quote"}


def test_lines_of_a_slide_are_paragraphs(tmp_path):
    pytest.importorskip("markitdown")
    slides = pytest.importorskip("pptx").Presentation()
    slide = slides.slides.add_slide(slides.slide_layouts[1])
    slide.shapes.title.text = "Ships"
    slide.placeholders[1].text = "They sail to the sea\nTheir crews are small"
    slides.save(tmp_path / "a.pptx")
    (text,) = read_texts([tmp_path / "a.pptx"], ReadLog())
    assert text.paragraphs == ["They sail to the sea", "Their crews are small"]


def test_what_a_book_says_of_itself_is_no_text(tmp_path):
    pytest.importorskip("markitdown")
    write_epub(tmp_path / "a.epub")
    (text,) = read_texts([tmp_path / "a.epub"], ReadLog())
    assert (text.name, text.paragraphs) == ("Sea", [SHIPS])


def test_a_damaged_file_is_named(tmp_path):
    pytest.importorskip("markitdown")
    path = tmp_path / "a.docx"
    path.write_bytes(b"PK")
    with pytest.raises(SourceError, match=r"a\.docx is not a readable \.docx file"):
        list(read_texts([path], ReadLog()))


def test_what_needs_markitdown_says_so(tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "markitdown", None)
    path = tmp_path / "a.pdf"
    write_pdf(path)
    with pytest.raises(SourceError, match=r"install spacy-thematic\[files\]"):
        list(read_texts([path], ReadLog()))


LATEX = r"""
\documentclass{book}
\title{The Sea}
\newcommand{\sea}{North Sea}
\begin{document}
\maketitle
\begin{abstract}
Who sails, and what main() says.
\end{abstract}
\chapter{Ships} % of all kinds
\label{ch:ships}
Ships \emph{cross} the \sea{} \cite{lee2001}. They carry grain~(\ref{ch:ships}).

\section*{Harbours}
Each harbour has ``its own'' pilot, a caf\'e.
\end{document}
"""


@pytest.fixture
def pandoc():
    return pytest.importorskip("pypandoc")


def test_latex_is_read(tmp_path, pandoc):
    path = tmp_path / "a.tex"
    path.write_text(LATEX, encoding="utf-16")
    (text,) = read_texts([path], ReadLog())
    assert text.name == "The Sea"
    assert text.paragraphs == [
        "Who sails, and what main() says.",
        "Ships cross the North Sea. They carry grain (1).",
        "Each harbour has “its own” pilot, a café.",
    ]
    assert text.sections == ["", "", "Harbours"]


def test_rich_text_and_open_documents_are_read(tmp_path, pandoc):
    for suffix in (".rtf", ".odt"):
        path = tmp_path / f"a{suffix}"
        pandoc.convert_text(SHIPS, suffix[1:], "gfm", ["-s"], outputfile=str(path))
        (text,) = read_texts([path], ReadLog())
        assert SHIPS in text.paragraphs


def test_latex_that_cannot_be_read_is_named(tmp_path, pandoc):
    path = tmp_path / "a.tex"
    path.write_text(r"\begin{itemize} \item Ships")
    with pytest.raises(
        SourceError, match=r"a\.tex is not a readable \.tex file: Error at .*unexpected"
    ):
        list(read_texts([path], ReadLog()))


def test_what_needs_pandoc_says_so(tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "pypandoc", None)
    path = tmp_path / "a.tex"
    path.write_text(LATEX)
    with pytest.raises(SourceError, match=r"install spacy-thematic\[pandoc\]"):
        list(read_texts([path], ReadLog()))
