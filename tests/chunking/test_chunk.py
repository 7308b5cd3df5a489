import copy
import itertools
import pickle
import re

import numpy as np
import pytest
import spacy
from hypothesis import given, settings
from hypothesis import strategies as st

import spacy_thematic
from spacy_thematic.chunking.chunker import Chunk, Chunker
from spacy_thematic.chunking.source import read_source

MARKDOWN = """---
title: A guide
---
Before all headings, there is a text of some length which says what this is.

# Guide

## Rivers

The river rises in the mountains. It floods the valley each spring. Its water is cold and clear.

### Lakes

The lake is deep. Many fish live in the lake, and birds nest on its shore in the spring.

## Kings

```
# not a heading
```

The king fought two wars. His army lost the first battle. The queen signed the peace.

Wars
----
A war was fought for the crown. Both armies were tired when the winter came to the country.
"""
HTML = """<!DOCTYPE html>
<html><head><title>Guide</title><style>h1 { color: red }</style></head><body>
<h1 class="a > b">Guide &amp; map</h1>
<div><h2>Rivers</h2>
<p>The river rises in the mountains. It floods the valley each spring, and its water is cold.</p>
</div>
<!-- <h2>Not a heading</h2> -->
<div><h2>Kings</h2>
<p>The king fought two wars. His army lost the first battle. The queen signed the peace.</p></div>
</body></html>
"""
GUIDE = "# Guide\n\n## Rivers\n\nThe river floods.\n\n## Kings\n\nThe king fought.\n"
THEMES = [
    "The river floods the valley in spring, and the lake is full of water. ",
    "The king fought a war against the queen, and his army lost the battle. ",
]


def n_words(text):
    return len(text.split())


def around(text):
    """As many tokenizers, which put two tokens around every text."""
    return ["[CLS]", *text.split(), "[SEP]"]


def in_pairs(text):
    """Sizes of parts do not add up to that of the whole: less, or more."""
    return len(text) ** 2 // 40


def assert_covers(chunks, text, is_html=False, place=0):
    for chunk in chunks:
        assert chunk.start == place < chunk.end
        assert is_html or chunk.text == text[chunk.start : chunk.end]
        assert chunk.heading == (chunk.path[-1] if chunk.path else "")
        place = chunk.end
    # A tag or comment that is not closed before the text ends is shown by no browser, nor is a soft
    # hyphen by itself; and a pilcrow links to a heading.
    unclosed = "</?[a-zA-Z][^<>]*$|<[!?/][^>]*$"
    shows_nothing = is_html and not re.sub(f"<[^<>]*>|{unclosed}|[\xad¶]", "", text).strip()
    assert place == len(text) or (not chunks and (shows_nothing or not text.strip()))


COUNTERS = {"characters": len, "around": around, "bytes": str.encode, "in pairs": in_pairs}
PIECES = ["# A\n", "\r\n", "## B\n\n", "x. ", "<h1>", "</h1>", "<p>", "- ", "|", "A b c. ", "=\n"]
TEXTS = st.text() | st.lists(st.sampled_from(PIECES) | st.text(max_size=9)).map("".join)


@given(
    TEXTS,
    st.integers(4, 60),
    st.sampled_from(sorted(COUNTERS)),
    st.sampled_from(["auto", "html", "markdown", "plain"]),
)
@settings(max_examples=300, deadline=None)
def test_nothing_is_lost_and_no_chunk_is_above_its_size(text, largest, counter, markup):
    count = COUNTERS[counter]
    chunks = spacy_thematic.chunk(text, largest, count, markup=markup)
    is_html = markup == "html" or (markup == "auto" and "<" in text)
    assert_covers(chunks, text, is_html)
    for chunk in chunks:
        size = count(chunk.text)
        assert (size if isinstance(size, int) else len(size)) <= largest


@given(TEXTS, st.integers(1, 9))
@settings(max_examples=100, deadline=None)
def test_sizes_are_counted_by_spacy_without_a_tokenizer(text, largest):
    tokenizer = spacy.blank("en").tokenizer
    chunks = spacy_thematic.chunk(text, largest)
    assert_covers(chunks, text, is_html="<" in text)
    assert all(len(tokenizer(chunk.text)) <= largest for chunk in chunks)


