"""Each reader on small files of its true format, written here."""

import pytest

from spacy_thematic.articles.article import Article, Section
from spacy_thematic.articles.formats import Format, find_format, read_articles
from spacy_thematic.articles.sources import ReadLog, SourceError


def write(tmp_path, name, content):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


BENCHMARK = (
    b"Article Title,Sentence,SectionTitle,Article Link\r\n"
    b'Oak,"Oaks, which\r\nare trees, grow.",Growth,http://w/Oak\r\n'
    b"Oak,Wood is hard.,Uses,http://w/Oak\r\n"
    b'Oak,"They ""live"" long.",Growth,http://w/Oak\r\n'
    b"Elm,Elms die.,Disease,http://w/Elm\r\n"
)


def test_sentence_clustering_benchmark(tmp_path):
    path = write(tmp_path, "dataset.csv", b"\xef\xbb\xbf" + BENCHMARK)
    assert find_format(path).name == "sentence_clustering"
    assert list(read_articles(path)) == [
        Article(
            "Oak",
            "http://w/Oak",
            [
                Section("Growth", 2, ["Oaks, which are trees, grow.", 'They "live" long.']),
                Section("Uses", 2, ["Wood is hard."]),
            ],
        ),
        Article("Elm", "http://w/Elm", [Section("Disease", 2, ["Elms die."])]),
    ]


@pytest.mark.parametrize(
    "row",
    [b"Oak,too short\r\n", b"Oak,\x81,a,b\r\n", b"Oak,a\0b,a,b\r\n", b"Oak," + b"x" * 200_000],
)
def test_bad_rows(tmp_path, row):
    path = write(tmp_path, "dataset.csv", BENCHMARK + row)
    with pytest.raises(SourceError, match=r"dataset\.csv, line 7: .*--skip-bad"):
        list(read_articles(path))
    log = ReadLog(skip_bad=True)
    assert len(list(read_articles(path, log=log))) == 2
    assert log.skipped == {"bad record": 1}


def test_csv_without_the_columns(tmp_path):
    path = write(tmp_path, "dataset.csv", b"Article Title,Sentence\nOak,Wood.\n")
    with pytest.raises(SourceError, match="no column SectionTitle, Article Link"):
        list(read_articles(path))


MARKDOWN = """---
layout: page
title: "The Oak"
---
# Oaks

An **oak** is a [tree](x.html) of
`Quercus`.![alt](x.png)

## Uses {#uses}

- a list

> a quotation

| a | b |
|---|---|
| c | d |

Wood &amp; <b>more</b>.

    code

```
more code
```

Furniture
---------
Chairs.
"""


def test_markdown(tmp_path):
    path = write(tmp_path, "oak.md", MARKDOWN)
    assert find_format(path).name == "markdown"
    assert list(read_articles(path)) == [
        Article(
            "The Oak",
            "oak.md",
            [
                Section("", 1, ["An oak is a tree of Quercus."]),
                Section("Uses", 2, ["Wood & more."]),
                Section("Furniture", 2, ["Chairs."]),
            ],
        )
    ]


def test_markdown_titles(tmp_path):
    assert read_title(write(tmp_path, "a.md", "Text.\n\n# One\n\nMore.")) == "One"
    several = next(
        read_articles(write(tmp_path, "b.md", "# One\n\nx\n\n## Sub\n\ny\n\n# Two\n\nz"))
    )
    assert several.title == "b"
    assert [(part.level, part.title) for part in several.sections] == [
        (1, ""),
        (2, "One"),
        (3, "Sub"),
        (2, "Two"),
    ]


def read_title(path):
    return next(read_articles(path)).title


HTML = """<!DOCTYPE html><html><head><title>Site - Oak</title><style>p {}</style></head><body>
<nav><p>Home</p></nav>
<h1>Oak<a>¶</a></h1><p>An <b>oak</b> is<br>a tree &amp; more.<script>var p = "<p>";</script></p>
<div><h2>Uses</h2><p>Wood.<p>Chairs.
<ul><li><p>item</p></ul><pre><p>code</p></pre><table><tr><td><p>cell</p></table>
<h3>Old</h3>loose text<p>Ships.</p></div><footer><p>Imprint</p></footer></body></html>"""


def test_html(tmp_path):
    path = write(tmp_path, "oak.html", HTML)
    assert find_format(path).name == "html"
    assert list(read_articles(path)) == [
        Article(
            "Oak",
            "oak.html",
            [
                Section("", 1, ["An oak is a tree & more."]),
                Section("Uses", 2, ["Wood.", "Chairs."]),
                Section("Old", 3, ["Ships."]),
            ],
        )
    ]


