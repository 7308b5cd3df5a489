"""Themes of a store of embedded sentences, found without holding its vectors in memory.

The same as `find_corpus_themes` does with Docs: a random sample is clustered, all sentences join
its clusters, and themes are described by all of them. Each pass over the store is a function from a
partition to small sums, which are added up in the order of the partitions.
"""

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np
import srsly

from spacy_thematic.about import __version__
from spacy_thematic.clustering.diffusion import draw_sample
from spacy_thematic.clustering.settings import ThemeSettings
from spacy_thematic.clustering.statistics import find_confidences
from spacy_thematic.clustering.threads import single_thread
from spacy_thematic.clustering.units import (
    UnitClusters,
    UnitKind,
    choose_units,
    find_units,
    join_words,
)
from spacy_thematic.engines import Engine
from spacy_thematic.files import (
    MADE_FROM,
    check_is_replaceable,
    hidden_beside,
    open_whole,
    remove_unfinished,
    replace_folder,
    resume_folder,
)
from spacy_thematic.naming.keywords import merge_forms, split_terms
from spacy_thematic.pipeline.corpus_themes import (
    FILES,
    SENTENCES,
    THEMES,
    CorpusTheme,
    CorpusThemes,
)
from spacy_thematic.pipeline.themes import describe_clusters
from spacy_thematic.rows import unit_rows
from spacy_thematic.scale import check_is_outside
from spacy_thematic.scale.arrow import parquet, pyarrow
from spacy_thematic.scale.store import (
    SentenceStore,
    find_starts,
    get_vectors,
    iter_whole_texts,
    open_part,
)
from spacy_thematic.scale.totals import ClusterTotals

_REPRESENTATIVES = "representatives"
R = TypeVar("R")
_Run = Callable[[str, Callable], Iterator[Any]]
"""The name of a pass and a function, to the results for each partition."""
_SCHEMA = pyarrow.schema(
    [
        ("id", pyarrow.string()),
        ("start", pyarrow.int32()),
        ("end", pyarrow.int32()),
        ("theme", pyarrow.int32()),
        ("confidence", pyarrow.float32()),
    ]
)


@dataclass(frozen=True)
class _Part:
    """A partition of a store.

    Attributes:
        start: The number of its first sentence among all that are clustered.
        set_aside: Whether those that are not kept are not clustered.
    """

    path: Path
    number: int
    start: int
    set_aside: bool


@dataclass(frozen=True)
class _Clusters:
    """The clusters of a store.

    Attributes:
        units: What is grouped.
        origin: The mean of all vectors that are not zero, (width,).
        of_units: The clusters of a sample of units, which the others join.
    """

    units: UnitKind
    origin: np.ndarray
    of_units: UnitClusters

    def label(self, vectors: np.ndarray, starts: np.ndarray, words: list[list[str]]) -> np.ndarray:
        """Return the cluster of each sentence, (n,), of whole texts, from vectors, (n, width), the
        number of the first sentence of each text but the first, and words."""
        rows, of_each = find_units(vectors, starts, self.units)
        return self.of_units.label(rows, join_words(words, of_each))[of_each]


class _Best(NamedTuple):
    """The sentence nearest to a centre, and its cosine with it."""

    score: float = -np.inf
    text: str = ""


