"""The encoder of the vectors of a Doc, for what else is encoded to compare it with them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from spacy.language import Language
from spacy.tokens import Doc, Span
from spacy.vocab import Vocab

from spacy_thematic.naming.candidates import HeadingScores
from spacy_thematic.pipeline.embedder import (
    EMBEDDER,
    ThematicEmbedder,
    find_embedder,
    find_maker,
)
from spacy_thematic.pipeline.heading_scorer import KnownPhrases, score_headings
from spacy_thematic.sentences.tokenizing import tokenize


@dataclass(frozen=True)
class Encoder:
    """A handle on an encoder: it encodes other texts as it encodes sentences, and says what it has
    learned of headings.

    Attributes:
        embedder: Of the vectors.
        nlp: Its tokenizer makes Docs, and it runs what the encoder listens to.
        vocab: Of these Docs.
    """

    embedder: ThematicEmbedder
    nlp: Language
    vocab: Vocab

    def make_doc(self, text: str) -> Doc:
        """Tokenize a text."""
        doc = tokenize(self.nlp, text)
        if doc.vocab is self.vocab:
            return doc
        words, spaces = [token.text for token in doc], [bool(token.whitespace_) for token in doc]
        return Doc(self.vocab, words=words, spaces=spaces)

    def encode(self, docs: Sequence[Doc], spans: Sequence[list[Span]]) -> np.ndarray:
        """Encode spans of Docs that no component has seen, float32 (spans, width)."""
        nodes = list(self.embedder.model.walk()) if self.embedder.model else []
        pipe: Any
        for _, pipe in self.nlp.components:
            listeners = getattr(pipe, "listeners", ())
            if any(node is listener for node in nodes for listener in listeners):
                # It writes to the Docs, which stay the same.
                for _ in pipe.pipe(docs):
                    pass
        return np.concatenate(self.embedder.encode(list(docs), list(spans)))

    def encode_texts(self, texts: Iterable[str], batch_size: int = 256) -> np.ndarray:
        """Encode texts, each as one sentence, float32 (texts, width)."""
        texts = list(texts)
        if not texts:
            raise ValueError("Expected one text or more to encode, found none.")
        rows = []
        for start in range(0, len(texts), batch_size):
            docs = [self.make_doc(text) for text in texts[start : start + batch_size]]
            rows.append(self.encode(docs, [[doc[:]] for doc in docs]))
        return np.concatenate(rows)

    def score_headings(
        self,
        means: np.ndarray,
        origin: np.ndarray,
        phrases: Sequence[str],
        known: KnownPhrases | None = None,
    ) -> HeadingScores | None:
        """Say how well phrases, and the headings that the encoder has met in training, fit some
        groups of sentences, by the mean unit vector of each, (k, width), and that of all sentences,
        (width,). None if the encoder has not learned headings for vectors of this width. `known`
        phrases of this text were scored before; new ones are added."""
        return score_headings(self, means, origin, phrases, {} if known is None else known)


def encode_texts(nlp: Language, texts: Iterable[str], batch_size: int = 256) -> np.ndarray:
    """Encode texts, each as one sentence, by the `thematic_embedder` of a pipeline: float32 (texts,
    width). Raises ValueError if there is no text, or the pipeline has no `thematic_embedder`."""
    return Encoder(find_embedder(nlp), nlp, nlp.vocab).encode_texts(texts, batch_size)


def find_topic_map(doc: Doc, encoder: Encoder | None = None) -> np.ndarray | None:
    """Return the map from the vectors of a Doc to topics that the embedder has learned which wrote
    them in this process, or else an encoder: see `ThematicEmbedder.find_topics`."""
    vectors = doc._.thematic_vectors
    embedder = find_maker(vectors) or (encoder and encoder.embedder)
    return embedder.find_topics(vectors.shape[1]) if embedder else None


def find_encoder(nlp: Language, doc: Doc, name: str = EMBEDDER) -> Encoder | None:
    """Return the encoder of the vectors of a Doc, for a component that reads them.

    It is the embedder that wrote them in this process, no matter in which pipeline: a component
    that was sourced is in several at once, and spaCy tells it of none. For other vectors, as of a
    Doc that was read from disk, it is looked up in the pipeline that made the component, where it
    may be disabled.

    Args:
        nlp: The pipeline that made the component.
        name: Of the embedder in that pipeline. The usual name stands for the only embedder with
            vectors of this width, too, and for any that wrote them.

    Returns:
        None if none makes vectors of this width.

    Raises:
        ValueError: If the vectors are not those of the embedder that `name` names.
    """
    vectors = doc._.thematic_vectors
    own = {key: pipe for key, pipe in nlp.components if isinstance(pipe, ThematicEmbedder)}
    maker = find_maker(vectors)
    if maker is not None:
        if name not in (EMBEDDER, maker.name) and own.get(name) is not maker:
            raise ValueError(
                f'Expected thematic vectors of "{name}", which the setting `embedder` names, found '
                f'those of "{maker.name}": change the setting, or the order of the components.'
            )
        return Encoder(maker, nlp, doc.vocab)
    if name not in (EMBEDDER, *own):
        raise ValueError(
            f'The setting `embedder` names "{name}", and the pipeline has '
            f"{list(own) or 'no thematic_embedder'}: name one of its thematic embedders."
        )
    fitting = {key: pipe for key, pipe in own.items() if _fits(pipe, vectors)}
    if name == EMBEDDER and len(fitting) == 1:
        return Encoder(next(iter(fitting.values())), nlp, doc.vocab)
    return Encoder(fitting[name], nlp, doc.vocab) if name in fitting else None


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