def test_characters_of_chinese_are_counted():
    text = "河流在春天上涨，淹没了山谷里的村庄。" * 30
    chunks = spacy_thematic.chunk(text, 40)
    assert_covers(chunks, text, is_html=False)
    assert all(len(chunk.text) <= 40 for chunk in chunks)


def test_chunks_end_where_the_theme_does():
    text = "".join(sentence * 4 for sentence in THEMES)
    first, second = spacy_thematic.chunk(text, 100, n_words, min_tokens=20)
    assert (first.text, second.text) == (THEMES[0] * 4, THEMES[1] * 4)
    assert first == Chunk(THEMES[0] * 4, 0, len(THEMES[0]) * 4, "", [])


def test_no_sentence_is_counted_twice():
    counted = []

    def count(text):
        counted.append(text)
        return n_words(text)

    spacy_thematic.chunk("".join(THEMES), 100, count)
    assert len(counted) == len(set(counted)) >= len(THEMES)


def test_the_largest_size_is_inside_the_optimisation():
    # 14 words a sentence: what is cut first must not push the cuts after it off the themes.
    text = THEMES[0] * 4 + THEMES[1] * 3 + THEMES[0] * 4
    chunks = spacy_thematic.chunk(text, 14 * 4, n_words, min_tokens=0)
    assert [n_words(chunk.text) for chunk in chunks] == [14 * 4, 14 * 3, 14 * 4]


@pytest.mark.parametrize("overlap", [1, 9, 20])
def test_chunks_begin_with_whole_sentences_before_them(overlap):
    text = "# Rivers\n\n" + "".join(f"The river number {n} floods its valley. " for n in range(20))
    text += "\n\n# Kings\n\n" + "".join(f"King number {n} fought a war. " for n in range(20))
    chunks = spacy_thematic.chunk(text, 40, n_words, overlap=overlap)
    alone = spacy_thematic.chunk(text, 40 - overlap, n_words)
    assert [chunk.end for chunk in chunks] == [chunk.end for chunk in alone]
    assert all(chunk.text == text[chunk.start : chunk.end] for chunk in chunks)
    assert max(n_words(chunk.text) for chunk in chunks) <= 40
    reached = [text[chunk.start : own.start] for chunk, own in zip(chunks, alone)]
    assert max(map(n_words, reached)) <= overlap
    assert {part.strip()[-1:] for part in reached} <= {"", "."}
    if overlap > 7:
        assert sum(map(bool, reached)) == sum(
            not text[chunk.start :].startswith("#") for chunk in alone
        )
    (second,) = (chunk for chunk in chunks if chunk.text.startswith("# Kings"))
    assert "river" not in second.text, "a section begins with its heading"


def test_chunks_of_a_page_overlap():
    page = "<h1>Rivers</h1>" + "".join(f"<p>The river number {n} floods.</p>" for n in range(20))
    chunks = spacy_thematic.chunk(page, 30, n_words, markup="html", overlap=10)
    assert [chunk.start < before.end for before, chunk in itertools.pairwise(chunks)] == [True] * (
        len(chunks) - 1
    )
    assert chunks[0].start == 0 and chunks[-1].end == len(page)
    for chunk in chunks:
        first, last = chunk.text.split("\n")[0], chunk.text.split("\n")[-1]
        assert first in page[chunk.start : chunk.end] and last in page[chunk.start : chunk.end]


def test_a_long_sentence_is_cut_between_lines_then_words_then_characters():
    text = "one two\nthree four\nfive six seven eight nine\nten"
    texts = [chunk.text for chunk in spacy_thematic.chunk(text, 4, n_words, min_tokens=0)]
    assert texts == ["one two\nthree four\n", "five six seven eight ", "nine\nten"]
    assert [chunk.text for chunk in spacy_thematic.chunk("ab" * 5, 4, len)] == [
        "abab",
        "abab",
        "ab",
    ]


def test_headings_of_markdown():
    chunks = spacy_thematic.chunk(MARKDOWN, 60, n_words, min_tokens=5)
    assert_covers(chunks, MARKDOWN, place=MARKDOWN.index("Before"))
    assert [chunk.path for chunk in chunks] == [
        [],
        ["Guide", "Rivers"],
        ["Guide", "Rivers", "Lakes"],
        ["Guide", "Kings"],
        ["Guide", "Wars"],
    ]
    assert [chunk.text.split("\n")[0] for chunk in chunks[1:]] == [
        "# Guide",
        "### Lakes",
        "## Kings",
        "Wars",
    ]


