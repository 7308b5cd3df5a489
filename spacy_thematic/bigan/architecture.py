"""The encoder of a Triplet BiGAN as a Thinc model, on top of another encoder."""

from typing import Any, Callable

from spacy.util import registry
from thinc.api import Model, xp2torch
from thinc.types import Floats2d, Ragged

from spacy_thematic.models.spans import DocSpans, not_initialized
from spacy_thematic.models.torch_wrapper import get_module, load_state, wrap_sentence_module
from spacy_thematic.pretrained import build_bundled, fill_bundled


@registry.architectures("spacy-thematic.BiGANEncoder.v1")
def build_bigan_encoder(
    base: Model[DocSpans, Floats2d],
    width: int = 64,
    hidden_width: int = 512,
    depth: int = 2,
    stochastic: bool = False,
) -> Model[DocSpans, Floats2d]:
    """The encoder E of a Triplet BiGAN (Zamorski & Zieba 2019): x, the standardised vectors of
    `base`, to z.

    base: any encoder, such as `spacy-thematic.Bundled.v1`; it stays as it is. width: of z.
    hidden_width: of each of `depth` hidden layers. stochastic: whether z is drawn in training, as
    in the paper, by reparametrisation; vectors of a trained pipeline are the mean always.
    Output: Floats2d (spans, width); zeros for a span without words.
    """
    from spacy_thematic.bigan.sentence_encoder import SentenceEncoder

    module = SentenceEncoder(None, width, hidden_width, depth, stochastic)
    head = wrap_sentence_module(module, _deserialize, input_gradient=False)
    return Model(
        "bigan_encoder",
        _forward,
        init=_init,
        layers=[base, head],
        dims={"nO": width},
    )


@registry.architectures("spacy-thematic.Bundled.v1")
def build_bundled_base(name: str = "en_thematic_sm") -> Model[DocSpans, Floats2d]:
    """A bundled encoder with its weights, as the base of another that does not train it.

    name: "en_thematic_sm" or "en_thematic_md".
    """
    bundled = build_bundled(name)
    for node in bundled.walk():
        # Its words are its own, not those of a training corpus.
        node.attrs.pop("set_vocabulary", None)
    return Model("bundled", _forward_bundled, init=_fill, layers=[bundled], attrs={"name": name})


def _fill(model: Model, X=None, Y=None) -> None:
    fill_bundled(model.layers[0], model.attrs["name"])


def _forward_bundled(
    model: Model[DocSpans, Floats2d], X: DocSpans, is_train: bool
) -> tuple[Floats2d, Callable]:
    return model.layers[0].predict(X), lambda dY: X


def get_encoder(model: Model) -> Any:
    """The `SentenceEncoder` of a model of `BiGANEncoder.v1`."""
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


def _deserialize(module: Any, data: bytes, device: Any) -> Any:
    from safetensors.torch import load

    mean = load(data).get("standardize.mean")
    if mean is not None and not _is_built(module):
        module.build(len(mean))
    return load_state(module, data, device)
