"""The corpus reader for training: shards to Examples, or to compiled articles."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path

import numpy as np
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example
from spacy.util import registry

from spacy_thematic.sentences.tokenizing import copy_words
from spacy_thematic.triplets.compiled import CompiledCorpus, compile_temporarily, open_compiled
from spacy_thematic.triplets.docbin import get_lang, get_triplets, read_shards
from spacy_thematic.triplets.rules import is_other_language


class Articles:
    """The articles of a corpus for one pipeline: an iterable of Examples, as spaCy's own training
    wants it, and compiled, as ours does."""

    def __init__(self, path: Path, limit: int, nlp: Language):
        self.path = Path(path)
        self.limit = limit
        self.nlp = nlp

    def __iter__(self) -> Iterator[Example]:
        wanted = set(self.compile()[1]) if self.limit else None
        for number, doc in enumerate(read_shards(self.path, self.nlp.vocab)):
            self._check_languages([get_lang(doc)])
            if get_triplets(doc) and (wanted is None or number in wanted):
                yield make_example(doc)

    def compile(self) -> tuple[CompiledCorpus, list[int]]:
        """The compiled corpus, and the numbers of the articles in it that are wanted."""
        compiled = open_compiled(self.path, self.nlp.vocab)
        self._check_languages(compiled.languages)
        numbers = compiled.n_triplets.nonzero()[0]
        if 0 < self.limit < len(numbers):
            rng = np.random.default_rng(0)
            numbers = np.sort(rng.choice(numbers, self.limit, replace=False))
        return compiled, numbers.tolist()

    def _check_languages(self, found: Iterable[str]) -> None:
        lang = self.nlp.lang or ""
        others = sorted(other for other in set(found) if is_other_language(lang, other))
        if others:
            raise ValueError(
                f'{self.path} is a corpus in the language "{others[0]}", and the pipeline '
                f'is for "{lang}": train with --nlp.lang {others[0]}, or build the corpus with '
                f"--lang {lang}."
            )


@registry.readers("spacy-thematic.TripletCorpus.v1")
def create_triplet_corpus(path: Path, limit: int = 0) -> Callable[[Language], Articles]:
    """A reader of the shards that `thematic corpus` writes, or of `limit` articles drawn at random
    but always the same. Articles without a triplet are left out. The predicted side of an Example
    has the words of the article and nothing else; the reference side has the span groups. A corpus
    in another language than the pipeline's raises ValueError; a pipeline for "xx" takes all."""
    return partial(Articles, path, limit)


def compile_examples(examples: Iterable[Example]) -> tuple[CompiledCorpus, list[int]]:
    """The articles of any corpus reader compiled, and the numbers of those that are wanted."""
    if isinstance(examples, Articles):
        return examples.compile()
    compiled = compile_temporarily(example.reference for example in examples)
    return compiled, list(range(len(compiled)))


def make_example(doc: Doc) -> Example:
    """An Example with the Doc as its reference and a bare copy of its words as prediction."""
    return Example(copy_words(doc, doc.vocab), doc)
