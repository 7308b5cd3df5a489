"""The published weights of skip-thoughts, in small files of the same format."""

import pickle
import struct
from typing import ClassVar

import numpy as np
import pytest
import spacy

from skip_thoughts_weights import main, make_pipeline
from spacy_thematic.pipeline.embedder import find_embedder
from tests.conftest import assert_same_rows

WIDTH, HIDDEN = 6, 4
WORDS = [
    "river", "The", "the", "rises", "UNK", "it", "''", "``", ".", "<eos>", "naïve", "\u00a0it ",
    "a\rb", "", *(f"word{number}" for number in range(36)),
]  # fmt: skip
TEXT = 'The river rises. It "rises" unseen. naïve'
READ = [
    ["The", "river", "rises", "."],
    ["UNK", "''", "rises", "''", "UNK", "."],
    ["naïve"],
]


class Python2Pickler(pickle._Pickler):
    """Writes strings as the `str` of Python 2."""

    dispatch: ClassVar = dict(pickle._Pickler.dispatch)

    def save_string(self, value):
        data = value.encode() if isinstance(value, str) else value
        short = len(data) < 256
        head = pickle.SHORT_BINSTRING + bytes([len(data)]) if short else None
        self.write((head or pickle.BINSTRING + struct.pack("<i", len(data))) + data)
        self.memoize(value)

    dispatch[str] = dispatch[bytes] = save_string


def write_table(path, rows, n_trained=20):
    """An array for each word, in a pickle: of one row for a word of word2vec, without a row for one
    that the net was trained with."""
    array = np.empty(len(rows), dtype=object)
    for number, row in enumerate(rows):
        array[number] = row if number >= len(rows) - n_trained else row[None]
    with path.open("wb") as file:
        header = {"descr": "|O", "fortran_order": False, "shape": array.shape}
        np.lib.format.write_array_header_1_0(file, header)
        Python2Pickler(file, protocol=2).dump(array)


def make_units(rng, prefix, width=WIDTH, hidden=HIDDEN):
    shapes = {
        "W": (width, 2 * hidden),
        "b": (2 * hidden,),
        "U": (hidden, 2 * hidden),
        "Wx": (width, hidden),
        "bx": (hidden,),
        "Ux": (hidden, hidden),
    }
    return {f"{prefix}_{name}": rng.standard_normal(shape, "f") for name, shape in shapes.items()}


def make_files(folder, width=WIDTH, hidden=HIDDEN):
    """All files; returns the arrays in them."""
    rng = np.random.default_rng(0)
    folder.mkdir(exist_ok=True)
    (folder / "dictionary.txt").write_bytes("".join(f"{word}\n" for word in WORDS).encode())
    arrays = {
        "uni": make_units(rng, "encoder", width, hidden),
        "bi": make_units(rng, "encoder", width, hidden)
        | make_units(rng, "encoder_r", width, hidden),
        "utable": rng.standard_normal((len(WORDS), width), "f"),
        "btable": rng.standard_normal((len(WORDS), width), "f"),
    }
    for name in ("uni", "bi"):
        # As published: word vectors and decoders are in the files too.
        others = {"Wemb": np.zeros((3, width), "f"), "history_errs": np.zeros(0)}
        np.savez(folder / f"{name}_skip.npz", **arrays[name], **others)
        (folder / f"{name}_skip.npz.pkl").write_bytes(b"never read")
    for name in ("utable", "btable"):
        write_table(folder / f"{name}.npy", arrays[name])
    return arrays


@pytest.fixture
def folder(tmp_path):
    make_files(tmp_path / "published")
    return tmp_path / "published"


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def last_state(weights, prefix, words):
    """The forward pass of the published code, in numpy and one sentence at a time."""
    W, b, U, Wx, bx, Ux = (
        weights[f"{prefix}_{name}"].astype("float64") for name in ("W", "b", "U", "Wx", "bx", "Ux")
    )
    hidden = Ux.shape[1]
    h = np.zeros(hidden)
    for x in words.astype("float64"):
        gates = sigmoid(h @ U + x @ W + b)
        r, u = gates[:hidden], gates[hidden:]
        proposed = np.tanh((h @ Ux) * r + x @ Wx + bx)
        h = u * h + (1 - u) * proposed
    return h


