"""The component `thematic_clusterer`, which groups a Doc's sentences by theme, and the same for a
collection of Docs."""

import warnings
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import chain
from typing import Any, ClassVar, Literal

import numpy as np
import srsly
from spacy.language import Language
from spacy.tokens import Doc

from spacy_thematic.checks import is_whole
from spacy_thematic.clustering.hierarchy import FEW, cut_outline, merge_parts
from spacy_thematic.clustering.n_clusters import (
    KChoice,
    KChooser,
    find_most,
    usual_k,
)
from spacy_thematic.clustering.seed_themes import compare_words, encode_seed_themes
from spacy_thematic.clustering.settings import ThemeSettings, make_settings
from spacy_thematic.clustering.threads import single_thread
from spacy_thematic.clustering.units import UNITS as COLLECTION_UNITS
from spacy_thematic.clustering.units import UnitSpace, find_copies, find_repeated
from spacy_thematic.clustering.unordered_text import (
    LARGE,
    Clustering,
    cluster_unordered,
    join_alike,
    join_repeated,
)
from spacy_thematic.clustering.vectors import SET_ASIDE, Clusterer, SentenceVectors, measure_order
from spacy_thematic.lang.foreign import warn_of_language
from spacy_thematic.measures import AGREEMENTS
from spacy_thematic.pipeline.corpus_themes import CorpusThemes, find_corpus_themes
from spacy_thematic.pipeline.embedder import EMBEDDER, find_pipeline
from spacy_thematic.pipeline.reading import Reading, read_doc
from spacy_thematic.pipeline.segments import find_segment_of_each
from spacy_thematic.pipeline.settings_pipe import SettingsPipe, check_name, name_of, take_settings
from spacy_thematic.pipeline.text_encoder import find_encoder, need_encoder
from spacy_thematic.pipeline.themes import describe_themes, write_themes
from spacy_thematic.retired import warn_of
from spacy_thematic.rows import group_by, mean_rows, renumber
from spacy_thematic.segmentation.ordered_text import OrderedText, is_in_order
from spacy_thematic.span_keys import SEGMENTS_KEY, get_text

UNITS = "runs", "segments", "sentences"
CLUSTERERS = {
    "diffusion_iclust": "spacy-thematic.DiffusionIclust.v1",
    "neighbour_iclust": "spacy-thematic.NeighbourIclust.v1",
    "iclust": "spacy-thematic.Iclust.v1",
    "kmeans": "spacy-thematic.KMeans.v1",
    "communities": "spacy-thematic.Communities.v1",
}
K_CHOOSERS = {"silhouette_with_prior": "spacy-thematic.SilhouetteWithPrior.v1"}
"""Short names of the functions that the settings `algorithm` and `choose_k` may be."""

_FINE = 1.0
"""The mean log odds of groups of sentences in a text in order of which an algorithm makes themes
that knows nothing of order."""

_BLOCK = 8
"""The sentences of a block that repeats. Refrains are mostly shorter."""

_OF_DISTINCT = 0.8
"""The largest share of the sentences that are in no block which repeats, where these are left out:
fewer repeat as signatures and the heads of mails do."""

_IN_ORDER, _LINES_IN_ORDER = 0.3, 0.1
"""The `measure_order` above which lines are in order: in lists it is mostly -.1 to .2, in prose .3
to 1.1; of the means of lines of several sentences -.16 to .1, and in prose .3 to .6."""

_LONG_PART = 40
"""A part of more sentences may have several themes."""

_ENOUGH_PARTS, _MOST_PARTS = 2 / 3, 60
"""From this share of the most themes on, and up to so many, the parts that an author made are the
themes; fewer are, if none is long, and more, if they are long on average, as chapters are."""

_LARGE_PART = 2.0
"""A part of more times the sentences of the usual theme is divided by the headings below it."""

_OF_MOST = 5 / 6
"""More parts than the most themes are merged into this share of it."""

_LEAST, _LONG_RUN = 6, 4
"""The sentences of a subtheme, and of the average run of sentences of one theme in a text in
order."""

_NO_NOTE = 20
"""In a text in order with this many sentences or more, no theme should have over a third."""


