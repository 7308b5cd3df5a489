"""From articles, as Examples or compiled, to what the encoder reads and what the loss is told."""

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from spacy.tokens import Doc, Span
from spacy.training import Example
from spacy.vocab import Vocab
from thinc.api import Ops
from thinc.types import Ragged

from spacy_thematic.losses.targets import Targets
from spacy_thematic.models.spans import DocSpans, Words, make_doc_spans
from spacy_thematic.triplets.compiled import number_sections
from spacy_thematic.triplets.docbin import read_article


def make_batch(ops: Ops, examples: Sequence[Example]) -> tuple[DocSpans, Targets]:
    """Each distinct row of a batch of articles once: the sentences, and what else triplets name;
    with the triplets as numbers of these rows. Raises ValueError if an Example's reference is not a
    Doc of a triplet corpus."""
    spans: list[list[Span]] = []
    triplets: list[np.ndarray] = [np.zeros((0, 3), "int64")]
    sections: list[int] = []
    articles: list[int] = []
    for number, example in enumerate(examples):
        if len(example.predicted) != len(example.reference):
            raise ValueError(
                f"The predicted Doc has {len(example.predicted)} tokens and the reference "
                f"{len(example.reference)}: sentences are found by token offsets, so both must be "
                "tokenized alike. Read the corpus with spacy-thematic.TripletCorpus.v1."
            )
        rows, doc_triplets = read_article(example.reference)
        triplets.append(doc_triplets + len(sections))
        spans.append(rows)
        sections += [row.id for row in rows]
        articles += [number] * len(rows)
    inputs = make_doc_spans(ops, [example.predicted for example in examples], spans)
    numbers = number_sections(np.array(articles, "int64"), np.array(sections, "int64"))
    return inputs, make_targets(ops, np.concatenate(triplets), numbers, articles)


def make_targets(ops: Ops, triplets: Any, sections: Any, articles: Any) -> Targets:
    """What a loss is told of the rows of a batch."""
    return Targets(
        triplets=ops.asarray2i(triplets, dtype="i"),
        sections=ops.asarray1i(sections, dtype="i"),
        articles=ops.asarray1i(articles, dtype="i"),
        ops=ops,
    )


class Forms:
    """The words of a compiled corpus as lexemes of a vocabulary, which learns their strings."""

    def __init__(self, forms: Sequence[str], vocab: Vocab):
        self.vocab = vocab
        self.forms = forms
        add = vocab.strings.add
        self.orth = np.fromiter((add(form) for form in forms), "uint64", len(forms))
        self.lower = np.fromiter((add(form.lower()) for form in forms), "uint64", len(forms))
        self.is_space = np.fromiter((form.isspace() for form in forms), bool, len(forms))

    def to_doc_spans(self, ops: Ops, words: np.ndarray, lengths: np.ndarray) -> DocSpans:
        """Rows of words, numbers of forms, int (words), by the words of each row, int (rows), in
        the shape that the encoders read."""
        is_space = self.is_space[words]
        if is_space.any():
            rows = np.repeat(np.arange(len(lengths)), lengths)[~is_space]
            words, lengths = words[~is_space], np.bincount(rows, minlength=len(lengths))

        def make_docs() -> tuple[list[Doc], Ragged]:
            doc = Doc(self.vocab, words=[self.forms[word] for word in words.tolist()])
            ends = np.cumsum(lengths)
            offsets = np.stack([ends - lengths, ends], axis=1)
            return [doc], Ragged(
                ops.asarray2i(offsets, dtype="i"), ops.asarray1i([len(lengths)], dtype="i")
            )

        found = Words(self.orth[words], self.lower[words], lengths.astype("int32"))
        return DocSpans(self.vocab, make_docs, found)

    def count_words(self, counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The distinct lower-case words, sorted, and how often each occurs, from the counts of
        forms, int (forms)."""
        solid = ~self.is_space & (counts > 0)
        words, places = np.unique(self.lower[solid], return_inverse=True)
        return words, np.bincount(places, counts[solid], len(words)).astype("int64")


def find_rows(example: Example) -> list[Span]:
    """The rows of one article in the predicted Doc, which spaCy's own corpus reader tokenizes
    again from the text, now and then in another way."""
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
