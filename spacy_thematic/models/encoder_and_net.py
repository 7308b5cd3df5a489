"""A net beside an encoder, in one model, so that one file holds both; and the smallest of these
nets, a linear map from the thematic vectors of sentences to vectors of their topics.

Thematic vectors tell the sections of one article apart, by what the article is *not* about. Topics
tell texts apart, by what they *are* about. The map learned from general encoders, by ridge
regression.
"""

from collections.abc import Callable

from spacy.util import registry
from thinc.api import Model
from thinc.types import Floats2d

from spacy_thematic.models.spans import DocSpans

TOPICS, WITH_TOPICS = "topics", "spacy-thematic.WithTopics.v1"


def put_beside(name: str, encoder: Model[DocSpans, Floats2d], net: Model) -> Model:
    """Return a model that encodes as the encoder does. The net, which reads the encoder's vectors,
    is not part of the forward pass. Its width of input, "nI", is set to the width of the vectors.
    """
    return Model(
        name,
        _encode,
        init=_init,
        layers=[encoder, net],
        dims={"nO": encoder.get_dim("nO") if encoder.has_dim("nO") else None},
    )


def find_net(name: str, model: Model, width: int) -> Model | None:
    """Return the net of a name in a model that reads vectors of a width, if there is one."""
    nets = (node for node in model.walk() if node.name == name and node.has_dim("nI"))
    return next((net for net in nets if net.get_dim("nI") == width), None)


def _encode(model: Model, X: DocSpans, is_train: bool) -> tuple[Floats2d, Callable]:
    return model.layers[0](X, is_train)


def _init(model: Model, X: DocSpans | None = None, Y: object = None) -> None:
    encoder, net = model.layers
    encoder.initialize(X)
    if encoder.has_dim("nO"):
        model.set_dim("nO", encoder.get_dim("nO"))
        net.set_dim("nI", encoder.get_dim("nO"))
        net.initialize()


@registry.architectures("spacy-thematic.Topics.v1")
def build_topics(width: int = 384) -> Model[Floats2d, Floats2d]:
    """Build the map, from vectors of sentences to vectors of their topics, (n, width)."""
    return Model(
        TOPICS,
        _map_to_topics,
        init=_init_topics,
        params={"W": None},
        dims={"nI": None, "nO": width},
    )


def _init_topics(model: Model, X: object = None, Y: object = None) -> None:
    model.set_param("W", model.ops.alloc2f(model.get_dim("nI"), model.get_dim("nO")))


def _map_to_topics(
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
    `ThematicEmbedder.find_topics` gives it to what compares texts."""
    return put_beside("with_topics", encoder, topics)
