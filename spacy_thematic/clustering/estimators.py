"""The package's clustering and vectors as scikit-learn estimators."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import spacy
from sklearn.base import BaseEstimator, ClusterMixin, TransformerMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data
from spacy.language import Language

from spacy_thematic.clustering.iclust import iclust
from spacy_thematic.clustering.seeds import encode_texts
from spacy_thematic.clustering.vectors import centre_of, cluster_sums, unit_rows


class IclustClustering(ClusterMixin, BaseEstimator):
    """Information-based clustering on cosines (Slonim, Atwal, Tkacik & Bialek 2005), hard limit.

    Parameters
    ----------
    n_clusters : int, the most clusters to form.
    n_init : int, restarts.
    centre : bool, whether the mean row is subtracted before the cosines are taken.
    annealed : bool, whether one more start comes from deterministic annealing.
    random_state : int, RandomState or None; an int gives the same labels each time.

    Attributes
    ----------
    labels_ : int array (n_samples,), numbered in the order of first appearance.
    cluster_centers_ : float array (clusters, n_features), of length one, after centring.
    origin_ : float array (n_features,), the mean row that is subtracted first; zeros without.
    n_features_in_ : int.

    Examples
    --------
    >>> from spacy_thematic.clustering.estimators import IclustClustering
    >>> IclustClustering(n_clusters=2, random_state=0).fit_predict([[1, 0], [0, 1], [2, 0]])
    array([0, 1, 0])
    """

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        n_init: int = 10,
        centre: bool = True,
        annealed: bool = False,
        random_state: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.n_init = n_init
        self.centre = centre
        self.annealed = annealed
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> IclustClustering:
        """Cluster rows of shape (n_samples, n_features)."""
        rows = validate_data(self, X, dtype=[np.float64, np.float32])
        seed = check_random_state(self.random_state).randint(np.iinfo(np.int32).max)
        self.labels_ = iclust(
            rows,
            self.n_clusters,
            seed,
            n_init=self.n_init,
            centre=self.centre,
            annealed=self.annealed,
        )
        self.origin_ = centre_of(rows) if self.centre else np.zeros(rows.shape[1], np.float32)
        sums, _ = cluster_sums(unit_rows(rows, self.origin_), self.labels_)
        self.cluster_centers_ = unit_rows(sums, centre=False)
        return self

    def predict(self, X: Any) -> np.ndarray:
        """The cluster of the nearest centre for rows of shape (n_samples, n_features), (n_samples,)
        int. `labels_` is from moves of single rows and may differ for a few of its own."""
        check_is_fitted(self)
        rows = validate_data(self, X, dtype=[np.float64, np.float32], reset=False)
        return (unit_rows(rows, self.origin_) @ self.cluster_centers_.T).argmax(axis=1)


class ThematicVectorizer(TransformerMixin, BaseEstimator):
    """Strings to thematic vectors, each string encoded as one sentence.

    `make_pipeline(ThematicVectorizer(nlp))` is an embedding model for BERTopic. The vectorizer
    alone is not: BERTopic takes what has "spacy" in the name of its class for a pipeline of spaCy.

    Parameters
    ----------
    nlp : a spaCy pipeline with `thematic_embedder`, or the name or path of one. None: a blank
        English pipeline with `thematic_embedder` as it comes.
    batch_size : int, strings encoded together.
    """

    def __init__(self, nlp: Language | str | Path | None = None, *, batch_size: int = 256) -> None:
        self.nlp = nlp
        self.batch_size = batch_size

    def __sklearn_clone__(self) -> ThematicVectorizer:
        """A clone shares the pipeline: it is large, and fitting does not change it."""
        return type(self)(self.nlp, batch_size=self.batch_size)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        tags.requires_fit = False
        return tags

    def fit(self, X: Iterable[str], y: Any = None) -> ThematicVectorizer:
        """Does nothing: the encoder has learned already."""
        return self

    def transform(self, X: Iterable[str]) -> np.ndarray:
        """Vectors of n strings, float32 (n, width).

        Raises ValueError for a single string, for what is not a string, and for a pipeline without
        `thematic_embedder`.
        """
        if isinstance(X, str):
            raise ValueError("Expected several strings, found one: put it in a list.")
        texts = list(X)
        for text in texts:
            if not isinstance(text, str):
                raise ValueError(f"Expected strings, found {type(text).__name__}.")
        return encode_texts(self._load(), map(str, texts), self.batch_size)

    def _load(self) -> Language:
        if isinstance(self.nlp, Language):
            return self.nlp
        if self.nlp is not None:
            return spacy.load(self.nlp)
        nlp = spacy.blank("en")
        nlp.add_pipe("thematic_embedder")
        return nlp
