"""PyTorch modules over the words of sentences as Thinc layers, both converters in one place."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from typing import Any

import numpy as np
from thinc.api import ArgsKwargs, Model, PyTorchGradScaler, PyTorchWrapper_v3, torch2xp, xp2torch
from thinc.types import Floats2d, Ragged
from thinc.util import get_torch_default_device

from spacy_thematic.models.spans import DocSpans, not_initialized

_ALWAYS, _TIMES = 1 << 20, 4
_most_bytes: ContextVar[int | None] = ContextVar("most_bytes", default=None)


@contextmanager
def limit_modules(n_bytes: int) -> Iterator[None]:
    """While this lasts, `make_module` refuses what has more weights than a file of `n_bytes` can
    hold: one a byte, several times if a model file names other arrays as the same."""
    token = _most_bytes.set(max(_ALWAYS, _TIMES * n_bytes))
    try:
        yield
    finally:
        _most_bytes.reset(token)


def make_module(make: Callable[..., Any], *settings: Any) -> Any:
    """Make a module of settings, which may come from a file that somebody else wrote. Raises
    ValueError if it has more weights than `limit_modules` says."""
    from spacy_thematic.models.torch.allowance import Allowance

    most = _most_bytes.get()
    with nullcontext() if most is None else Allowance(most):
        return make(*settings)


def wrap_sentence_module(
    module: Any,
    input_gradient: bool,
    mixed_precision: bool = False,
    grad_scaler_config: dict[str, Any] | None = None,
) -> Model[Ragged, Floats2d]:
    """Wrap a module that encodes sentences.

    Weights are stored as safetensors, so that loading them never runs code. In prediction torch
    uses one thread: sums differ in their last bits by the number of threads, and its pool does not
    survive a fork, so that a worker of `nlp.pipe(n_process=2)` would wait for ever.

    Args:
        module: has `forward(words, lengths)`: the words of all sentences, (words, width), and the
            number of words of each, (sentences,), to (sentences, output width).
        input_gradient: whether the words are learned too.
        mixed_precision: train in 16 bits where torch deems it safe: on a GPU as Thinc's shim does,
            on the CPU in bfloat16, if torch can there (`can_train_in_bfloat16`), and otherwise in
            32 bits. Vectors are predicted in 32 bits on the CPU.
        grad_scaler_config: settings of Thinc's `PyTorchGradScaler`, which keeps small gradients
            from vanishing on a GPU; bfloat16 needs none.
    """
    on_gpu = get_torch_default_device().type == "cuda"
    wrapped: Model = PyTorchWrapper_v3(
        module,
        convert_inputs=_convert_inputs,
        convert_outputs=_convert_outputs,
        mixed_precision=mixed_precision and on_gpu,
        grad_scaler=PyTorchGradScaler(
            **{**(grad_scaler_config or {}), "enabled": mixed_precision and on_gpu}
        ),
        serialize_model=save_state,
        deserialize_model=load_state,
    )
    wrapped.attrs["input_gradient"] = input_gradient
    wrapped.attrs["bfloat16"] = mixed_precision and not on_gpu and can_train_in_bfloat16()
    return Model("sentence_module", _forward, layers=[wrapped])


def can_train_in_bfloat16() -> bool:
    """Whether torch has kernels for bfloat16 on this processor: on x86 those with AVX-512. Without
    them it is no faster, and an LSTM in bfloat16 is an error."""
    import torch

    available = torch.backends.mkldnn.is_available()
    return available and torch.ops.mkldnn._is_mkldnn_bf16_supported()


def build_over_words(
    name: str,
    embed: Model[DocSpans, Ragged],
    module: Any,
    mixed_precision: bool = False,
    grad_scaler_config: dict[str, Any] | None = None,
) -> Model[DocSpans, Floats2d]:
    """Word vectors, and a module over them, as in `wrap_sentence_module`, that has the `width` of
    its output, and may be sized when theirs is known, as in `fill_module`."""
    is_learned = not embed.attrs["frozen"]
    pool = wrap_sentence_module(module, is_learned, mixed_precision, grad_scaler_config)
    return Model(name, _encode_words, init=_init, layers=[embed, pool], dims={"nO": module.width})


def _init(model: Model, X: DocSpans | None = None, Y: object = None) -> None:
    embed, pool = model.layers
    embed.initialize(X)
    module = get_module(pool)
    if embed.has_dim("nO") and _needs_width(module):
        module.build(embed.get_dim("nO"))
        module.to(pool.layers[0].shims[0].device)


def _encode_words(
    model: Model[DocSpans, Floats2d], X: DocSpans, is_train: bool
) -> tuple[Floats2d, Callable]:
    embed, pool = model.layers
    if _needs_width(get_module(pool)):
        raise not_initialized()
    words, backprop_words = embed(X, is_train)
    Y, backprop_pool = pool(words, is_train)

    def backprop(dY: Floats2d) -> DocSpans:
        d_words = backprop_pool(dY)
        return X if embed.attrs["frozen"] else backprop_words(d_words)

    return Y, backprop


def _needs_width(module: Any) -> bool:
    sizing = getattr(module, "input_weight", None)
    return sizing is not None and sizing not in module.state_dict()


def get_module(model: Model) -> Any:
    """The PyTorch module that `wrap_sentence_module` has wrapped."""
    return model.layers[0].shims[0]._model


def load_state(module: Any, data: bytes, device: Any) -> Any:
    """Give a module the weights of `save_state`."""
    from safetensors.numpy import load

    return fill_module(module, load(data), device)


def fill_module(module: Any, arrays: Mapping[str, np.ndarray], device: Any) -> Any:
    """Give a module its weights. One that is sized by what it reads has a method
    `build(input_width)`, and names a weight of this width, (..., input_width), `input_weight`.
    Raises RuntimeError if a weight is missing, has another shape, or has no place in the module."""
    import torch

    if _needs_width(module) and module.input_weight in arrays:
        with limit_modules(sum(array.nbytes for array in arrays.values())):
            make_module(module.build, arrays[module.input_weight].shape[-1])
    module.load_state_dict({name: torch.tensor(array) for name, array in arrays.items()})
    return module.to(device)


def _forward(
    model: Model[Ragged, Floats2d], X: Ragged, is_train: bool
) -> tuple[Floats2d, Callable]:
    import torch

    wrapped = model.layers[0]
    if is_train:
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=wrapped.attrs["bfloat16"]):
            return wrapped(X, is_train)
    # Thinc's shim would then switch the module back to training: another thread that is predicting
    # would drop out states.
    shim = wrapped.shims[0]
    inputs, _ = _convert_inputs(wrapped, X, is_train=False)
    shim._model.eval()
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        with torch.no_grad(), torch.autocast("cuda", enabled=shim._mixed_precision):
            Y = torch2xp(shim._model(*inputs.args), ops=model.ops)
    finally:
        torch.set_num_threads(threads)
    return Y, lambda dY: X


def _convert_inputs(model: Model, X: Ragged, is_train: bool):
    needs_gradient = is_train and model.attrs["input_gradient"]
    device = model.shims[0].device
    words = xp2torch(X.dataXd, requires_grad=needs_gradient, device=device)
    lengths = xp2torch(X.lengths, device=device).long()

    def convert_gradient(d_inputs: ArgsKwargs) -> Ragged:
        d_words = d_inputs.args[0]
        return X if d_words is None else Ragged(torch2xp(d_words, ops=model.ops), X.lengths)

    return ArgsKwargs(args=(words, lengths), kwargs={}), convert_gradient


def _convert_outputs(model: Model, inputs_outputs: tuple, is_train: bool):
    _, Y = inputs_outputs

    def convert_gradient(dY: Floats2d) -> ArgsKwargs:
        d_output = xp2torch(dY, device=model.shims[0].device)
        return ArgsKwargs(args=((Y,),), kwargs={"grad_tensors": (d_output,)})

    return torch2xp(Y.detach(), ops=model.ops), convert_gradient


def save_state(module: Any) -> bytes:
    """The weights of a module as safetensors bytes; in 16 bits where these hold them exactly, as
    they do those of a bundled model."""
    from safetensors.torch import save

    state = {}
    for name, tensor in module.state_dict().items():
        half = tensor.half()
        is_exact = half.to(tensor.dtype).equal(tensor)
        state[name] = (half if is_exact else tensor).contiguous()
    return save(state)
