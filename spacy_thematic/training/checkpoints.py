"""The state of a training run, from which it resumes when it was killed; and the averages of its
models' weights."""

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import srsly
from pydantic import Field, StrictInt
from thinc.api import Model, Optimizer, PyTorchShim, xp2torch

from spacy_thematic.files import write_bytes
from spacy_thematic.models.tables import RowUpdates, get_row_updates
from spacy_thematic.pretrained.state import check_shapes
from spacy_thematic.schemas import Schema

if TYPE_CHECKING:
    from spacy_thematic.training.runner import _Run

CHECKPOINT = "checkpoint.msgpack"
_MOST_STEPS = 10**8
_MOMENTS = ("mom1", "mom2", "nr_update", "averages")


class Progress(Schema):
    """Where a run stands: among others the epoch of the first objective's order, and the words that
    were learned from."""

    step: StrictInt = Field(default=0, ge=0, le=_MOST_STEPS)
    epoch: StrictInt = Field(default=0, ge=0)
    best_score: float = float("-inf")
    best_step: StrictInt = Field(default=0, ge=0)
    words: StrictInt = Field(default=0, ge=0)
    initial_spread: float = 0.0


def save_checkpoint(path: Path, run: "_Run") -> None:
    """Write the weights, the optimizer's state and the progress of a run as one file."""
    keys = _parameter_keys(run.models)
    state = {
        "progress": run.progress.model_dump(),
        "weights": {name: model.to_bytes() for name, model in run.models.items()},
        "optimizer": {
            moment: {keys[key]: value for key, value in found.items()}
            for moment in _MOMENTS
            if (found := getattr(run.optimizer, moment)) is not None
        },
        "rows": {
            name: {"moments": shim.moments, "n_updates": shim.n_updates}
            for name, shim in _iter_row_updates(run.models)
        },
        "orders": {name: [order.epoch, order.batch] for name, order in run.orders.items()},
    }
    write_bytes(path, srsly.msgpack_dumps(state))


def load_checkpoint(path: Path) -> dict[str, Any]:
    """Read what `save_checkpoint` wrote. Raises ValueError if the file is not a checkpoint."""
    try:
        if not path.is_file():
            raise ValueError("it is not a file")
        state = srsly.msgpack_loads(path.read_bytes())
        return {**state, "progress": Progress.check(state["progress"])}
    except OSError:
        raise
    except Exception as error:
        # Msgpack raises errors of its own.
        raise _foreign(path, error) from error


def restore_checkpoint(path: Path, run: "_Run") -> None:
    """Give a run the state that `save_checkpoint` wrote. Raises ValueError if it is that of another
    pipeline."""
    state = load_checkpoint(path)
    run.progress = state["progress"]
    try:
        for name, model in run.models.items():
            model.from_bytes(state["weights"][name])
            check_shapes(model)
        for name, shim in _iter_row_updates(run.models):
            shim.moments = np.array(state["rows"][name]["moments"])
            shim.n_updates = np.array(state["rows"][name]["n_updates"])
        for name, order in run.orders.items():
            order.seek(*state["orders"][name])
    except Exception as error:
        # Damaged weights give errors of safetensors, of torch and others.
        raise _foreign(path, error) from error
    for key, name in _parameter_keys(run.models).items():
        for moment, values in state["optimizer"].items():
            found = getattr(run.optimizer, moment)
            if name in values and found is not None:
                value = values[name]
                found[key] = np.array(value) if isinstance(value, np.ndarray) else value
    for _ in range(run.progress.step):
        run.optimizer.step_schedules()
        next(run.dropouts)


def _foreign(path: Path, error: Exception) -> ValueError:
    return ValueError(
        f"{path} is not a checkpoint of this pipeline ({type(error).__name__}: {error}). "
        "Start without --resume to train from the beginning."
    )


def _iter_row_updates(models: Mapping[str, Model]) -> Iterator[tuple[str, RowUpdates]]:
    for name, model in models.items():
        for number, node in enumerate(model.walk()):
            shim = get_row_updates(node)
            if shim is not None:
                yield f"{name}/{number}", shim


def _parameter_keys(models: Mapping[str, Model]) -> dict[tuple[int, str], str]:
    """A lasting name of each of the optimizer's keys, which differ from process to process."""
    keys = {
        (node.id, name): f"{model_name}/{number}/node/{name}"
        for model_name, model in models.items()
        for number, node in enumerate(model.walk())
        for name in node.param_names
    }
    for key, shim in _iter_torch_shims(models):
        keys |= {(shim.id, name): f"{key}/{name}" for name, _ in shim._model.named_parameters()}
    return keys


def _iter_torch_shims(models: Mapping[str, Model]) -> Iterator[tuple[str, PyTorchShim]]:
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
        for _, shim in _iter_torch_shims(models):
            for name, parameter in shim._model.named_parameters():
                if (shim.id, name) in averages:
                    stack.callback(setattr, parameter, "data", parameter.data)
                    average = averages[shim.id, name]
                    parameter.data = xp2torch(average, device=parameter.device)
        yield
