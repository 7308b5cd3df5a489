"""The encoder of a Triplet BiGAN as a Thinc model, on top of another encoder."""

from collections.abc import Callable
from typing import Any

from spacy.util import registry
from thinc.api import Model, xp2torch
from thinc.types import Floats2d, Ragged

from spacy_thematic.models.spans import DocSpans, not_initialized
from spacy_thematic.models.torch_wrapper import get_module, make_module, wrap_sentence_module


@registry.architectures("spacy-thematic.BiGANEncoder.v1")
def build_bigan_encoder(
    base: Model[DocSpans, Floats2d],
    width: int = 64,
    hidden_width: int = 512,
    depth: int = 2,
    stochastic: bool = False,
) -> Model[DocSpans, Floats2d]:
    """The encoder E of a Triplet BiGAN (Zamorski & Zieba 2019) over sentence vectors that are not
    trained.

    Args:
        base: Any encoder, such as `spacy-thematic.Bundled.v1`, whose standardised vectors are x.
        width: Width of z, E's output.
        hidden_width: Width of each hidden layer.
        depth: Number of hidden layers.
        stochastic: Whether z is drawn in training by reparametrisation, as in the paper. The
            vectors of a trained pipeline are always the mean.

    Returns:
        A model whose output is Floats2d (spans, width), zeros for a span without words.
    """
    from spacy_thematic.models.torch.bigan_encoder import SentenceEncoder

    module = make_module(SentenceEncoder, None, width, hidden_width, depth, stochastic)
    head = wrap_sentence_module(module, input_gradient=False)
    return Model("bigan_encoder", _forward, init=_init, layers=[base, head], dims={"nO": width})


def get_encoder(model: Model) -> Any:
    """Get the `SentenceEncoder` of a model of `BiGANEncoder.v1`."""
    return get_module(model.layers[1])


def _is_built(module: Any) -> bool:
    return hasattr(module, "encoder")


def _init(model: Model, X=None, Y=None) -> None:
    base, head = model.layers
    base.initialize(X)
    if X is None:
        return
    features = base.predict(X)
    module, device = get_module(head), head.layers[0].shims[0].device
    if not _is_built(module):
        module.build(features.shape[1])
        module.to(device)
    module.standardize.fit(xp2torch(features, device=device))


def _forward(
    model: Model[DocSpans, Floats2d], X: DocSpans, is_train: bool
) -> tuple[Floats2d, Callable]:
    base, head = model.layers
    if not _is_built(get_module(head)):
        raise not_initialized()
    features = base.predict(X)
    Y, backprop_head = head(Ragged(features, model.ops.alloc1i(len(features)) + 1), is_train)

    def backprop(dY: Floats2d) -> DocSpans:
        backprop_head(dY)
        return X

    return Y, backprop
