"""The published weights of skip-thoughts (Kiros et al. 2015) as a spaCy pipeline.

    python scripts/skip_thoughts_weights.py FOLDER OUT

FOLDER holds dictionary.txt, and of each net its word table and its weights: utable.npy and
uni_skip.npz, btable.npy and bi_skip.npz, which `spacy project assets --extra` fetches. Nothing in
them is unpickled, and the files .npz.pkl are not needed.

A sentence has the vector that the published `encode` gives its words: an unknown word is read as
UNK, and the end of a sentence is not read. The words are spaCy's tokens; NLTK's, which they used,
differ from these at hyphens. It takes some minutes. The words of both tables take 5 GB of memory,
here and where the pipeline is used.
"""

import pickletools
import zipfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np
import spacy
import torch
import typer
from spacy.language import Language
from spacy.vectors import Vectors
from spacy.vocab import Vocab
from wasabi import msg

import gru_encoder  # noqa: F401
from spacy_thematic.cli.shell import clear_errors
from spacy_thematic.files import check_is_replaceable, write_folder
from spacy_thematic.models.spans import make_doc_spans
from spacy_thematic.models.torch_wrapper import get_module
from spacy_thematic.pipeline.embedder import find_embedder

DICTIONARY = "dictionary.txt"
UNKNOWN = "UNK"
# As NLTK writes quotation marks, and so the dictionary.
QUOTES = {'"': "''", "“": "``", "”": "''"}

# What else is a string in a pickled array of float32 arrays: names of types and byte orders.
_TYPES = {"b", "O8", "|", "f4", "<"}

Units = dict[str, np.ndarray]
"""The weights of gated recurrent units by their published names, without the prefix."""


class Net(NamedTuple):
    """A published net: the files of its words and of its weights, and of each direction the prefix
    of its weights and its place in `GRUEncoder`."""

    table: str
    weights: str
    directions: dict[str, str]


NETS = {
    "uni": Net("utable.npy", "uni_skip.npz", {"encoder": "gru"}),
    "bi": Net("btable.npy", "bi_skip.npz", {"encoder": "gru", "encoder_r": "backward_gru"}),
}


def main(
    folder: Path = typer.Argument(..., help="Folder with the published files"),
    out: Path = typer.Argument(..., help="Folder for the pipeline"),
):
    """Turn the published weights of skip-thoughts into a spaCy pipeline."""
    with clear_errors():
        check_is_replaceable(out, "meta.json", "a pipeline")
        nlp = make_pipeline(folder)
        write_folder(out, nlp.to_disk)
    width = find_embedder(nlp).model.get_dim("nO")
    msg.good(f"Saved {out}: {nlp.vocab.vectors.n_keys:,} words, vectors of sentences {width} wide")


def make_pipeline(folder: Path) -> Language:
    """Make a pipeline of `sentencizer` and `thematic_embedder` from the published files: uni-skip
    and bi-skip side by side, each of width 2,400 and of unit length. Raises ValueError if a file is
    missing, is damaged, or does not fit the others."""
    wanted = [DICTIONARY, *(file for net in NETS.values() for file in (net.table, net.weights))]
    if missing := [file for file in wanted if not (folder / file).is_file()]:
        raise ValueError(
            f"{folder} has no {', '.join(missing)}: `python -m spacy project assets --extra` "
            "fetches the published files into assets/skip-thoughts."
        )
    units = {name: read_net(folder / net.weights, net) for name, net in NETS.items()}
    words = read_words(folder / DICTIONARY)
    # One pipeline has one table of words: that of each net has columns of its own.
    columns = share_columns(units)
    table = np.empty((len(words), max(own.stop for own in columns.values())), "f")
    for name, net in NETS.items():
        read_table(folder / net.table, table[:, columns[name]])
    nlp = make_blank(make_vocab(words, table), units)
    for layer, name in zip(find_embedder(nlp).model.layers, NETS):
        state = {
            f"{place}.{weight}": torch.tensor(value)
            for place, part in units[name].items()
            for weight, value in convert_units(part, columns[name], table.shape[1]).items()
        }
        get_module(layer.layers[1]).load_state_dict(state)
    return nlp


