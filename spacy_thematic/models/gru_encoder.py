"""The encoder of skip-thoughts as a Thinc model."""

from spacy.util import registry
from thinc.api import Model
from thinc.types import Floats2d, Ragged

from spacy_thematic.models.recurrent import build_recurrent
from spacy_thematic.models.spans import DocSpans
from spacy_thematic.models.torch_wrapper import make_module


@registry.architectures("spacy-thematic.GRUEncoder.v1")
def build_gru_encoder(
    embed: Model[DocSpans, Ragged],
    hidden_width: int = 300,
    bidirectional: bool = False,
    reset_after: bool = False,
) -> Model[DocSpans, Floats2d]:
    """The last state of gated recurrent units over the words: the encoder of skip-thoughts (Kiros
    et al. 2015, section 2.1), which the objective `SkipThoughts.v1` trains.

    Args:
        embed: gives each token a vector, `spacy-thematic.StaticVectors.v1` or `.LearnedVectors.v1`.
        hidden_width: of the states of one direction.
        bidirectional: whether a second half of the vector is the last state over the reversed
            words, as in their bi-skip.
        reset_after: whether the reset gate follows the product with the former state, as in their
            code and in `torch.nn.GRU`, and not as in their equations.

    Returns:
        A model with the output Floats2d (spans, hidden_width), twice as wide if bidirectional;
        zeros for a span without words.
    """
    from spacy_thematic.models.torch.gru import GRUEncoder

    module = make_module(GRUEncoder, None, hidden_width, bidirectional, reset_after)
    return build_recurrent("gru_encoder", embed, module)
