"""The weights of models as arrays: copied, averaged, put back."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np
from pydantic import Field
from thinc.api import Model, PyTorchShim

from spacy_thematic.schemas import Schema

Weights = dict[str, Any]
"""Arrays by a lasting name."""


def copy_weights(models: Mapping[str, Model]) -> Weights:
    """A copy of all parameters of models, and of the states of their PyTorch modules."""
    weights: Weights = {}
    for key, node, name in iter_parameters(models):
        if node.has_param(name):
            weights[key] = node.get_param(name).copy()
    for key, shim in iter_torch_shims(models):
        for name, tensor in shim._model.state_dict().items():
            weights[f"{key}/{name}"] = tensor.detach().cpu().numpy().copy()
    return weights


def set_weights(models: Mapping[str, Model], weights: Weights) -> None:
    """Give models the weights that `copy_weights` returned, as copies."""
    import torch

    for key, node, name in iter_parameters(models):
        if key in weights:
            node.set_param(name, node.ops.asarray(weights[key]).copy())
    for key, shim in iter_torch_shims(models):
        names = shim._model.state_dict()
        state = {name: torch.from_numpy(np.array(weights[f"{key}/{name}"])) for name in names}
        shim._model.load_state_dict(state)


def iter_parameters(models: Mapping[str, Model]) -> Iterator[tuple[str, Model, str]]:
    """Yield a lasting name of each parameter of the nodes of models, the node, and its own name."""
    for model_name, model in models.items():
        for number, node in enumerate(model.walk()):
            for name in node.param_names:
                yield f"{model_name}/{number}/{name}", node, name


def iter_torch_shims(models: Mapping[str, Model]) -> Iterator[tuple[str, PyTorchShim]]:
    """Yield a lasting name of each PyTorch module of models, and its shim."""
    for model_name, model in models.items():
        for number, node in enumerate(model.walk()):
            for place, shim in enumerate(node.shims):
                if isinstance(shim, PyTorchShim):
                    yield f"{model_name}/{number}/shim{place}", shim


class AverageSettings(Schema):
    """Of `Averages`: steps from one update to the next, and the smallest share of the newest
    weights."""

    every: int = Field(ge=1)
    share: float = Field(gt=0, le=1)


class Averages:
    """Running means of weights: the mean of all at first, later an exponential one."""

    def __init__(self, models: Mapping[str, Model], settings: AverageSettings):
        self.models = models
        self.settings = settings
        self.count = 0
        self.weights: Weights = {}

    def observe(self, step: int) -> None:
        """Take in the weights after a step, counted from 0."""
        if step % self.settings.every:
            return
        new = copy_weights(self.models)
        share = max(self.settings.share, 1 / (self.count + 1))
        for key, value in new.items():
            if value.dtype.kind != "f" or key not in self.weights:
                self.weights[key] = value
            else:
                value -= self.weights[key]
                value *= value.dtype.type(share)
                self.weights[key] += value
        self.count += 1

    @contextmanager
    def applied(self) -> Iterator[None]:
        """The models have the averaged weights while this lasts."""
        if not self.count:
            yield
            return
        own = copy_weights(self.models)
        set_weights(self.models, self.weights)
        try:
            yield
        finally:
            set_weights(self.models, own)

    def get_state(self) -> dict[str, Any]:
        """What a checkpoint keeps."""
        return {"count": self.count, "weights": self.weights}

    def set_state(self, state: dict[str, Any]) -> None:
        """Take what `get_state` returned."""
        self.count = state["count"]
        self.weights = {key: np.array(value) for key, value in state["weights"].items()}
