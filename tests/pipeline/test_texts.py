"""The texts that a user names."""

import os
from threading import Thread

import pytest

from spacy_thematic.articles.formats import read_articles
from spacy_thematic.articles.sources import ReadLog, SourceError
from spacy_thematic.pipeline.texts import read_texts

MARKDOWN = """# Notes

Ships sail.

- Rivers rise in the hills.
- They flood:
  1. the valley
  2. the town

> Kings wage wars.

| a | b |
|---|---|
| one | two |

    code
"""
HTML = """<h1>Notes</h1><nav><ul><li>All pages of this site</ul></nav><p>Ships sail.</p>
<ul><li><a>Home</a><li>Rivers rise in the hills.<li><p>They flood:</p>
<ol><li>the valley and the town</ol></ul>
<blockquote>Kings wage wars.</blockquote><ul><li><a>About us</a><li>See the <a>sea</a></ul>
<dl><dt>Wax<dd>It is made by bees.</dl><figure><figcaption>A hive.</figcaption></figure>
<table><tr><td>one</table>"""


@pytest.mark.parametrize(
    "name, text, expected",
    [
        ("a.md", MARKDOWN, ["the valley", "the town", "Kings wage wars."]),
        (
            "a.html",
            HTML,
            [
                *("the valley and the town", "Kings wage wars.", "See the sea"),
                *("Wax", "It is made by bees.", "A hive."),
            ],
        ),
    ],
)
def test_lists_and_quotations_are_text_and_no_articles_to_learn_from(
    tmp_path, name, text, expected
):
    path = tmp_path / name
    path.write_text(text)
    (found,) = read_texts([path], ReadLog())
    assert found.name == "Notes"
    first = ["Ships sail.", "Rivers rise in the hills.", "They flood:"]
    assert found.paragraphs == [*first, *expected]
    (article,) = read_articles(path)
    assert [section.paragraphs for section in article.sections] == [["Ships sail."]]


LOOSE = """<title>Notes</title><div><a>Home</a> <a>About this site</a></div><div>Ships <b>sail</b>
to the sea.<div>Rivers rise in the hills.</div>They flood the valley (often).</div><p>Kings.</p>
It said “Go to the sea.”<h2>More</h2><section>Bees make wax and honey.<script>a.</script></section>
<form>Enter the name of your town</form><footer>Nobody reads this line.</footer>"""


def test_text_in_no_paragraph_is_text_where_it_reads_like_prose(tmp_path):
    path = tmp_path / "a.html"
    path.write_text(LOOSE)
    (found,) = read_texts([path], ReadLog())
    assert found.paragraphs == [
        "Ships sail to the sea.",
        "Rivers rise in the hills.",
        "They flood the valley (often).",
        "Kings.",
        "It said “Go to the sea.”",
        "Bees make wax and honey.",
    ]
    (article,) = read_articles(path)
    assert article.sections[0].paragraphs == ["Kings."]


def read(path):
    found = read_texts([path], ReadLog())
    return [(text.name, text.paragraphs, text.date, text.number) for text in found]


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_rows_with_a_text_are_texts(tmp_path, delimiter):
    path = tmp_path / "tickets.csv"
    rows = [
        ("Date", "id", "Text", "title"),
        ("2026-01-02", "1", '"Ships, sail;\n\nRivers\trise."', "Ships"),
        ("", "2", "Kings wage wars.", ""),
        ("", "3", "Bees make wax."),
    ]
    path.write_text("\n".join(map(delimiter.join, rows)))
    assert read(path) == [
        ("Ships", ["Ships, sail;", "Rivers\trise."], "2026-01-02", 1),
        ("tickets 2", ["Kings wage wars."], "", 2),
        ("tickets 3", ["Bees make wax."], "", 3),
    ]


def test_rows_without_a_text_are_told(tmp_path):
    path = tmp_path / "tickets.csv"
    path.write_text("id,body\n1,Ships sail.")
    with pytest.raises(SourceError, match="no column text: expected a CSV file"):
        read(path)
    # What stands beside texts in a folder may be anything.
    (tmp_path / "a.txt").write_text("Ships sail.")
    assert [name for name, *_ in read(tmp_path)] == ["a"]


@pytest.mark.parametrize("name", ["a.vtt", "a.srt", "a.text", "a.txt"])
def test_subtitles_are_plain_text(tmp_path, name):
    path = tmp_path / name
    path.write_text("WEBVTT\n\n00:01.000 --> 00:03.000\nShips sail.")
    assert read(path) == [("a", ["WEBVTT", "00:01.000 --> 00:03.000\nShips sail."], "", 1)]


@pytest.mark.parametrize("is_pipe", [False, True])
def test_records_are_known_by_their_content_in_a_pipe_or_without_an_ending(tmp_path, is_pipe):
    path = tmp_path / "texts"
    records = b'{"text": "The river floods."}\n{"text": "A bank pays."}\n'
    if is_pipe:
        os.mkfifo(path)
        Thread(target=path.write_bytes, args=[records], daemon=True).start()
    else:
        path.write_bytes(records)
    found = list(read_texts([path], ReadLog()))
    assert [text.paragraphs for text in found] == [["The river floods."], ["A bank pays."]]
