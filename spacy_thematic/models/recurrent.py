"""Recurrent PyTorch modules over word vectors as Thinc models."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from thinc.api import Model
from thinc.types import Floats2d, Ragged

from spacy_thematic.models.spans import DocSpans, not_initialized
from spacy_thematic.models.torch_wrapper import embed_and_pool, get_module, wrap_sentence_module


def build_recurrent(
    name: str,
    embed: Model[DocSpans, Ragged],
    module: Any,
    mixed_precision: bool = False,
    grad_scaler_config: dict[str, Any] | None = None,
) -> Model[DocSpans, Floats2d]:
    """Word vectors, and a module over them whose first layer is sized when their width is known.

    Args:
        module: has `width`, of its output; `build(input_width)`, which makes that layer; and
            `input_weight`, the name of a weight, (any, input_width), that it has from then on.
    """
    pool = wrap_sentence_module(
        module, not embed.attrs["frozen"], mixed_precision, grad_scaler_config
    )
    return Model(name, _forward, init=_init, layers=[embed, pool], dims={"nO": module.width})


def _init(model: Model, X=None, Y=None) -> None:
    embed, pool = model.layers
    embed.initialize(X)
    module = get_module(pool)
    if embed.has_dim("nO") and not _is_built(module):
        module.build(embed.get_dim("nO"))
        module.to(pool.layers[0].shims[0].device)


def _is_built(module: Any) -> bool:
    return module.input_weight in module.state_dict()


def _forward(
    model: Model[DocSpans, Floats2d], X: DocSpans, is_train: bool
) -> tuple[Floats2d, Callable]:
    if not _is_built(get_module(model.layers[1])):
        raise not_initialized()
    return embed_and_pool(model, X, is_train)