def published_encode(arrays, words):
    """uni-skip and bi-skip of a sentence, each of unit length."""
    # The last row of a word that is there twice.
    rows = {word.strip(): row for row, word in enumerate(WORDS)}
    numbers = [rows[word] for word in words]
    uni = last_state(arrays["uni"], "encoder", arrays["utable"][numbers])
    bi = np.hstack(
        [
            last_state(arrays["bi"], "encoder", arrays["btable"][numbers]),
            last_state(arrays["bi"], "encoder_r", arrays["btable"][numbers][::-1]),
        ]
    )
    return uni / np.linalg.norm(uni), bi / np.linalg.norm(bi)


def encode(nlp, text=TEXT):
    return nlp(text)._.thematic_vectors


@pytest.mark.parametrize(("width", "hidden"), [(WIDTH, HIDDEN), (80, 12)])
def test_vectors_are_those_of_the_published_code(tmp_path, width, hidden):
    arrays = make_files(tmp_path / "published", width, hidden)
    nlp = make_pipeline(tmp_path / "published")
    expected = [np.hstack(published_encode(arrays, words)) for words in READ]
    assert_same_rows(encode(nlp), np.stack(expected))
    assert find_embedder(nlp).model.get_dim("nO") == 3 * hidden


def test_the_test_writes_the_published_format(folder):
    """numpy itself reads an array of arrays from it, with pickles allowed."""
    table = np.load(folder / "utable.npy", allow_pickle=True, encoding="latin1")
    assert table.shape == (50,)
    assert table[0].shape == (1, WIDTH)
    assert table[-1].shape == (WIDTH,)
    assert (folder / "utable.npy").read_bytes().count(b"U\x18") == 50


def test_a_saved_pipeline_needs_no_published_file(folder, tmp_path):
    main(folder, tmp_path / "out")
    vectors = encode(make_pipeline(folder))
    for path in folder.iterdir():
        path.unlink()
    assert np.array_equal(encode(spacy.load(tmp_path / "out")), vectors)


def test_a_table_of_numbers_is_read_too(folder):
    expected = encode(make_pipeline(folder))
    for name in ("utable.npy", "btable.npy"):
        rows = np.load(folder / name, allow_pickle=True, encoding="latin1")
        np.save(folder / name, np.stack([row.reshape(-1) for row in rows]).astype("float64"))
    assert np.array_equal(encode(make_pipeline(folder)), expected)


def test_a_file_that_is_missing_is_named(folder):
    for name in ("uni_skip.npz", "utable.npy"):
        (folder / name).unlink()
    with pytest.raises(ValueError, match=r"has no utable.npy, uni_skip.npz: .* project assets"):
        make_pipeline(folder)


def test_an_empty_folder_is_an_error_in_one_line(tmp_path, capsys):
    with pytest.raises(SystemExit):
        main(tmp_path, tmp_path / "out")
    assert "has no dictionary.txt, utable.npy" in " ".join(capsys.readouterr().out.split())
    assert not (tmp_path / "out").exists()


class Harm:
    """What unpickling would run."""

    def __reduce__(self):
        return pytest.fail, ("a pickle was run",)


def save_harm(path):
    np.save(path, np.array([Harm()] * len(WORDS), dtype=object), allow_pickle=True)


def cut(path, size=900):
    path.write_bytes(path.read_bytes()[:size])


def save_rows(path, width=WIDTH, dtype="f", rows=len(WORDS)):
    write_table(path, np.ones((rows, width), dtype))