@pytest.mark.parametrize("mark", ["#      shows the page\n", "Boats go far out to the sea.\n---\n"])
def test_what_looks_like_markdown_by_chance_hides_no_heading_of_plain_text(mark):
    boats = "Boats go far out to the sea, and they come back.\n\n"
    text = f"Rivers\n\n{boats}{mark}\n{boats}Kings\n\n{boats}"
    chunks = spacy_thematic.chunk(text, 20, n_words, min_tokens=1)
    assert {"Rivers", "Kings"} <= {chunk.heading for chunk in chunks}


def test_front_matter_goes_with_the_first_section():
    (chunk,) = spacy_thematic.chunk("---\ntitle: x\n---\n# A\n\nText.\n", min_tokens=0)
    assert chunk.path == ["A"]


def test_the_title_in_front_matter_stands_above_all_headings():
    text = "---\ntitle: 'Grain'\nid: a\n---\nFilm has it.\n\n## Size\n\nIt is large.\n"
    chunks = spacy_thematic.chunk(text, 9, n_words, min_tokens=0)
    assert [chunk.path for chunk in chunks] == [["Grain"], ["Grain", "Size"]]


@pytest.mark.parametrize("tokens, overlap", [(9, 0), (9, 3), (99, 0)])
def test_chunks_begin_after_front_matter(tokens, overlap):
    head = f"---\ntitle: Boats\nabout: {'boats ' * 30}\n---\n"
    text = "# A\n\nThe river floods. It is cold.\n\nThe king fought two wars.\n"
    chunks = spacy_thematic.chunk(f"{head}{text}", tokens, n_words, 0, overlap=overlap)
    assert (chunks[0].start, chunks[0].line) == (len(head), 5)
    assert chunks[-1].end == len(head + text)
    assert not any("boats" in chunk.text for chunk in chunks)
    assert overlap or "".join(chunk.text for chunk in chunks) == text
    assert spacy_thematic.chunk(head) == []
    assert "".join(one.text for one in spacy_thematic.chunk(head, markup="plain")) == head


def test_chunks_of_a_page_leave_out_what_stands_beside_its_text():
    prose = "<p>The river floods the valley below the hills each spring.</p>"
    page = (
        f"<nav><a href=b>Shop now</a></nav><main><h1>Rivers</h1>{prose * 3}<pre>x = 1</pre>"
        "<table><tr><td>9</table></main><div class=sidebar>Our offers.</div><footer>2024</footer>"
    )
    (chunk,) = spacy_thematic.chunk(page, markup="html")
    assert chunk.text.split("\n")[0] == "Rivers" and chunk.text.split("\n")[-2:] == ["x = 1", "9"]
    assert (chunk.start, chunk.end) == (0, len(page))
    (chunk,) = spacy_thematic.chunk("<nav><a href=b>Shop now</a></nav>", markup="html")
    assert chunk.text == "Shop now", "a page is not blank that has nothing else"


def test_small_sections_are_joined_but_not_with_the_next_chapter():
    text = "# A\n\nOne two.\n\n## B\n\nThree four.\n\n## C\n\nFive.\n\n# D\n\n" + "Six seven. " * 5
    chunks = spacy_thematic.chunk(text, 30, n_words, min_tokens=10)
    assert [(chunk.path, chunk.text[:3]) for chunk in chunks] == [(["A"], "# A"), (["D"], "# D")]
    apart = spacy_thematic.chunk(text, 30, n_words, min_tokens=0)
    assert [chunk.path for chunk in apart[:4]] == [["A"], ["A", "B"], ["A", "C"], ["D"]]


def test_a_heading_alone_goes_with_what_is_below_it():
    text = f"# A\n\nOne two.\n\n# B\n\n# C\n\n{'Six seven eight nine ten. ' * 8}"
    for least in (0, 5):
        chunks = spacy_thematic.chunk(text, 20, n_words, min_tokens=least)
        (chunk,) = (chunk for chunk in chunks if "# B" in chunk.text)
        assert "# C\n\nSix" in chunk.text and all(n_words(one.text) <= 20 for one in chunks)


