"""Processes that train together, as torchrun starts them: each learns from some parts of a batch,
and all make the same step."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import timedelta
from typing import Any, TypeVar

from thinc.api import Model

from spacy_thematic.models.row_updates import get_row_updates
from spacy_thematic.training.weights import iter_modules, iter_parameters

T = TypeVar("T")
_LONGEST_WAIT = timedelta(days=1)  # for the first process, which scores and writes


class Team:
    """A single process.

    Attributes:
        rank: of this process, from 0.
        size: the number of processes.
    """

    def __init__(self, rank: int = 0, size: int = 1):
        self.rank = rank
        self.size = size

    @property
    def is_first(self) -> bool:
        """Whether this process scores and writes."""
        return self.rank == 0

    def average(self, models: Mapping[str, Model], n_parts: int) -> None:
        """Make the gradients of models the mean over the parts of a batch, of all processes."""
        if n_parts == 1:
            return
        _fill_gradients(models, set().union(*self.gather(_find_used(models))))
        gradients = list(_iter_gradients(models))
        self._add_up(gradients)
        for gradient in gradients:
            gradient /= n_parts
        for node, updates in _iter_row_updates(models):
            for pending in self.gather(updates.take()):
                for rows, values in pending:
                    updates.add(node, rows, values / n_parts)

    def gather(self, value: T) -> list[T]:
        """The values of all processes, in their order."""
        return [value]

    def share(self, value: T) -> T:
        """The value of the first process."""
        return value

    def _add_up(self, gradients: Sequence[Any]) -> None:
        """Make tensors the sums of those of all processes."""


class TorchTeam(Team):
    """Several processes, on one machine or more. They see the same files by the same paths."""

    def gather(self, value: T) -> list[T]:
        from torch import distributed

        values: list[Any] = [None] * self.size
        distributed.all_gather_object(values, value)
        return values

    def share(self, value: T) -> T:
        from torch import distributed

        values = [value]
        distributed.broadcast_object_list(values, src=0)
        return values[0]

    def _add_up(self, gradients: Sequence[Any]) -> None:
        import torch

        for device in dict.fromkeys(gradient.device for gradient in gradients):
            own = [gradient for gradient in gradients if gradient.device == device]
            flat = torch.cat([gradient.reshape(-1) for gradient in own])
            torch.distributed.all_reduce(flat)
            for gradient, values in zip(own, flat.split([each.numel() for each in own])):
                gradient.copy_(values.view_as(gradient))


@contextmanager
def join_team() -> Iterator[Team]:
    """The team of this process: that of torchrun, which it says by environment variables. Gradients
    on GPUs are added up by NCCL, others by Gloo."""
    size = int(os.environ.get("WORLD_SIZE", 1))
    if size == 1:
        yield Team()
        return
    import torch
    from torch import distributed

    backend = "cpu:gloo,cuda:nccl" if torch.cuda.is_available() else "gloo"
    distributed.init_process_group(backend, timeout=_LONGEST_WAIT)
    try:
        yield TorchTeam(distributed.get_rank(), size)
    finally:
        distributed.destroy_process_group()


def _iter_gradients(models: Mapping[str, Model]) -> Iterator[Any]:
    """The gradients as tensors that share their memory."""
    import torch

    for _, node, name in iter_parameters(models):
        if node.has_grad(name):
            yield torch.from_dlpack(node.get_grad(name))
    for _, module in iter_modules(models):
        for parameter in module.parameters():
            if parameter.grad is not None:
                yield parameter.grad


def _find_used(models: Mapping[str, Model]) -> set[str]:
    """The names of parameters that have a gradient."""
    used = {key for key, node, name in iter_parameters(models) if node.has_grad(name)}
    for key, module in iter_modules(models):
        used |= {f"{key}/{n}" for n, p in module.named_parameters() if p.grad is not None}
    return used


def _fill_gradients(models: Mapping[str, Model], used: set[str]) -> None:
    """Give parameters that have a gradient in another process alone one of zeros."""
    import torch

    for key, node, name in iter_parameters(models):
        if key in used and not node.has_grad(name):
            node.set_grad(name, node.ops.xp.zeros_like(node.get_param(name)))
    for key, module in iter_modules(models):
        for name, parameter in module.named_parameters():
            if f"{key}/{name}" in used and parameter.grad is None:
                parameter.grad = torch.zeros_like(parameter)


def _iter_row_updates(models: Mapping[str, Model]) -> Iterator[tuple[Model, Any]]:
    for model in models.values():
        for node in model.walk():
            if (updates := get_row_updates(node)) is not None:
                yield node, updates
