"""The encoder of a pipeline as a model file."""

import random
from pathlib import Path
from string import ascii_lowercase

import numpy as np
from spacy.language import Language
from spacy.tokens import Doc

from spacy_thematic.losses.distances import normalize_rows
from spacy_thematic.pipeline.embedder import ThematicEmbedder, find_embedder
from spacy_thematic.pipeline.loading import load_pipeline
from spacy_thematic.pretrained.model_file import write_model_file
from spacy_thematic.pretrained.source import find_architecture
from spacy_thematic.pretrained.state import check_holds_all, take_state

N_SENTENCES, N_WORDS = 300, 12


def export_encoder(nlp: Language, path: Path, *, int8: bool = False) -> float:
    """Write the encoder of a pipeline, of several the first, to a model file for `pretrained` of
    `thematic_embedder`, with int8 rows and 16-bit nets, or with `int8` nets of 8 bits too. Returns
    the most that rounding changes the cosine of two sentences, of 300 random ones. Raises
    ValueError if the encoder is not trained, or works only within its pipeline."""
    embedder = find_embedder(nlp)
    check_holds_all(embedder.model)
    sentences = _make_sentences(nlp)
    before = _find_cosines(embedder, sentences)
    name = next(name for name, pipe in nlp.pipeline if pipe is embedder)
    config = nlp.config.interpolate()["components"][name]
    architecture = find_architecture(config, embedder.cfg)
    write_model_file(path, nlp.lang or "xx", architecture, take_state(embedder.model), int8=int8)
    after = _find_cosines(find_embedder(load_pipeline(path)), sentences)
    return float(np.abs(after - before).max())


def _make_sentences(nlp: Language) -> list[Doc]:
    """Sequences of random words of the vocabulary."""
    words = sorted(filter(str.isalpha, nlp.vocab.strings)) or list(ascii_lowercase)
    rng = random.Random(0)
    return [Doc(nlp.vocab, words=rng.choices(words, k=N_WORDS)) for _ in range(N_SENTENCES)]


def _find_cosines(embedder: ThematicEmbedder, sentences: list[Doc]) -> np.ndarray:
    vectors = np.concatenate(embedder.encode(sentences, [[doc[:]] for doc in sentences]))
    unit, _ = normalize_rows(vectors)
    return unit @ unit.T
