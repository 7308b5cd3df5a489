"""The texts that a user names."""

import pytest

from spacy_thematic.articles.formats import read_articles
from spacy_thematic.articles.sources import ReadLog
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
<ul><li>Home<li>Rivers rise in the hills.<li><p>They flood:</p>
<ol><li>the valley and the town</ol></ul>
<blockquote>Kings wage wars.</blockquote><dl><dt>Wax<dd>It is made by bees.</dl>
<table><tr><td>one</table>"""


@pytest.mark.parametrize(
    "name, text, expected",
    [
        ("a.md", MARKDOWN, ["the valley", "the town", "Kings wage wars."]),
        ("a.html", HTML, ["the valley and the town", "Kings wage wars.", "It is made by bees."]),
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