def share_columns(units: dict[str, dict[str, Units]]) -> dict[str, slice]:
    """The columns of each net's words in the pipeline's table of words."""
    widths = [parts["gru"]["Wx"].shape[0] for parts in units.values()]
    ends = np.cumsum(widths).tolist()
    return {name: slice(end - width, end) for name, width, end in zip(units, widths, ends)}


def make_blank(vocab: Vocab, units: dict[str, dict[str, Units]]) -> Language:
    """The pipeline, its nets of the right size but without their weights."""
    nlp = spacy.blank("en", vocab=vocab)
    nlp.add_pipe("sentencizer")
    architecture = {
        "@architectures": "spacy-thematic.Concatenate.v1",
        "*": {name: describe_encoder(parts) for name, parts in units.items()},
        "normalize": True,
    }
    nlp.add_pipe("thematic_embedder", config={"model": architecture})
    model = find_embedder(nlp).model
    doc = nlp.make_doc(UNKNOWN)
    model.initialize(X=make_doc_spans(model.ops, [doc], [[doc[:]]]))
    return nlp


def describe_encoder(parts: dict[str, Units]) -> dict[str, Any]:
    return {
        "@architectures": "papers.GRUEncoder.v1",
        "hidden_width": parts["gru"]["Wx"].shape[1],
        "bidirectional": "backward_gru" in parts,
        "reset_after": True,
        "embed": {
            "@architectures": "spacy-thematic.StaticVectors.v1",
            "normalize": False,
            "unknown": UNKNOWN,
        },
    }


def convert_units(units: Units, columns: slice, n_columns: int) -> dict[str, np.ndarray]:
    """The weights of `GRU` that compute what Kiros et al. do. Their gate u weighs the former state,
    z of `GRU` the new one: z = 1 - u, and 1 - sigmoid(x) = sigmoid(-x). The net's own words have
    some columns of the pipeline's table of words; in the others they are multiplied by zero."""
    hidden = units["Wx"].shape[1]
    sign = np.repeat(np.array([1, -1], "f"), hidden)
    inputs = np.zeros((3 * hidden, n_columns), "f")
    inputs[:, columns] = np.hstack([units["W"] * sign, units["Wx"]]).T
    return {
        "input.weight": inputs,
        "input.bias": np.hstack([units["b"] * sign, units["bx"]]),
        "gates.weight": (units["U"] * sign).T,
        "candidate.weight": units["Ux"].T,
    }


def read_net(path: Path, net: Net) -> dict[str, Units]:
    """The weights of the directions of a net, by their places in `GRUEncoder`."""
    if not zipfile.is_zipfile(path):
        raise ValueError(f"{path} is not an .npz file, or is cut off: fetch it again.")
    parts = {place: read_units(path, prefix) for prefix, place in net.directions.items()}
    shapes = {place: units["Wx"].shape for place, units in parts.items()}
    if len(set(shapes.values())) > 1:
        raise ValueError(f"Expected directions of one size in {path}, found {shapes}.")
    return parts


def read_units(path: Path, prefix: str) -> Units:
    """The weights of one direction. Returns W, (words, 2 hidden), b, (2 hidden), and U, (hidden, 2
    hidden), of the gates r and u side by side; Wx, (words, hidden), bx, (hidden), and Ux, (hidden,
    hidden), of the new state."""
    try:
        with np.load(path, allow_pickle=False) as arrays:
            units = {name: arrays[f"{prefix}_{name}"] for name in ("W", "b", "U", "Wx", "bx", "Ux")}
    except (OSError, ValueError, KeyError, zipfile.BadZipFile) as error:
        raise ValueError(
            f"Expected {path} to hold the arrays {prefix}_W, _b, _U, _Wx, _bx and _Ux of numbers: "
            f"{error}."
        ) from error
    words, hidden = (*units["Wx"].shape, 0, 0)[:2]
    expected = {
        "W": (words, 2 * hidden),
        "b": (2 * hidden,),
        "U": (hidden, 2 * hidden),
        "Wx": (words, hidden),
        "bx": (hidden,),
        "Ux": (hidden, hidden),
    }
    for name, array in units.items():
        if array.shape != expected[name] or array.dtype.kind != "f" or not array.size:
            raise ValueError(
                f"Expected {prefix}_{name} in {path} to be floats of shape {expected[name]}, as "
                f"{prefix}_Wx is of {units['Wx'].shape}, found {array.dtype} of {array.shape}."
            )
        if not np.isfinite(array).all():
            raise ValueError(f"{prefix}_{name} in {path} holds NaN or infinity: fetch it again.")
    return units