def cluster_store(
    store: SentenceStore,
    out: Path,
    settings: ThemeSettings,
    engine: Engine,
    on_pass: Callable[[str], None] = lambda name: None,
    on_part: Callable[[], None] = lambda: None,
) -> CorpusThemes:
    """Find the themes of a complete store, and write them and the theme of each sentence.

    Work that was stopped resumes: another call with the same store, `out` and settings finds the
    same clusters again, and writes the partitions of `sentences` that are missing.

    The themes are those that `cluster_docs` finds where Docs have the vectors of the store, but
    they have no headings, and their keywords may be others: in a store, terms were found in each
    text by itself. They do not depend on the engine or its number of workers. Memory does not grow
    with the number of sentences.

    Args:
        out: The folder to write: the files of `CorpusThemes.save`; and `sentences`, a Parquet file
            for each partition, in its order, with the columns `id`, `start`, `end` of the store,
            `theme`, its number, 0 for none, and `confidence`, 0 to 1, how much nearer the sentence
            is to its theme than to the next. Their metadata `representatives` has, for the index of
            each theme there, the sentence nearest to its centre and its cosine with it.
        settings: Of the themes, without seed themes and `outlier_threshold`.
        on_pass: Called with what is done in each pass over the store, when it begins.

    Raises:
        ValueError: If the store holds no sentences to cluster, or a file of it is damaged.
        FileExistsError: If anything but saved themes is at `out`.
        WorkerLost: If a worker was killed.
    """
    check_is_outside(out, [store.folder])
    check_is_replaceable(out, THEMES, "themes", (*FILES, SENTENCES))
    sizes = store.count("kept") if settings.set_aside else store.count_rows()
    if not sum(sizes):
        raise ValueError(f"{store.folder} holds no sentences to cluster.")
    starts = np.cumsum([0, *sizes[:-1]]).tolist()
    parts = [
        _Part(store.part(number), number, start, settings.set_aside)
        for number, start in enumerate(starts)
    ]

    def run(name: str, function: Callable[[_Part], R]) -> Iterator[R]:
        on_pass(name)
        for result in engine.map(partial(_on_one_thread, function), parts):
            on_part()
            yield result

    units = choose_units(sum(store.count("texts")), sum(sizes))
    clusters = _find_clusters(run, units, sum(sizes), store, settings)
    found = clusters.of_units.found
    made_from = {
        "store": store.record.made_from,
        "sentences": sizes,
        "settings": asdict(settings),
        "version of spacy-thematic": __version__,
        # Another machine may round otherwise, and find others.
        "clusters": blake2b(found.sample.tobytes() + found.labels.tobytes()).hexdigest(),
    }
    out = out.resolve()
    draft = hidden_beside(out, "unfinished")
    resume_folder(draft, made_from)
    totals = ClusterTotals.zeros(found.k, store.record.width)
    for result in run("Describing", partial(_describe_part, clusters=clusters)):
        totals.add(result)
    # Clusters are numbered in the order of their first sentence, those without are left out.
    order = np.argsort(totals.first)[: np.count_nonzero(totals.sizes)]
    totals = totals.keep(order)
    described, by_size = describe_clusters(
        merge_forms(totals.words),
        totals.sizes,
        unit_rows(totals.centred, centre=False),
        settings,
        [None] * len(order),
        language=store.record.language,
        broader=None if found.broader is None else found.broader[order],
    )
    totals = totals.keep(by_size)
    centres = unit_rows(totals.centred, centre=False)
    theme_of = np.zeros(found.k, dtype=np.int64)
    theme_of[order[by_size]] = np.arange(len(order))
    assign = partial(
        _assign_part,
        clusters=clusters,
        theme_of=theme_of,
        centres=centres if len(order) > 1 else unit_rows(totals.unit, centre=False),
    )
    (draft / SENTENCES).mkdir(exist_ok=True)
    best = [_Best() for _ in described]
    for of_part in run("Assigning", partial(assign, folder=draft / SENTENCES)):
        best = [max(pair, key=lambda one: one.score) for pair in zip(best, of_part)]
    found_themes = [
        CorpusTheme(**theme.to_dict(), size=size, representative=one.text)
        for theme, size, one in zip(described, totals.sizes.tolist(), best)
    ]
    themes = CorpusThemes(
        found_themes,
        centres,
        clusters.origin,
        set_aside=settings.set_aside,
        k_scores=found.scores,
        units=clusters.units,
        model=store.record.model,
    )
    themes.write_files(draft)
    (draft / MADE_FROM).unlink()
    remove_unfinished(draft)  # A worker may have been killed, and its work done again.
    replace_folder(draft, out)
    return themes


def _find_clusters(
    run: _Run,
    units: UnitKind,
    n: int,
    store: SentenceStore,
    settings: ThemeSettings,
) -> _Clusters:
    """Find the clusters of n sentences by a sample of their units."""
    width, starts = store.record.width, None
    if units == "texts":
        counts = [*run("Counting", _count_texts)]
        n, starts = sum(counts), np.cumsum([0, *counts]).tolist()
    numbers = draw_sample(n, settings.seed)
    total, n_known = np.zeros(width), 0
    vectors, words = [np.zeros((0, width), "f")], []
    read = partial(_read_part, units=units, starts=starts, numbers=numbers, width=width)
    for of_part, n_of_part, rows, of_rows in run("Sampling", read):
        total += of_part
        n_known += n_of_part
        vectors.append(rows)
        words += of_rows
    origin = (total / max(1, n_known)).astype("f")
    topics = store.read_topics()
    found = UnitClusters.find(np.concatenate(vectors), words, settings, topics, units)
    return _Clusters(units, origin, found)


def _on_one_thread(function: Callable[[_Part], R], part: _Part) -> R:
    """The same bits whatever the number of threads, which the workers need for each other."""
    with single_thread():
        return function(part)


def _count_texts(part: _Part) -> int:
    return sum(len(find_starts(block)) + 1 for block in _iter_clustered(part, ["id"]) if len(block))


