"""A net beside an encoder, in one model, so that one file holds both."""

from collections.abc import Callable

from thinc.api import Model
from thinc.types import Floats2d

from spacy_thematic.models.spans import DocSpans


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
