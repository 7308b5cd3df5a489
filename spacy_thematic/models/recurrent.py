"""The net of the paper: a recurrent PyTorch module over word vectors."""

from typing import Any

from spacy.util import registry
from thinc.api import Model
from thinc.types import Floats2d, Ragged

from spacy_thematic.models.spans import DocSpans
from spacy_thematic.models.torch_wrapper import build_over_words, make_module


@registry.architectures("spacy-thematic.BiLSTMAttention.v1")
def build_bilstm_attention(
    embed: Model[DocSpans, Ragged],
    hidden_width: int = 300,
    attention_width: int = 200,
    dropout: float = 0.8,
    mixed_precision: bool = False,
    grad_scaler_config: dict[str, Any] | None = None,
) -> Model[DocSpans, Floats2d]:
    """BiLSTM, dropout, attention: the net of Ein Dor et al. (2018), section 4. Returns a model with
    the output Floats2d (spans, 2 * hidden_width); zeros for a span without words.

    Args:
        embed: gives each token a vector, `spacy-thematic.StaticVectors.v1` (the paper's choice) or
            `.LearnedVectors.v1`.
        hidden_width: of one direction.
        dropout: the rate at which the BiLSTM's states are dropped in training. The recipes set 0.2:
            they read the paper's 0.8 as the share that is kept.
        mixed_precision: train in 16 bits; see `wrap_sentence_module`.
        grad_scaler_config: settings of Thinc's `PyTorchGradScaler`.
    """
    from spacy_thematic.models.torch.bilstm_attention import BiLSTMAttention

    module = make_module(BiLSTMAttention, None, hidden_width, attention_width, dropout)
    return build_over_words("bilstm_attention", embed, module, mixed_precision, grad_scaler_config)
