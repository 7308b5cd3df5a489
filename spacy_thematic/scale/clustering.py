"""Themes of a store of embedded sentences, found without holding its vectors in memory.

The same as `find_corpus_themes` does with Docs: a random sample is clustered, all sentences join
its clusters, and themes are described by all of them, and named by some of each. Each pass over the
store is a function from a partition to small sums, which are added up in the order of the
partitions.
"""

import warnings
from collections import Counter
from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, pairwise
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np
import pyarrow
from pyarrow import parquet

from spacy_thematic import files
from spacy_thematic.clustering.boilerplate import Repeats, find_said
from spacy_thematic.clustering.diffusion import draw_sample
from spacy_thematic.clustering.settings import ThemeSettings
from spacy_thematic.clustering.statistics import measure_in_collection
from spacy_thematic.clustering.threads import single_thread
from spacy_thematic.clustering.units import (
    UnitClusters,
    UnitKind,
    choose_units,
    count_sizes,
    find_units,
    join_words,
)
from spacy_thematic.clustering.vectors import SentenceVectors
from spacy_thematic.engines import Engine
from spacy_thematic.naming.description import has_term
from spacy_thematic.naming.headings import HeadingFinder
from spacy_thematic.naming.keywords import merge_forms, split_terms
from spacy_thematic.pipeline.corpus_themes import (
    FILES,
    SENTENCES,
    THEMES,
    CorpusTheme,
    CorpusThemes,
)
from spacy_thematic.pipeline.themes import describe_clusters, find_representatives
from spacy_thematic.pretrained.paths import digest_model
from spacy_thematic.rows import cluster_sums, unit_rows
from spacy_thematic.scale.embedding import load_embedder
from spacy_thematic.scale.naming import COLUMNS, Drawn, draw, keep_lowest, make_finder
from spacy_thematic.scale.store import SentenceStore, find_starts, get_vectors, iter_blocks

R = TypeVar("R")
_Run = Callable[[str, Callable], Iterator[Any]]
"""The name of a pass and a function, to the results for each partition."""
MOST_WORDS = 2_000_000
_SCHEMA = pyarrow.schema(
    {"id": "string", "start": "int32", "end": "int32", "theme": "int32", "confidence": "float32"}
)


@dataclass(frozen=True)
class _Part:
    """A partition of a store, and which of its sentences are clustered: not those that are not
    kept, if they are set aside, nor boilerplate, unless a text has no others."""

    path: Path
    number: int
    set_aside: bool
    boilerplate: frozenset[str] = frozenset()


class _Best(NamedTuple):
    """The sentence that stands for a theme: whether it has one of its terms, and its cosine with
    the centre."""

    is_told: bool = False
    score: float = -np.inf
    text: str = ""


@dataclass
class ClusterTotals:
    """What is known of k clusters.

    Attributes:
        centred: The sums of their rows of length one, after centring, (k, width).
        sizes: The numbers of their sentences, (k,).
        n_units: The numbers of their units, which are sentences or texts, (k,).
        words: How often each word that may be a keyword occurs, in the order of reading.
        drawn: The units of each that are read to name it.
    """

    centred: np.ndarray
    sizes: np.ndarray
    n_units: np.ndarray
    words: list[Counter[str]]
    drawn: list[list[Drawn]]

    @classmethod
    def zeros(cls, k: int, width: int) -> "ClusterTotals":
        """Totals of nothing."""
        sizes, n_units = np.zeros((2, k), int)
        words = [Counter[str]() for _ in range(k)]
        return cls(np.zeros((k, width)), sizes, n_units, words, [[] for _ in range(k)])

    def add(self, other: "ClusterTotals") -> None:
        """Add the totals of other sentences.

        Of words, the rarest are forgotten where there are more than two million, so that memory
        stays bounded: frequent words alone become keywords.
        """
        self.centred += other.centred
        self.sizes += other.sizes
        self.n_units += other.n_units
        both = zip(self.drawn, other.drawn)
        self.drawn = [keep_lowest([*own, *more], len(self.drawn)) for own, more in both]
        for words, more in zip(self.words, other.words):
            words.update(more)
        rarest = 1
        while sum(map(len, self.words)) > MOST_WORDS:
            for words in self.words:
                for word in [word for word, count in words.items() if count <= rarest]:
                    del words[word]
            rarest += 1