def test_the_end_of_a_sentence_that_is_cut_is_not_small():
    text = "Six seven " * 10 + "eight."
    pieces = [spacy_thematic.chunk(text, 20, n_words, min_tokens=least) for least in (0, 5)]
    assert [[n_words(piece.text) for piece in own] for own in pieces] == [[20, 1], [12, 9]]


@pytest.mark.parametrize("text", [GUIDE, GUIDE.replace("\n\n#", "\n\nOther.\n\n#")])
def test_the_path_of_joined_sections_is_what_they_have_in_common(text):
    (whole,) = spacy_thematic.chunk(text)
    assert (whole.path, whole.heading, whole.context) == (["Guide"], "Guide", "Guide")
    _, kings = spacy_thematic.chunk(text, 9, n_words, min_tokens=0, overlap=2)[-2:]
    assert kings.context == "Guide > Kings"


def test_chunks_that_are_blank_have_no_vector():
    chunks = spacy_thematic.chunk("The king fought.\n\n\nThe river rose.", 2, vectors=True)
    assert {chunk.vector is None for chunk in chunks if not chunk.text.strip()} == {True}
    assert {chunk.vector is None for chunk in chunks if chunk.text.strip()} == {False}


def test_blank_lines_stay_with_what_is_before_them():
    texts = [chunk.text for chunk in spacy_thematic.chunk("The king fought.\n\nHe won.", 3)]
    assert texts == ["The king ", "fought.\n\n", "He won."]


def test_headings_of_html():
    chunks = spacy_thematic.chunk(HTML, 40, n_words, min_tokens=5)
    assert_covers(chunks, HTML, is_html=True)
    path = ["Guide & map"]
    assert [chunk.path for chunk in chunks] == [[*path, "Rivers"], [*path, "Kings"]]
    # Of a page the chunks have what it shows, and the places of its markup.
    assert chunks[0].text.startswith("Guide & map\nRivers\nThe river rises")
    assert HTML[chunks[1].start :].startswith("<div><h2>Kings</h2>")
    assert "wars" in chunks[1].text and "<" not in chunks[1].text
    assert spacy_thematic.chunk("<p>A.</p><h2>B</h2>C.", min_tokens=0)[1].path == ["B"]


def test_markup_is_found_out_unless_it_is_given():
    readme = '<p align="center">logo</p>\n\n# Title\n\nText.\n'
    assert spacy_thematic.chunk(readme, min_tokens=0)[-1].heading == "Title"
    assert spacy_thematic.chunk(readme, min_tokens=0, markup="html")[-1].heading == ""
    assert [chunk.path for chunk in spacy_thematic.chunk("# A", markup="plain")] == [[]]


def test_a_heading_stays_with_what_follows():
    text = "Before. " * 3 + "\n\n# Title 1. Of all\n\n" + "After it all comes this. " * 3
    chunks = spacy_thematic.chunk(text, 12, n_words, min_tokens=0)
    (titled,) = [chunk for chunk in chunks if "Title" in chunk.text]
    assert titled.text.startswith("# Title") and "After" in titled.text


def test_what_is_longer_than_a_word_counts_by_its_length():
    text = "A word. " + "iVBORw0KGgo" * 1_000 + f" {'a' * 100}"
    chunks = spacy_thematic.chunk(text, 256)
    assert_covers(chunks, text)
    assert max(len(chunk.text) for chunk in chunks) < 5 * 256
    assert spacy_thematic.chunk("a" * 100, 1) and len(spacy_thematic.chunk("a" * 104, 25)) > 1


@pytest.mark.parametrize("page", [False, True])
def test_the_data_of_images_is_no_text(page):
    mark = "<p>{}<img src='{}'></p><p>{}</p>" if page else "# Boats\n\n{}\n\n![x]({})\n\n{}\n"
    image = "data:image/png;base64," + "iVBORw0KGgo" * 999
    text = mark.format("The boats sail. " * 9, image, "The king fought a war. " * 9) + "\n"
    chunks = spacy_thematic.chunk(text, 60, markup="html" if page else "auto")
    assert (chunks[0].start, chunks[-1].end) == (0, len(text)) and len(chunks) > 1
    assert not any("iVBOR" in chunk.text for chunk in chunks)
    last = chunks[-1]
    assert last.text.strip().split(".")[0] in text[last.start : last.end]
    assert last.line == 1 + text.count("\n", 0, last.start)
    if not page:
        assert "".join(chunk.text for chunk in chunks) == text.replace("iVBORw0KGgo", "")
    (whole, *_) = spacy_thematic.chunk(image, 9_999, markup="plain")
    assert whole.text == image


