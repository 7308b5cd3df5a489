"""Bundled models by name: built at once, filled with their weights on first use."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, Callable, NamedTuple

import numpy as np
from spacy.strings import get_string_id
from thinc.api import Model

from spacy_thematic.models.concatenate import build_concatenate
from spacy_thematic.models.quantized import set_quantized
from spacy_thematic.models.torch_wrapper import get_module
from spacy_thematic.models.transformer_mean import build_transformer_mean
from spacy_thematic.models.weighted_mean import build_weighted_mean
from spacy_thematic.models.word_pieces import build_word_piece_vectors
from spacy_thematic.models.word_tables import build_learned_vectors

Arrays = dict[str, Any]


class Bundled(NamedTuple):
    """build: the model without weights. fill: give it those in the arrays of the file."""

    build: Callable[[], Model]
    fill: Callable[[Model, Arrays], None]


def build_bundled(name: str) -> Model:
    """A bundled model without its weights. Raises ValueError for a name that is not bundled."""
    if name not in BUNDLED:
        raise ValueError(
            f'No bundled model is called "{name}": there are {", ".join(sorted(BUNDLED))}. Set '
            '"pretrained" to one of these, or to null for a model to be trained.'
        )
    return BUNDLED[name].build()


def fill_bundled(model: Model, name: str) -> None:
    """Give a model of `build_bundled` its weights. They are read once per process, and shared by
    all pipelines that do not train them.

    Raises FileNotFoundError if the package was installed without them.
    """
    BUNDLED[name].fill(model, _read_arrays(name))


@cache
def _read_arrays(name: str) -> Arrays:
    from safetensors.numpy import load_file

    folder = Path(__file__).parent
    weights = folder / f"{name}.safetensors"
    if not weights.exists():
        raise FileNotFoundError(f"There is no {weights}: install spacy-thematic again.")
    arrays = load_file(weights)
    words = (folder / f"{name}.txt").read_text(encoding="utf8").splitlines()
    arrays["vocabulary"] = np.asarray(words, dtype=object)
    return arrays


def _build_sm() -> Model:
    return build_weighted_mean(build_learned_vectors(width=256, unknown_rows=8192))


def _fill_sm(model: Model, arrays: Arrays) -> None:
    _fill_static(model, len(arrays["vocabulary"]))


def _fill_static(model: Model, n_words: int) -> None:
    embed, word_weights = model.layers
    keys, vectors, scales, log_weights = _read_static(n_words)
    embed.attrs["keys"] = word_weights.attrs["keys"] = keys
    set_quantized(embed, vectors, scales.astype("f"))
    word_weights.set_param("E", word_weights.ops.asarray2f(log_weights.astype("f")))


@cache
def _read_static(n_words: int) -> tuple[np.ndarray, ...]:
    """The keys, vectors, scales and log weights of the small model's most frequent words and, but
    for the keys, of the shared rows behind them."""
    arrays = _read_arrays("en_thematic_sm")
    words, ranks = arrays["vocabulary"], arrays["ranks"]
    frequent = np.flatnonzero(ranks < n_words)
    keys = np.asarray([get_string_id(words[row]) for row in frequent], "uint64")
    tables = [arrays[name] for name in ("vectors", "scales", "log_weights")]
    if len(frequent) < len(words):
        tables = [np.concatenate([table[frequent], table[len(words) :]]) for table in tables]
    return (keys, *tables)


def _build_md() -> Model:
    transformer = build_transformer_mean(build_word_piece_vectors(384), n_layers=2, inner_width=256)
    return build_concatenate(transformer, _build_sm(), weights=[1.0, 0.4])


def _fill_md(model: Model, arrays: Arrays) -> None:
    import torch

    transformer, static = model.layers
    embed, pool = transformer.layers
    embed.attrs["pieces"] = list(arrays["vocabulary"])
    set_quantized(embed, arrays["vectors"], arrays["scales"].astype("f"))
    module = get_module(pool)
    weights = {name: arrays[f"net.{name}"].astype("f") for name in module.state_dict()}
    module.load_state_dict({name: torch.from_numpy(rows) for name, rows in weights.items()})
    _fill_static(static, MD_STATIC_WORDS)


MD_STATIC_WORDS = 26_000
BUNDLED = {
    "en_thematic_sm": Bundled(_build_sm, _fill_sm),
    "en_thematic_md": Bundled(_build_md, _fill_md),
}
"""All of them are for English."""
