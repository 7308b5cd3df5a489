"""A small net that says how likely a new section begins at each sentence of a text.

It reads the thematic vectors of the sentences, how long they are, and how alike the sentences
before and after each gap are. Convolutions over neighbouring sentences (LayerNorm, a window of
three with others between them, GELU, a residual connection) come first, then each sentence beside
the one before it, then convolutions over gaps. It needs no PyTorch.
"""

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from spacy.util import registry
from thinc.api import Dropout, Gelu, LayerNorm, Linear, Model, chain, zero_init
from thinc.types import Floats1d, Floats2d, Ints2d

from spacy_thematic.models.encoder_and_net import find_net, put_beside
from spacy_thematic.models.spans import DocSpans
from spacy_thematic.rows import cumulate, unit_rows

NAME = "section_boundaries"
WITH_BOUNDARIES = "spacy-thematic.WithBoundaries.v1"

WINDOWS = (1, 2, 3, 5, 8, 12)
"""How many sentences on each side of a gap are compared."""

find_boundaries = partial(find_net, NAME)

_SCALE = 8.0
_USUAL_LOG_LENGTH = 4.5
_SENTENCE_DILATIONS = (1, 2, 4, 8)
_GAP_DILATIONS = (1, 2, 4)

Texts = Sequence[tuple[Floats2d, Floats1d]]
"""For each text the thematic vectors of its sentences, (n, width), and their characters, (n,)."""


@registry.architectures("spacy-thematic.SectionBoundaries.v1")
def build_section_boundaries(hidden_width: int = 96, dropout: float = 0.1) -> Model:
    """Build the net. Returns a model from `Texts` to the log odds, for each sentence of each text,
    that a section begins there, (sentences of all texts,). What it says of a first sentence is of
    no use."""
    h = hidden_width
    content = chain(Dropout(dropout), Linear(nO=h))
    likeness = Linear(nO=h, nI=len(WINDOWS))
    pair = Linear(nO=h, nI=3 * h)
    out = chain(LayerNorm(nI=h), Linear(nO=1, nI=h, init_W=zero_init))
    blocks = [
        chain(Gelu(nO=h, nI=3 * h), Dropout(dropout), Linear(nO=h, nI=h))
        for _ in (*_SENTENCE_DILATIONS, *_GAP_DILATIONS)
    ]
    norms = [LayerNorm(nI=h) for _ in blocks]
    return Model(
        NAME,
        _forward,
        init=_init,
        layers=[content, likeness, pair, out, *norms, *blocks],
        dims={"nI": None},
    )


def compare_sides(vectors: Floats2d, windows: Sequence[int] = WINDOWS) -> Floats2d:
    """Return the cosine of the mean vectors of the sentences before and from each sentence on, for
    windows of some lengths, less the mean of the text, float32 (n, windows), from unit rows, (n,
    width), whose mean is taken off first."""
    n = len(vectors)
    sums = cumulate(unit_rows(vectors - vectors.mean(axis=0), centre=False))
    places = np.arange(1, n)
    cosines = np.zeros((n, len(windows)), np.float32)
    for column, window in enumerate(windows if n > 1 else ()):
        before = sums[places] - sums[np.maximum(places - window, 0)]
        after = sums[np.minimum(places + window, n)] - sums[places]
        lengths = np.linalg.norm(before, axis=1) * np.linalg.norm(after, axis=1)
        found = np.einsum("ij,ij->i", before, after) / np.maximum(lengths, 1e-4)
        cosines[1:, column] = found - found.mean()
    return cosines


def _init(model: Model, X: Texts | None = None, Y: object = None) -> None:
    if X is not None and not model.has_dim("nI"):
        model.set_dim("nI", X[0][0].shape[1])
    if model.has_dim("nI"):
        model.layers[0].layers[1].set_dim("nI", model.get_dim("nI") + 1)
    for layer in model.layers:
        layer.initialize()


