"""A small net that says how well a heading fits the sentences of a section.

A section is the mean of its sentences' thematic vectors, once as it is and once less the mean of
the whole text; a heading is the thematic vector of its words, and learned rows of these. Both are
mapped to one space, in which cosines are compared, as those of pictures and captions are in CLIP
(Radford et al. 2021). It needs no PyTorch.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
from spacy.util import registry
from thinc.api import Dropout, Gelu, Linear, Model, chain
from thinc.types import Floats1d, Floats2d

from spacy_thematic.models.encoder_and_net import find_net, put_beside
from spacy_thematic.models.spans import DocSpans, Words
from spacy_thematic.rows import to_unit

NAME = "section_headings"
WITH_HEADINGS = "spacy-thematic.WithHeadings.v1"

_FIRST_SCALE, _LARGEST_SCALE = 14.0, 100.0

_to_unit = partial(to_unit, negligible=1e-6)
find_heading_net = partial(find_net, NAME)


class Pairs(NamedTuple):
    """Sections, (sections, 2 * width), as `describe_sections` returns them, and headings, their
    thematic vectors, (headings, width), and their words. Each section is compared with each
    heading."""

    sections: Floats2d
    vectors: Floats2d
    words: DocSpans


@registry.architectures("spacy-thematic.SectionHeadings.v1")
def build_section_headings(
    words: Model[DocSpans, Floats2d], width: int = 128, hidden_width: int = 0, dropout: float = 0.1
) -> Model[Pairs, Floats2d]:
    """Build the net.

    Args:
        words: Learned vectors of the words of headings, such as `spacy-thematic.WeightedMean.v1`.
        width: Of the space of sections and headings, that of `words`.
        hidden_width: Of a layer between a section and this space, 0 for none.

    Returns:
        A model from `Pairs` to the cosine of each section and each heading times a learned factor,
        (sections, headings). Its attribute "bank" holds headings of the training corpus that are
        common, and its parameter "log_shares" the logarithm of their share in all sections. Its
        attributes "word_keys", the lexeme hashes of lower-case forms, sorted, uint64 (n), and
        "leanings", (n, 3), say how much likelier words are to stand in a heading than in a text, in
        nats: as its first word, within it, and as its last.
    """
    section: Model = Linear(nO=width)
    if hidden_width:
        section = chain(Gelu(nO=hidden_width), Linear(nO=width, nI=hidden_width))
    return Model(
        NAME,
        _forward,
        init=_init,
        layers=[chain(Dropout(dropout), section), Linear(nO=width), words],
        dims={"nI": None},
        params={"log_scale": None, "log_shares": None},
        attrs={"bank": [], "word_keys": np.zeros(0, "uint64"), "leanings": np.zeros((0, 3), "f")},
    )


def describe_sections(means: Floats2d, origins: Floats2d) -> Floats2d:
    """Return what the net reads of sections, (n, 2 * width), from the mean of the unit vectors of
    each section's sentences, (n, width), and that of its whole text, (n, width) or (width,)."""
    return np.hstack([_to_unit(means)[0], _to_unit(means - origins)[0]]).astype("f")


def embed_sections(model: Model, sections: Floats2d, is_train: bool = False):
    """Return unit vectors of sections, (n, width of the space), and the callback for gradients."""
    rows, backprop = model.layers[0](model.ops.asarray2f(sections), is_train)
    units, backprop_units = _to_unit(rows)
    return units, lambda d_units: backprop(backprop_units(d_units))


def embed_headings(model: Model, vectors: Floats2d, words: DocSpans, is_train: bool = False):
    """Return unit vectors of headings, (n, width of the space), and the callback for gradients."""
    _, phrase, learned = model.layers
    whole, backprop_whole = phrase(model.ops.asarray2f(_to_unit(vectors)[0]), is_train)
    parts, backprop_parts = learned(words, is_train)
    units, backprop_units = _to_unit(whole + parts)

    def backprop(d_units: Floats2d) -> None:
        d_rows = backprop_units(d_units)
        backprop_whole(d_rows)
        backprop_parts(d_rows)

    return units, backprop


def get_scale(model: Model) -> float:
    """Return the factor of cosines."""
    return float(min(np.exp(model.get_param("log_scale")[0]), _LARGEST_SCALE))


def set_bank(model: Model, headings: Sequence[str], shares: Floats1d) -> None:
    """Give a net the headings to choose from, and the share of all sections that have each."""
    model.attrs["bank"] = list(headings)
    model.set_param("log_shares", model.ops.asarray1f(np.log(shares).astype("f")))


def get_leanings(model: Model, headings: Words) -> Floats2d:
    """Return the leanings of the words of headings to be the first of one, the least of those
    between to be within one, and those of the last words to be its last, (n, 3); 0 of words that
    are rare, and of all where the net was learned without them."""
    keys, leanings = model.attrs["word_keys"], model.attrs["leanings"]
    found = np.zeros((len(headings.lengths), 3), "f")
    if not len(keys):
        return found
    places = np.minimum(np.searchsorted(keys, headings.lower), len(keys) - 1)
    of_words = np.where((keys[places] == headings.lower)[:, None], leanings[places], 0)
    some = headings.lengths > 0
    lasts = np.cumsum(headings.lengths)[some] - 1
    firsts = lasts + 1 - headings.lengths[some]
    between = np.minimum(of_words[:, 1], 0)
    between[firsts] = between[lasts] = 0
    if len(firsts):
        least = np.minimum.reduceat(between, firsts)
        found[some] = np.column_stack([of_words[firsts, 0], least, of_words[lasts, 2]])
    return found


def _init(model: Model, X: object = None, Y: object = None) -> None:
    section, phrase, _ = model.layers
    if model.has_dim("nI"):
        width = model.get_dim("nI")
        first = section.layers[1]
        (first.layers[0] if first.layers else first).set_dim("nI", 2 * width)
        phrase.set_dim("nI", width)
    for layer in (section, phrase):
        layer.initialize()
    if not model.has_param("log_scale"):
        model.set_param("log_scale", model.ops.asarray1f([np.log(_FIRST_SCALE)]))
        set_bank(model, [], np.zeros(0, "f"))


def _forward(model: Model, X: Pairs, is_train: bool) -> tuple[Floats2d, Callable]:
    sections, backprop_sections = embed_sections(model, X.sections, is_train)
    headings, backprop_headings = embed_headings(model, X.vectors, X.words, is_train)
    scale = get_scale(model)
    cosines = sections @ headings.T

    def backprop(dY: Floats2d) -> Pairs:
        model.inc_grad("log_scale", model.ops.asarray1f([float((dY * cosines).sum()) * scale]))
        backprop_sections(scale * (dY @ headings))
        backprop_headings(scale * (dY.T @ sections))
        return X

    return scale * cosines, backprop


@registry.architectures(WITH_HEADINGS)
def build_with_headings(
    encoder: Model[DocSpans, Floats2d], headings: Model[Pairs, Floats2d]
) -> Model[DocSpans, Floats2d]:
    """An encoder, and a net that says which headings fit sections by its vectors. The net is not
    part of the forward pass: `find_heading_net` gives it to what names themes, and
    projects/pretrain trains it."""
    return put_beside("with_headings", encoder, headings)
