"""The weights of a model as named arrays: those of its layers in the order of `model.walk()`."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from spacy.tokens import Doc
from spacy.vocab import Vocab
from thinc.api import Model, PyTorchShim

from spacy_thematic.models.spans import make_doc_spans, not_initialized
from spacy_thematic.models.tok2vec_attention import is_listener
from spacy_thematic.models.torch_wrapper import fill_module

Arrays = dict[str, np.ndarray]

_LISTS = {"pieces", "bank"}
"""Attributes of layers that are lists of strings."""

_LATER = ("word_keys", "leanings")
"""Attributes of layers that are arrays, which earlier versions did not write."""

_LINEAR = {"W": ("nO", "nP", "nI"), "b": ("nO", "nP")}
_SHAPES: dict[str, dict[str, tuple[str, ...]]] = {
    **dict.fromkeys(("linear", "gelu", "maxout", "mish", "relu", "softmax"), _LINEAR),
    "layernorm": {"G": ("nI",), "b": ("nI",)},
    "hashembed": {"E": ("nV", "nO")},
    "linear_map": {"W": ("nO", "nO")},
}
"""The sizes of the weights of layers."""

IN_VOCABULARY = {"static_word_vectors", "static_vectors"}
"""Layers, ours and spaCy's, that read the word vectors of a pipeline's vocabulary."""


class ModelState(NamedTuple):
    """What a model has learned: arrays by number and name of their layer and their own name,
    "1.learned_word_vectors.E", and the sizes of each layer, by name."""

    arrays: Arrays
    dims: list[dict[str, int]]


def check_holds_all(model: Model) -> None:
    """Check that a model needs nothing but its own weights. Raises ValueError if it reads the
    pipeline's word vectors, or listens to another component."""
    if problem := _find_need(model):
        raise ValueError(
            f"The encoder works only within its pipeline: {problem}. Load the whole pipeline with "
            'spacy.load, or share it with "python -m spacy package".'
        )


def _find_need(model: Model) -> str:
    for node in model.walk():
        if is_listener(node):
            return "it listens to another component"
        if node.name in IN_VOCABULARY:
            return "it reads the word vectors of the pipeline's vocabulary"
    return ""


def check_shapes(model: Model) -> None:
    """Check the weights of Thinc's own layers, whose loading does not look at shapes. Raises
    ValueError if one has another shape than the sizes of its layer say, or holds no floats."""
    for number, node in enumerate(model.walk()):
        _check_weights(node, f"{number}.{node.name}.")


def _check_weights(node: Model, prefix: str = "") -> None:
    if "scales" in node.attrs and node.has_param("E"):
        _check_table(node)
    for name in node.param_names if node.name in _SHAPES else ():
        array = node.maybe_get_param(name)
        dims = [dim for dim in _SHAPES[node.name].get(name, ()) if dim in node.dim_names]
        if array is None or not all(map(node.has_dim, dims)):
            continue
        shape = tuple(map(node.get_dim, dims))
        if array.shape != shape or array.dtype != "f":
            raise ValueError(
                f"The array {prefix}{name} is {array.dtype} {array.shape}, expected float32 "
                f"{shape}."
            )


def check_encodes(model: Model) -> None:
    """Encode a made-up sentence, to see that the layers of a trained model fit each other.

    A model that needs more than its own weights, or is not trained, is passed over. Raises
    ValueError if they do not, or the vector is not finite."""
    if _find_need(model):
        return
    doc = Doc(Vocab(), words=["one", "sentence"])
    try:
        vectors = model.predict(make_doc_spans(model.ops, [doc], [[doc[:]]]))
        fits = vectors.shape == (1, model.get_dim("nO")) and bool((vectors - vectors == 0).all())
    except Exception as error:
        if str(error) == str(not_initialized()):
            return
        raise ValueError(f"Its layers do not fit each other: {error}.") from error
    if not fits:
        raise ValueError("Its vectors are of another width than it says, or not finite.")


