"""Which spans of a Doc are its sentences, for `thematic_embedder`."""

from collections.abc import Callable
from functools import partial

from spacy.tokens import Doc, Span, Token
from spacy.util import registry

from spacy_thematic.articles.documents import INVISIBLE
from spacy_thematic.naming.content import CONTROLS

_UNSEEN = "".join(sorted({*CONTROLS, *INVISIBLE}))

SentenceGetter = Callable[[Doc], list[Span]]


@registry.misc("spacy-thematic.Sentences.v1")
def create_sentences_getter() -> SentenceGetter:
    """The sentences that the pipeline found, `doc.sents`, but for those of white space alone, such
    as the sentencizer makes of a line break at the end of a text."""
    return get_sentences


def get_sentences(doc: Doc) -> list[Span]:
    """The sentences of a Doc, but for those that show nothing, of white space, and of characters
    that control or have no width. Raises ValueError if no component has set sentence
    boundaries."""
    if not doc.has_annotation("SENT_START"):
        raise ValueError(
            "spaCy finds no sentence boundaries in this Doc: add "
            '"thematic_sentencizer", "senter" or "parser" before "thematic_embedder"; '
            "while other components are trained, also name it in annotating_components."
        )
    return [sent for sent in doc.sents if any(map(_is_seen, sent))]


def _is_seen(token: Token) -> bool:
    return not token.is_space and bool(token.text.strip(_UNSEEN))


@registry.misc("spacy-thematic.SpanGroup.v1")
def create_span_group_getter(key: str) -> SentenceGetter:
    """The spans of `doc.spans[key]`, such as paragraphs or clauses. The group may be empty; a Doc
    without it is an error."""
    return partial(get_span_group, key)


def get_span_group(key: str, doc: Doc) -> list[Span]:
    """The spans of `doc.spans[key]`. Raises ValueError if there is no such group."""
    if key not in doc.spans:
        found = ", ".join(map(repr, doc.spans)) or "none"
        raise ValueError(
            f'This Doc has no span group "{key}", whose spans thematic_embedder takes as sentences '
            f"(SpanGroup.v1); its groups: {found}. Set doc.spans[{key!r}] before, to an empty list "
            "where there is nothing."
        )
    return list(doc.spans[key])