@dataclass(frozen=True)
class ClustererSettings(ThemeSettings):
    """The settings of the component: those of themes, and who finds them in what.

    Attributes:
        algorithm: `(vectors, k, seed) -> labels`, a short name, or a block of a config.
        choose_k: A `KChooser`, a short name, or a block, used where k is "auto".
        units: "runs": in a text in order, sentences near each other are more likely to have one
            theme. "segments": the same, and those that `thematic_segmenter` found stay whole, with
            seed themes too. "sentences": each sentence by itself.
        embedder: The name of the component that encodes; see `find_encoder`.
        scorer: Of themes against sections, for `nlp.evaluate`.
    """

    algorithm: Any = "diffusion_iclust"
    choose_k: Any = "silhouette_with_prior"
    units: str = "runs"
    embedder: str = EMBEDDER
    scorer: Any = None

    def __post_init__(self) -> None:
        if isinstance(self.seed_themes, str):
            # As a config says it where it cannot hold the names.
            with suppress(ValueError):
                object.__setattr__(self, "seed_themes", srsly.json_loads(self.seed_themes))
        super().__post_init__()
        check_name("units", self.units, UNITS)
        check_name("embedder", self.embedder)


@Language.factory(
    "thematic_clusterer",
    assigns=["doc.spans", "doc._.thematic_clusters"],
    requires=["doc._.thematic_vectors"],
    default_config={
        "algorithm": {"@misc": CLUSTERERS["diffusion_iclust"]},
        "choose_k": {"@misc": K_CHOOSERS["silhouette_with_prior"]},
        "units": "runs",
        "embedder": EMBEDDER,
        **asdict(ThemeSettings()),
        "scorer": {"@scorers": "spacy-thematic.clustering_scorer.v1"},
    },
    # No weights: themes are not trained.
    default_score_weights={f"thematic_{measure}": None for measure in AGREEMENTS},
)
@take_settings(ClustererSettings, "seeds", "titles")
def make_thematic_clusterer(
    nlp: Language,
    name: str,
    seeds: dict[str, list[str]] | None = None,
    titles: bool | None = None,
    **settings: Any,
) -> "ThematicClusterer":
    """Make the component from its configuration, which has the fields of `ClustererSettings`.

    `seeds` is the former name of `seed_themes`: pipelines of version 0.1.0 have it, which cluster
    sentences as they did, and all of them. Older pipelines also have `titles`, which `headings`
    have replaced. Raises ValueError if a setting is out of its range."""
    if titles is not None and name not in nlp._meta.get("components", ()):  # Not a saved pipeline.
        warn_of("titles", "headings")
    if seeds is not None:
        settings.update(_raise_limits(settings, seeds))
        settings["seed_themes"] = {**seeds, **settings["seed_themes"]}
        settings.update(set_aside=False, units="sentences")
    return ThematicClusterer(nlp, ClustererSettings(**settings), name=name)


