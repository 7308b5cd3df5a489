"""Texts whose sentences have labels, and Docs of them."""

import random
from argparse import Namespace

import pytest
import spacy
import srsly

from benchmarks.harness import Source
from benchmarks.labelled_texts import LabelledText, make_doc, make_topic_docs, read_texts
from benchmarks.themes import ORDERS, shuffle
from spacy_thematic import load
from spacy_thematic.triplets.docbin import SENTENCES, get_sections, get_triplets


def make(sentences, labels, paragraphs=None):
    return LabelledText("a", sentences, labels, paragraphs or [0] * len(labels), {})


def test_a_topic_that_is_resumed_is_one_section():
    turns = ["the remote has a yellow case", "yes", "we now talk about the budget"]
    turns += [
        "so who takes the notes today",
        "the case may be too large",
        "the budget is very small",
    ]
    (doc,) = make_topic_docs([make(turns, [0, 0, 1, -1, 0, 1])], spacy.blank("en"))
    kept = [span.text for span in doc.spans[SENTENCES]]
    assert kept == [turns[0], turns[4], turns[2], turns[5]]
    assert get_sections(doc) == [0, 0, 1, 1]
    triplets = get_triplets(doc)
    assert [pair[:2] for pair in triplets] == [[0, 1], [2, 3]]
    assert triplets[0][2] in (2, 3) and triplets[1][2] in (0, 1)


@pytest.mark.parametrize(
    "between, written", [("\n\n", "One, 1. Two.\n\nThree."), (" ", "One, 1. Two. Three.")]
)
def test_a_doc_has_the_sentences_as_they_are(between, written):
    text = make(["One, 1.", "Two.", "Three."], [0, 0, 1], [0, 0, 1])
    doc = make_doc(load("en_thematic_sm"), text, between)
    assert doc.text.strip() == written
    assert [sentence.text.strip() for sentence in doc.sents] == text.sentences
    assert len(doc._.thematic_vectors) == 3


def test_a_run_of_one_label_is_a_segment():
    assert make(list("abcd"), [3, 3, 1, 3]).find_segments().tolist() == [0, 0, 1, 2]


def test_orders_keep_each_sentence_with_its_label():
    sentences = [f"{label} {row}" for label in range(3) for row in range(4)]
    text = make(sentences, [int(sentence[0]) for sentence in sentences])
    for order in ("halves apart", "one comes back", "shuffled", "few"):
        (found,) = ORDERS[order]([text], random.Random(0))
        assert len(found.labels) == len(found.sentences)
        if order != "few":  # Its labels are those of the runs that were drawn.
            assert [sentence[0] for sentence in found.sentences] == [*map(str, found.labels)]
    (halves,) = ORDERS["halves apart"]([text], random.Random(0))
    assert halves.labels == [0, 0, 1, 1, 2, 2] * 2
    assert sorted(shuffle(text, random.Random(0)).sentences) == sentences


def test_paragraphs_of_two_sections_are_two(tmp_path, articles):
    path = tmp_path / "articles.jsonl.gz"
    srsly.write_gzip_jsonl(path, [article.to_dict() for article in articles])
    args = Namespace(documents=100, seed=0, min_sections=2)
    texts = read_texts(Source("articles", path), args)
    assert texts
    for text in texts:
        labels = dict(zip(text.paragraphs, text.labels))
        assert [labels[paragraph] for paragraph in text.paragraphs] == text.labels