def test_a_pipeline_of_ones_own():
    nlp = spacy_thematic.load("en_thematic_sm")
    nlp.add_pipe("thematic_segmenter")
    chunker = Chunker(60, n_words, 5, nlp)
    assert chunker(MARKDOWN) == spacy_thematic.chunk(MARKDOWN, 60, n_words, 5)


def test_texts_longer_than_spacys_usual_limit():
    text = f"{'word' * 50} " * 5_000
    chunks = spacy_thematic.chunk(text, 2_000, n_words)
    assert_covers(chunks, text)
    assert max(n_words(chunk.text) for chunk in chunks) == 2_000


class Encoder:
    truncation = None

    def encode(self, text):
        return text.split()


def test_what_a_tokenizer_returns_is_counted_by_its_input_ids():
    text = "The river floods the valley. The king fought two wars. " * 4
    by_words = spacy_thematic.chunk(text, max_tokens=12, min_tokens=0, tokenizer=str.split)
    as_mapping = {"attention_mask": []}
    by_ids = spacy_thematic.chunk(
        text,
        max_tokens=12,
        min_tokens=0,
        tokenizer=lambda part: {**as_mapping, "input_ids": part.split()},
    )
    assert by_ids == by_words and len(by_ids) > 1
    with pytest.raises(TypeError, match="tokens or their number"):
        spacy_thematic.chunk(text, tokenizer=str.upper)


def test_tokenizers_with_encode():
    assert len(spacy_thematic.chunk("a b c d", 2, Encoder())) == 2
    cutting = Encoder()
    cutting.truncation = {"max_length": 128}
    with pytest.raises(ValueError, match="truncation.*no_truncation"):
        spacy_thematic.chunk("a", 2, cutting)


@pytest.mark.parametrize(
    "settings, message",
    [
        ({"max_tokens": 0}, "max_tokens to be a whole number of at least 1, found 0"),
        ({"max_tokens": 8, "min_tokens": 9}, "less the overlap.*found 9"),
        ({"max_tokens": 8, "overlap": 8}, "less than max_tokens, 8, found 8"),
        ({"markup": "rst"}, "found 'rst'"),
        ({"tokenizer": lambda text: None}, "return tokens or their number, found NoneType"),
        ({"tokenizer": "gpt2"}, "found 'gpt2'"),
        ({"tokenizer": lambda text: 9, "max_tokens": 8}, "'a' alone .* larger max_tokens"),
        ({"model": spacy.blank("en")}, "thematic_embedder"),
        ({"model": None}, "Expected the name or path of a model, .* found None"),
        ({"vectors": "yes"}, "vectors to be True or False, found 'yes'"),
        ({"text": b"bytes"}, "Expected a text .* found b'bytes'"),
    ],
)
def test_bad_input(settings, message):
    with pytest.raises((ValueError, TypeError), match=message):
        spacy_thematic.chunk(**{"text": "a b", **settings})


def test_headings_are_suggested_where_they_are_asked_for():
    drug = "The drug may cause nausea and a rash. Severe side effects of the drug are rare. " * 3
    life = "She was born in Leeds to a baker. As a child she went to school in York. " * 3
    text = f"# Notes\n\n## One\n\n{drug}\n\n## Two\n\n{life}\n"
    first, second = spacy_thematic.chunk(text, min_tokens=0, suggest_headings=True)
    for chunk in (first, second):
        assert chunk.suggested_heading not in {"Notes", "One", "Two", None}
    assert spacy_thematic.chunk(text, min_tokens=0)[0].suggested_heading is None
    assert spacy_thematic.chunk("# Only\n", suggest_headings=True)[0].suggested_heading is None


class Words:
    """As tokenizers that have `encode`."""

    def encode(self, text):
        return text.split()