class ThematicClusterer(SettingsPipe):
    """Groups the sentences of a Doc by the cosines of their thematic vectors.

    Reads `doc._.thematic_vectors` and `doc.spans["thematic_sentences"]`; writes
    `doc.spans["thematic_clusters"]`, which `doc._.thematic_clusters` shows as themes."""

    functions: ClassVar = {
        "algorithm": CLUSTERERS,
        "choose_k": K_CHOOSERS,
        "namer": {},
        "scorer": {},
    }
    former = frozenset({"seeds", "titles"})

    def __call__(self, doc: Doc) -> Doc:
        """Cluster the sentences of one Doc, in place. Raises ValueError if the Doc has no thematic
        vectors, or not one for each sentence; or a seed theme cannot be encoded."""
        directions = self._encode_seed_themes(doc)
        reading = self._read(doc)
        self._annotate(reading, self._cluster(reading, directions))
        return doc

    def predict(self, doc: Doc) -> np.ndarray:
        """Return the cluster of each sentence of a Doc with thematic vectors, from 0, (n,); -1 for
        those that are set aside. The Doc does not change."""
        return self._cluster(self._read(doc), self._encode_seed_themes(doc)).labels

    def set_annotations(self, doc: Doc, labels: np.ndarray) -> None:
        """Write `doc.spans["thematic_clusters"]` for clusters as `predict` returns them."""
        self._annotate(self._read(doc), Clustering(labels))

    def _encode_seed_themes(self, doc: Doc) -> np.ndarray | None:
        """The direction of each seed theme, (seed themes, width), by the encoder of a Doc; None
        without seed themes."""
        if not self.seed_themes:
            return None
        encoder, seed_themes = need_encoder(self.nlp, doc, self.embedder), self.seed_themes
        return encoder.find_once(
            repr(seed_themes), lambda: encode_seed_themes(encoder.encode_texts, seed_themes)
        )

    def _read(self, doc: Doc) -> Reading:
        return read_doc(doc, find_encoder(self.nlp, doc, self.embedder), self.name)

    def _cluster(self, reading: Reading, directions: np.ndarray | None) -> Clustering:
        """Cluster what is no copy nor aside: a copy has the cluster of its first, asides none."""
        firsts, copy_of = _find_copies(reading)
        distinct = reading.take(firsts)
        rows = distinct.not_asides if self.settings.set_aside else np.arange(len(firsts))
        kept = distinct.take(rows)
        with single_thread():
            labels, choice = self._cluster_by_kind(kept, directions)
        if self.settings.k == "auto" and directions is None:
            labels = join_repeated(labels, kept.distinct, LARGE)
        return Clustering(_place(labels, rows, len(firsts))[copy_of], choice)

    def _cluster_by_kind(self, reading: Reading, directions: np.ndarray | None) -> Clustering:
        """Cluster by seed themes, if there are some; else take the parts that an author made, if
        they are enough; else see `_cluster_undivided`."""
        has_runs = self.units != "sentences" and len(reading.sentences) > 0
        segments = self._find_segments(reading) if has_runs else None
        if directions is not None:
            return self._cluster_by_seed_themes(reading, segments, directions)
        levels = reading.layout.list_parts() if has_runs else []
        parts = self._find_parts(reading, levels)
        if parts is not None:
            if segments is not None:
                # Each segment has the part of its first sentence.
                firsts = np.unique(segments, return_index=True)[1]
                parts = np.unique(parts[firsts][segments], return_inverse=True)[1]
            return Clustering(parts)
        if self.settings.k != "auto":
            return self._cluster_undivided(reading, segments, [])
        found = self._cluster_undivided(reading, segments, levels)
        is_headed = bool(reading.layout.openings.any())
        alike = join_alike(found.labels, reading.space, keep_lone=is_headed)
        return Clustering(alike, found.choice)

    def _find_parts(self, reading: Reading, levels: Sequence[np.ndarray]) -> np.ndarray | None:
        """The theme of each sentence of a text whose author divided it into enough parts, (n,):
        these, or where they are too many some of them together; None of other texts."""
        n, k = len(reading.vectors), self.settings.k
        if not levels or levels[0][-1] >= max(_MOST_PARTS, n / _LONG_PART):
            return None
        large = _LARGE_PART * n / (usual_k(n) if k == "auto" else k)
        parts = cut_outline(levels, large)
        if k != "auto":
            if not _ENOUGH_PARTS * (parts[-1] + 1) <= k <= parts[-1] + 1:
                return None
            parts = merge_parts(reading.space.centred, parts, k)
            return parts if np.bincount(parts).max() <= large else None
        most = find_most(self.settings.max_k, n)
        if parts[-1] >= most:
            parts = merge_parts(reading.space.centred, parts, round(_OF_MOST * most), n / 3)
        largest = int(np.bincount(parts).max())
        has_large = n >= _NO_NOTE and 3 * largest > n
        is_divided = largest <= _LONG_PART and not has_large
        return parts if is_divided or parts.max() + 1 >= _ENOUGH_PARTS * most else None

    def _divide(self, reading: Reading, labels: np.ndarray) -> np.ndarray:
        """The subtheme of each of the sentences, from 0, (n,): a large theme is clustered again, of
        a text in order into passages. Negative elsewhere, and where a subtheme would be small."""
        firsts, copy_of = _find_copies(reading)
        reading, labels = reading.take(firsts), labels[firsts]
        divided = np.full(len(labels), SET_ASIDE)
        sizes = np.bincount(labels[labels >= 0]) if self.settings.k == "auto" else np.empty(0)
        has_long_runs = _LONG_RUN * np.count_nonzero(np.diff(labels)) < len(labels)
        for theme in np.flatnonzero(sizes >= LARGE).tolist():
            rows = np.flatnonzero(labels == theme)
            own = reading.take(rows)
            within = (
                own.make_ordered_text().cluster(1, round(usual_k(len(rows))))
                if has_long_runs
                else self._cluster(own, None).labels
            )
            within = join_repeated(within, own.distinct)
            counts = np.bincount(within[within >= 0])
            large = np.flatnonzero(counts >= _LEAST)
            for subtheme in large.tolist() if len(large) > 1 else ():
                divided[rows[within == subtheme]] = divided.max() + 1
        return divided[copy_of]

    def _annotate(self, reading: Reading, found: Clustering) -> None:
        labels = np.array(found.labels)
        kept = np.flatnonzero(labels >= 0)
        described = reading.take(kept)
        settings = replace(self.settings, namer=self.namer)
        with single_thread():
            divided = self._divide(described, labels[kept])
            compact = np.unique(labels[kept], return_inverse=True)[1]
            finder = described.make_finder(compact, with_encoder=settings.headings)
            themes, labels[kept] = describe_themes(
                described.space, labels[kept], settings, reading.doc.lang_, finder
            )
            rows = np.flatnonzero(divided >= 0)
            of_each = renumber(divided[rows])
            taken = [theme.name for theme in themes]
            subthemes = described.describe_groups(of_each, settings, rows, taken=taken)
        if themes:
            _warn_of_fewer(len(themes), self.settings.k, "sentences")
        write_themes(
            reading.doc,
            reading.sentences,
            reading.space,
            labels,
            themes,
            algorithm=name_of(self.algorithm),
            outlier_threshold=self.settings.outlier_threshold,
            choice=found.choice,
            subthemes=zip(subthemes, group_by(kept[rows].tolist(), of_each)),
        )

    def _cluster_undivided(
        self, reading: Reading, segments: np.ndarray | None, levels: Sequence[np.ndarray]
    ) -> Clustering:
        """Cluster a text by levels of headings, if there are some, or by segments; else as a few
        sentences, a list, a text in order, if it has runs, or sentences in no order."""
        most = find_most(self.settings.max_k, len(reading.vectors))
        few = [parts for parts in levels if parts[-1] < most]
        if few:
            return self._cluster_in_order(reading, segments, few[-1])
        if segments is None and levels:
            segments = levels[0]
        if segments is not None:
            return self._cluster_in_order(reading, segments)
        found = self._cluster_few(reading)
        if found is not None:
            return found
        is_list = _is_list_in_no_order(reading)
        # A text with paragraphs was written in order, and may be too short to show it.
        is_written = reading.layout.is_speech or reading.layout.ends is not None
        n = len(reading.sentences)
        may_be_in_order = self.units != "sentences" and not is_list and n > FEW
        if may_be_in_order and (is_written or is_in_order(reading.space)):
            return self._cluster_in_order(reading)
        return self._cluster_one_by_one(reading, None, is_list or reading.is_divided)

    def _cluster_by_seed_themes(
        self, reading: Reading, segments: np.ndarray | None, directions: np.ndarray
    ) -> Clustering:
        """Cluster segments, if there are some, or sentences by seed themes."""
        if segments is None:
            return self._cluster_one_by_one(reading, directions, is_list=False)
        rows = reading.vectors
        algorithm, choose_by_rows = _check_labels(self.algorithm), _check_choices(self.choose_k)

        def choose_k(means: np.ndarray, algorithm: Clusterer, most: int, seed: int) -> KChoice:
            """Segments are too few to tell: k is chosen by their sentences."""
            text = reading.make_ordered_text(segments)
            cluster = partial(_cluster_runs, text, self.algorithm)
            return choose_by_rows(rows, cluster, most, seed)

        units = SentenceVectors(mean_rows(rows, segments))
        found = cluster_unordered(units, algorithm, choose_k, self.settings, directions, len(rows))
        return Clustering(found.labels[segments], found.choice)

    def _find_segments(self, reading: Reading) -> np.ndarray | None:
        """The segment of each sentence that `thematic_segmenter` found, from 0, (n,), if units are
        segments, and there are as many as themes are asked for; None of a long list in no
        order."""
        if self.units != "segments":
            return None
        if SEGMENTS_KEY not in reading.doc.spans:
            warnings.warn(
                f'units="segments" of {self.name} has no effect: the Doc has no segments. Add '
                f'"thematic_segmenter" before it.',
                stacklevel=2,
            )
            return None
        if reading.layout.may_be_list and _is_list_in_no_order(reading):
            return None
        of_each = find_segment_of_each(reading.doc, reading.sentences)
        segments = np.unique(of_each, return_inverse=True)[1]
        least = 2 if self.settings.k == "auto" else max(2, self.settings.k)
        return segments if segments.max() + 1 >= least else None

    def _cluster_few(self, reading: Reading) -> Clustering | None:
        """Cluster a few sentences; None for more of them, where a setting says how many clusters
        there are, and by an algorithm or a chooser that does not know how."""
        n, cluster = len(reading.sentences), getattr(self.algorithm, "cluster_few", None)
        # Half of the sentences have content, or all count.
        is_few = n <= 2 * FEW and self.settings.k == "auto"
        if not is_few or cluster is None or not getattr(self.choose_k, "leaves_number", False):
            return None
        # By itself, a sentence without content says nothing.
        alone = reading.with_content if self.settings.set_aside else np.arange(n)
        if not 0 < len(alone) <= FEW or reading.encoder is None:
            return None
        halves = reading.encoder.compare_halves([reading.sentences[row] for row in alone])
        if halves is None:
            return None
        most = find_most(self.settings.max_k, len(alone))
        ends = reading.paragraph_ends if self.units != "sentences" else None
        paragraphs = None if ends is None else np.cumsum(np.append(0, ends))[alone]
        few = cluster(reading.space.take(alone).unit, halves, most, paragraphs)
        return Clustering(_place(few, alone, n))

    def _cluster_one_by_one(
        self, reading: Reading, directions: np.ndarray | None, is_list: bool
    ) -> Clustering:
        """Cluster sentences one by one, or the lines of a list with all of their sentences."""
        n = len(reading.vectors)
        alone = reading.with_content if self.settings.set_aside else np.arange(n)
        reading = reading.take(alone)
        algorithm, choose_k = self.algorithm, self.choose_k
        vectors = reading.space
        lines = np.arange(len(vectors.raw))
        words = reading.word_keys
        if is_list:
            algorithm = getattr(algorithm, "cluster_list", algorithm)
            choose_k = getattr(choose_k, "choose_in_list", choose_k)
            if self.units != "sentences":
                lines = reading.layout.lines
            rows = mean_rows(vectors.raw, lines)
            words = [[*chain.from_iterable(own)] for own in group_by(words, lines)]
            vectors = SentenceVectors(UnitSpace.fit(rows, words).place(rows, words))
        choose_k, compared = _check_choices(choose_k), None
        algorithm = _check_labels(algorithm)
        if directions is not None and words:
            compared = compare_words(words, self.settings.seed_themes)
        found = cluster_unordered(
            vectors, algorithm, choose_k, self.settings, directions, None, is_list, compared
        )
        return Clustering(_place(found.labels[lines], alone, n), found.choice)

    def _cluster_in_order(
        self, reading: Reading, segments: np.ndarray | None = None, parts: np.ndarray | None = None
    ) -> Clustering:
        """Cluster a text in order, into as many themes as it has parts at least; the theme of a
        segment changes only with the next one."""
        rows, k, seed = reading.vectors, self.settings.k, self.settings.seed
        n_parts = 0 if parts is None else int(parts[-1]) + 1
        text = reading.make_ordered_text(segments, parts)
        cluster = partial(_cluster_runs, text, self.algorithm)
        if k != "auto":
            return Clustering(cluster(rows, k, seed))
        most = max(find_most(self.settings.max_k, len(rows)), n_parts)
        knows_order = hasattr(self.algorithm, "cluster_in_order")
        if knows_order and getattr(self.choose_k, "leaves_number", False):
            if self.settings.max_k == "auto":
                most = max(n_parts, round(usual_k(len(rows))))
            return Clustering(cluster(rows, most, seed, least=max(1, n_parts)))
        choice = _check_choices(self.choose_k)(rows, cluster, most, seed)
        return Clustering(cluster(rows, max(choice.k, n_parts), seed), choice)

    def _rename_former(self, found: dict[str, Any]) -> dict[str, Any]:
        renamed = {name: value for name, value in found.items() if name not in self.former}
        if "seeds" in found:
            renamed["seed_themes"] = found["seeds"]
            renamed |= _raise_limits({**vars(self.settings), **found}, found["seeds"])
        return renamed


