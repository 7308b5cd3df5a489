import pytest
import torch
from spacy.util import registry

from spacy_thematic.models.torch.attention import Attention

BILSTM = {
    "@architectures": "spacy-thematic.BiLSTMAttention.v1",
    "embed": {"@architectures": "spacy-thematic.StaticVectors.v1"},
}
TOK2VEC = {
    "@architectures": "spacy-thematic.Tok2VecAttention.v1",
    "tok2vec": {"@architectures": "spacy.Tok2VecListener.v1", "width": 8},
}


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("architecture", [BILSTM, TOK2VEC])
def test_mixed_precision_is_set_by_config(architecture):
    """On the CPU the setting has no effect, so this says only that it arrives."""
    settings = {"mixed_precision": True, "grad_scaler_config": {"init_scale": 32.0}}
    model = registry.resolve({"model": {**architecture, **settings}})["model"]
    (shim,) = [shim for node in model.walk() for shim in node.shims]
    assert shim._mixed_precision
    assert shim._grad_scaler._enabled
    assert shim._grad_scaler._scale == 32.0


def test_attention_sums_in_full_precision():
    torch.manual_seed(0)
    net = Attention(8, 4)
    states, lengths = torch.randn(9, 8), torch.tensor([4, 0, 5])
    with torch.autocast("cpu", dtype=torch.bfloat16):
        mixed = net(states.bfloat16(), lengths)
    assert mixed.dtype == torch.float32
    assert torch.allclose(mixed, net(states, lengths), atol=0.05)
