"""The paper's net as a Thinc model: BiLSTM and attention over word vectors."""

from typing import Any, Callable, Optional

from spacy.util import registry
from thinc.api import Model
from thinc.types import Floats2d, Ragged

from spacy_thematic.models.spans import DocSpans, not_initialized
from spacy_thematic.models.torch_wrapper import (
    embed_and_pool,
    get_module,
    load_state,
    wrap_sentence_module,
)


@registry.architectures("spacy-thematic.BiLSTMAttention.v1")
def build_bilstm_attention(
    embed: Model[DocSpans, Ragged],
    hidden_width: int = 300,
    attention_width: int = 200,
    dropout: float = 0.8,
    mixed_precision: bool = False,
    grad_scaler_config: Optional[dict[str, Any]] = None,
) -> Model[DocSpans, Floats2d]:
    """BiLSTM, dropout, attention: the net of Ein Dor et al. (2018), section 4.

    embed: gives each token a vector, `spacy-thematic.StaticVectors.v1` (the paper's choice) or
    `.LearnedVectors.v1`.
    hidden_width: of one direction. attention_width: of the attention's hidden layer. dropout: the
    rate at which the BiLSTM's states are dropped in training.
    mixed_precision: half precision on a GPU; without effect on the CPU. grad_scaler_config:
    settings of Thinc's `PyTorchGradScaler`.
    Output: Floats2d (spans, 2 * hidden_width); zeros for a span without words.
    """
    from spacy_thematic.models.torch.bilstm_attention import BiLSTMAttention

    module = BiLSTMAttention(None, hidden_width, attention_width, dropout)
    pool = wrap_sentence_module(
        module, _deserialize, not embed.attrs["frozen"], mixed_precision, grad_scaler_config
    )
    return Model(
        "bilstm_attention",
        _forward,
        init=_init,
        layers=[embed, pool],
        dims={"nO": 2 * hidden_width},
    )


def _init(model: Model, X=None, Y=None) -> None:
    embed, pool = model.layers
    embed.initialize(X)
    if embed.has_dim("nO") and not _is_built(get_module(pool)):
        module = get_module(pool)
        device = module.attention.context.device
        module.build(embed.get_dim("nO"))
        module.to(device)


def _is_built(module: Any) -> bool:
    return hasattr(module, "forward_lstm")


def _forward(
    model: Model[DocSpans, Floats2d], X: DocSpans, is_train: bool
) -> tuple[Floats2d, Callable]:
    if not _is_built(get_module(model.layers[1])):
        raise not_initialized()
    return embed_and_pool(model, X, is_train)


def _deserialize(module: Any, data: bytes, device: Any) -> Any:
    from safetensors.torch import load

    weights = load(data).get("forward_lstm.weight_ih_l0")
    if weights is not None and not _is_built(module):
        module.build(weights.shape[1])
    return load_state(module, data, device)
