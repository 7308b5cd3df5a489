"""The component `thematic_clusterer`: groups a Doc's sentences by theme."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Callable, Literal, Optional, Union

import numpy as np
import srsly
from spacy.language import Language
from spacy.pipeline import Pipe
from spacy.tokens import Doc
from spacy.vocab import Vocab

from spacy_thematic.clustering.choosing_k import KChooser
from spacy_thematic.clustering.seeds import cluster_around_seeds, encode_seeds
from spacy_thematic.clustering.themes import write_themes
from spacy_thematic.clustering.vectors import Clusterer
from spacy_thematic.span_keys import SENTENCES_KEY

_SETTINGS = (
    "k",
    "max_k",
    "seed",
    "n_keywords",
    "n_broader",
    "outlier_threshold",
    "titles",
    "seeds",
)


@Language.factory(
    "thematic_clusterer",
    assigns=["doc.spans", "doc._.thematic_clusters"],
    requires=["doc._.thematic_vectors"],
    default_config={
        "algorithm": {"@misc": "spacy-thematic.NeighbourIclust.v1"},
        "choose_k": {"@misc": "spacy-thematic.SilhouetteWithPrior.v1"},
        "k": "auto",
        "max_k": 12,
        "seed": 0,
        "n_keywords": 8,
        "n_broader": 0,
        "outlier_threshold": None,
        "titles": False,
        "seeds": {},
        "scorer": {"@scorers": "spacy-thematic.clustering_scorer.v1"},
    },
    # No weights: themes are not trained.
    default_score_weights={
        "thematic_mi": None,
        "thematic_ami": None,
        "thematic_ami_max": None,
        "thematic_ri": None,
        "thematic_ari": None,
    },
)
def make_thematic_clusterer(
    nlp: Language,
    name: str,
    algorithm: Clusterer,
    choose_k: KChooser,
    k: Union[int, Literal["auto"]],
    max_k: int,
    seed: int,
    n_keywords: int,
    n_broader: int,
    outlier_threshold: Optional[float],
    titles: bool,
    seeds: dict[str, list[str]],
    scorer: Optional[Callable],
) -> "ThematicClusterer":
    """Make the component from its configuration."""
    return ThematicClusterer(
        nlp.vocab,
        algorithm,
        choose_k,
        name=name,
        k=k,
        max_k=max_k,
        seed=seed,
        n_keywords=n_keywords,
        n_broader=n_broader,
        outlier_threshold=outlier_threshold,
        titles=titles,
        seeds=seeds,
        nlp=nlp,
        scorer=scorer,
    )


class ThematicClusterer(Pipe):
    """Groups the sentences of a Doc by the cosines of their thematic vectors.

    Reads `doc._.thematic_vectors` and `doc.spans["thematic_sentences"]`; writes
    `doc.spans["thematic_clusters"]`, which `doc._.thematic_clusters` shows as themes.

    algorithm: `(vectors, k, seed) -> labels`. choose_k: `(vectors, algorithm, max_k, seed) -> k`,
    used when k is "auto". k: the number of themes, or fewer where a Doc has fewer distinct
    sentences. max_k: the most themes that "auto" may choose. n_keywords: keywords kept per theme.
    n_broader: the number of broader themes to group the themes into, 0 for none.
    outlier_threshold: sentences with a lower confidence belong to no theme; None: all belong.
    titles: whether each theme gets a title, the phrase of its sentences nearest to its centre.
    seeds: themes to look for, a name and some example words or sentences for each. Each sentence
    goes to the nearest; if k is more than there are, the sentences that are like none of them are
    clustered into the remaining themes. nlp: the pipeline whose `thematic_embedder` encodes these,
    and the phrases of titles. scorer: of themes against sections, for `nlp.evaluate`.
    """

    def __init__(
        self,
        vocab: Vocab,
        algorithm: Clusterer,
        choose_k: KChooser,
        *,
        name: str = "thematic_clusterer",
        k: Union[int, Literal["auto"]] = "auto",
        max_k: int = 12,
        seed: int = 0,
        n_keywords: int = 8,
        n_broader: int = 0,
        outlier_threshold: Optional[float] = None,
        titles: bool = False,
        seeds: Optional[Mapping[str, Sequence[str]]] = None,
        nlp: Optional[Language] = None,
        scorer: Optional[Callable] = None,
    ) -> None:
        self.vocab = vocab
        self.algorithm = algorithm
        self.choose_k = choose_k
        self.name = name
        self.k = k
        self.max_k = max_k
        self.seed = seed
        self.n_keywords = n_keywords
        self.n_broader = n_broader
        self.outlier_threshold = outlier_threshold
        self.titles = titles
        self.seeds = {name: list(examples) for name, examples in (seeds or {}).items()}
        self._nlp = nlp
        self.scorer = scorer
        self._check_settings()
        self._configured = self._settings()

    def __call__(self, doc: Doc) -> Doc:
        """Cluster the sentences of one Doc, in place.

        Raises ValueError if the Doc has no thematic vectors, or not one for each sentence.
        """
        self.set_annotations(doc, self.predict(doc))
        return doc

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = 128) -> Iterator[Doc]:
        """Cluster the sentences of each Doc. Seed themes are encoded once."""
        error_handler = self.get_error_handler()
        seeds = self.encode_seeds()
        for doc in stream:
            try:
                self.set_annotations(doc, self.predict(doc, seeds))
                yield doc
            except Exception as error:
                error_handler(self.name, self, [doc], error)

    def encode_seeds(self) -> Optional[np.ndarray]:
        """The direction of each seed theme, (seeds, width); None without seeds.

        Raises ValueError if there is no `thematic_embedder` to encode them, or a seed theme has no
        example with a known word.
        """
        if not self.seeds:
            return None
        return encode_seeds(self._get_nlp(), self.seeds)

    def _get_nlp(self) -> Language:
        if self._nlp is None:
            raise ValueError(
                f'"{self.name}" has no pipeline to encode seed themes or titles with: pass nlp.'
            )
        return self._nlp

    def predict(self, doc: Doc, seeds: Optional[np.ndarray] = None) -> np.ndarray:
        """The cluster of each sentence, from 0, (n,). Leaves the Doc as it is.

        seeds: what `encode_seeds` returns, if that was called before.
        """
        self._check_settings()
        vectors = self._get_vectors(doc)
        if self.k == "auto":
            k = self.choose_k(vectors, self.algorithm, self.max_k, self.seed)
        else:
            k = self.k
        if seeds is None:
            seeds = self.encode_seeds()
        if seeds is None:
            return self.algorithm(vectors, max(1, min(k, len(vectors))), self.seed)
        return cluster_around_seeds(vectors, seeds, self.algorithm, k, self.seed)

    def set_annotations(self, doc: Doc, labels: np.ndarray) -> None:
        """Write `doc.spans["thematic_clusters"]` for clusters as `predict` returns them."""
        write_themes(
            doc,
            list(doc.spans[SENTENCES_KEY]),
            doc._.thematic_vectors,
            labels,
            algorithm=_name(self.algorithm),
            n_keywords=self.n_keywords,
            n_broader=self.n_broader,
            outlier_threshold=self.outlier_threshold,
            names=list(self.seeds),
            nlp=self._get_nlp() if self.titles else None,
        )

    def _get_vectors(self, doc: Doc) -> np.ndarray:
        vectors = doc._.thematic_vectors
        if vectors is None or SENTENCES_KEY not in doc.spans:
            raise ValueError(
                f'"{self.name}" needs thematic vectors, and this Doc has none: add '
                f'"thematic_embedder" before "{self.name}" in the pipeline.'
            )
        n = len(doc.spans[SENTENCES_KEY])
        if len(vectors) != n:
            raise ValueError(
                f"doc._.thematic_vectors has {len(vectors)} rows for {n} sentences in "
                f'doc.spans["{SENTENCES_KEY}"]: process the text again with "thematic_embedder".'
            )
        return vectors

    def _settings(self) -> dict[str, Any]:
        return {setting: getattr(self, setting) for setting in _SETTINGS}

    def _check_settings(self) -> None:
        if self.k != "auto" and not (isinstance(self.k, int) and self.k >= 1):
            raise ValueError(
                f'Expected k to be "auto" or a number of at least 1, found {self.k!r}.'
            )
        for setting, lowest in (("max_k", 1), ("seed", 0), ("n_keywords", 0), ("n_broader", 0)):
            value = getattr(self, setting)
            if not isinstance(value, int) or value < lowest:
                raise ValueError(f"Expected {setting} to be at least {lowest}, found {value!r}.")
        threshold = self.outlier_threshold
        if threshold is not None and not 0 <= threshold <= 1:
            raise ValueError(
                f"Expected outlier_threshold to be None or 0 to 1, found {threshold!r}."
            )

    def to_bytes(self, *, exclude: Iterable[str] = ()) -> bytes:
        """The settings that were changed after the component was made. The others, and the
        algorithms, are in the pipeline's config."""
        return srsly.msgpack_dumps(self._changed_settings())

    def from_bytes(self, data: bytes, *, exclude: Iterable[str] = ()) -> "ThematicClusterer":
        """Load what `to_bytes` returned."""
        return self._change_settings(srsly.msgpack_loads(data))

    def to_disk(self, path: Union[str, Path], *, exclude: Iterable[str] = ()) -> None:
        """Write to the folder `path` what `to_bytes` returns, as JSON."""
        path = Path(path)
        path.mkdir(parents=True, exist_ok=True)
        srsly.write_json(path / "settings.json", self._changed_settings())

    def from_disk(
        self, path: Union[str, Path], *, exclude: Iterable[str] = ()
    ) -> "ThematicClusterer":
        """Load what `to_disk` wrote."""
        return self._change_settings(srsly.read_json(Path(path) / "settings.json"))

    def _changed_settings(self) -> dict[str, Any]:
        configured = self._configured.items()
        return {name: getattr(self, name) for name, old in configured if getattr(self, name) != old}

    def _change_settings(self, settings: dict[str, Any]) -> "ThematicClusterer":
        for name, value in settings.items():
            setattr(self, name, value)
        self._check_settings()
        return self


def _name(algorithm: Any) -> str:
    """The name of a function or of the function in a partial: what the user can look up."""
    return getattr(getattr(algorithm, "func", algorithm), "__name__", type(algorithm).__name__)
