"""Trained encoders without the nets that stand beside them, and with others."""

from pathlib import Path

from thinc.api import Model

from spacy_thematic.models.encoder_and_net import WITH_TOPICS, put_beside
from spacy_thematic.pretrained.architecture import Architecture
from spacy_thematic.pretrained.model_file import write_model_file
from spacy_thematic.pretrained.source import Pretrained
from spacy_thematic.pretrained.state import take_state

Built = tuple[Architecture, Model]


def take_encoder(pretrained: Pretrained, *beside: str) -> Built:
    """The architecture and the model of a trained encoder, without the map to topics, which is made
    last, nor what the architectures `beside` put there, outermost first."""
    architecture, model = pretrained.architecture, pretrained.build()
    pretrained.fill(model)
    for name in (WITH_TOPICS, *beside):
        if architecture["@architectures"] == name:
            architecture, model = architecture["encoder"], model.layers[0]
    return architecture, model


def write_beside(
    out: Path, pretrained: Pretrained, name: str, encoder: Built, key: str, net: Built, **how: bool
) -> None:
    """Write an encoder and a net as a model file of the architecture of a name, which calls the net
    by a key. `how` is that of `write_model_file`."""
    architecture = {"@architectures": name, "encoder": encoder[0], key: net[0]}
    state = take_state(put_beside(key, encoder[1], net[1]))
    write_model_file(out, pretrained.lang, architecture, state, **how)