def read_words(path: Path) -> list[str]:
    """The words of the tables, row by row, read as the published code does: a line feed ends a
    line, and white space around a word is none of it. So a word may be empty, or be there twice."""
    with path.open("rb") as file:
        words = [line.decode("utf8", errors="replace").strip() for line in file]
    if UNKNOWN not in words:
        raise ValueError(
            f"{path} has no word {UNKNOWN}, whose vector unknown words take: it is cut off, or not "
            "the published dictionary. Fetch it again."
        )
    return words


def read_table(path: Path, table: np.ndarray) -> None:
    """Read the vectors of words into a table, float32 (words, width).

    The published tables are object arrays, with an array for each word; an array of numbers, into
    which others have turned them, is read too. Raises ValueError if the file holds something else,
    or is damaged."""
    n_words, width = table.shape
    try:
        with path.open("rb") as file:
            shape, dtype = _read_header(file)
            if (dtype.kind, shape) not in (("O", (n_words,)), ("f", (n_words, width))):
                raise ValueError(f"found {dtype} of shape {shape}")
            if dtype.kind == "O":
                _fill(table, iter_pickled_rows(file, width))
            else:
                table[:] = np.load(path, mmap_mode="r", allow_pickle=False)
    except ValueError as error:
        raise ValueError(
            f"Expected {path} to hold vectors of {n_words} words, as {DICTIONARY} has them, "
            f"{width} wide: {error}. Fetch it again."
        ) from error
    # A sum takes less memory than a comparison.
    bad = np.flatnonzero(~np.isfinite(table.sum(axis=1)))
    if len(bad):
        raise ValueError(f"{path} holds NaN or infinity, first in row {bad[0]}: fetch it again.")


def _fill(table: np.ndarray, rows: Iterator[np.ndarray]) -> None:
    found = 0
    for found, row in enumerate(islice(rows, len(table)), start=1):
        table[found - 1] = row
    if found < len(table):
        raise ValueError(f"found {found} that numpy has pickled under Python 2")


def iter_pickled_rows(file: BinaryIO, width: int) -> Iterator[np.ndarray]:
    """The rows of an object array of float32 arrays, of a width, as numpy has pickled it under
    Python 2, from a file after the header of the .npy format.

    Unpickling runs what a pickle says. Here its opcodes are only looked at, one after the other,
    and those that hold the bytes of a row are taken, so that a file can do no harm, and one row is
    in memory at a time. Raises ValueError if a row has another width or type, or the pickle is cut
    off."""
    n_bytes = width * np.dtype("<f4").itemsize
    for opcode, value, _ in pickletools.genops(file):
        if opcode.name not in ("BINSTRING", "SHORT_BINSTRING") or value in _TYPES:
            continue
        if len(value) != n_bytes:
            raise ValueError(
                f"expected rows of {width} float32, {n_bytes} bytes, found a string of "
                f"{len(value)} bytes, {value[:8]!r}"
            )
        yield np.frombuffer(value.encode("latin1"), "<f4")


def _read_header(file: BinaryIO) -> tuple[tuple[int, ...], np.dtype]:
    version = np.lib.format.read_magic(file)
    if version != (1, 0):
        raise ValueError(f"found version {version} of the .npy format, not 1.0")
    shape, _, dtype = np.lib.format.read_array_header_1_0(file)
    return shape, dtype


def make_vocab(words: list[str], table: np.ndarray) -> Vocab:
    """A vocabulary with word vectors. The last row of a word counts, as in the published code."""
    vocab = Vocab(vectors_name="skip_thoughts")
    vocab.vectors = Vectors(strings=vocab.strings, data=table, keys=words, name="skip_thoughts")
    rows = {word: row for row, word in enumerate(words)}
    for mark, word in QUOTES.items():
        if mark not in rows and word in rows:
            vocab.vectors.add(mark, row=rows[word])
    return vocab


if __name__ == "__main__":
    typer.run(main)
