"""PyTorch modules over the vectors of words, as Thinc models: the net of the paper, and a small
transformer."""

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


@registry.architectures("spacy-thematic.TransformerMean.v1")
def build_transformer_mean(
    embed: Model[DocSpans, Ragged],
    n_layers: int = 1,
    n_heads: int = 12,
    inner_width: int = 512,
    sentence_width: int = 1024,
    max_length: int = 256,
    dropout: float = 0.1,
    frozen_layers: int = 0,
    mixed_precision: bool = False,
    distance_buckets: int = 0,
) -> Model[DocSpans, Floats2d]:
    """Transformer layers, a weighted mean of their states, and a perceptron over the mean.

    The layers are those of Vaswani et al. (2017). The perceptron is applied once a sentence.
    Returns a model with the output Floats2d (spans, width of embed); zeros for a span without
    words.

    Args:
        embed: gives each token, or each word piece, a vector, as
            `spacy-thematic.WordPieceVectors.v1`.
        sentence_width: of the hidden layer of the perceptron.
        max_length: vectors of a sentence that are read; the rest of a longer one is left out.
        dropout: rate in the perceptron.
        frozen_layers: how many of the first layers, with the vectors below them, are not trained.
        mixed_precision: train in 16 bits; see `wrap_sentence_module`.
        distance_buckets: attention adds a number for the distance between two words, one for each
            of so many ranges and each head, the same in all layers, as in MPNet (Song et al. 2020).
    """
    from spacy_thematic.models.torch.transformer_mean import TransformerMean

    sizes = embed.get_dim("nO"), n_layers, n_heads, inner_width, sentence_width, max_length
    module = make_module(TransformerMean, *sizes, dropout, frozen_layers, distance_buckets)
    if frozen_layers:
        embed.attrs["frozen"] = True
    return build_over_words("transformer_mean", embed, module, mixed_precision)
