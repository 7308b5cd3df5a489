"""Trained encoders without the nets that stand beside them."""

from thinc.api import Model

from spacy_thematic.models.topics import WITH_TOPICS
from spacy_thematic.pretrained.architecture import Architecture
from spacy_thematic.pretrained.source import Pretrained


def take_encoder(pretrained: Pretrained, *beside: str) -> tuple[Architecture, Model]:
    """The architecture and the model of a trained encoder, without the nets beside it, nor the map
    to topics, which is made last.

    Args:
        pretrained: The encoder.
        beside: Architectures that put a net beside an encoder, outermost first.
    """
    architecture, model = pretrained.architecture, pretrained.build()
    pretrained.fill(model)
    for name in (WITH_TOPICS, *beside):
        if architecture["@architectures"] == name:
            architecture, model = architecture["encoder"], model.layers[0]
    return architecture, model
