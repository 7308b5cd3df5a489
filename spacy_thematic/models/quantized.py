"""Tables of int8 rows, each with a scale, in the parameter "E" and the attribute "scales" of a
layer. A table stays so until the first update makes it float32."""

from collections.abc import Callable
from typing import Any

import numpy as np
from thinc.api import Model
from thinc.types import Floats2d, Ints1d

from spacy_thematic.models.row_updates import RowUpdates
from spacy_thematic.models.spans import not_initialized

UNSCALED = np.zeros(0, "f")
BLOCK_ROWS = 512


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
