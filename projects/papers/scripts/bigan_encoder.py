"""The encoder of a Triplet BiGAN (Zamorski & Zieba 2019) over sentence vectors.

Pipelines that have it load where this module is imported.
"""

from collections.abc import Callable
from typing import Any

import torch
from spacy.util import registry
from thinc.api import Model, xp2torch
from thinc.types import Floats2d, Ragged
from torch import Tensor, nn

from spacy_thematic.models.spans import DocSpans, not_initialized
from spacy_thematic.models.torch_wrapper import get_module, make_module, wrap_sentence_module


class Reparametrized(nn.Module):
    """The encoder's last block: z = mu + sigma * e with e from N(0, 1) (Kingma & Welling 2014),
    each by a layer that `make_layer` makes for a number of outputs. Outside of training, and always
    if it is not stochastic, z = mu."""

    def __init__(
        self, make_layer: Callable[[int], nn.Linear | nn.Conv2d], width: int, stochastic: bool
    ):
        super().__init__()
        self.mean = make_layer(width)
        self.log_scale = make_layer(width) if stochastic else None

    def forward(self, features: Tensor) -> Tensor:
        mean = self.mean(features).flatten(1)
        if self.log_scale is None or not self.training:
            return mean
        scale = self.log_scale(features).flatten(1).clamp(max=4).exp()
        return mean + scale * torch.randn_like(mean)


class VectorEncoder(nn.Module):
    """E: x, (batch, input_width), to z, (batch, width). It normalises layers, since batch
    normalisation makes labelled and unlabelled batches differ. With a depth of 0 hidden layers, E
    is a linear map, which at first keeps angles if z is as wide as x, and otherwise is a random
    projection."""

    def __init__(
        self,
        input_width: int,
        width: int,
        hidden_width: int = 512,
        depth: int = 2,
        stochastic: bool = False,
    ):
        super().__init__()
        self.hidden = make_perceptron(input_width, hidden_width, depth, normalize=True)
        last_width = hidden_width if depth else input_width
        self.last = Reparametrized(lambda n: nn.Linear(last_width, n), width, stochastic)
        if not depth:
            nn.init.orthogonal_(self.last.mean.weight)

    def forward(self, x: Tensor) -> Tensor:
        return self.last(self.hidden(x))


def make_perceptron(
    input_width: int, hidden_width: int, depth: int, normalize: bool = False
) -> nn.Sequential:
    """Make `depth` linear layers with leaky rectifiers, and with layer normalisation before each
    rectifier if `normalize` is true."""
    layers: list[nn.Module] = []
    for number in range(depth):
        layers.append(nn.Linear(hidden_width if number else input_width, hidden_width))
        if normalize:
            layers.append(nn.LayerNorm(hidden_width))
        layers.append(nn.LeakyReLU(0.2))
    return nn.Sequential(*layers)


class Standardize(nn.Module):
    """Each column minus its mean, divided by its standard deviation; before `fit` unchanged."""

    mean: Tensor
    scale: Tensor

    def __init__(self, width: int):
        super().__init__()
        self.register_buffer("mean", torch.zeros(width))
        self.register_buffer("scale", torch.ones(width))

    def fit(self, features: Tensor) -> None:
        """Take mean and deviation from rows, (n, width). A constant column is only centred."""
        self.mean.copy_(features.mean(dim=0))
        scale = features.std(dim=0, correction=0)
        self.scale.copy_(torch.where(scale > 1e-6, scale, 1.0))

    def forward(self, features: Tensor) -> Tensor:
        return (features - self.mean) / self.scale


class SentenceEncoder(nn.Module):
    """Features of sentences to their vectors: `Standardize`, then `VectorEncoder`. The sizes are
    those of the latter. With an `input_width` of None its layers are built later, with `build`."""

    input_weight = "standardize.mean"
    standardize: Standardize
    encoder: VectorEncoder

    def __init__(self, input_width: int | None, *sizes: int):
        super().__init__()
        self.sizes = sizes
        if input_width is not None:
            self.build(input_width)

    def build(self, input_width: int) -> None:
        """Make the layers, whose sizes depend on the width of the features."""
        self.standardize = Standardize(input_width)
        self.encoder = VectorEncoder(input_width, *self.sizes)

    def forward(self, features: Tensor, lengths: Tensor) -> Tensor:
        """Encode features, (sentences, input_width): (sentences, width), zeros for zeros. Lengths
        are not used, since every sentence is one row."""
        known = features.any(dim=1, keepdim=True)
        return self.encoder(self.standardize(features)) * known


@registry.architectures("papers.BiGANEncoder.v1")
def build_bigan_encoder(
    base: Model[DocSpans, Floats2d],
    width: int = 64,
    hidden_width: int = 512,
    depth: int = 2,
    stochastic: bool = False,
) -> Model[DocSpans, Floats2d]:
    """The encoder E of a Triplet BiGAN (Zamorski & Zieba 2019) over sentence vectors that are not
    trained. Returns a model whose output is Floats2d (spans, width), zeros for a span without
    words.

    Args:
        base: Any encoder, such as `spacy-thematic.Bundled.v1`, whose standardised vectors are x.
        width: Of z, E's output.
        depth: Number of hidden layers.
        stochastic: Whether z is drawn in training by reparametrisation, as in the paper. The
            vectors of a trained pipeline are always the mean.
    """
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
