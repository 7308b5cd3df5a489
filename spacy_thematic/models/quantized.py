"""Tables of int8 rows, each with a scale, in the parameter "E" and the attribute "scales" of a
layer. A table stays so until the first update makes it float32."""

import numpy as np
from thinc.api import Model
from thinc.types import Floats2d, Ints1d

from spacy_thematic.models.spans import not_initialized

UNSCALED = np.zeros(0, "f")


def quantize_rows(table: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The nearest int8 rows and their scales: row i is about rows[i] * scales[i].

    table: float32 (n, width). Returns int8 (n, width) and float32 (n,).
    """
    scales = np.maximum(np.abs(table).max(axis=1), 1e-12).astype("f") / 127
    return np.rint(table / scales[:, None]).astype("int8"), scales


def set_quantized(model: Model, rows: np.ndarray, scales: np.ndarray) -> None:
    """Give a layer its table. The arrays are not copied, so that several may share them."""
    model.attrs["scales"] = scales
    model.set_param("E", model.ops.asarray(rows))


def take_rows(model: Model, rows: Ints1d) -> Floats2d:
    """Some rows of a layer's table, float32."""
    taken = model.get_param("E")[rows]
    scales = model.attrs["scales"]
    if not len(scales):
        return taken
    taken = taken.astype("f")
    taken *= model.ops.asarray2f(scales[rows][:, None])
    return taken


def open_table(model: Model, is_train: bool) -> None:
    """Make a layer's table ready to take rows from. Raises ValueError if the layer has none."""
    if not model.has_param("E"):
        raise not_initialized()
    if is_train:
        make_trainable(model)


def make_trainable(model: Model) -> None:
    """Make a table of int8 rows one of float32."""
    if len(model.attrs["scales"]):
        table = take_rows(model, np.arange(len(model.attrs["scales"])))
        model.attrs["scales"] = UNSCALED
        model.set_param("E", table)