def cluster_docs(
    docs: Iterable[Doc],
    k: int | Literal["auto"] = "auto",
    *,
    nlp: Language | None = None,
    units: Literal["auto", "texts", "sentences"] = "auto",
    **settings: Any,
) -> CorpusThemes:
    """Find themes across documents, and write them to each document.

    Texts, or the sentences of long ones, are joined with their nearest neighbours, by their vectors
    and their words; themes are the communities of this graph (Leiden). Texts then move to the theme
    that fits them best. Of more than 5,000 a random sample is clustered, and the others join their
    neighbours in it. Where sentences are in order the vectors of those before and after count.

    Args:
        docs: Processed by `thematic_embedder`. Each gets `doc.spans["thematic_clusters"]`, with
            labels and numbers that are the same in all.
        k: The number of themes, or "auto": the one that holds best, as samples show; at most
            `max_k`, if that is a number.
        nlp: The pipeline that processed them: it encodes seed themes, and finds headings. None:
            the one that did, if it is in this process; else there are no headings.
        units: What has one theme: "texts", "sentences", or "auto": texts, where there are ten or
            more, of 25 sentences or fewer on average.
        settings: Others of `ThemeSettings`, such as `n_broader=3`.

    Returns the themes, to save, and to give to other documents. Raises ValueError if a Doc has no
    thematic vectors, no Doc has a sentence, a setting is out of its range, seed themes are asked
    for and the pipeline is not known, or a seed theme has no known word; TypeError for anything but
    Docs, and for an unknown setting.
    """
    chosen = make_settings(k=k, **settings)
    check_name("units", units, ("auto", *COLLECTION_UNITS))
    if not isinstance(nlp, Language | None):
        raise TypeError(f"Expected as nlp the pipeline that processed the Docs, found {nlp!r:.40}.")
    docs = list(docs)
    of_docs = [doc for doc in docs if isinstance(doc, Doc)]  # Others are an error later.
    warn_of_language(map(get_text, of_docs), of_docs[0].lang_ if of_docs else "")
    encoder = None
    if nlp is None and of_docs:
        nlp = find_pipeline(of_docs[0])
    if nlp is not None:
        encoder = need_encoder(nlp, of_docs[0] if of_docs else nlp.make_doc(""))
    found = find_corpus_themes(docs, chosen, encoder, units)
    _warn_of_fewer(len(found.themes), chosen.k, found.units)
    return found


