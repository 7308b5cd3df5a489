"""Attention over the token vectors of any spaCy tok2vec layer or transformer listener."""

from collections.abc import Callable
from typing import Any

import numpy as np
from spacy.tokens import Doc
from spacy.util import registry
from thinc.api import Model
from thinc.types import Floats2d, Ragged
from thinc.util import to_numpy

from spacy_thematic.models.spans import DocSpans
from spacy_thematic.models.torch_wrapper import make_module, wrap_sentence_module
from spacy_thematic.rows import count_from


@registry.architectures("spacy-thematic.Tok2VecAttention.v1")
def build_tok2vec_attention(
    tok2vec: Model[list[Doc], list[Floats2d]],
    attention_width: int = 200,
    isolate: bool | None = None,
    mixed_precision: bool = False,
    grad_scaler_config: dict[str, Any] | None = None,
) -> Model[DocSpans, Floats2d]:
    """Attention (Yang et al. 2016) over the vectors that a tok2vec layer gives the tokens.

    Args:
        tok2vec: such as `spacy.HashEmbedCNN.v2`, or a listener to a shared tok2vec or transformer.
        isolate: encode each span as a Doc of its own, so that no context leaks from one into
            another; None does so but for a listener, which shares the vectors of whole Docs.
        mixed_precision: train the attention in 16 bits; see `wrap_sentence_module`.
        grad_scaler_config: settings of Thinc's `PyTorchGradScaler`.

    Returns:
        A model with the output Floats2d (spans, width of tok2vec); zeros for a span without tokens.

    Raises:
        ValueError: If spans of a listener are to be isolated. The model raises it when it predicts
            from Docs that what a listener listens to did not process.
    """
    from spacy_thematic.models.torch.bilstm_attention import Attention

    width = tok2vec.get_dim("nO")
    listens = any(map(is_listener, tok2vec.walk()))
    if isolate is None:
        isolate = not listens
    if isolate and listens:
        raise ValueError(
            "A listener shares the vectors of whole Docs, so spans cannot be encoded each on its "
            "own: set isolate = false or leave it out."
        )
    pool = wrap_sentence_module(
        make_module(Attention, width, attention_width), True, mixed_precision, grad_scaler_config
    )
    model: Model[DocSpans, Floats2d] = Model(
        "tok2vec_attention",
        _forward,
        init=_init,
        layers=[tok2vec, pool],
        dims={"nO": width},
        attrs={"isolate": isolate},
    )
    model.set_ref("tok2vec", tok2vec)
    return model


def is_listener(node: Model) -> bool:
    """Whether a layer listens to a tok2vec or transformer (as spaCy marks it, or as
    spacy-curated-transformers does)."""
    return hasattr(node, "upstream_name") or "_upstream_name" in node.attrs


def _init(model: Model, X=None, Y=None) -> None:
    model.layers[0].initialize(None if X is None else X.docs[0])


def _forward(
    model: Model[DocSpans, Floats2d], X: DocSpans, is_train: bool
) -> tuple[Floats2d, Callable]:
    tok2vec, pool = model.layers
    ops = model.ops
    docs, spans = X.docs
    starts, ends = to_numpy(spans.dataXd).reshape(-1, 2).T
    sizes = ends - starts
    owners = np.repeat(np.arange(len(docs)), to_numpy(spans.lengths))
    if model.attrs["isolate"]:
        places = zip(owners.tolist(), starts.tolist(), ends.tolist())
        read = [docs[owner][start:end].as_doc() for owner, start, end in places if start < end]
        rows = np.arange(sizes.sum())
    else:
        read = docs
        lengths = np.array([len(doc) for doc in docs], "int64")
        rows = count_from((np.cumsum(lengths) - lengths)[owners] + starts, sizes)
    tokens, backprop_tokens = tok2vec(read, is_train)
    listeners = [node.name for node in tok2vec.walk() if is_listener(node)]
    # Listeners give zeros for Docs that nothing was written to.
    if listeners and not is_train and any(len(one) and not one.any() for one in tokens):
        raise ValueError(
            f"The encoder listens ({', '.join(listeners)}) to a tok2vec or transformer, which did "
            "not process this Doc: enable that component, and let the pipeline process the text."
        )
    flat = ops.xp.concatenate([ops.alloc2f(0, model.get_dim("nO")), *tokens])
    Y, backprop_pool = pool(Ragged(flat[rows], ops.asarray1i(sizes)), is_train)

    def backprop(dY: Floats2d) -> DocSpans:
        d_flat = ops.alloc2f(*flat.shape)
        ops.scatter_add(d_flat, ops.asarray1i(rows), backprop_pool(dY).dataXd)
        backprop_tokens(ops.unflatten(d_flat, ops.asarray1i([len(piece) for piece in tokens])))
        return X

    return Y, backprop
