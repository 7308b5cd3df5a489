import numpy as np
import pytest
import torch
from spacy.util import registry
from thinc.api import NumpyOps
from thinc.types import Ragged

from spacy_thematic.models import torch_wrapper
from spacy_thematic.models.torch.bilstm_attention import Attention, BiLSTMAttention
from spacy_thematic.models.torch_wrapper import wrap_sentence_module

BILSTM = {
    "@architectures": "spacy-thematic.BiLSTMAttention.v1",
    "embed": {"@architectures": "spacy-thematic.StaticVectors.v1"},
}
TOK2VEC = {
    "@architectures": "spacy-thematic.Tok2VecAttention.v1",
    "tok2vec": {"@architectures": "spacy.Tok2VecListener.v1", "width": 8},
}


@pytest.mark.parametrize("architecture", [BILSTM, TOK2VEC])
def test_mixed_precision_on_the_cpu_needs_no_gradient_scaler(architecture):
    settings = {"mixed_precision": True, "grad_scaler_config": {"init_scale": 32.0}}
    model = registry.resolve({"model": {**architecture, **settings}})["model"]
    (shim,) = [shim for node in model.walk() for shim in node.shims]
    assert not shim._mixed_precision
    assert not shim._grad_scaler._enabled
    assert shim._grad_scaler._scale == 32.0


@pytest.mark.parametrize("can", [True, False])
def test_the_cpu_trains_in_bfloat16_if_it_can_and_predicts_in_32_bits(can, monkeypatch):
    if can and not torch_wrapper.can_train_in_bfloat16():
        pytest.skip("This processor does not compute in bfloat16.")
    monkeypatch.setattr(torch_wrapper, "can_train_in_bfloat16", lambda: can)
    ops = NumpyOps()
    rng = np.random.default_rng(0)
    words = Ragged(rng.standard_normal((9, 6)).astype("f"), ops.asarray1i([4, 0, 5]))
    gradient = ops.asarray2f(rng.standard_normal((3, 16)))
    found = {}
    for mixed in (False, True):
        torch.manual_seed(0)
        module = BiLSTMAttention(6, 8, 4, dropout=0.0)
        model = wrap_sentence_module(module, True, mixed)
        vectors, backprop = model.begin_update(words)
        d_words = backprop(gradient).dataXd
        grads = [parameter.grad for parameter in module.parameters()]
        assert all(grad.dtype == torch.float32 for grad in grads)
        found[mixed] = [model.predict(words), vectors, d_words, *(g.numpy() for g in grads)]
    assert np.array_equal(found[True][0], found[False][0])
    mixed, full = (np.concatenate([a.ravel() for a in found[key][1:]]) for key in (True, False))
    assert np.linalg.norm(mixed - full) < 0.02 * np.linalg.norm(full)
    assert np.array_equal(mixed, full) != can


def test_attention_sums_in_full_precision():
    torch.manual_seed(0)
    net = Attention(8, 4)
    states, lengths = torch.randn(9, 8), torch.tensor([4, 0, 5])
    with torch.autocast("cpu", dtype=torch.bfloat16):
        mixed = net(states.bfloat16(), lengths)
    assert mixed.dtype == torch.float32
    assert torch.allclose(mixed, net(states, lengths), atol=0.05)
