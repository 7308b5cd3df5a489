"""Themes that a user names in advance, each by a few example words or sentences."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from spacy.language import Language

from spacy_thematic.clustering.vectors import Clusterer, centre_of, unit_rows

UNLIKE = 0.2


def find_embedder(nlp: Language) -> Any:
    """The pipeline's `thematic_embedder`. Raises ValueError if it has none."""
    for name, pipe in nlp.pipeline:
        if nlp.get_pipe_meta(name).factory == "thematic_embedder":
            return pipe
    raise ValueError(
        f'The pipeline has no "thematic_embedder", only {nlp.pipe_names}: add it, or load a '
        "pipeline that has it."
    )


def encode_texts(nlp: Language, texts: Iterable[str], batch_size: int = 256) -> np.ndarray:
    """Vectors of texts, each encoded as one sentence by the pipeline's `thematic_embedder`.
    (texts, width), float32. Raises ValueError if there is no text, or no such component."""
    texts = list(texts)
    embedder = find_embedder(nlp)
    rows = []
    for start in range(0, len(texts), batch_size):
        docs = [nlp.make_doc(text) for text in texts[start : start + batch_size]]
        rows += embedder.encode(docs, [[doc[:]] for doc in docs])
    return np.concatenate(rows)


def encode_seeds(nlp: Language, seeds: Mapping[str, Sequence[str]]) -> np.ndarray:
    """The mean direction of each seed theme's examples, (seeds, width).

    Raises ValueError if a theme has no examples, or none with a word that the encoder knows.
    """
    rows = []
    for name, examples in seeds.items():
        vectors = encode_texts(nlp, examples) if examples else np.zeros((0, 1))
        if not vectors.any():
            raise ValueError(
                f"The seed theme {name!r} has no example with a word that the encoder knows, only "
                f"{list(examples)}: give it some words or sentences of the kind it was trained on."
            )
        rows.append(unit_rows(vectors, centre=False).sum(axis=0))
    return unit_rows(np.stack(rows), centre=False)


def cluster_around_seeds(
    vectors: np.ndarray, seeds: np.ndarray, cluster: Clusterer, k: int, seed: int
) -> np.ndarray:
    """Cluster rows, (n, width), around given directions, (seeds, width). (n,), from 0.

    Row i of `seeds` is cluster i. Each row goes to the seed of largest cosine. If k is more than
    the number of seeds, rows that are like none of them are clustered among themselves into the
    remaining `k - len(seeds)`. Clusters may be empty.
    """
    labels = (unit_rows(vectors, centre=False) @ seeds.T).argmax(axis=1)
    n_free = k - len(seeds)
    if n_free > 0:
        rest = np.flatnonzero(_is_unlike(vectors, seeds))
        if len(rest):
            labels[rest] = len(seeds) + cluster(vectors[rest], n_free, seed)
    return labels


def _is_unlike(vectors: np.ndarray, seeds: np.ndarray) -> np.ndarray:
    """Whether the cosine of a row with every seed is at most `UNLIKE` when the rows' mean is the
    origin. Seeds are scaled to the rows' mean length, so that they lie among them."""
    origin = centre_of(vectors)
    lengths = np.linalg.norm(vectors, axis=1)
    length = lengths[lengths > 0].mean() if lengths.any() else 1.0
    directions = unit_rows(seeds * length, origin)
    return (unit_rows(vectors, origin) @ directions.T).max(axis=1) <= UNLIKE
