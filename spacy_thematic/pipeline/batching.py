"""From Examples to what the encoder reads and what the loss is told."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import numpy as np
from spacy.tokens import Doc, Span
from spacy.training import Example
from thinc.api import Ops

from spacy_thematic.losses.targets import Targets
from spacy_thematic.models.spans import DocSpans, make_doc_spans
from spacy_thematic.triplets.docbin import SENTENCES, get_rows, get_triplets


def make_batch(ops: Ops, examples: Sequence[Example]) -> tuple[DocSpans, Targets]:
    """Each distinct row of a batch of articles once: the sentences, and what else triplets name;
    with the triplets as numbers of these rows.

    Raises ValueError if an Example's reference is not a Doc of a triplet corpus.
    """
    spans: list[list[Span]] = []
    triplets: list[np.ndarray] = []
    sections: list[int] = []
    articles: list[int] = []
    section_numbers: dict[tuple[int, int], int] = {}
    for number, example in enumerate(examples):
        rows, doc_triplets = get_article(example)
        triplets.append(doc_triplets + len(sections))
        spans.append(rows)
        for row in rows:
            sections.append(section_numbers.setdefault((number, row.id), len(section_numbers)))
            articles.append(number)
    inputs = make_doc_spans(ops, [example.predicted for example in examples], spans)
    return inputs, Targets(
        triplets=ops.asarray2i(np.concatenate(triplets or [_no_triplets()]), dtype="i"),
        sections=ops.asarray1i(sections, dtype="i"),
        articles=ops.asarray1i(articles, dtype="i"),
        ops=ops,
    )


def get_article(example: Example) -> tuple[list[Span], np.ndarray]:
    """The rows of one article to encode, and its triplets, (m, 3), as numbers of these rows."""
    reference = example.reference
    if len(example.predicted) != len(reference):
        raise ValueError(
            f"The predicted Doc has {len(example.predicted)} tokens and the reference "
            f"{len(reference)}: sentences are found by token offsets, so both must be tokenized "
            "alike. Read the corpus with spacy-thematic.TripletCorpus.v1."
        )
    return read_article(reference)


def find_rows(example: Example) -> list[Span]:
    """The rows of one article in the predicted Doc, which spaCy's own corpus reader tokenizes anew
    from the text, now and then in another way."""
    predicted, reference = example.predicted, example.reference
    rows, _ = read_article(reference)
    if [token.idx for token in predicted] == [token.idx for token in reference]:
        return rows
    if predicted.text != reference.text:
        raise ValueError(
            "The predicted Doc has another text than the reference: make Examples of a corpus with "
            "spacy-thematic.TripletCorpus.v1 or spacy.Corpus.v1."
        )
    found = (
        predicted.char_span(row.start_char, row.end_char, alignment_mode="expand") for row in rows
    )
    return cast("list[Span]", list(found))


def read_article(reference: Doc) -> tuple[list[Span], np.ndarray]:
    """The rows of an article's Doc to encode, and its triplets, (m, 3), as numbers of these."""
    rows = get_rows(reference)
    triplets = np.asarray(get_triplets(reference), dtype="int64").reshape(-1, 3)
    if len(triplets) and not 0 <= triplets.min() <= triplets.max() < len(rows):
        raise ValueError(
            f"A triplet names row {triplets.max()}, but the article has {len(rows)} rows: the "
            'corpus is damaged. Build it again with "python -m spacy thematic corpus".'
        )
    n_sentences = len(reference.spans[SENTENCES])
    used = np.union1d(np.arange(n_sentences), triplets)
    return [rows[row] for row in used], np.searchsorted(used, triplets)


def _no_triplets() -> np.ndarray:
    return np.zeros((0, 3), "int64")
