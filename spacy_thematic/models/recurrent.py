"""Recurrent PyTorch modules over word vectors: the net of the paper."""

from collections.abc import Callable
from typing import Any

from spacy.util import registry
from thinc.api import Model
from thinc.types import Floats2d, Ragged

from spacy_thematic.models.spans import DocSpans, not_initialized
from spacy_thematic.models.torch_wrapper import (
    embed_and_pool,
    get_module,
    make_module,
    wrap_sentence_module,
)


@registry.architectures("spacy-thematic.BiLSTMAttention.v1")
def build_bilstm_attention(
    embed: Model[DocSpans, Ragged],
    hidden_width: int = 300,
    attention_width: int = 200,
    dropout: float = 0.8,
    mixed_precision: bool = False,
    grad_scaler_config: dict[str, Any] | None = None,
) -> Model[DocSpans, Floats2d]:
    """BiLSTM, dropout, attention: the net of Ein Dor et al. (2018), section 4.

    Args:
        embed: gives each token a vector, `spacy-thematic.StaticVectors.v1` (the paper's choice) or
            `.LearnedVectors.v1`.
        hidden_width: of one direction.
        dropout: the rate at which the BiLSTM's states are dropped in training. The recipes set 0.2:
            they read the paper's 0.8 as the share that is kept.
        mixed_precision: train in 16 bits; see `wrap_sentence_module`.
        grad_scaler_config: settings of Thinc's `PyTorchGradScaler`.

    Returns:
        A model with the output Floats2d (spans, 2 * hidden_width); zeros for a span without words.
    """
    from spacy_thematic.models.torch.bilstm_attention import BiLSTMAttention

    module = make_module(BiLSTMAttention, None, hidden_width, attention_width, dropout)
    return build_recurrent("bilstm_attention", embed, module, mixed_precision, grad_scaler_config)


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
