"""Small trained encoders of every architecture, saved by version 0.1 of this package."""

from pathlib import Path

import numpy as np
import pytest
import spacy
import srsly

import bigan_encoder  # noqa: F401
import gru_encoder  # noqa: F401

SAVED = Path(__file__).parent / "saved_before"
ARCHITECTURES = srsly.read_json(SAVED / "architectures.json")
TEXT = "The river meets the coast. A bank pays tax. The island has a lake!"


def make_pipeline(**config):
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    nlp.add_pipe("thematic_embedder", config=config)
    return nlp


def restore(name: str):
    nlp = make_pipeline(model=ARCHITECTURES[name])
    embedder = nlp.get_pipe("thematic_embedder")
    embedder.from_bytes((SAVED / f"{name}.bin").read_bytes(), exclude=["vocab"])
    return nlp


def encode(nlp) -> np.ndarray:
    return nlp(TEXT)._.thematic_vectors


@pytest.fixture(params=ARCHITECTURES)
def architecture(request) -> str:
    return request.param


@pytest.fixture
def model_file(tmp_path):
    """A model file in a folder of its own."""
    from spacy_thematic.pipeline.loading import export_encoder

    path = tmp_path / "models" / "mine.safetensors"
    export_encoder(restore("mean"), path)
    return path
