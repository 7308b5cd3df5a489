"""Sentence encoders to measure: those of pipelines, and what they should be above."""

from collections.abc import Callable, Iterable, Sequence

import numpy as np
from spacy.language import Language
from spacy.tokens import Doc, Span
from spacy.vocab import Vocab
from thinc.api import NumpyOps

from spacy_thematic.models.spans import make_doc_spans
from spacy_thematic.models.vector_tables import load_word_vectors
from spacy_thematic.models.weighted_mean import sum_spans
from spacy_thematic.models.word_vectors import look_up_vectors
from spacy_thematic.packages import resolve_path
from spacy_thematic.pipeline.embedder import find_embedder
from spacy_thematic.pipeline.loading import load_pipeline
from spacy_thematic.pipeline.text_encoder import Encoder
from spacy_thematic.pretrained import find_path, list_bundled
from spacy_thematic.sentences.tokenizing import copy_words
from spacy_thematic.triplets.rules import is_in_language

SpanEncoder = Callable[[Doc, Sequence[Span]], np.ndarray]
"""The spans of a Doc to vectors, float32 (spans, width)."""

MEAN_VECTORS, RANDOM = "mean_vectors", "random"
NAMES = {MEAN_VECTORS: "mean vectors", RANDOM: "chance"}
"""What baselines are called in words."""

MAX_SLOW_SENTENCES = 20_000
"""A slow model would take many minutes for more."""


def pipeline_encoder(nlp: Language) -> SpanEncoder:
    """The encoder of a pipeline's `thematic_embedder`, for Docs of any vocabulary."""
    encoder = Encoder(find_embedder(nlp), nlp, nlp.vocab)

    def encode(doc: Doc, spans: Sequence[Span]) -> np.ndarray:
        doc = copy_words(doc, nlp.vocab)  # Static word vectors are those of its vocabulary.
        return encoder.encode([doc], [[doc[span.start : span.end] for span in spans]])

    return encode


def random_vectors(seed: int) -> SpanEncoder:
    """A random vector of 50 numbers for each sentence, the same for the same text."""

    def encode(doc: Doc, spans: Sequence[Span]) -> np.ndarray:
        texts = [span.text.encode() for span in spans]
        rows = [np.random.default_rng([seed, *text]).standard_normal(50) for text in texts]
        return np.array(rows, dtype="f").reshape(len(rows), 50)

    return encode


def mean_vectors(vocab: Vocab) -> SpanEncoder:
    """The mean of a sentence's word vectors, as they are (the paper's baseline); words without a
    vector do not count."""

    def encode(doc: Doc, spans: Sequence[Span]) -> np.ndarray:
        words, _, lengths = look_up(vocab, doc, spans)
        return mean_of_known(words, lengths)

    return encode


def look_up(
    vocab: Vocab, doc: Doc, spans: Sequence[Span]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The vectors and the lower forms of the words of spans, (words, width) and (words,), and how
    many words each span has."""
    orth, lower, lengths = make_doc_spans(NumpyOps(), [doc], [spans]).words
    return look_up_vectors(vocab, orth, lower, normalize=False), lower, lengths


def mean_of_known(words: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    """The mean of the vectors of each span's words that have one."""
    known = words.any(axis=1, keepdims=True).astype("f")
    counts = np.maximum(sum_spans(NumpyOps(), known, lengths), 1)
    return sum_spans(NumpyOps(), words, lengths) / counts


def make_baselines(vocab: Vocab, word_vectors: str, seed: int) -> dict[str, SpanEncoder]:
    """The encoders that a model should be above: random vectors, and means of word vectors, those
    of a table or a pipeline that `word_vectors` names, else those of `vocab`, if it has any.

    Raises ValueError if the pipeline has none."""
    if word_vectors:
        path = resolve_path(word_vectors)
        vocab = load_word_vectors(path) if path.exists() else load_pipeline(word_vectors).vocab
        if not vocab.vectors.shape[0]:
            raise ValueError(f'The pipeline "{word_vectors}" has no word vectors.')
    found = {MEAN_VECTORS: mean_vectors(vocab)} if vocab.vectors.shape[0] else {}
    return {**found, RANDOM: random_vectors(seed)}


def choose_bundled(model: str, lang: str, n_sentences: int) -> tuple[list[str], list[str]]:
    """The bundled models for a language to compare a model with, and those that are too slow for so
    many sentences."""
    own, quick = find_path(model), list_bundled(lang)
    names = [name for name in list_bundled(lang, slow=True) if find_path(name) != own]
    chosen = [name for name in names if name in quick or n_sentences <= MAX_SLOW_SENTENCES]
    return chosen, [name for name in names if name not in chosen]


def reads_otherwise(docs: Iterable[Doc], nlp: Language) -> bool:
    """Whether texts that a pipeline takes for English have too few English stop words for it. Of
    other languages, whose words may be joined or inflected, nothing is told."""
    words = (token.text for doc in docs for token in doc)
    return nlp.lang == "en" and not is_in_language(words, nlp.Defaults.stop_words)