def cluster_store(
    store: SentenceStore,
    out: Path,
    settings: ThemeSettings,
    engine: Engine,
    on_pass: Callable[[str], None] = lambda name: None,
    on_part: Callable[[], None] = lambda: None,
) -> CorpusThemes:
    """Find the themes of a complete store, and write them and the theme of each sentence.

    The themes are those that `cluster_docs` finds where Docs have the vectors of the store, but
    their keywords may be others: in a store, terms were found in each text by itself. So may their
    headings: the model of the store, if it is there, reads some 300 texts or sentences of each, and
    a store has the titles of texts, not the headings within. They do not depend on the engine or
    its number of workers. Memory does not grow with the number of sentences.

    The folder `out` gets the files of `CorpusThemes.save`; and `sentences`, a Parquet file for each
    partition, in its order, with the columns `id`, `start`, `end` of the store, `theme`, its
    number, 0 for none, and `confidence`, 0 to 1, how much nearer the sentence is to its theme than
    to the next. Settings are without seed themes and `outlier_threshold`. `on_pass` is called with
    what is done in each pass over the store, when it begins.

    Raises ValueError if the store holds no sentences to cluster, or a file of it is damaged,
    FileExistsError if anything but saved themes is at `out`, WorkerLost if a worker was killed.
    """
    files.check_is_outside(out, [store.folder])
    own = (*FILES, SENTENCES)
    files.check_is_replaceable(out, THEMES, "themes", own)
    sizes = store.count("kept") if settings.set_aside else store.count_rows()
    if not sum(sizes):
        raise ValueError(f"{store.folder} holds no sentences to cluster.")
    parts = [_Part(store.part(number), number, settings.set_aside) for number in range(len(sizes))]

    def run(name: str, function: Callable[[_Part], R]) -> Iterator[R]:
        on_pass(name)
        for result in engine.map(partial(_on_one_thread, function), parts):
            on_part()
            yield result

    boilerplate = _find_boilerplate(run) if settings.set_aside else frozenset()
    parts = [replace(part, boilerplate=boilerplate) for part in parts]
    counts = np.array([*run("Counting", _count_clustered)])
    units = choose_units(counts.sum(axis=0))
    n_texts, n_sentences, *_ = counts.T
    firsts = np.cumsum([0, *(n_texts if units == "texts" else n_sentences)]).tolist()
    clusters, origin = _find_clusters(run, units, firsts, store, settings)
    found = clusters.found
    totals = ClusterTotals.zeros(found.k, store.record.width)
    for result in run("Describing", partial(_describe_part, clusters=clusters, origin=origin)):
        totals.add(result)
    on_pass("Naming")
    used = np.flatnonzero(totals.sizes)
    centres = unit_rows(totals.centred[used], centre=False)
    described, order = describe_clusters(
        used,
        merge_forms([totals.words[cluster] for cluster in used.tolist()]),
        totals.sizes[used],
        totals.n_units[used],
        centres,
        settings,
        found.broader,
        store.record.language,
        _make_finder(store, [totals.drawn[cluster] for cluster in used.tolist()], settings),
    )
    theme_of = np.zeros(found.k, dtype=np.int64)
    theme_of[used[order]] = np.arange(len(used))
    themes = CorpusThemes(
        [
            CorpusTheme(**vars(theme), size=size, representative="")
            for theme, size in zip(described, totals.n_units[used[order]].tolist())
        ],
        centres[order],
        origin,
        set_aside=settings.set_aside,
        k_scores=found.scores,
        units=units,
        model=store.record.model,
        boilerplate=boilerplate,
        k_chosen=found.k if found.scores else None,
    )
    assign = partial(_assign_part, clusters=clusters, theme_of=theme_of, themes=themes)

    def fill(folder: Path) -> None:
        (folder / SENTENCES).mkdir()
        best = [_Best() for _ in described]
        for of_part in run("Assigning", partial(assign, folder=folder / SENTENCES)):
            best = [*map(max, best, of_part)]
        # A worker may have been killed, its work done again.
        files.remove_unfinished(folder / SENTENCES)
        for theme, one in zip(themes.themes, best):
            theme.representative = one.text
        themes.write_files(folder)

    files.write_folder(out, fill, THEMES, "themes", own)
    return themes


