"""The state of a training run on disk, so that it can be killed at any moment and go on."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import srsly
import torch
from thinc.api import Model, Optimizer

from spacy_thematic.files import write_bytes

CHECKPOINT = "checkpoint.msgpack"


@dataclass
class Progress:
    """Where a run stands. `batch` counts the batches of the running epoch, `step` all."""

    step: int = 0
    epoch: int = 0
    batch: int = 0
    best_score: float = float("-inf")
    best_step: int = 0
    words: int = 0
    initial_spread: float = 0.0


def save_checkpoint(
    path: Path, models: dict[str, Model], optimizer: Optimizer, progress: Progress
) -> None:
    """Write weights of the named models, optimizer, random states and progress as one file."""
    keys = _parameter_keys(models)
    state = {
        "progress": asdict(progress),
        "weights": {name: model.to_bytes() for name, model in models.items()},
        "optimizer": {
            moment: {keys[key]: value for key, value in getattr(optimizer, moment).items()}
            for moment in ("mom1", "mom2", "nr_update")
        },
        "random": _get_random_state(),
    }
    write_bytes(path, srsly.msgpack_dumps(state))


def load_checkpoint(path: Path, models: dict[str, Model], optimizer: Optimizer) -> Progress:
    """The inverse of `save_checkpoint`. Raises ValueError if the file is not a checkpoint of these
    models."""
    try:
        state = srsly.msgpack_loads(path.read_bytes())
        for name, model in models.items():
            model.from_bytes(state["weights"][name])
        progress = Progress(**state["progress"])
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(
            f"{path} is not a checkpoint of this pipeline ({type(error).__name__}: {error}). "
            "Start without --resume to train from the beginning."
        ) from error
    for key, name in _parameter_keys(models).items():
        for moment, values in state["optimizer"].items():
            if name in values:
                value = values[name]
                getattr(optimizer, moment)[key] = (
                    np.array(value) if isinstance(value, np.ndarray) else value
                )
    for _ in range(progress.step):
        optimizer.step_schedules()
    _set_random_state(state["random"])
    return progress


def _parameter_keys(models: dict[str, Model]) -> dict[tuple[int, str], str]:
    """The optimizer's keys, which differ from process to process, and a lasting name of each."""
    keys = {}
    for name, model in models.items():
        for number, node in enumerate(model.walk()):
            for owner, kind, parameters in _iter_parameters(node):
                for parameter in parameters:
                    keys[(owner, parameter)] = f"{name}/{number}/{kind}/{parameter}"
    return keys


def _iter_parameters(node: Any) -> Iterator[tuple[int, str, list[str]]]:
    yield node.id, "node", list(node.param_names)
    for number, shim in enumerate(node.shims):
        yield shim.id, f"shim{number}", [name for name, _ in shim._model.named_parameters()]


def _get_random_state() -> dict[str, Any]:
    version, internal, gauss = random.getstate()
    kind, keys, position, has_gauss, cached = np.random.get_state()
    return {
        "python": [version, list(internal), gauss],
        "numpy": [kind, keys, int(position), int(has_gauss), float(cached)],
        "torch": torch.get_rng_state().numpy(),
    }


def _set_random_state(state: dict[str, Any]) -> None:
    version, internal, gauss = state["python"]
    random.setstate((version, tuple(internal), gauss))
    np.random.set_state(tuple(state["numpy"]))
    torch.set_rng_state(torch.from_numpy(np.array(state["torch"])))
