"""Texts whose sentences have topics."""

import spacy

from benchmarks.segmented_texts import SegmentedText, make_topic_docs
from spacy_thematic.triplets.docbin import SENTENCES, get_sections, get_triplets


def test_a_topic_that_is_resumed_is_one_section():
    turns = ["the remote has a yellow case", "yes", "we now talk about the budget"]
    turns += [
        "so who takes the notes today",
        "the case may be too large",
        "the budget is very small",
    ]
    text = SegmentedText("a", turns, [0, 0, 1, -1, 0, 1])
    (doc,) = make_topic_docs([text], spacy.blank("en"))
    kept = [span.text for span in doc.spans[SENTENCES]]
    assert kept == [turns[0], turns[4], turns[2], turns[5]]
    assert get_sections(doc) == [0, 0, 1, 1]
    triplets = get_triplets(doc)
    assert [pair[:2] for pair in triplets] == [[0, 1], [2, 3]]
    assert triplets[0][2] in (2, 3) and triplets[1][2] in (0, 1)