def _warn_of_fewer(n: int, k: int | str, units: str) -> None:
    if k != "auto" and n < int(k):
        warnings.warn(
            f"Found {n} {'theme' if n == 1 else 'themes'}, not the {k} that were asked for: "
            f"each needs a {units[:-1]} of its own, and those that are alike have one theme",
            stacklevel=3,
        )


def _raise_limits(found: dict[str, Any], seeds: dict[str, list[str]]) -> dict[str, Any]:
    """The limits of a pipeline of version 0.1.0, which took those below the number of seed themes
    for that number."""
    limits = {name: found[name] for name in ("k", "max_k")}
    return {
        name: max(limit, len(seeds)) if isinstance(limit, int) and seeds else limit
        for name, limit in limits.items()
    }


def _cluster_runs(
    text: OrderedText,
    algorithm: Clusterer,
    vectors: np.ndarray,
    k: int,
    seed: int = 0,
    least: int | None = None,
) -> np.ndarray:
    """Cluster a text in order into k themes, or at least so many, by an algorithm that knows how;
    others cluster the means of small groups of its sentences."""
    in_order = getattr(algorithm, "cluster_in_order", None)
    if in_order is None:
        groups = text.cluster(1, len(vectors), _FINE)
        return _check_labels(algorithm)(mean_rows(vectors, groups), k, seed)[groups]

    def cluster(vectors: np.ndarray, k: int, seed: int) -> np.ndarray:
        return in_order(text, k if least is None else least, k)

    return _check_labels(cluster)(vectors, k, seed)


