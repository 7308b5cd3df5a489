"""Several encoders as one: their vectors side by side."""

from collections.abc import Callable

from spacy.util import registry
from thinc.api import Model
from thinc.types import Floats2d

from spacy_thematic.models.spans import DocSpans


@registry.architectures("spacy-thematic.Concatenate.v1")
def build_concatenate(
    *encoders: Model[DocSpans, Floats2d],
    normalize: bool = True,
    weights: list[float] | None = None,
) -> Model[DocSpans, Floats2d]:
    """The vectors of several encoders, concatenated: the paper's sen-titles joins the encoder
    trained on sentences and the one trained on titles (Ein Dor et al. 2018, section 5).

    Args:
        encoders: in the order of their columns; in a config, blocks [model.*.NAME].
        normalize: whether each encoder's vector is scaled to unit length first, so that each has
            the same say in a cosine.
        weights: factors of the encoders' vectors after that; None for 1.

    Returns:
        A model with the output Floats2d (spans, sum of the widths).
    """
    if weights is not None and len(weights) != len(encoders):
        raise ValueError(
            f"Expected a weight for each of {len(encoders)} encoders, found {weights}."
        )
    return Model(
        "concatenate",
        _forward,
        init=_init,
        layers=list(encoders),
        dims={"nO": None},
        attrs={"normalize": normalize, "weights": weights or [1.0] * len(encoders)},
    )


def _init(model: Model, X=None, Y=None) -> None:
    for layer in model.layers:
        layer.initialize(X)
    if all(layer.has_dim("nO") for layer in model.layers):
        model.set_dim("nO", sum(layer.get_dim("nO") for layer in model.layers))


def _forward(
    model: Model[DocSpans, Floats2d], X: DocSpans, is_train: bool
) -> tuple[Floats2d, Callable]:
    xp = model.ops.xp
    parts = [layer(X, is_train) for layer in model.layers]
    outputs = [Y for Y, _ in parts]
    norms = [xp.ones((len(Y), 1), dtype="f") for Y in outputs]
    if model.attrs["normalize"]:
        norms = [xp.linalg.norm(Y, axis=1, keepdims=True) for Y in outputs]
        norms = [xp.where(norm > 0, norm, 1).astype("f") for norm in norms]
    scaled = [Y / norm for Y, norm in zip(outputs, norms)]
    weights = model.attrs["weights"]

    def backprop(dY: Floats2d) -> DocSpans:
        start = 0
        for unit, norm, weight, (_, backprop_part) in zip(scaled, norms, weights, parts):
            end = start + unit.shape[1]
            d_unit = dY[:, start:end] * weight
            if model.attrs["normalize"]:
                d_unit = d_unit - unit * (d_unit * unit).sum(axis=1, keepdims=True)
            backprop_part(model.ops.as_contig(d_unit / norm))
            start = end
        return X

    weighted = [Y * weight for Y, weight in zip(scaled, weights)]
    return model.ops.as_contig(xp.concatenate(weighted, axis=1)), backprop
