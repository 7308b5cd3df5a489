"""Trained encoders as the base of others."""

from collections.abc import Callable

from spacy.util import registry
from thinc.api import Model
from thinc.types import Floats2d

from spacy_thematic.models.spans import DocSpans
from spacy_thematic.pretrained.source import BASE, find_pretrained


@registry.architectures(BASE)
def build_bundled_base(
    name: str = "en_thematic_sm", model: Model[DocSpans, Floats2d] | None = None
) -> Model[DocSpans, Floats2d]:
    """Build a trained encoder as the base of another, which does not train it. The name is as
    `pretrained` of `thematic_embedder`; `initialize` reads its weights. An exported model brings
    its architecture as `model`, and these weights itself. Raises ValueError if there is no encoder
    of this name."""
    encoder = find_pretrained(name).build() if model is None else model
    for node in encoder.walk():
        # Its words are its own, not those of a training corpus.
        node.attrs.pop("set_vocabulary", None)
    return Model("bundled", _forward, init=_fill, layers=[encoder], attrs={"name": name})


def _fill(model: Model, X=None, Y=None) -> None:
    find_pretrained(model.attrs["name"]).fill(model.layers[0])


def _forward(
    model: Model[DocSpans, Floats2d], X: DocSpans, is_train: bool
) -> tuple[Floats2d, Callable]:
    return model.layers[0].predict(X), lambda dY: X
