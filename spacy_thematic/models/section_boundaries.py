"""A small net that says how likely a new section begins at each sentence of a text.

It reads the thematic vectors of the sentences, how long they are, and how alike the sentences
before and after each gap are. Convolutions over neighbouring sentences (LayerNorm, a window of
three with others between them, GELU, a residual connection) come first, then each sentence beside
the one before it, then convolutions over gaps. It needs no PyTorch.
"""

from collections.abc import Callable, Sequence

import numpy as np
from spacy.util import registry
from thinc.api import Dropout, Gelu, LayerNorm, Linear, Model, chain, zero_init
from thinc.types import Floats1d, Floats2d, Ints2d

from spacy_thematic.models.encoder_and_net import find_net, put_beside
from spacy_thematic.models.spans import DocSpans
from spacy_thematic.rows import unit_rows

NAME = "section_boundaries"
WITH_BOUNDARIES = "spacy-thematic.WithBoundaries.v1"

WINDOWS = (1, 2, 3, 5, 8, 12)
"""How many sentences on each side of a gap are compared."""

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
    rows = unit_rows(vectors - vectors.mean(axis=0), centre=False).astype(np.float64)
    sums = np.vstack([np.zeros((1, rows.shape[1])), np.cumsum(rows, axis=0)])
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
    norms, blocks = others[: len(others) // 2], others[len(others) // 2 :]
    n_first = len(_SENTENCE_DILATIONS)
    lengths = [len(vectors) for vectors, _ in X]
    units = [unit_rows(vectors, centre=False) for vectors, _ in X]
    characters = np.log1p(np.concatenate([sizes for _, sizes in X])) - _USUAL_LOG_LENGTH
    sides = np.concatenate([compare_sides(rows) for rows in units]) * (_SCALE / 2)
    features = np.column_stack([np.concatenate(units) * _SCALE, characters])
    places = np.concatenate([np.arange(length) for length in lengths])
    left = np.concatenate([np.arange(length)[::-1] for length in lengths])

    states, backprop_content = content(model.ops.asarray2f(features), is_train)
    states, backprop_states = _convolve_all(
        norms[:n_first], blocks[:n_first], _SENTENCE_DILATIONS, places, left, states, is_train
    )
    gaps, backprop_pair = _join_pairs(pair, places > 0, states, is_train)
    alike, backprop_likeness = likeness(model.ops.asarray2f(sides), is_train)
    gaps, backprop_gaps = _convolve_all(
        norms[n_first:], blocks[n_first:], _GAP_DILATIONS, places, left, gaps + alike, is_train
    )
    logits, backprop_out = out(gaps, is_train)

    def backprop(dY: Floats1d) -> Texts:
        d_gaps = backprop_gaps(backprop_out(model.ops.asarray2f(dY[:, None])))
        backprop_likeness(d_gaps)
        backprop_content(backprop_states(backprop_pair(d_gaps)))
        return X

    return logits[:, 0], backprop


def _convolve_all(
    norms: Sequence[Model],
    blocks: Sequence[Model],
    dilations: Sequence[int],
    places: np.ndarray,
    left: np.ndarray,
    states: Floats2d,
    is_train: bool,
) -> tuple[Floats2d, Callable]:
    """States after convolutions, one after the other."""
    callbacks = []
    for norm, block, dilation in zip(norms, blocks, dilations):
        windows = _find_windows(places, left, dilation)
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


def _find_windows(places: np.ndarray, left: np.ndarray, dilation: int) -> Ints2d:
    """The rows of each sentence's window, (n, 3); n where the text has none there. `places` and
    `left` are how many sentences of the text are before and after each, `dilation` how far apart
    those of a window are."""
    rows = np.arange(len(places))
    before = np.where(places >= dilation, rows - dilation, len(rows))
    after = np.where(left >= dilation, rows + dilation, len(rows))
    return np.stack([before, rows, after], axis=1)


@registry.architectures(WITH_BOUNDARIES)
def build_with_boundaries(
    encoder: Model[DocSpans, Floats2d], boundaries: Model[Texts, Floats1d]
) -> Model[DocSpans, Floats2d]:
    """An encoder, and a net that says where sections begin from its vectors. The net is not part of
    the forward pass: `find_boundaries` gives it to the segmenter, and projects/pretrain trains it.
    """
    return put_beside("with_boundaries", encoder, boundaries)


def find_boundaries(model: Model, width: int) -> Model[Texts, Floats1d] | None:
    """Return the trained net in an encoder that reads vectors of a width, if there is one."""
    return find_net(model, NAME, width)
