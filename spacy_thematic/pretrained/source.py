"""Trained encoders, by themselves and as the base of others: what they are is read at once, their
weights when they are first used."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from pathlib import Path
from typing import Any

import srsly
from spacy.util import registry
from thinc.api import Config, Model
from thinc.types import Floats2d

from spacy_thematic.models.spans import DocSpans
from spacy_thematic.pretrained.architecture import BLANK, Architecture, build_architecture
from spacy_thematic.pretrained.model_file import read_header, read_state
from spacy_thematic.pretrained.paths import BUNDLED, CONFIG, SLOW, find_path
from spacy_thematic.pretrained.state import (
    ModelState,
    check_encodes,
    check_holds_all,
    check_shapes,
    give_state,
    take_state,
)

FACTORY = "thematic_embedder"
BASE = "spacy-thematic.Bundled.v1"


@dataclass(frozen=True)
class Pretrained:
    """A trained encoder. `path` is its model file, or the config of its pipeline, and `n_bytes` the
    size of the file of its weights."""

    path: Path
    lang: str
    architecture: Architecture
    n_bytes: int
    read: Callable[[], ModelState]

    @cached_property
    def state(self) -> ModelState:
        """Its weights, read once."""
        return self.read()

    def build(self) -> Model:
        """Build its model, without weights. Raises ValueError if its architecture is not
        registered, needs the rest of its pipeline, or has more weights than its file."""
        try:
            model = build_architecture(self.architecture, self.n_bytes)
            check_holds_all(model)
        except ValueError as error:
            raise ValueError(f"Cannot load {self.path}. {error}") from error
        return model

    def fill(self, model: Model) -> None:
        """Give a model of its architecture its weights. All that have them share tables of int8
        rows. Raises ValueError if the weights are not those of the architecture."""
        try:
            give_state(model, self.state)
            check_encodes(model)
        except ValueError as error:
            raise ValueError(f"Cannot load the weights of {self.path}. {error}") from error


def find_pretrained(name: str) -> Pretrained:
    """Find a trained encoder, as `find_path` does. Each is read once per process, unless its file
    changes. Raises ValueError if there is none, or it cannot be read."""
    path = find_path(name)
    file = path.stat()
    return _open(path, file.st_mtime_ns, file.st_size)


def list_bundled(lang: str, *, slow: bool = False) -> list[str]:
    """The names of the bundled models for a language, those that are slow if asked."""
    names = (name for name in BUNDLED if slow or name not in SLOW)
    return [name for name in names if find_pretrained(name).lang in (lang, "xx")]


@lru_cache(maxsize=16)
def _open(path: Path, modified: int, size: int) -> Pretrained:
    if path.name == CONFIG:
        return _open_pipeline(path)
    header = read_header(path)
    read = partial(read_state, path, header)
    return Pretrained(path, header.lang, header.architecture, size, read)


def _open_pipeline(path: Path) -> Pretrained:
    """The encoder of a saved pipeline, without the rest of it."""
    try:
        config = Config().from_disk(path, interpolate=True)
        lang, names = config["nlp"]["lang"], config["nlp"]["pipeline"]
        found = [name for name in names if config["components"][name].get("factory") == FACTORY]
    except Exception as error:
        # A damaged config gives errors of its parser, of interpolation and others.
        problem = f"it has no {error}" if isinstance(error, KeyError) else "it cannot be read"
        raise ValueError(
            f"{path} is damaged, or not the config of a pipeline: {problem}. Save the pipeline "
            "again."
        ) from error
    if not found:
        raise ValueError(f"The pipeline {path.parent} has no {FACTORY}, only {names}.")
    check_pipeline_files(path.parent)
    folder = path.parent / found[0]
    try:
        settings = srsly.read_json(folder / "cfg")
        architecture = find_architecture(config["components"][found[0]], settings)
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(
            f"{folder / 'cfg'} is damaged: {error}. Save the pipeline again."
        ) from error
    n_bytes = (folder / "model").stat().st_size
    read = partial(_read_component, folder / "model", architecture, n_bytes)
    return Pretrained(path, lang, architecture, n_bytes, read)


def check_pipeline_files(folder: Path) -> int:
    """Check that the folder of a pipeline holds nothing but files, since a pipe would block, and
    return how many bytes these have. Raises ValueError if there is anything else."""
    n_bytes = 0
    for path in folder.rglob("*"):
        if path.is_file():
            n_bytes += path.stat().st_size
        elif not path.is_dir():
            raise ValueError(f"{path} is not a file: save the pipeline again.")
    return n_bytes


def _read_component(path: Path, architecture: Architecture, n_bytes: int) -> ModelState:
    try:
        model = build_architecture(architecture, n_bytes)
        model.from_disk(path)
        check_shapes(model)
    except Exception as error:
        # Damaged weights give errors of msgpack, of safetensors, of torch and others.
        reason = str(error).rstrip(".")
        raise ValueError(
            f"{path} is damaged or cut off ({reason}): save the pipeline again."
        ) from error
    return take_state(model)


def find_architecture(config: dict, settings: dict) -> Architecture:
    """The architecture of a `thematic_embedder`, from its block in the pipeline's config and from
    what is saved with its weights."""
    if "architecture" in settings:
        return settings["architecture"]
    if config["model"] is not None:
        return include_bases(config["model"])
    if config["pretrained"] is not None:
        return find_pretrained(config["pretrained"]).architecture
    return BLANK


def include_bases(block: Any) -> Any:
    """Copy a block of a config, and give each `Bundled.v1` in it the architecture of the encoder
    that it names, so that the block can be built where this is not. Raises ValueError if there is
    no encoder of this name."""
    if isinstance(block, list):
        return [include_bases(value) for value in block]
    if not isinstance(block, dict):
        return block
    block = {key: include_bases(value) for key, value in block.items()}
    if block.get("@architectures") == BASE and block.get("model") is None:
        block["model"] = find_pretrained(block["name"]).architecture
    return block


@registry.architectures(BASE)
def build_bundled_base(
    name: str = "en_thematic_sm", model: Model[DocSpans, Floats2d] | None = None
) -> Model[DocSpans, Floats2d]:
    """Build a trained encoder as the base of another, which does not train it. The name is as
    `pretrained` of `thematic_embedder`; `initialize` reads its weights. An exported model brings
    its architecture as `model`, and these weights itself. Raises ValueError if there is no encoder
    of this name."""
    encoder = find_pretrained(name).build() if model is None else model
    for node in encoder.walk():
        # Its words are its own, not those of a training corpus.
        node.attrs.pop("set_vocabulary", None)
    return Model("bundled", _encode, init=_fill, layers=[encoder], attrs={"name": name})


def _fill(model: Model, X=None, Y=None) -> None:
    find_pretrained(model.attrs["name"]).fill(model.layers[0])


def _encode(
    model: Model[DocSpans, Floats2d], X: DocSpans, is_train: bool
) -> tuple[Floats2d, Callable]:
    return model.layers[0].predict(X), lambda dY: X