@pytest.mark.parametrize(
    "tokenizer", [None, n_words, Words()], ids=["spaCy's", "callable", "object"]
)
@pytest.mark.parametrize("copied", [copy.deepcopy, lambda it: pickle.loads(pickle.dumps(it))])
def test_a_copied_or_pickled_chunker_cuts_as_the_first(tokenizer, copied):
    chunker = Chunker(30, tokenizer)
    unused = copied(chunker)
    expected = chunker(MARKDOWN)
    assert len(expected) > 2
    assert unused(MARKDOWN) == copied(chunker)(MARKDOWN) == expected


def test_blocks_are_the_same_whatever_ends_a_line():
    text = "a b\nc d\n\n \ne f\n- g\n- h\n\n\n"
    places = [
        read_source(text.replace("\n", end), "plain").find_starts() for end in ("\n", "\r\n", "\r")
    ]
    words = [
        [text.replace("\n", end)[place:].split()[0] for place in found]
        for end, found in zip(("\n", "\r\n", "\r"), places)
    ]
    assert words == [["a", "c", "e", "-", "-"]] * 3


def test_numbers_of_numpy_are_sizes():
    assert Chunker(np.int64(64), min_tokens=np.int32(8)).limits.largest == 64


def test_chunks_of_a_table_of_html_are_whole_rows():
    rows = "".join(f"<tr><td>set{i}<td><td>the default {i}" for i in range(20))
    table = f"<tr><th>Name<th>Unit<th>Meaning{rows}"
    first, *rest = spacy_thematic.chunk(
        f"<h2>Sea</h2><table><caption>A</caption>{table}</table>", max_tokens=60
    )
    assert first.text.startswith("Sea\nA\nName | Unit | Meaning\nset0 | | the default 0\n")
    assert all(
        piece.text.startswith("set") and piece.text.rpartition(" ")[2].isdigit() for piece in rest
    )
    assert {piece.table_header for piece in rest} == {"Name | Unit | Meaning"}
    layout = f"<table><tr><td>{'It sails. ' * 80}<td>{'It rules. ' * 80}</table><div>a</div><div>b"
    assert "|" not in "".join(piece.text for piece in spacy_thematic.chunk(layout))


def test_a_patch_of_c_is_no_markdown():
    text = "Fixed it.\n\n #ifdef A\n # include <a.h>\n+# define B 1\n # undef C\n\n int b;\n"
    (piece,) = spacy_thematic.chunk(text)
    assert piece.path == []


def test_chunks_of_indented_code_start_with_the_line():
    code = "    ```yaml\n    a:\n      b: 1\n    ```\n"
    text = f"# Sea\n\n1.  {'It sails far to the sea. ' * 6}\n\n{code}"
    assert spacy_thematic.chunk(text, max_tokens=45)[-1].text == code


def test_chunks_within_a_table_know_its_first_row():
    rows = "".join(f"| the boat {n} | leaves at {n} |\n" for n in range(6))
    text = f"# A\n\n| boat | time |\n|---|---|\n{rows}\nThe end of it all is near.\n"
    chunks = spacy_thematic.chunk(text, 24, n_words, min_tokens=0)
    assert_covers(chunks, text)
    within = [chunk.text.startswith("| the boat") for chunk in chunks]
    assert within.count(True) > 1
    assert [chunk.table_header for chunk in chunks] == ["| boat | time |" * own for own in within]


@pytest.mark.parametrize(
    "text", ["", " \n\n ", "<body></body>", "<p>&#8203;</p>", "<p hidden>No.</p>"]
)
def test_what_shows_nothing_has_no_chunk(text):
    assert spacy_thematic.chunk(text, markup="html" if "<" in text else "auto") == []


def test_vectors_tell_which_chunk_answers_a_question():
    nlp = spacy_thematic.load("en_thematic_sm")
    text = "# Rivers\n\nThe river floods the valley.\n\n# Kings\n\nThe king fought a war.\n"
    pieces = spacy_thematic.chunk(text, min_tokens=0, model=nlp, vectors=True)
    question = nlp("Which battles were lost in the war?")._.thematic_topic
    scores = [float(question @ piece.vector) for piece in pieces]
    assert scores[1] > scores[0] + 0.1
    assert all(np.linalg.norm(piece.vector) == pytest.approx(1) for piece in pieces)
    assert spacy_thematic.chunk(text)[0].vector is None