BAD_TABLES = {
    "cut off": (cut, r"50 words, .* 6 wide: .*\. Fetch it again"),
    "empty": (lambda path: path.write_bytes(b""), "50 words, .* Fetch it again"),
    "a page": (lambda path: path.write_text("<html>404"), "50 words, .* Fetch it again"),
    "harm": (save_harm, "found 0 that numpy has pickled under Python 2"),
    "a dict": (lambda path: np.save(path, {"river": [1.0]}), r"found object of shape \(\)"),
    "too few": (lambda path: save_rows(path, rows=49), r"50 words, .* found object of shape \(49,"),
    "too narrow": (lambda path: save_rows(path, 5), "expected rows of 6 float32, .* 20 bytes"),
    "of 64 bits": (lambda path: save_rows(path, dtype="f8"), "expected rows of 6 float32"),
    "big-endian": (lambda path: save_rows(path, dtype=">f4"), "expected rows of 6 .* '>'"),
    "numbers": (lambda path: np.save(path, np.ones((50, 7), "f")), r"float32 of shape \(50, 7\)"),
    "one row": (lambda path: np.save(path, np.ones(50, "f")), r"float32 of shape \(50,\)"),
    "integers": (lambda path: np.save(path, np.ones((50, 6), "i")), "found int32 of shape"),
    "NaN": (
        lambda path: np.save(path, np.full((50, 6), np.nan)),
        "holds NaN or infinity, first in row 0",
    ),
}


@pytest.mark.parametrize("name", BAD_TABLES)
def test_bad_tables_are_refused(folder, name):
    make_bad, message = BAD_TABLES[name]
    make_bad(folder / "btable.npy")
    with pytest.raises(ValueError, match=message) as error:
        make_pipeline(folder)
    assert "btable.npy" in str(error.value)


def change_net(path, **changes):
    with np.load(path) as arrays:
        kept = {name: array for name, array in arrays.items() if changes.get(name, 1) is not None}
    np.savez(path, **kept | {name: array for name, array in changes.items() if array is not None})


SMALL_BACKWARD = make_units(np.random.default_rng(0), "encoder_r", WIDTH, 3)
BAD_NETS = {
    "cut off": (cut, "is not an .npz file, or is cut off"),
    "a table": (save_rows, "is not an .npz file"),
    "missing": ({"encoder_r_Ux": None}, "to hold the arrays encoder_r_W, .*encoder_r_Ux"),
    "objects": ({"encoder_W": np.array([{}])}, "of numbers: .*allow_pickle=False"),
    "shape": (
        {"encoder_U": np.ones((4, 4), "f")},
        r"encoder_U in .* \(4, 8\), .* float32 of \(4, 4\)",
    ),
    "flat": ({"encoder_Wx": np.ones(24, "f")}, r"encoder_Wx is of \(24,\)"),
    "no size": ({"encoder_Wx": np.ones((0, 4), "f")}, r"encoder_Wx is of \(0, 4\)"),
    "integers": ({"encoder_b": np.ones(8, int)}, "found int64"),
    "NaN": ({"encoder_bx": np.full(4, np.nan, "f")}, "encoder_bx in .* holds NaN"),
    "other sizes": (SMALL_BACKWARD, "directions of one size"),
}


@pytest.mark.parametrize("name", BAD_NETS)
def test_bad_weights_are_refused(folder, name):
    bad, message = BAD_NETS[name]
    path = folder / "bi_skip.npz"
    bad(path) if callable(bad) else change_net(path, **bad)
    with pytest.raises(ValueError, match=message) as error:
        make_pipeline(folder)
    assert "bi_skip.npz" in str(error.value)


def test_a_table_of_another_width_than_its_net_is_refused(folder):
    np.savez(folder / "uni_skip.npz", **make_units(np.random.default_rng(0), "encoder", 5))
    with pytest.raises(ValueError, match=r"utable.npy .* 5 wide: expected rows of 5 float32"):
        make_pipeline(folder)


def test_a_dictionary_of_another_length_is_refused(folder):
    with (folder / "dictionary.txt").open("ab") as file:
        file.write(b"more\n")
    with pytest.raises(ValueError, match=r"utable.npy .* 51 words, as dictionary.txt has them"):
        make_pipeline(folder)


def test_a_dictionary_without_the_unknown_word_is_refused(folder):
    (folder / "dictionary.txt").write_bytes(b"word\n" * 50)
    with pytest.raises(ValueError, match=r"dictionary.txt has no word UNK"):
        make_pipeline(folder)


def test_what_is_not_a_pipeline_is_not_replaced(folder):
    with pytest.raises(SystemExit):
        main(folder, folder)
    assert (folder / "utable.npy").exists()
