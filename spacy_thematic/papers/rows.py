"""The rows of the paper's tables: baselines, trained pipelines, and encoders of other packages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from spacy_thematic.clustering.vectors import Clusterer
from spacy_thematic.evaluation.baselines.random_vectors import random_vectors
from spacy_thematic.evaluation.baselines.word_vectors import mean_vectors
from spacy_thematic.evaluation.encoders import (
    EncoderFactory,
    pipeline_encoder,
    same_for_all,
    text_encoder,
)
from spacy_thematic.evaluation.protocols import CLUSTERING, DISTANCE
from spacy_thematic.models.vector_tables import load_word_vectors
from spacy_thematic.papers.baselines.information_bottleneck import create_sib
from spacy_thematic.papers.baselines.peers import load_peer
from spacy_thematic.papers.baselines.sif import sif_vectors
from spacy_thematic.papers.baselines.terms import term_counts, tfidf_vectors
from spacy_thematic.papers.protocol import RELATEDNESS, SIB
from spacy_thematic.papers.provenance import describe_pipeline
from spacy_thematic.pipeline.loading import load_pipeline

TASKS = (DISTANCE, CLUSTERING, RELATEDNESS)


@dataclass
class TableRow:
    """A row of the tables: an encoder, or several trained alike with other seeds.

    Attributes:
        name: Unique; the folder of its scores is called so.
        loaders: For each seed of training what loads the encoder.
        tasks: Those it is measured on.
        clusterers: Algorithms for its vectors, instead of the protocol's.
        trained: What `describe_pipeline` returned for each seed; empty for what is no pipeline.
        seeds: Numbers of the seeds, by which their scores are kept; from 0 if there are none.
    """

    name: str
    loaders: Sequence[Callable[[], EncoderFactory]]
    tasks: Sequence[str] = TASKS
    clusterers: Mapping[str, Clusterer] | None = None
    trained: Sequence[dict[str, Any]] = ()
    seeds: Sequence[int] = ()


def baseline_rows(word_vectors: Path | None, sib: bool, seed: int) -> list[TableRow]:
    """Random vectors and TF-IDF; means of word vectors and SIF; the information bottleneck.

    Args:
        word_vectors: What `load_word_vectors` takes; None for no row of word vectors.
        sib: Whether to add the sequential information bottleneck, which clusters term counts.
        seed: Of the random vectors.
    """
    rows = [
        TableRow("random", [lambda: same_for_all(random_vectors(seed))]),
        TableRow("tf-idf", [lambda: tfidf_vectors], (DISTANCE, CLUSTERING)),
    ]
    if word_vectors is not None:
        vocab = load_word_vectors(word_vectors)
        rows.append(TableRow("mean-vectors", [lambda: same_for_all(mean_vectors(vocab))]))
        rows.append(TableRow("sif", [lambda: partial(sif_vectors, vocab)]))
    if sib:
        counts = [lambda: same_for_all(term_counts)]
        rows.append(TableRow("sib", counts, (CLUSTERING,), {SIB.name: create_sib()}))
    return rows


def pipeline_rows(names: Iterable[str]) -> list[TableRow]:
    """A row for each pipeline or encoder.

    Args:
        names: Each as `load_pipeline` takes it, or NAME=PIPELINE; those of one name are seeds of
            one row, numbered from 0, or as NAME@SEED=PIPELINE says.

    Raises:
        ValueError: If a pipeline or encoder is missing, or has no name, or two have one seed.
    """
    rows: dict[str, dict[int, str]] = {}
    for given, pipeline in map(_split_name, names):
        name, seed = _split_seed(given)
        found = rows.setdefault(name, {})
        seed = len(found) if seed is None else seed
        if seed in found:
            raise ValueError(
                f'Two pipelines are seed {seed} of "{name}": number all of them, NAME@SEED=PATH.'
            )
        found[seed] = pipeline
    return [
        TableRow(
            name,
            [partial(_load_pipeline, pipeline) for pipeline in found.values()],
            trained=[describe_pipeline(pipeline) for pipeline in found.values()],
            seeds=[*found],
        )
        for name, found in rows.items()
    ]


def peer_rows(names: Iterable[str]) -> list[TableRow]:
    """A row for each encoder of another package, as `load_peer` takes it, or NAME=ENCODER."""
    return [TableRow(name, [partial(_load_peer, peer)]) for name, peer in map(_split_name, names)]


def check_names(rows: Iterable[TableRow]) -> None:
    """Raise ValueError for two rows of one name, and for a name that a folder cannot have."""
    names = [row.name for row in rows]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f'Two rows are called "{name}": give one another name, NAME=PATH.')
        if not name or set(name) & set('/\\:*?"<>|') or name.startswith("."):
            raise ValueError(f'A row cannot be called "{name}": choose NAME=PATH, plain letters.')


def _split_name(given: str) -> tuple[str, str]:
    """The name and the path of NAME=PATH, or of a path, whose last part is the name."""
    name, found, path = given.partition("=")
    if found and not (name and path):
        raise ValueError(f"Expected NAME=PATH, or a path alone, found {given!r}.")
    return (name, path) if found else (Path(given).name, given)


def _split_seed(given: str) -> tuple[str, int | None]:
    """The name and the seed of NAME@SEED; None if there is none."""
    name, _, seed = given.rpartition("@")
    return (name, int(seed)) if name and seed.isdecimal() else (given, None)


def _load_pipeline(pipeline: str) -> EncoderFactory:
    return same_for_all(pipeline_encoder(load_pipeline(pipeline)))


def _load_peer(peer: str) -> EncoderFactory:
    return same_for_all(text_encoder(load_peer(peer)))
