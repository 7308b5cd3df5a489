"""Tables of rows: the parameter "E" of a layer, and its attribute "scales".

A bundled table has int8 rows, each with a scale, and stays so until the first update makes it
float32. Thinc allocates a gradient as large as a table at every step, and its optimizers go through
all of it. `RowUpdates` collects the gradients of the rows that were read, and updates only these.
"""

from collections.abc import Callable
from typing import Any, Self

import numpy as np
from thinc.api import Model, Optimizer
from thinc.shims import Shim
from thinc.types import Floats2d, Ints1d

from spacy_thematic.models.spans import not_initialized

UNSCALED = np.zeros(0, "f")
BLOCK_ROWS = 512
DECAY = 0.99
EPSILON = 1e-8


def quantize_rows(table: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The nearest int8 rows of a float32 table, (n, width), and their scales, float32 (n,): row i
    is about rows[i] * scales[i]."""
    scales = np.maximum(np.abs(table).max(axis=1), 1e-12).astype("f") / 127
    return np.rint(table / scales[:, None]).astype("int8"), scales


def build_table(
    name: str, forward: Callable, width: int, row_rate: float | None, **attrs: Any
) -> Model:
    """A layer with a table that is learned, by the rows that were read if it has a `row_rate`."""
    return Model(
        name,
        forward,
        params={"E": None},
        dims={"nO": width},
        shims=[] if row_rate is None else [RowUpdates(row_rate)],
        attrs={"scales": UNSCALED, "frozen": False, **attrs},
    )


def take_rows(model: Model, rows: Ints1d) -> Floats2d:
    """Some rows of a layer's table, float32."""
    taken = model.get_param("E")[rows]
    scales = model.attrs["scales"]
    if not len(scales):
        return taken
    taken = taken.astype("f")
    taken *= model.ops.asarray2f(scales[rows][:, None])
    return taken


def sum_rows(model: Model, rows: np.ndarray, weights: np.ndarray, lengths: np.ndarray) -> Floats2d:
    """Weighted sums of rows of a layer's table, by numbers and weights of rows, those of one sum
    after those of another, (rows), and the number of rows of each sum, (sums): float32 (sums,
    width). On a CPU: rows are taken block by block, so that they stay in the processor's cache."""
    table, scales = model.get_param("E"), model.attrs["scales"]
    if len(scales):
        weights = weights * scales[rows]
    weights = weights.astype("f")
    sums = np.zeros((len(lengths), table.shape[1]), "f")
    buffer = np.empty((max(BLOCK_ROWS, lengths.max(initial=0)), table.shape[1]), "f")
    ends = np.cumsum(lengths)
    first = start = 0
    while first < len(ends):
        last = max(first + 1, int(np.searchsorted(ends, start + BLOCK_ROWS, side="right")))
        end = int(ends[last - 1])
        buffer[: end - start] = table.take(rows[start:end], axis=0)
        bounds = [start, *ends[first:last].tolist()]
        for total, begin, stop in zip(sums[first:last], bounds, bounds[1:]):
            np.dot(weights[begin:stop], buffer[begin - start : stop - start], out=total)
        first, start = last, end
    return sums


def open_table(model: Model, is_train: bool) -> None:
    """Make a layer's table ready to take rows from; for training, int8 rows become float32. Raises
    ValueError if the layer has none."""
    if not model.has_param("E"):
        raise not_initialized()
    if is_train and len(model.attrs["scales"]):
        table = take_rows(model, np.arange(len(model.attrs["scales"])))
        model.attrs["scales"] = UNSCALED
        model.set_param("E", table)


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
        squares = model.ops.to_numpy((gradient**2).mean(axis=1))
        self.n_updates[rows] += 1
        self.moments[rows] = self.moments[rows] * DECAY + squares * (1 - DECAY)
        deviations = np.sqrt(self.moments[rows] / (1 - DECAY ** self.n_updates[rows]))
        scale = self.rate * optimizer.learn_rate / (deviations + EPSILON)
        table[rows] -= gradient * xp.asarray(scale[:, None].astype("f"))
        if optimizer.averages is not None:
            key = model.id, "E"
            optimizer.nr_update[key] += 1
            average = optimizer.averages.setdefault(key, xp.zeros_like(table))
            model.ops.update_averages(average, table, optimizer.nr_update[key])

    # The state of the optimizer is no part of a model. Checkpoints keep it.

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
