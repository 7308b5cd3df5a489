"""Articles of 5 to 12 sections, and the vectors of their sentences by several encoders. Both are
kept in a folder between runs; a bundled model encodes them again when its weights change."""

from __future__ import annotations

import argparse
import hashlib
import random
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import spacy
from spacy.tokens import Doc, DocBin
from tqdm import tqdm

from spacy_thematic.articles.sources import ReadLog
from spacy_thematic.evaluation.baselines.word_vectors import mean_vectors
from spacy_thematic.evaluation.encoders import Encoder, pipeline_encoder, text_encoder
from spacy_thematic.evaluation.heldout import iter_clustering_docs
from spacy_thematic.models.vector_tables import load_word_vectors
from spacy_thematic.papers.baselines.peers import load_sentence_transformer
from spacy_thematic.pipeline.loading import load_pipeline
from spacy_thematic.pretrained import BUNDLED, find_path
from spacy_thematic.triplets.docbin import SENTENCES


class Encoded(NamedTuple):
    """The vectors of an article's sentences, (n, width), and their sections, (n,)."""

    vectors: np.ndarray
    sections: np.ndarray


def add_arguments(parser: argparse.ArgumentParser, articles: int) -> None:
    parser.add_argument("source", type=Path)
    parser.add_argument("--articles", type=int, default=articles)
    parser.add_argument("--glove", type=Path)
    parser.add_argument("--minilm")
    parser.add_argument("--only", nargs="+", help="names of encoders")
    parser.add_argument("--cache", type=Path, required=True)


def read(args: argparse.Namespace) -> list[Doc]:
    """Random articles, of which fewer are the first of more. Kept in the cache too."""
    nlp = spacy.blank("en")
    path = args.cache / args.source.name.split(".")[0] / f"{args.articles}.spacy"
    if not path.exists():
        docs = list(iter_clustering_docs(args.source, nlp, log=ReadLog()))
        random.Random(0).shuffle(docs)
        path.parent.mkdir(parents=True, exist_ok=True)
        DocBin(docs=docs[: args.articles]).to_disk(path)
    return list(DocBin().from_disk(path).get_docs(nlp.vocab))


def sections_of(doc: Doc) -> np.ndarray:
    return np.array([sentence.id for sentence in doc.spans[SENTENCES]])


def encode_all(args: argparse.Namespace, docs: list[Doc]) -> dict[str, list[Encoded]]:
    """The vectors of all articles by each encoder that is asked for."""
    return {name: encode(args, docs, name, make) for name, make in find_encoders(args).items()}


def find_encoders(args: argparse.Namespace) -> dict[str, Callable[[], Encoder]]:
    makers: dict[str, Callable[[], Encoder]] = {}
    if args.glove:
        makers["mean of GloVe"] = lambda: mean_vectors(load_word_vectors(args.glove))
    if args.minilm:
        makers["all-MiniLM-L6-v2"] = lambda: text_encoder(load_sentence_transformer(args.minilm))
    for name in sorted(BUNDLED, reverse=True):
        makers[name] = lambda name=name: pipeline_encoder(load_pipeline(name))
    return {name: make for name, make in makers.items() if name in (args.only or makers)}


def encode(
    args: argparse.Namespace, docs: list[Doc], name: str, make: Callable[[], Encoder]
) -> list[Encoded]:
    folder = args.cache / args.source.name.split(".")[0] / f"{name}{_checksum(name)}"
    folder.mkdir(parents=True, exist_ok=True)
    encoder = None
    encoded = []
    for number, doc in enumerate(tqdm(docs, desc=name, disable=None)):
        path = folder / f"{number}.npy"
        if not path.exists():
            encoder = encoder or make()
            np.save(path, encoder(doc, list(doc.spans[SENTENCES])))
        encoded.append(Encoded(np.load(path), sections_of(doc)))
    return encoded


def _checksum(name: str) -> str:
    """Of the file of a bundled model."""
    if name not in BUNDLED:
        return ""
    return "-" + hashlib.sha256(find_path(name).read_bytes()).hexdigest()[:12]
