import time

import pytest
import spacy

from spacy_thematic.pipeline.loading import add_sentences
from spacy_thematic.sentences.tokenizing import tokenize


@pytest.fixture(scope="module")
def nlp():
    return spacy.blank("en")


@pytest.mark.parametrize("run", ["(" * 450, "=" * 201 + "#" * 300, "€“" * 200])
def test_a_run_of_marks_has_the_tokens_that_spacy_finds(nlp, run):
    text = f"I don't  know. {run} {run}a\n\nIt rises."
    found, expected = tokenize(nlp, text), nlp.make_doc(text)
    assert found.text == text
    assert [(token.text, token.norm_, token.idx) for token in found] == [
        (token.text, token.norm_, token.idx) for token in expected
    ]


def test_no_sentence_begins_where_a_run_is_cut(nlp):
    doc = tokenize(nlp, "(" * 1_000)
    assert not doc.has_annotation("SENT_START")


def test_a_text_that_is_too_long_is_refused(nlp):
    limited = spacy.blank("en")
    limited.max_length = 999
    with pytest.raises(ValueError, match="E088"):
        tokenize(limited, "(" * 1_000)


def test_a_long_run_takes_no_longer_by_its_length(nlp):
    def measure(n):
        start = time.process_time()
        tokenize(nlp, "(" * n)
        return time.process_time() - start

    tokenize(nlp, "(" * 1_000)
    assert min(measure(60_000) for _ in range(3)) < 6 * min(measure(20_000) for _ in range(3))


@pytest.mark.parametrize(
    "text",
    [
        "It rose (OR 0.88).|Conclusions It works in 12%.|We used it in 2010.|It is [2].|The end.",
        "Call f(x).Go() and Int32.Parse of Node.js.|In 1.Introduction it is told.",
    ],
)
def test_no_space_divides_a_number_or_bracket_from_the_next_sentence(text):
    nlp = add_sentences(spacy.blank("en"))
    doc = nlp(text.replace(".|", "." if "OR" in text else ". "))
    assert [sentence.text for sentence in doc.sents] == text.split("|")


def test_a_tokenizer_without_infixes_stays():
    nlp = spacy.blank("xx")
    assert [token.text for token in add_sentences(nlp)("It rose.")] == ["It", "rose", "."]
