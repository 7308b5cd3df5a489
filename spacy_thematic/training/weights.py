"""The averages of models' weights, and their PyTorch modules by lasting names."""

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager

from thinc.api import Model, Optimizer, PyTorchShim, xp2torch


def iter_torch_shims(models: Mapping[str, Model]) -> Iterator[tuple[str, PyTorchShim]]:
    """Yield a lasting name of each PyTorch module of models, and its shim."""
    for model_name, model in models.items():
        for number, node in enumerate(model.walk()):
            for place, shim in enumerate(node.shims):
                if isinstance(shim, PyTorchShim):
                    yield f"{model_name}/{number}/shim{place}", shim


@contextmanager
def use_averages(models: Mapping[str, Model], optimizer: Optimizer) -> Iterator[None]:
    """Give models the optimizer's averages of their weights, where it keeps some, while this
    lasts."""
    averages = optimizer.averages or {}
    with ExitStack() as stack:
        for model in models.values():
            stack.enter_context(model.use_params(averages))
        # Thinc looks for those of modules under other keys than its optimizers keep.
        for _, shim in iter_torch_shims(models):
            for name, parameter in shim._model.named_parameters():
                if (shim.id, name) in averages:
                    stack.callback(setattr, parameter, "data", parameter.data)
                    average = averages[shim.id, name]
                    parameter.data = xp2torch(average, device=parameter.device)
        yield
