"""A pipeline's vectors as a scikit-learn transformer."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from spacy.language import Language

from spacy_thematic.checks import check_whole
from spacy_thematic.pipeline.embedder import PRETRAINED
from spacy_thematic.pipeline.loading import load_pipeline
from spacy_thematic.pipeline.text_encoder import encode_texts


class ThematicVectorizer(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """A scikit-learn transformer from strings to thematic vectors. Each string is encoded as one
    sentence.

    `make_pipeline(ThematicVectorizer(nlp))` is an embedding model for BERTopic. The vectorizer
    alone is not: BERTopic takes what has "spacy" in the name of its class for a pipeline of spaCy.

    Args:
        nlp: A spaCy pipeline with `thematic_embedder`, or the name or path of one, or of a model.
            None: the model `en_thematic_sm`.
        batch_size: The number of strings that are encoded together.
    """

    def __init__(self, nlp: Language | str | Path | None = None, *, batch_size: int = 256) -> None:
        self.nlp = nlp
        self.batch_size = batch_size

    def __sklearn_clone__(self) -> "ThematicVectorizer":
        """Return a clone that shares the pipeline: it is large, and fitting does not change it."""
        return type(self)(self.nlp, batch_size=self.batch_size)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        tags.requires_fit = False
        return tags

    @property
    def _n_features_out(self) -> int:
        return self._encode(["a"]).shape[1]

    def fit(self, X: Iterable[str], y: Any = None) -> "ThematicVectorizer":
        """Do nothing, because the encoder is already trained."""
        return self

    def transform(self, X: Iterable[str]) -> np.ndarray:
        """Encode n strings as float32 (n, width). Raises ValueError if X is empty, a single string,
        a table or a mapping, or contains anything but strings; if the pipeline has no
        `thematic_embedder`; and if `batch_size` is not a whole number of at least 1."""
        check_whole("batch_size", self.batch_size, 1)
        if isinstance(X, str):
            raise ValueError("Expected several strings, found one: put it in a list.")
        # These give the names of their columns, or their keys.
        if isinstance(X, Mapping) or len(getattr(X, "shape", (0,))) != 1:
            raise ValueError(
                f"Expected a column of strings, found a {type(X).__name__}: pass one of its "
                'columns, such as table["text"].'
            )
        texts = list(X)
        for text in texts:
            if not isinstance(text, str):
                raise ValueError(f"Expected strings, found {type(text).__name__}.")
        return self._encode(texts)

    def _encode(self, texts: Iterable[str]) -> np.ndarray:
        nlp = self.nlp if isinstance(self.nlp, Language) else load_pipeline(self.nlp or PRETRAINED)
        return encode_texts(nlp, map(str, texts), self.batch_size)