def _read_part(
    part: _Part, units: UnitKind, starts: list[int] | None, numbers: np.ndarray, width: int
) -> tuple[np.ndarray, int, np.ndarray, list[list[str]]]:
    """The sum of the vectors of a partition that are not zero, and their number; and the vectors
    and the words of wanted units.

    starts: the number of the first unit of each partition; None: that of its first sentence.
    numbers: of the wanted units in the store, sorted.
    """
    total, n_known = np.zeros(width), 0
    vectors, words = [np.zeros((0, width), "f")], []
    start = part.start if starts is None else starts[part.number]
    for block in _iter_clustered(part, ["id", "vector", "words"]):
        rows, firsts = get_vectors(block), find_starts(block)
        solid = rows[rows.any(axis=1)]
        total += solid.sum(axis=0, dtype=np.float64)
        n_known += len(solid)
        of_units, of_each = find_units(rows, firsts, units)
        first, last = np.searchsorted(numbers, [start, start + len(of_units)])
        wanted = numbers[first:last] - start
        vectors.append(of_units[wanted])
        joined = join_words(_get_words(block), of_each)
        words += [joined[unit] for unit in wanted.tolist()]
        start += len(of_units)
    return total, n_known, np.concatenate(vectors), words


def _get_words(block: pyarrow.RecordBatch) -> list[list[str]]:
    """The words of the sentences of a block, as `find_words` gives them."""
    return [*map(split_terms, block.column("words").to_pylist())]


def _iter_clustered(part: _Part, columns: list[str]) -> Iterator[pyarrow.RecordBatch]:
    """Yield some columns of the sentences that are clustered, in blocks of whole texts."""
    for block in iter_whole_texts(part.path, [*columns, "kept"]):
        yield block.filter(pyarrow.array(_find_kept(part, block)))


def _find_kept(part: _Part, block: pyarrow.RecordBatch) -> np.ndarray:
    """Which sentences of a block are clustered, bool (rows,)."""
    kept = block.column("kept").to_numpy(zero_copy_only=False)
    return kept if part.set_aside else np.ones(len(block), bool)


def _describe_part(part: _Part, clusters: _Clusters) -> ClusterTotals:
    totals = ClusterTotals.zeros(clusters.of_units.found.k, len(clusters.origin))
    start = part.start
    for block in _iter_clustered(part, ["id", "vector", "words"]):
        vectors = get_vectors(block)
        rows, unit = unit_rows(vectors, clusters.origin), unit_rows(vectors, centre=False)
        words = block.column("words").to_pylist()
        labels = clusters.label(vectors, find_starts(block), _get_words(block))
        totals.add_block(rows, unit, words, labels, start)
        start += len(rows)
    return totals


def _assign_part(
    part: _Part,
    clusters: _Clusters,
    theme_of: np.ndarray,
    centres: np.ndarray,
    folder: Path,
) -> list[_Best]:
    """Write the themes of the sentences of a partition, and return the best sentence of each.

    theme_of: the index of each cluster's theme, (k,).
    centres: of the themes; of a single theme, that of rows which are not centred.
    """
    out = folder / part.path.name
    if out.is_file():
        return _read_best(out, len(centres))
    best = [_Best() for _ in centres]
    columns = ["id", "start", "end", "text", "kept", "vector", "words"]
    with (
        open_whole(out) as file,
        parquet.ParquetWriter(file, _SCHEMA, compression="zstd") as writer,
    ):
        for whole in iter_whole_texts(part.path, columns):
            kept = _find_kept(part, whole)
            block = whole.filter(pyarrow.array(kept))
            vectors = get_vectors(block)
            rows = unit_rows(vectors, clusters.origin)
            themes = theme_of[clusters.label(vectors, find_starts(block), _get_words(block))]
            if len(centres) == 1:
                rows = unit_rows(vectors, centre=False)
            cosines = rows @ centres.T
            own = cosines[np.arange(len(rows)), themes]
            for theme in np.unique(themes).tolist():
                members = np.flatnonzero(themes == theme)
                row = int(members[own[members].argmax()])
                if own[row] > best[theme].score:
                    best[theme] = _Best(float(own[row]), block.column("text")[row].as_py())
            numbers = np.zeros(len(whole), np.int32)
            confidences = np.zeros(len(whole), np.float32)
            numbers[kept] = themes + 1
            confidences[kept] = find_confidences(cosines, themes)
            arrays = [whole.column(name) for name in ("id", "start", "end")]
            arrays += [pyarrow.array(numbers), pyarrow.array(confidences)]
            writer.write_batch(pyarrow.record_batch(arrays, schema=_SCHEMA))
        found = {str(theme): one for theme, one in enumerate(best) if one.text}
        writer.add_key_value_metadata({_REPRESENTATIVES: srsly.json_dumps(found)})
    return best


def _read_best(path: Path, n_themes: int) -> list[_Best]:
    """The best sentence of each theme in a partition that was written before."""
    with open_part(path) as file:
        found = srsly.json_loads(file.metadata.metadata[_REPRESENTATIVES.encode()])
    return [_Best(*found.get(str(theme), ())) for theme in range(n_themes)]
