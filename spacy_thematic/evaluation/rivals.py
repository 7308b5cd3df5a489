"""What a model is compared with: the bundled ones, mean word vectors and random vectors."""

from __future__ import annotations

from collections.abc import Iterable

from spacy.language import Language
from spacy.tokens import Doc
from spacy.vocab import Vocab

from spacy_thematic.evaluation.baselines.random_vectors import random_vectors
from spacy_thematic.evaluation.baselines.word_vectors import mean_vectors
from spacy_thematic.evaluation.encoders import Encoder
from spacy_thematic.models.vector_tables import load_word_vectors
from spacy_thematic.packages import resolve_path
from spacy_thematic.pipeline.loading import load_pipeline
from spacy_thematic.pretrained import find_path, list_bundled
from spacy_thematic.triplets.rules import is_in_language

MEAN_VECTORS, RANDOM = "mean_vectors", "random"
NAMES = {MEAN_VECTORS: "mean vectors", RANDOM: "chance"}
"""What baselines are called in words."""

MAX_SLOW_SENTENCES = 20_000
"""With more, a slow model would take more than some minutes."""


def make_baselines(vocab: Vocab, word_vectors: str, seed: int) -> dict[str, Encoder]:
    """The encoders that a model should be above: mean word vectors and random vectors.

    Args:
        vocab: Its word vectors are taken, if it has any and no others are named.
        word_vectors: A table of word vectors, or a pipeline that has some; may be "".
        seed: Of the random vectors.

    Raises:
        ValueError: If the pipeline has no word vectors.
    """
    if word_vectors:
        path = resolve_path(word_vectors)
        vocab = load_word_vectors(path) if path.exists() else load_pipeline(word_vectors).vocab
        if not vocab.vectors.shape[0]:
            raise ValueError(f'The pipeline "{word_vectors}" has no word vectors.')
    found = {MEAN_VECTORS: mean_vectors(vocab)} if vocab.vectors.shape[0] else {}
    return {**found, RANDOM: random_vectors(seed)}


def choose_bundled(model: str, lang: str, n_sentences: int) -> tuple[list[str], list[str]]:
    """The bundled models for a language that a model is compared with: the slow ones only on few
    sentences.

    Args:
        model: That is compared; it is not among them.
        lang: The code of the language.
        n_sentences: That are to be encoded.

    Returns:
        Those to compare with, and those that are too slow for it.
    """
    own = find_path(model)
    names = [name for name in list_bundled(lang, slow=True) if find_path(name) != own]
    quick = list_bundled(lang)
    chosen = [name for name in names if name in quick or n_sentences <= MAX_SLOW_SENTENCES]
    return chosen, [name for name in names if name not in chosen]


def reads_otherwise(docs: Iterable[Doc], nlp: Language) -> bool:
    """Whether texts that a pipeline takes for English have too few English stop words for it. Of
    other languages, whose words may be joined or inflected, nothing is told."""
    words = (token.text for doc in docs for token in doc)
    return nlp.lang == "en" and not is_in_language(words, nlp.Defaults.stop_words)