def _make_finder(
    store: SentenceStore, drawn: list[list[Drawn]], settings: ThemeSettings
) -> HeadingFinder | None:
    """What names clusters; None, with a warning, where the model of a store is not there."""
    model, digest = store.record.model, store.record.made_from["model"]
    try:
        if digest_model(model) != digest:
            raise ValueError(f"{model} is another version of the model that made the store")
        nlp = load_embedder(model, digest)
    except (ValueError, OSError, ImportError) as error:
        warnings.warn(f"Themes are named after their keywords: {error}", stacklevel=3)
        return None
    with single_thread():
        return make_finder(drawn, nlp, headings=settings.headings)


def _find_clusters(
    run: _Run, units: UnitKind, firsts: list[int], store: SentenceStore, settings: ThemeSettings
) -> tuple[UnitClusters, np.ndarray]:
    """Find the clusters of a sample of the units of a store, and the mean of all vectors that are
    not zero, (width,). firsts: the number of the first unit of each partition, and of all units."""
    width, numbers = store.record.width, draw_sample(firsts[-1], settings.seed)
    read = partial(_read_part, units=units, firsts=firsts, numbers=numbers, width=width)
    totals, n_known, vectors, words = zip(*run("Sampling", read))
    sample = np.concatenate(vectors), [*chain.from_iterable(words)]
    found = UnitClusters.find(*sample, settings, store.read_topics(), units)
    return found, (sum(totals) / max(1, sum(n_known))).astype("f")


def _on_one_thread(function: Callable[[_Part], R], part: _Part) -> R:
    """The same bits whatever the number of threads, which the workers need for each other."""
    with single_thread():
        return function(part)


def _find_boilerplate(run: _Run) -> frozenset[str]:
    counted = [*run("Counting", _count_frequent)]
    frequent = {sentence for one in counted for sentence in one.counts}
    if frequent and len(counted) > 1:
        counted = [*run("Counting", partial(_count_repeats, only=frequent))]
    total = sum((one.counts for one in counted), Counter[str]())
    return Repeats(sum(one.n_texts for one in counted), total).find_boilerplate()


def _count_frequent(part: _Part) -> Repeats:
    """How many texts of a partition have its frequent sentences. What is frequent in the store is
    so in some partition."""
    counted = _count_repeats(part)
    frequent = counted.find_frequent()
    return counted._replace(counts=Counter({one: counted.counts[one] for one in frequent}))


def _count_repeats(part: _Part, only: Container[str] | None = None) -> Repeats:
    texts = (
        own.tolist()
        for block in _iter_clustered(part, ["id", "text"])
        for own in np.split(block.column("text").to_numpy(zero_copy_only=False), find_starts(block))
    )
    return Repeats.of_texts(texts, only)


def _count_clustered(part: _Part) -> np.ndarray:
    """How many texts and sentences of a partition are clustered, as `count_sizes` counts them."""
    blocks = [block for block in _iter_clustered(part, ["id"]) if len(block)]
    starts = ([0, *find_starts(block), len(block)] for block in blocks)
    sizes = np.concatenate([np.zeros(0, int), *map(np.diff, starts)])
    return count_sizes(sizes)


def _read_part(
    part: _Part, units: UnitKind, firsts: list[int], numbers: np.ndarray, width: int
) -> tuple[np.ndarray, int, np.ndarray, list[list[str]]]:
    """The sum of the vectors of a partition that are not zero, and their number; and the vectors
    and the words of wanted units. firsts: the number of the first unit of each partition. numbers:
    of the wanted units in the store, sorted."""
    total, n_known = np.zeros(width), 0
    vectors, words = [np.zeros((0, width), "f")], []
    start = firsts[part.number]
    for block in _iter_clustered(part, ["id", "vector", "words"]):
        rows = get_vectors(block)
        solid = rows[rows.any(axis=1)]
        total += solid.sum(axis=0, dtype=np.float64)
        n_known += len(solid)
        of_units, of_words, _ = _read_units(block, units)
        first, last = np.searchsorted(numbers, [start, start + len(of_units)])
        wanted = numbers[first:last] - start
        vectors.append(of_units[wanted])
        words += [of_words[unit] for unit in wanted.tolist()]
        start += len(of_units)
    return total, n_known, np.concatenate(vectors), words


def _read_units(
    block: pyarrow.RecordBatch, units: UnitKind
) -> tuple[np.ndarray, list[list[str]], np.ndarray]:
    """The vectors and the words of the units of a block of whole texts, and the unit of each
    sentence."""
    rows, of_each = find_units(get_vectors(block), find_starts(block), units)
    words = [*map(split_terms, block.column("words").to_pylist())]
    return rows, join_words(words, of_each), of_each