def _forward(model: Model, X: Texts, is_train: bool) -> tuple[Floats1d, Callable]:
    content, likeness, pair, out, *others = model.layers
    lengths = [len(vectors) for vectors, _ in X]
    dilations = (*_SENTENCE_DILATIONS, *_GAP_DILATIONS)
    windows = [_find_windows(lengths, dilation) for dilation in dilations]
    steps = list(zip(others[: len(dilations)], others[len(dilations) :], windows))
    n_first = len(_SENTENCE_DILATIONS)
    units = [unit_rows(vectors, centre=False) for vectors, _ in X]
    characters = np.log1p(np.concatenate([sizes for _, sizes in X])) - _USUAL_LOG_LENGTH
    sides = np.concatenate([compare_sides(rows) for rows in units]) * (_SCALE / 2)
    features = np.column_stack([np.concatenate(units) * _SCALE, characters])
    is_first = np.zeros(len(features), bool)
    is_first[np.cumsum(lengths) - lengths] = True

    states, backprop_content = content(model.ops.asarray2f(features), is_train)
    states, backprop_states = _convolve_all(steps[:n_first], states, is_train)
    gaps, backprop_pair = _join_pairs(pair, ~is_first, states, is_train)
    alike, backprop_likeness = likeness(model.ops.asarray2f(sides), is_train)
    gaps, backprop_gaps = _convolve_all(steps[n_first:], gaps + alike, is_train)
    logits, backprop_out = out(gaps, is_train)

    def backprop(dY: Floats1d) -> Texts:
        d_gaps = backprop_gaps(backprop_out(model.ops.asarray2f(dY[:, None])))
        backprop_likeness(d_gaps)
        backprop_content(backprop_states(backprop_pair(d_gaps)))
        return X

    return logits[:, 0], backprop


def _convolve_all(
    steps: Sequence[tuple[Model, Model, Ints2d]], states: Floats2d, is_train: bool
) -> tuple[Floats2d, Callable]:
    """States after convolutions, one after the other: of each its norm, its block and windows."""
    callbacks = []
    for norm, block, windows in steps:
        states, callback = _convolve(norm, block, windows, states, is_train)
        callbacks.append(callback)

    def backprop(dY: Floats2d) -> Floats2d:
        for callback in reversed(callbacks):
            dY = callback(dY)
        return dY

    return states, backprop


def _convolve(
    norm: Model, block: Model, windows: Ints2d, states: Floats2d, is_train: bool
) -> tuple[Floats2d, Callable]:
    """States plus what a block makes of each one's window."""
    n, width = states.shape
    normed, backprop_norm = norm(states, is_train)
    # The row after the last stands for what lies outside a text.
    padded = np.vstack([normed, np.zeros((1, width), normed.dtype)])
    change, backprop_block = block(padded[windows].reshape(n, -1), is_train)

    def backprop(dY: Floats2d) -> Floats2d:
        d_windows = backprop_block(dY).reshape(n, windows.shape[1], width)
        d_padded = np.zeros_like(padded)
        for column, rows in enumerate(windows.T):
            inside = rows < n
            d_padded[rows[inside]] += d_windows[inside, column]
        return dY + backprop_norm(d_padded[:-1])

    return states + change, backprop


def _join_pairs(
    pair: Model, has_before: np.ndarray, states: Floats2d, is_train: bool
) -> tuple[Floats2d, Callable]:
    """Each state, the one before it, and their products, as one."""
    n, width = states.shape
    before = np.zeros_like(states)
    before[1:] = states[:-1]
    before[~has_before] = 0
    gaps, backprop_pair = pair(np.hstack([before, states, before * states]), is_train)

    def backprop(dY: Floats2d) -> Floats2d:
        d_before, d_own, d_product = backprop_pair(dY).reshape(n, 3, width).swapaxes(0, 1)
        d_before = (d_before + d_product * states) * has_before[:, None]
        d_states = d_own + d_product * before
        d_states[:-1] += d_before[1:]
        return d_states

    return gaps, backprop


def _find_windows(lengths: Sequence[int], dilation: int) -> Ints2d:
    """The rows of each sentence's window, (n, 3), a dilation apart; n where the text has none. The
    lengths are the sentences of each text."""
    ends = np.repeat(np.cumsum(lengths), lengths)[:, None]
    starts = ends - np.repeat(lengths, lengths)[:, None]
    rows = np.arange(len(ends))[:, None] + [-dilation, 0, dilation]
    return np.where((rows >= starts) & (rows < ends), rows, len(rows))


@registry.architectures(WITH_BOUNDARIES)
def build_with_boundaries(
    encoder: Model[DocSpans, Floats2d], boundaries: Model[Texts, Floats1d]
) -> Model[DocSpans, Floats2d]:
    """An encoder, and a net that says where sections begin from its vectors. The net is not part of
    the forward pass: `find_boundaries` gives it to the segmenter, and projects/pretrain trains it.
    """
    return put_beside("with_boundaries", encoder, boundaries)
