"""A linear map from the thematic vectors of sentences to vectors of their topics.

Thematic vectors tell the sections of one article apart, by what the article is *not* about. Topics
tell texts apart, by what they *are* about. The map learned from general encoders, by ridge
regression.
"""

from collections.abc import Callable

import numpy as np
from spacy.util import registry
from thinc.api import Model
from thinc.types import Floats2d

from spacy_thematic.models.encoder_and_net import find_net, put_beside
from spacy_thematic.models.spans import DocSpans

NAME = "topics"
WITH_TOPICS = "spacy-thematic.WithTopics.v1"


@registry.architectures("spacy-thematic.Topics.v1")
def build_topics(width: int = 384) -> Model[Floats2d, Floats2d]:
    """Build the map, from vectors of sentences to vectors of their topics, (n, width)."""
    return Model(NAME, _forward, init=_init, params={"W": None}, dims={"nI": None, "nO": width})


def _init(model: Model, X: object = None, Y: object = None) -> None:
    model.set_param("W", model.ops.alloc2f(model.get_dim("nI"), model.get_dim("nO")))


def _forward(
    model: Model[Floats2d, Floats2d], X: Floats2d, is_train: bool
) -> tuple[Floats2d, Callable]:
    weights = model.get_param("W")

    def backprop(dY: Floats2d) -> Floats2d:
        model.inc_grad("W", model.ops.gemm(X, dY, trans1=True))
        return model.ops.gemm(dY, weights, trans2=True)

    return model.ops.gemm(X, weights), backprop


@registry.architectures(WITH_TOPICS)
def build_with_topics(
    encoder: Model[DocSpans, Floats2d], topics: Model[Floats2d, Floats2d]
) -> Model[DocSpans, Floats2d]:
    """An encoder, and the map from its vectors to topics. The map is not part of the forward pass:
    `find_topics` gives it to what compares texts."""
    return put_beside("with_topics", encoder, topics)


def find_topics(model: Model, width: int) -> np.ndarray | None:
    """Return the map in an encoder from vectors of a width to topics, (width, width of topics), if
    there is one. Vectors of length one are multiplied by it."""
    net = find_net(NAME, model, width)
    return None if net is None else np.asarray(net.get_param("W"))