def _iter_clustered(part: _Part, columns: list[str]) -> Iterator[pyarrow.RecordBatch]:
    """Yield some columns, `id` among them, of the sentences that are clustered, in blocks of whole
    texts."""
    text = ["text"] if part.boilerplate and "text" not in columns else []
    for block in iter_blocks(part.path, [*columns, "kept", *text]):
        yield block.filter(pyarrow.array(_find_kept(part, block)))


def _find_kept(part: _Part, block: pyarrow.RecordBatch) -> np.ndarray:
    """Which sentences of a block of whole texts are clustered, bool (rows,)."""
    if not part.set_aside:
        return np.ones(len(block), bool)
    kept = block.column("kept").to_numpy(zero_copy_only=False)
    if part.boilerplate:
        numbers, kept = np.flatnonzero(kept), kept.copy()
        texts = block.column("text").take(pyarrow.array(numbers)).to_pylist()
        starts = np.searchsorted(numbers, find_starts(block)).tolist()
        for start, end in pairwise([0, *starts, len(numbers)]):
            kept[numbers[start:end]] = find_said(texts[start:end], part.boilerplate)
    return kept


def _label(block: pyarrow.RecordBatch, clusters: UnitClusters) -> tuple[np.ndarray, np.ndarray]:
    """The cluster of each unit of a block of whole texts, and the unit of each sentence."""
    rows, words, of_each = _read_units(block, clusters.units)
    return clusters.label(rows, words), of_each


def _describe_part(part: _Part, clusters: UnitClusters, origin: np.ndarray) -> ClusterTotals:
    k = clusters.found.k
    totals = ClusterTotals.zeros(k, len(origin))
    n_rows = 0
    for block in _iter_clustered(part, [*COLUMNS, "words"]):
        of_units, of_each = _label(block, clusters)
        draw(totals.drawn, block, (part.number, n_rows), of_units, of_each)
        n_rows += len(block)
        labels = of_units[of_each]
        centred, sizes = cluster_sums(unit_rows(get_vectors(block), origin), labels)
        totals.centred[: len(sizes)] += centred
        totals.sizes[: len(sizes)] += sizes
        totals.n_units += np.bincount(of_units, minlength=k)
        for label, of_sentence in zip(labels.tolist(), block.column("words").to_pylist()):
            totals.words[label].update(of_sentence)
    return totals


def _assign_part(
    part: _Part, clusters: UnitClusters, theme_of: np.ndarray, themes: CorpusThemes, folder: Path
) -> list[_Best]:
    """Write the themes of the sentences of a partition, and return the best sentence of each.
    theme_of: the index of each cluster's theme, (k,)."""
    best = [_Best() for _ in themes.themes]
    columns = ["id", "start", "end", "text", "kept", "vector", "words"]
    with (
        files.open_whole(folder / part.path.name) as file,
        parquet.ParquetWriter(file, _SCHEMA, compression="zstd") as writer,
    ):
        for whole in iter_blocks(part.path, columns):
            kept = _find_kept(part, whole)
            block = whole.filter(pyarrow.array(kept))
            of_units, of_each = _label(block, clusters)
            labels, vectors = theme_of[of_units[of_each]], SentenceVectors(get_vectors(block))
            found = measure_in_collection(vectors, labels, themes.centres, themes.origin)
            texts = block.column("text").to_pylist()
            used, compact = np.unique(labels, return_inverse=True)
            here = [themes.themes[index] for index in used.tolist()]
            rows = find_representatives(found.scores, compact, here, texts.__getitem__)
            for index, theme, row in zip(used.tolist(), here, rows.tolist()):
                own = _Best(has_term(theme, texts[row]), float(found.scores[row]), texts[row])
                best[index] = max(best[index], own)
            numbers, confidences = np.zeros(len(whole), "i"), np.zeros(len(whole), "f")
            numbers[kept], confidences[kept] = labels + 1, found.confidences
            arrays = [whole.column(name) for name in ("id", "start", "end")]
            arrays += [pyarrow.array(numbers), pyarrow.array(confidences)]
            writer.write_batch(pyarrow.record_batch(arrays, schema=_SCHEMA))
    return best