def _check_labels(algorithm: Clusterer) -> Clusterer:
    """The same algorithm; ValueError if it does not return a label for each row."""

    def cluster(vectors: np.ndarray, k: int, seed: int = 0) -> np.ndarray:
        labels, n = np.asarray(found := algorithm(vectors, k, seed)), len(vectors)
        if labels.shape != (n,) or (n and (labels.dtype.kind not in "iu" or labels.min() < 0)):
            raise ValueError(
                f'The algorithm "{name_of(algorithm)}" returned {found!r:.80}: expected an array '
                f"of whole numbers from 0, the cluster of each of {n} rows."
            )
        return labels

    return cluster


def _check_choices(choose_k: KChooser) -> KChooser:
    """The same way of choosing k; ValueError if it does not return a `KChoice` or such a pair."""

    def choose(vectors: np.ndarray, cluster: Clusterer, max_k: int, seed: int = 0) -> KChoice:
        found: Any = choose_k(vectors, cluster, max_k, seed)
        is_pair = isinstance(found, tuple) and len(found) == 2
        if not (is_pair and is_whole(found[0], 0) and isinstance(found[1], Mapping)):
            raise ValueError(
                f'The function "{name_of(choose_k)}" that chooses k returned {found!r:.80}: '
                "expected a pair (k, scores), a whole number and a dictionary, perhaps empty, of "
                "the score of each k that was tried."
            )
        return KChoice(*found)

    return choose


