"""A linear map over the vectors of another encoder, as a Thinc model."""

from collections.abc import Callable

from spacy.util import registry
from thinc.api import Model
from thinc.types import Floats2d

from spacy_thematic.models.spans import DocSpans


@registry.architectures("spacy-thematic.LinearMap.v1")
def build_linear_map(base: Model[DocSpans, Floats2d]) -> Model[DocSpans, Floats2d]:
    """v + v W over the vectors v of an encoder that is not trained, such as
    `spacy-thematic.Bundled.v1`. W starts at 0, so that at first nothing is changed. Returns a model
    with the output Floats2d (spans, width of base)."""
    return Model(
        "linear_map", _forward, init=_init, params={"W": None}, dims={"nO": None}, layers=[base]
    )


def _init(model: Model, X=None, Y=None) -> None:
    (base,) = model.layers
    base.initialize(X)
    if X is None or model.has_param("W"):
        return
    width = base.predict(X).shape[1]
    model.set_dim("nO", width)
    model.set_param("W", model.ops.alloc2f(width, width))


def _forward(
    model: Model[DocSpans, Floats2d], X: DocSpans, is_train: bool
) -> tuple[Floats2d, Callable]:
    vectors = model.layers[0].predict(X)

    def backprop(dY: Floats2d) -> DocSpans:
        model.inc_grad("W", model.ops.gemm(vectors, dY, trans1=True))
        return X

    return vectors + model.ops.gemm(vectors, model.get_param("W")), backprop
