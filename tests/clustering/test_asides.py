from itertools import pairwise

import numpy as np
import pytest
import spacy

from spacy_thematic.clustering.asides import find_content, find_kept, find_said


def split(sentences):
    nlp = spacy.blank("en")
    docs = [nlp.make_doc(sentence) for sentence in sentences]
    doc = spacy.tokens.Doc.from_docs(docs)
    ends = np.cumsum([len(one) for one in docs])
    return doc, [doc[start:end] for start, end in zip([0, *ends], ends)]


@pytest.mark.parametrize(
    ("text", "is_aside"),
    [
        ("Section.", True),
        ("[10:02] <leo> Yes!", True),
        ("12/05/2026, 9:02 AM - Leo: Yes!", True),
        ("[2026-05-12 09:02:11] Leo: Yes!", True),
        ("It was what it was.", True),
        ("3.1", True),
        ("LEO: Boats sink.", False),
        ("It rained.", False),
        ("The king fought two wars.", False),
    ],
)
def test_sentences_without_content(text, is_aside):
    long = ["The river floods the valley.", "The king fought two wars."]
    _, sentences = split([text, *long])
    assert find_content(sentences).tolist() == [0, 1, 2][is_aside:]


def test_the_names_of_speakers_are_no_content():
    lines = [
        "LEO: Yes.",
        "Mary Ann Lee: He was.",
        "LEO: Boats sink.",
        "Mary Ann Lee: Kings win.",
    ]
    doc = spacy.blank("en")("\n".join(lines))
    starts = [0, *(token.i + 1 for token in doc if token.text == "\n"), len(doc)]
    sentences = [doc[start:end] for start, end in pairwise(starts)]
    assert find_content(sentences).tolist() == [2, 3]


def test_a_list_of_words_and_a_text_of_quotes_are_kept():
    assert len(find_kept(*split(["Rivers.", "Kings.", "Schools.", "Boats sink."]))) == 4
    assert len(find_kept(*split(["> Boats sink.\n", "> Rivers flood.\n"]))) == 2
    assert len(find_kept(*split(["Rivers."]))) == 1
    assert find_kept(spacy.blank("en")(""), []).shape == (0,)


def test_only_what_lies_within_such_lines_is_set_aside():
    parts = ["> Boats sink.\n", "Ships cross seas.\n", "> Rivers\nflood valleys.\n", "Yes."]
    assert find_said(*split(parts)).tolist() == [1, 2, 3]
    assert find_kept(*split(parts)).tolist() == [1, 2]