def take_state(model: Model) -> ModelState:
    """Take the weights of a trained model. Raises ValueError if it has not been trained."""
    arrays: Arrays = {}
    dims = []
    for number, node in enumerate(model.walk()):
        dims.append({name: node.get_dim(name) for name in node.dim_names if node.has_dim(name)})
        for name, array in _take(node):
            arrays[f"{number}.{node.name}.{name}"] = array
    return ModelState(arrays, dims)


def _take(node: Model) -> Iterator[tuple[str, np.ndarray]]:
    for name in node.param_names:
        if not node.has_param(name):
            raise not_initialized()
        yield name, node.ops.to_numpy(node.get_param(name))
    for name in ("keys", "scales", *_LATER):
        if name in node.attrs:
            yield name, node.attrs[name]
    for name in _LISTS & node.attrs.keys():
        yield name, np.frombuffer("\n".join(node.attrs[name]).encode(), "uint8")
    for shim in _torch_shims(node):
        for name, tensor in shim._model.state_dict().items():
            yield name, tensor.cpu().numpy()


def _torch_shims(node: Model) -> list[PyTorchShim]:
    return [shim for shim in node.shims if isinstance(shim, PyTorchShim)]


def give_state(model: Model, state: ModelState) -> None:
    """Give a model the weights of one of the same architecture. Tables of int8 rows are not copied,
    so that several models may share them. Raises ValueError if a weight is missing, has another
    shape, or has no place in the model."""
    nodes = list(model.walk())
    if len(nodes) != len(state.dims):
        raise ValueError(f"Found {len(state.dims)} layers, expected {len(nodes)}.")
    arrays = dict(state.arrays)
    for number, (node, dims) in enumerate(zip(nodes, state.dims)):
        prefix = f"{number}.{node.name}."
        own = [name for name in arrays if name.startswith(prefix)]
        try:
            _give(node, dims, {name[len(prefix) :]: arrays.pop(name) for name in own})
        except KeyError as error:
            raise ValueError(f"The array {prefix}{error.args[0]} is missing.") from error
        except (ValueError, RuntimeError) as error:
            raise ValueError(f"Layer {number}, {node.name}: {error}") from error
    if arrays:
        raise ValueError(f"No layer has a place for the array {next(iter(arrays))}.")


def _give(node: Model, dims: dict[str, int], arrays: Arrays) -> None:
    for name in node.dim_names:
        if name in dims:
            node.set_dim(name, dims[name])
    for name in ("keys", "scales"):
        if name in node.attrs:
            node.attrs[name] = arrays.pop(name)
    for name in _LATER:
        if name in node.attrs:
            node.attrs[name] = arrays.pop(name, node.attrs[name])
    for name in _LISTS & node.attrs.keys():
        text = arrays.pop(name).tobytes().decode()
        node.attrs[name] = text.split("\n") if text else []
    for name in node.param_names:
        array = arrays.pop(name)
        # An optimizer changes floats in place, but never int8 rows.
        node.set_param(name, node.ops.asarray(array.copy() if array.dtype == "f" else array))
    _check_weights(node)
    for shim in _torch_shims(node):
        fill_module(shim._model, arrays, shim.device)
        arrays = {}
    if arrays:
        raise ValueError(f"it has no place for {', '.join(arrays)}.")


def _check_table(node: Model) -> None:
    attrs, table = node.attrs, node.get_param("E")
    words = attrs["pieces"] if "pieces" in attrs else attrs["keys"]
    shape = (len(words) + attrs.get("unknown_rows", 0), node.get_dim("nO"))
    n_scales = shape[0] if table.dtype == "int8" else 0
    if table.shape != shape or attrs["scales"].shape != (n_scales,):
        raise ValueError(
            f"Found a table of {table.shape} with {attrs['scales'].shape} scales, expected "
            f"{shape} with ({n_scales},)."
        )