def test_html_in_a_declared_encoding(tmp_path):
    text = '<html><meta charset="windows-1252"><h1>Café</h1><p>Crème.</p>'
    article = next(read_articles(write(tmp_path, "a.html", text.encode("windows-1252"))))
    assert article.title == "Café"
    assert article.sections[0].paragraphs == ["Crème."]


@pytest.mark.parametrize("suffix, name", [(".md", "markdown"), (".html", "html")])
def test_folder(tmp_path, suffix, name):
    text = {".md": "# {0}\n\nText.", ".html": "<h1>{0}</h1><p>Text."}[suffix]
    for file in ("b", "a", "sub/c", ".hidden/d"):
        path = tmp_path / f"{file}{suffix}"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text.format(path.stem.upper()))
    (tmp_path / "other.txt").write_text("x")
    (tmp_path / "loop").symlink_to(tmp_path, target_is_directory=True)
    (tmp_path / f"self{suffix}").symlink_to(tmp_path / f"self{suffix}")
    assert find_format(tmp_path).name == name
    with pytest.raises(SourceError, match="a link to nothing"):
        list(read_articles(tmp_path))
    (tmp_path / f"self{suffix}").unlink()
    log = ReadLog()
    articles = list(read_articles(tmp_path, log=log))
    assert [article.title for article in articles] == ["A", "B", "C"]
    assert "that end in .txt (1) are not read with those" in log.problems[0]
    assert articles[2].source == f"{tmp_path.name}/sub/c{suffix}"
    assert log.bytes_read == log.total_bytes > 0


def test_an_ending_of_two_parts_is_known_in_a_folder_and_by_itself(tmp_path):
    tei = Format("tei", "TEI", lambda path, log, lists: iter(()), (".tei.xml",))
    (tmp_path / "a.TEI.xml").write_text("<TEI/>")
    (tmp_path / "other.xml").write_text("<a/>")
    assert tei.has_name(tmp_path)
    assert [
        tei.has_name(tmp_path / name) for name in ("a.TEI.xml", "a.tei.xml.gz", "other.xml")
    ] == [
        True,
        True,
        False,
    ]


@pytest.mark.parametrize("content", [b"caf\x81", b"a\0b"])
@pytest.mark.parametrize("suffix", [".md", ".html"])
def test_bad_documents(tmp_path, suffix, content):
    write(tmp_path, f"a{suffix}", content)
    write(tmp_path, f"b{suffix}", "text")
    with pytest.raises(SourceError, match="--skip-bad"):
        list(read_articles(tmp_path))
    log = ReadLog(skip_bad=True)
    assert len(list(read_articles(tmp_path, log=log))) == 1
    assert log.skipped == {"bad record": 1}


def test_overlong_documents_are_skipped(tmp_path):
    write(tmp_path, "a.md", b"word " * 1_000_000)
    write(tmp_path, "b.md", "text")
    log = ReadLog()
    assert len(list(read_articles(tmp_path, log=log))) == 1
    assert log.skipped == {"page too long": 1}


def test_a_million_unclosed_tags(tmp_path):
    content = "<html>" + "<b>" * 1_000_000 + "<p>The end."
    article = next(read_articles(write(tmp_path, "a.html", content)))
    assert article.sections[0].paragraphs == ["The end."]


def test_a_folder_without_documents(tmp_path):
    with pytest.raises(SourceError, match="is empty: expected articles"):
        list(read_articles(tmp_path))
    (tmp_path / "page.pdf").write_bytes(b"%PDF")
    with pytest.raises(SourceError, match="Cannot recognise the format of .*a folder"):
        list(read_articles(tmp_path))


def test_html_outside_of_main_is_not_read():
    from spacy_thematic.articles.html import parse_html

    page = (
        b"<title>Chapter 3 - The Book</title><h1>The Book</h1><h2>Keyboard shortcuts</h2>"
        b"<p>Press a key.</p><main><h2>Borrowing</h2>"
        b"<p>You may borrow what others own, if they do not change it.</p></main>"
        b"<h2>Footer</h2><p>Made by us.</p>"
    )
    found = parse_html(page, "file", "source")
    assert found.title == "Chapter 3 - The Book"
    assert [(s.title, s.paragraphs) for s in found.sections] == [
        ("", []),
        ("Borrowing", ["You may borrow what others own, if they do not change it."]),
    ]
