"""The encoder of the vectors of a Doc: it encodes what else is compared with them, and says what it
has learned of headings, and of where sections begin."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple, TypeVar
from weakref import WeakKeyDictionary

import numpy as np
from spacy.attrs import IDX
from spacy.language import Language
from spacy.tokens import Doc, Span
from spacy.util import minibatch
from spacy.vocab import Vocab
from thinc.api import Model

from spacy_thematic.lang import get_words
from spacy_thematic.models import section_headings
from spacy_thematic.models.section_boundaries import find_boundaries
from spacy_thematic.models.spans import make_doc_spans
from spacy_thematic.naming.candidates import HeadingScores, find_fitting
from spacy_thematic.pipeline.embedder import (
    EMBEDDER,
    ThematicEmbedder,
    find_embedder,
    find_maker,
    find_state,
)
from spacy_thematic.rows import unit_rows
from spacy_thematic.sentences.tokenizing import copy_words, tokenize

T = TypeVar("T")

PIECE, MARGIN = 4096, 48
"""The sentences of a long text that are scored together, and those on each side that are read
beside them: more than the net can see."""

_FOR, _AGAINST = 0.3, 0.7
"""Weights of leanings, chosen as those of `naming.headings` were."""

_LEAST_FIRST, _LEAST_LAST = -2.0, -1.5
"""Leanings below which a word neither begins nor ends a phrase: "suffered", "many"."""

_NEVER = 10.0
"""What such a phrase loses, in nats: it is no heading."""

_BATCH = 1000
"""Headings that are tokenized at once."""

_SHORTEST = 4
"""Tokens of a sentence that has two halves."""


class _Scored(NamedTuple):
    """What an encoder says of n phrases: their vectors in the space of headings, (n, width), what
    their words say for them, (n, 3), and their thematic vectors, (n, width of the encoder)."""

    vectors: np.ndarray
    leanings: np.ndarray
    rows: np.ndarray


_FOUND: WeakKeyDictionary[ThematicEmbedder, tuple[float, dict[Any, Any]]] = WeakKeyDictionary()
"""What each embedder says of what does not depend on a text, and what tells whether it has learned
since."""

KnownPhrases = dict[str, tuple[np.ndarray, ...]]
"""What an encoder says of phrases: of each a row of `_Scored`."""


@dataclass(frozen=True)
class Encoder:
    """A handle on an encoder: it encodes other texts as it encodes sentences, and says what it has
    learned of headings. `nlp` tokenizes texts, and runs what the encoder listens to; their Docs are
    of `vocab`."""

    embedder: ThematicEmbedder
    nlp: Language
    vocab: Vocab

    def make_doc(self, text: str) -> Doc:
        """Tokenize a text."""
        doc = tokenize(self.nlp, text)
        return doc if doc.vocab is self.vocab else copy_words(doc, self.vocab)

    def encode(self, docs: Sequence[Doc], spans: Sequence[list[Span]]) -> np.ndarray:
        """Encode spans of Docs that no component has seen, float32 (spans, width)."""
        nodes = list(self.embedder.model.walk()) if self.embedder.model else []
        pipe: Any
        for _, pipe in self.nlp.components:
            if any(listener in nodes for listener in getattr(pipe, "listeners", ())):
                list(pipe.pipe(docs))  # It writes to the Docs, which stay the same.
        return np.concatenate(self.embedder.encode(list(docs), list(spans)))

    def encode_texts(self, texts: Iterable[str], batch_size: int = 256) -> np.ndarray:
        """Encode texts, each as one sentence, float32 (texts, width)."""
        rows = []
        for batch in minibatch(texts, batch_size):
            docs = [*map(self.make_doc, batch)]
            rows.append(self.encode(docs, [[doc[:]] for doc in docs]))
        if not rows:
            raise ValueError("Expected one text or more to encode, found none.")
        return np.concatenate(rows)

    @cached_property
    def _found(self) -> dict[Any, Any]:
        self.embedder.fill()
        state = find_state(self.embedder.model)
        former, found = _FOUND.get(self.embedder, (None, {}))
        if former != state:
            _FOUND[self.embedder] = state, (found := {})
        return found

    def find_once(self, name: Any, find: Callable[[], T]) -> T:
        """Return what a function finds, which the embedder alone decides; an encoder that is made
        when the embedder has learned finds it again."""
        if name not in self._found:
            self._found[name] = find()
        return self._found[name]

    def score_headings(
        self,
        means: np.ndarray,
        origin: np.ndarray,
        phrases: Sequence[str],
        known: KnownPhrases | None = None,
    ) -> HeadingScores | None:
        """Say how well phrases, and the headings that the encoder has met in training, fit some
        groups of sentences, by the mean unit vector of each, (k, width), and that of all sentences,
        (width,). None if the encoder has not learned headings for vectors of this width. Phrases
        that are `known` are not encoded again; new ones are added."""
        self.embedder.fill()
        net = section_headings.find_heading_net(self.embedder.model, means.shape[1])
        if net is None:
            return None
        bank = net.attrs["bank"]
        of_bank = self.find_once("bank", lambda: _embed(self, net, bank))
        known = {} if known is None else known
        if new := [phrase for phrase in phrases if phrase not in known]:
            known.update(zip(new, zip(*_embed(self, net, new))))
        sections, _ = section_headings.embed_sections(
            net, section_headings.describe_sections(means, origin)
        )
        shares, groups = net.get_param("log_shares"), section_headings.get_scale(net) * sections
        seen = np.unique(find_fitting(groups, of_bank.vectors, shares)).tolist()
        headings = [*(bank[number] for number in seen), *phrases]
        of_all = [*zip(*(own[seen] for own in of_bank)), *(known[phrase] for phrase in phrases)]
        vectors, leanings, rows = map(np.array, zip(*of_all))
        return HeadingScores(headings, shares[seen], vectors, groups, leanings, rows)

    def compare_halves(self, sentences: Sequence[Span]) -> float | None:
        """Return how like each other the halves of these sentences of one Doc are, and in English
        those of usual ones, on average; None where no sentence is long enough."""
        words = [[token.text for token in one if not token.is_space] for one in sentences]
        long = [own for own in words if len(own) >= _SHORTEST]
        if not long:
            return None
        own, lang = self.measure_halves(long), self.vocab.lang
        usual = [text.split() for text in get_words(lang).usual_sentences]
        if not usual:
            return own
        return (own + self.find_once(("halves", lang), lambda: self.measure_halves(usual))) / 2

    def measure_halves(self, sentences: Sequence[Sequence[str]]) -> float:
        """Return the mean cosine of the two halves of each sentence, of two words at least: its
        first words and its last, and every other word and the words between."""
        halves: list[Sequence[str]] = []
        for words in sentences:
            middle = len(words) // 2
            halves += words[:middle], words[middle:], words[::2], words[1::2]
        docs = [Doc(self.vocab, list(words)) for words in halves]
        rows = unit_rows(self.encode(docs, [[doc[:]] for doc in docs]), centre=False)
        return float(np.einsum("ij,ij->i", rows[::2], rows[1::2]).mean())

    def encode_asides(self) -> dict[str, np.ndarray] | None:
        """Return the unit rows of what the language of the pipeline says beside its themes, by
        kind, (n, width) each; None if nothing is known of the language, or the encoder knows the
        words of less than half of it."""
        kinds = get_words(self.nlp.lang).asides

        def encode() -> dict[str, np.ndarray] | None:
            doc, spans = _tokenize(self, [text for of_kind in kinds.values() for text in of_kind])
            rows = unit_rows(self.encode([doc], [spans]), centre=False)
            ends = np.cumsum([len(of_kind) for of_kind in kinds.values()])
            is_known = rows.any(axis=1).mean() >= 0.5
            return dict(zip(kinds, np.split(rows, ends[:-1]))) if is_known else None

        return self.find_once(("asides", self.nlp.lang), encode) if kinds else None


def encode_texts(nlp: Language, texts: Iterable[str], batch_size: int = 256) -> np.ndarray:
    """Encode texts, each as one sentence, by the `thematic_embedder` of a pipeline: float32 (texts,
    width). Raises ValueError if there is no text, or the pipeline has no `thematic_embedder`."""
    return Encoder(find_embedder(nlp), nlp, nlp.vocab).encode_texts(texts, batch_size)


def find_topic_map(doc: Doc, encoder: Encoder | None = None) -> np.ndarray | None:
    """Return the map from the vectors of a Doc to topics that the embedder has learned which wrote
    them, if it is in this process, or else an encoder: see `ThematicEmbedder.find_topics`."""
    vectors = doc._.thematic_vectors
    embedder = find_maker(doc) or (encoder and encoder.embedder)
    return embedder.find_topics(vectors.shape[1]) if embedder else None


def find_encoder(nlp: Language, doc: Doc, name: str = EMBEDDER) -> Encoder | None:
    """Return the encoder of the vectors of a Doc, for a component that reads them; None if none
    makes vectors of this width.

    It is the embedder that wrote them, if it is in this process, in any pipeline: a component that
    was sourced is in several at once. For other vectors, as of a Doc from disk, it is looked up in
    `nlp` by its name. The usual name stands for the only embedder with vectors of this width, too.
    Raises ValueError if another embedder than the named one wrote them."""
    vectors = doc._.thematic_vectors
    own = {key: pipe for key, pipe in nlp.components if isinstance(pipe, ThematicEmbedder)}
    maker = find_maker(doc)
    if maker is None:
        if name not in (EMBEDDER, *own):
            raise ValueError(
                f'The setting `embedder` names "{name}", and the pipeline has '
                f"{list(own) or 'no thematic_embedder'}: name one of its thematic embedders."
            )
        fitting = {key: pipe for key, pipe in own.items() if _fits(pipe, vectors)}
        is_only = name == EMBEDDER and len(fitting) == 1
        maker = next(iter(fitting.values())) if is_only else fitting.get(name)
    elif name not in (EMBEDDER, maker.name) and own.get(name) is not maker:
        raise ValueError(
            f'Expected thematic vectors of "{name}", which the setting `embedder` names, found '
            f'those of "{maker.name}": change the setting, or the order of the components.'
        )
    return None if maker is None else Encoder(maker, nlp, doc.vocab)


def need_encoder(nlp: Language, doc: Doc, name: str = EMBEDDER) -> Encoder:
    """Return what `find_encoder` does. Raises ValueError if what encodes the Doc is not known."""
    encoder = find_encoder(nlp, doc, name)
    if encoder is None:
        find_embedder(nlp)
        width = np.shape(doc._.thematic_vectors)[-1:]
        raise ValueError(
            f"Expected thematic vectors that an embedder of the pipeline made, found some of width "
            f"{width}, and none of its embedders makes these: let the pipeline process the text."
        )
    return encoder


def _fits(embedder: ThematicEmbedder, vectors: np.ndarray | None) -> bool:
    """Whether an embedder makes vectors as wide as some, as far as is known."""
    if vectors is None:
        return True
    embedder.fill()  # Some models know their width only from their weights.
    model = embedder.model
    return not model.has_dim("nO") or model.get_dim("nO") == np.shape(vectors)[-1]


def score_gaps(
    embedder: ThematicEmbedder, vectors: np.ndarray, lengths: np.ndarray
) -> np.ndarray | None:
    """Return the log odds that a section begins after each sentence of a text but the last, (n -
    1,), by the vectors and the characters of all; None if the encoder has not learned it for
    vectors of this width. A long text is scored in pieces, so that little memory is needed."""
    if len(vectors) < 2:
        return None
    embedder.fill()
    net = find_boundaries(embedder.model, vectors.shape[1])
    if net is None:
        return None
    pieces = []
    for start in range(0, len(vectors), PIECE):
        first = max(0, start - MARGIN)
        read = slice(first, start + PIECE + MARGIN)
        pieces.append(net.predict([(vectors[read], lengths[read])])[start - first :][:PIECE])
    return np.concatenate(pieces)[1:]


def _embed(encoder: Encoder, net: Model, headings: Sequence[str]) -> _Scored:
    read = [_tokenize(encoder, batch) for batch in minibatch(headings, _BATCH)]
    docs, spans = [doc for doc, _ in read], [of_doc for _, of_doc in read]
    found = make_doc_spans(net.ops, docs, spans)
    leanings = section_headings.get_leanings(net, found.words)
    weight = (_FOR * np.maximum(leanings, 0) + _AGAINST * np.minimum(leanings, 0)).sum(axis=1)
    is_cut = (leanings[:, 0] < _LEAST_FIRST) | (leanings[:, 2] < _LEAST_LAST)
    weight -= _NEVER * (is_cut & (found.words.lengths > 1))
    rows = encoder.encode(docs, spans) if docs else np.zeros((0, net.layers[1].get_dim("nI")), "f")
    vectors = section_headings.embed_headings(net, rows, found)[0]
    return _Scored(vectors, np.column_stack([weight, leanings[:, [0, 2]]]), rows)


def _tokenize(encoder: Encoder, headings: Sequence[str]) -> tuple[Doc, list[Span]]:
    """One Doc of all headings, each on a line of its own: much faster than a Doc of each."""
    doc = encoder.make_doc("\n".join(headings))
    ends = np.cumsum([len(heading) + 1 for heading in headings])
    starts = doc.to_array([IDX]).astype(int)
    bounds = np.searchsorted(starts, np.append(0, ends)).tolist()
    return doc, [doc[first:after] for first, after in pairwise(bounds)]
