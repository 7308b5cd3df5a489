"""The paper's net as a Thinc model: BiLSTM and attention over word vectors."""

from contextlib import contextmanager, nullcontext
from typing import Callable

from spacy.util import registry
from thinc.api import ArgsKwargs, Model, PyTorchWrapper_v3, xp2torch
from thinc.types import Floats2d, Ragged

from spacy_thematic.models.spans import DocSpans, not_initialized


@registry.architectures("spacy-thematic.BiLSTMAttention.v1")
def build_bilstm_attention(
    embed: Model[DocSpans, Ragged],
    hidden_width: int = 300,
    attention_width: int = 200,
    dropout: float = 0.8,
) -> Model[DocSpans, Floats2d]:
    """BiLSTM, dropout, attention: the net of Ein Dor et al. (2018), section 4.

    embed: gives each token a vector, `spacy-thematic.StaticVectors.v1` (the paper's choice) or
    `.LearnedVectors.v1`.
    hidden_width: of one direction. attention_width: of the attention's hidden layer. dropout: the
    rate at which the BiLSTM's states are dropped in training.
    Output: Floats2d (spans, 2 * hidden_width); zeros for a span without words.
    """
    from spacy_thematic.models.torch.bilstm_attention import BiLSTMAttention

    module = BiLSTMAttention(None, hidden_width, attention_width, dropout)
    pool: Model = PyTorchWrapper_v3(
        module,
        convert_inputs=_convert_inputs,
        convert_outputs=_convert_outputs,
        serialize_model=_serialize,
        deserialize_model=_deserialize,
    )
    pool.attrs["embed_is_frozen"] = embed.attrs["frozen"]
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
    module = pool.shims[0]._model
    if embed.has_dim("nO") and not hasattr(module, "forward_lstm"):
        module.build(embed.get_dim("nO"))
        module.to(pool.shims[0].device)


def _forward(
    model: Model[DocSpans, Floats2d], X: DocSpans, is_train: bool
) -> tuple[Floats2d, Callable]:
    embed, pool = model.layers
    if not hasattr(pool.shims[0]._model, "forward_lstm"):
        raise not_initialized()
    words, backprop_words = embed(X, is_train)
    with nullcontext() if is_train else one_torch_thread():
        Y, backprop_pool = pool(words, is_train)

    def backprop(dY: Floats2d) -> DocSpans:
        d_words = backprop_pool(dY)
        return X if embed.attrs["frozen"] else backprop_words(d_words)

    return Y, backprop


def _convert_inputs(model: Model, X: Ragged, is_train: bool):
    words = xp2torch(
        X.dataXd,
        requires_grad=is_train and not model.attrs["embed_is_frozen"],
        device=model.shims[0].device,
    )
    lengths = xp2torch(X.lengths, device=model.shims[0].device).long()

    def convert_gradient(d_inputs: ArgsKwargs) -> Ragged:
        d_words = d_inputs.args[0]
        return Ragged(_to_array(model, d_words), X.lengths) if d_words is not None else X

    return ArgsKwargs(args=(words, lengths), kwargs={}), convert_gradient


def _convert_outputs(model: Model, inputs_outputs, is_train: bool):
    _, Y = inputs_outputs

    def convert_gradient(dY: Floats2d) -> ArgsKwargs:
        d_output = xp2torch(dY, device=model.shims[0].device)
        return ArgsKwargs(args=((Y,),), kwargs={"grad_tensors": (d_output,)})

    return _to_array(model, Y), convert_gradient


def _to_array(model: Model, tensor):
    return model.ops.asarray(tensor.detach().cpu().numpy())


def _serialize(module) -> bytes:
    from safetensors.torch import save

    return save({name: tensor.contiguous() for name, tensor in module.state_dict().items()})


def _deserialize(module, data: bytes, device):
    from safetensors.torch import load

    state = load(data)
    if not hasattr(module, "forward_lstm") and "forward_lstm.weight_ih_l0" in state:
        module.build(state["forward_lstm.weight_ih_l0"].shape[1])
    module.load_state_dict(state)
    return module.to(device)


@contextmanager
def one_torch_thread():
    """Torch's thread pool does not survive a fork: a worker of `nlp.pipe(n_process=2)` that used
    it would wait for ever."""
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)