def _place(labels: np.ndarray, rows: np.ndarray, n: int) -> np.ndarray:
    """The labels of some of n sentences as those of all: the others are set aside."""
    placed = np.full(n, SET_ASIDE)
    placed[rows] = labels
    return placed


def _find_copies(reading: Reading) -> tuple[np.ndarray, np.ndarray]:
    """The sentences that are no copies, by their numbers, and for each sentence which of them it is
    or copies, (n,). Copies are lines of a list in no order that say the same as another, and large
    parts of any text that repeat."""
    layout, numbers = reading.layout, np.arange(len(reading.sentences))
    if (layout.is_list or layout.may_be_list) and not layout.openings.any():
        firsts, copy_of = np.unique(_find_equal_lines(reading), return_inverse=True)
        if _is_list_in_no_order(reading.take(firsts)):
            return firsts, copy_of
    of_first = find_repeated(reading.distinct, _BLOCK)
    firsts, copy_of = np.unique(of_first, return_inverse=True)
    return (firsts, copy_of) if len(firsts) <= _OF_DISTINCT * len(numbers) else (numbers, numbers)


def _find_equal_lines(reading: Reading) -> np.ndarray:
    """For each sentence the first in its place in a line that says the same, (n,)."""
    lines = reading.layout.lines
    words = [{*chain.from_iterable(own)} for own in group_by(reading.word_keys, lines)]
    texts = [" ".join(own) for own in group_by((s.text for s in reading.sentences), lines)]
    # Two lines without two words of content are the same if all of their text is.
    of_first = find_copies([own if len(own) > 1 else {"", text} for own, text in zip(words, texts)])
    starts, sizes = np.unique(lines, return_index=True, return_counts=True)[1:]
    places = np.arange(len(lines)) - starts[lines]
    first = of_first[lines]
    return starts[first] + np.minimum(places, sizes[first] - 1)


def _is_list_in_no_order(reading: Reading) -> bool:
    """Whether a text is a list, whose lines are a sentence or several, and in no order."""
    layout, vectors = reading.layout, reading.space
    if layout.is_list:
        return measure_order(vectors.centred) < _IN_ORDER
    if not layout.may_be_list:
        return False
    of_lines = SentenceVectors(mean_rows(vectors.raw, layout.lines))
    return measure_order(of_lines.centred) < _LINES_IN_ORDER
