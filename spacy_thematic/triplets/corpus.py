"""The corpus reader for training: shards to Examples."""

from collections.abc import Iterable
from pathlib import Path
from typing import Callable

from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example
from spacy.util import registry

from spacy_thematic.triplets.docbin import get_triplets, read_shards


@registry.readers("spacy-thematic.TripletCorpus.v1")
def create_triplet_corpus(path: Path, limit: int = 0) -> Callable[[Language], Iterable[Example]]:
    """A reader of the shards that `thematic corpus` writes.

    path: a .spacy file, or a folder of them. limit: the first so many articles, 0 for all.
    Articles without a triplet are passed over. The predicted side of an Example has the words
    of the article and nothing else; the reference side has the span groups.
    """

    def read(nlp: Language) -> Iterable[Example]:
        count = 0
        for doc in read_shards(Path(path), nlp.vocab):
            if limit and count >= limit:
                return
            if get_triplets(doc):
                count += 1
                yield make_example(doc)

    return read


def make_example(doc: Doc) -> Example:
    """An Example with the Doc as its reference and a bare copy of its words as prediction."""
    words = [token.text for token in doc]
    spaces = [bool(token.whitespace_) for token in doc]
    return Example(Doc(doc.vocab, words=words, spaces=spaces), doc)
