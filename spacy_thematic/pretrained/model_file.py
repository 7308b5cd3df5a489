"""Model files: one safetensors file holds the weights, and its header says what they belong to.

The metadata in the header have one entry, "spacy-thematic": JSON of the format's `version` and of
the fields of `Header`.
"""

from pathlib import Path
from typing import Any

import numpy as np
import srsly
from pydantic import StrictInt, StrictStr
from safetensors import SafetensorError, safe_open
from safetensors.numpy import load_file, save

from spacy_thematic.files import write_bytes
from spacy_thematic.models.tables import quantize_rows
from spacy_thematic.pretrained.architecture import Architecture
from spacy_thematic.pretrained.state import Arrays, ModelState
from spacy_thematic.schemas import Schema

ENTRY = "spacy-thematic"
VERSION = 1
_NARROW = 2
SCALES = ".int8 scales"
"""The ending of the names of scales. They belong to weights of nets that are int8 in the file."""


class Header(Schema):
    """What the header says: the code of the language; the architecture; the sizes of each layer, by
    name; and arrays that are not in the file, each with the name of one that equals it."""

    lang: StrictStr
    architecture: dict[str, Any]
    dims: list[dict[str, StrictInt]]
    same: dict[str, StrictStr]


def write_model_file(
    path: Path,
    lang: str,
    architecture: Architecture,
    state: ModelState,
    *,
    exact: bool = False,
    int8: bool = False,
) -> None:
    """Write the weights of an architecture as a model file. Tables of float rows become int8 rows,
    and with `int8` the matrices of nets too, which are float32 again once loaded; other floats are
    rounded to 16 bits, and what is so already stays exactly as it is. With `exact` nothing is
    rounded, as training wants it that starts from this file."""
    arrays, same = _find_same(state.arrays if exact else _round(state.arrays, int8))
    header = Header(lang=lang, architecture=architecture, dims=state.dims, same=same)
    write_bytes(
        path, save(arrays, {ENTRY: srsly.json_dumps({"version": VERSION, **header.model_dump()})})
    )


def read_header(path: Path) -> Header:
    """Read the header of a model file. Raises ValueError if it is no model file, or one of a newer
    format."""
    try:
        with safe_open(path, "np") as file:
            metadata = file.metadata() or {}
    except SafetensorError as error:
        raise ValueError(f"{path} is not a safetensors file, or is truncated: {error}.") from error
    if ENTRY not in metadata:
        raise ValueError(
            f'{path} is no model file of spacy-thematic: its header has no "{ENTRY}". Write one '
            'with "python -m spacy thematic export".'
        )
    try:
        fields = srsly.json_loads(metadata[ENTRY])
        version = fields.pop("version", 0) if isinstance(fields, dict) else 0
        if type(version) is not int:
            raise ValueError(f'"version": {version!r:.50}, expected a number')
        header = Header.check(fields) if version <= VERSION else None
    except ValueError as error:
        raise ValueError(
            f"The header of {path} is damaged: {error}. Export the model again."
        ) from error
    if header is None:
        raise ValueError(
            f"{path} is of format {version}, and this version of spacy-thematic reads no format "
            f"above {VERSION}: install a newer version."
        )
    return header


def read_state(path: Path, header: Header) -> ModelState:
    """Read the weights of a model file, 16-bit floats and the int8 matrices of nets as 32-bit
    floats. Raises ValueError if an array is of another type, or does not fit its scales."""
    try:
        arrays = load_file(path)
    except (SafetensorError, KeyError, TypeError) as error:
        raise ValueError(f"{path} has an array that cannot be read: {error}.") from error
    for name, array in arrays.items():
        if array.dtype == "float16":
            arrays[name] = array.astype("f")
    for name in [name for name in arrays if name.endswith(SCALES)]:
        scales, rows = arrays.pop(name), arrays.get(name.removesuffix(SCALES), np.zeros(0))
        if rows.ndim != 2 or scales.shape != (len(rows),):
            raise ValueError(f"{path} has {name}, {scales.shape}, for no matrix of as many rows.")
        arrays[name.removesuffix(SCALES)] = rows * scales[:, None]
    same = {name: arrays[other] for name, other in header.same.items() if other in arrays}
    return ModelState({**arrays, **same}, header.dims)


def _round(arrays: Arrays, int8: bool) -> Arrays:
    rounded = dict(arrays)
    for name, table in arrays.items():
        layer, _, own = name.rpartition(".")
        scales = f"{layer}.scales"
        if table.dtype != "f" or table.ndim != 2 or table.shape[1] <= _NARROW:
            continue
        if own == "E" and scales in arrays:
            rounded[name], rounded[scales] = quantize_rows(table)
        elif int8:
            rounded[name], rounded[name + SCALES] = quantize_rows(table)
    return {name: _to_half(array, name.endswith("scales")) for name, array in rounded.items()}


def _to_half(array: np.ndarray, is_relative: bool) -> np.ndarray:
    """Floats of 16 bits, unless some are too large for them, or all too small; or, with
    `is_relative`, any."""
    if array.dtype != "f" or not array.size:
        return array
    with np.errstate(over="ignore"):
        half = array.astype("float16")
    precision = 2.0**-10
    slack = 0.0 if is_relative else precision * float(np.abs(array).max())
    return half if np.allclose(half, array, rtol=precision, atol=slack) else array


def _find_same(arrays: Arrays) -> tuple[Arrays, dict[str, str]]:
    """The distinct arrays, and the name of one of these for each of the others."""
    names: dict[tuple[str, tuple[int, ...], bytes], str] = {}
    same = {}
    for name, array in arrays.items():
        first = names.setdefault((array.dtype.str, array.shape, array.tobytes()), name)
        if first != name:
            same[name] = first
    return {name: array for name, array in arrays.items() if name not in same}, same
