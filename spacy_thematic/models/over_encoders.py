"""Encoders over others: several side by side, and a linear map of the vectors of one."""

from collections.abc import Callable

import numpy as np
from spacy.util import registry
from thinc.api import Model
from thinc.types import Floats2d

from spacy_thematic.models.spans import DocSpans
from spacy_thematic.rows import to_unit


@registry.architectures("spacy-thematic.Concatenate.v1")
def build_concatenate(
    *encoders: Model[DocSpans, Floats2d], normalize: bool = True, weights: list[float] | None = None
) -> Model[DocSpans, Floats2d]:
    """The vectors of several encoders, concatenated: the paper's sen-titles joins the encoder
    trained on sentences and the one trained on titles (Ein Dor et al. 2018, section 5). Returns a
    model with the output Floats2d (spans, sum of the widths).

    Args:
        encoders: in the order of their columns; in a config, blocks [model.*.NAME].
        normalize: whether each encoder's vector is scaled to unit length first, so that each has
            the same say in a cosine.
        weights: factors of the encoders' vectors after that; None for 1.
    """
    if weights is not None and len(weights) != len(encoders):
        raise ValueError(
            f"Expected a weight for each of {len(encoders)} encoders, found {weights}."
        )
    return Model(
        "concatenate",
        _concatenate,
        init=_init_concatenate,
        layers=list(encoders),
        dims={"nO": None},
        attrs={"normalize": normalize, "weights": weights or [1.0] * len(encoders)},
    )


def _init_concatenate(model: Model, X=None, Y=None) -> None:
    for layer in model.layers:
        layer.initialize(X)
    if all(layer.has_dim("nO") for layer in model.layers):
        model.set_dim("nO", sum(layer.get_dim("nO") for layer in model.layers))


def _concatenate(
    model: Model[DocSpans, Floats2d], X: DocSpans, is_train: bool
) -> tuple[Floats2d, Callable]:
    xp, weights = model.ops.xp, model.attrs["weights"]
    parts, callbacks = zip(*(_encode(model, layer, X, is_train) for layer in model.layers))
    ends = np.cumsum([part.shape[1] for part in parts])

    def backprop(dY: Floats2d) -> DocSpans:
        for d_part, weight, callback in zip(xp.split(dY, ends[:-1], axis=1), weights, callbacks):
            callback(d_part * weight)
        return X

    return xp.concatenate([part * w for part, w in zip(parts, weights)], axis=1), backprop


def _encode(
    model: Model, layer: Model[DocSpans, Floats2d], X: DocSpans, is_train: bool
) -> tuple[Floats2d, Callable]:
    vectors, backprop = layer(X, is_train)
    if not model.attrs["normalize"]:
        return vectors, backprop
    units, backprop_units = to_unit(vectors)
    return units, lambda d_units: backprop(backprop_units(d_units))


@registry.architectures("spacy-thematic.LinearMap.v1")
def build_linear_map(base: Model[DocSpans, Floats2d]) -> Model[DocSpans, Floats2d]:
    """v + v W over the vectors v of an encoder that is not trained, such as
    `spacy-thematic.Bundled.v1`. W starts at 0, so that at first nothing is changed. Returns a model
    with the output Floats2d (spans, width of base)."""
    return Model(
        "linear_map", _map, init=_init_map, params={"W": None}, dims={"nO": None}, layers=[base]
    )


def _init_map(model: Model, X=None, Y=None) -> None:
    (base,) = model.layers
    base.initialize(X)
    if X is None or model.has_param("W"):
        return
    width = base.predict(X).shape[1]
    model.set_dim("nO", width)
    model.set_param("W", model.ops.alloc2f(width, width))


def _map(
    model: Model[DocSpans, Floats2d], X: DocSpans, is_train: bool
) -> tuple[Floats2d, Callable]:
    vectors = model.layers[0].predict(X)

    def backprop(dY: Floats2d) -> DocSpans:
        model.inc_grad("W", model.ops.gemm(vectors, dY, trans1=True))
        return X

    return vectors + model.ops.gemm(vectors, model.get_param("W")), backprop
