"""Updates of only those rows of a table that a batch has read.

Thinc allocates a gradient as large as the table at every step, and its optimizers go through all of
it. Here a shim collects the gradients of the rows that were read, and updates only these.
"""

from typing import Any, Self

import numpy as np
from thinc.api import Model, Optimizer
from thinc.shims import Shim

DECAY = 0.99
EPSILON = 1e-8


class RowUpdates(Shim):
    """RMSprop with one second moment a row, corrected for bias, on the rows of a table that
    gradients were given for."""

    def __init__(self, rate: float):
        super().__init__(None)
        self.rate = rate
        self.moments = np.zeros(0, "f")
        self.n_updates = np.zeros(0, "f")
        self._pending: list[tuple[Model, np.ndarray, Any]] = []

    def add(self, model: Model, rows: np.ndarray, gradients: Any) -> None:
        """Keep gradients, float32 (n, width), of rows of the parameter "E" until the next update.
        A row may occur several times."""
        self._pending.append((model, rows, gradients))

    def finish_update(self, optimizer: Optimizer) -> None:
        if not self._pending:
            return
        model = self._pending[0][0]
        xp, table = model.ops.xp, model.get_param("E")
        rows, places = np.unique(
            np.concatenate([rows for _, rows, _ in self._pending]), return_inverse=True
        )
        gradient = model.ops.alloc2f(len(rows), table.shape[1])
        values = xp.concatenate([values for _, _, values in self._pending])
        model.ops.scatter_add(gradient, model.ops.asarray1i(places), values)
        self._pending.clear()
        if len(self.moments) != len(table):
            self.moments = np.zeros(len(table), "f")
            self.n_updates = np.zeros(len(table), "f")
        squares = (gradient**2).mean(axis=1)
        squares = model.ops.to_numpy(squares)
        n_updates = self.n_updates[rows] + 1
        moments = self.moments[rows] * DECAY + squares * (1 - DECAY)
        self.n_updates[rows], self.moments[rows] = n_updates, moments
        rate = self.rate * optimizer.learn_rate
        scale = rate / (np.sqrt(moments / (1 - DECAY**n_updates)) + EPSILON)
        table[rows] -= gradient * xp.asarray(scale[:, None].astype("f"))
        if optimizer.averages is not None:
            key = model.id, "E"
            optimizer.nr_update[key] += 1
            average = optimizer.averages.setdefault(key, xp.zeros_like(table))
            model.ops.update_averages(average, table, optimizer.nr_update[key])

    def get_state(self) -> dict[str, np.ndarray]:
        """What a checkpoint keeps: the second moments and the number of updates of each row."""
        return {"moments": self.moments, "n_updates": self.n_updates}

    def set_state(self, state: dict[str, np.ndarray]) -> None:
        """Take what `get_state` returned."""
        self.moments = np.array(state["moments"])
        self.n_updates = np.array(state["n_updates"])

    # The state of the optimizer is no part of a model.

    def to_bytes(self) -> bytes:
        return b""

    def from_bytes(self, data: bytes) -> Self:
        return self

    def to_device(self, device_type: str, device_id: int) -> None:
        pass


def get_row_updates(model: Model) -> RowUpdates | None:
    """The row updates of a table; None where the optimizer updates the whole table."""
    return next((shim for shim in model.shims if isinstance(shim, RowUpdates)), None)


def add_gradient(model: Model, rows: np.ndarray, gradients: Any) -> None:
    """Give a table, the parameter "E" of a layer, the gradients, float32 (n, width), of some of its
    rows, int (n). A row may occur several times."""
    updates = get_row_updates(model)
    if updates is not None:
        updates.add(model, rows, gradients)
        return
    gradient = model.ops.alloc2f(*model.get_param("E").shape)
    model.ops.scatter_add(gradient, model.ops.asarray1i(rows), gradients)
    model.inc_grad("E", gradient)
