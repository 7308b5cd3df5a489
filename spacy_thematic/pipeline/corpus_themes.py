"""Themes across many documents: found once, saved, and given to new documents."""

import json
import shutil
import warnings
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from hashlib import blake2b
from itertools import chain, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal
from zipfile import ZIP_STORED, ZipFile

import numpy as np
from pydantic import BaseModel, BeforeValidator, Field
from spacy.language import Language
from spacy.tokens import Doc, Span

from spacy_thematic.checks import is_whole
from spacy_thematic.clustering.boilerplate import Repeats, find_said
from spacy_thematic.clustering.diffusion import draw_sample
from spacy_thematic.clustering.seed_themes import (
    compare_words,
    encode_seed_themes,
    take_by_seed_themes,
)
from spacy_thematic.clustering.settings import ThemeSettings
from spacy_thematic.clustering.statistics import measure_in_collection
from spacy_thematic.clustering.theme_changes import (
    ThemeChanges,
    are_of_another_kind,
    compare_sizes,
    find_births,
)
from spacy_thematic.clustering.units import (
    UnitClusters,
    UnitKind,
    choose_units,
    count_sizes,
    find_units,
    join_words,
)
from spacy_thematic.clustering.vectors import SET_ASIDE, KChoice, SentenceVectors
from spacy_thematic.files import write_folder
from spacy_thematic.lang import load_rarities, to_word_key
from spacy_thematic.layout.dates import Timeline, read_date
from spacy_thematic.naming.codes_and_units import drop_labels
from spacy_thematic.naming.content import put_titles_above, read_content
from spacy_thematic.naming.headings import HeadingFinder
from spacy_thematic.naming.keywords import find_terms_of_each, split_terms
from spacy_thematic.pipeline.embedder import find_maker, find_pipeline
from spacy_thematic.pipeline.reading import find_clustered, get_encoded_sentences
from spacy_thematic.pipeline.text_encoder import Encoder, find_encoder, find_topic_map
from spacy_thematic.pipeline.themes import (
    ThemeDescription,
    describe_themes,
    find_representatives,
    read_record,
    write_themes,
)
from spacy_thematic.rows import (
    check_vectors,
    cluster_centres,
    group_by,
    round_to_half,
    unit_rows,
)
from spacy_thematic.span_keys import CLUSTERS_KEY, check_is_doc, get_text

if TYPE_CHECKING:
    from pandas import DataFrame

_FORMAT = 1
OF_COLLECTION = "cluster_docs"
"""Named in Docs as what found their themes."""
THEMES = "themes.json"
SENTENCES = "sentences"
"""A folder beside the themes of a store, with the theme of each sentence."""
FILES = (THEMES, "centres.npz")
"""What a folder of saved themes holds."""

Row = dict[str, Any]
"""Of a table, with plain values."""
COLUMNS = "title", "date", "theme", "name", "parent", "share", "confidence"
"""The columns of `CorpusThemes.documents`."""


@dataclass(kw_only=True, repr=False)
class CorpusTheme(ThemeDescription):
    """A theme of a collection of documents.

    Attributes:
        size: The number of its sentences, or of its texts where `units` are texts, when it was
            found, and in updates since.
        representative: The text of the sentence nearest to its centre, of those with one of its
            keywords or its heading, if there are any.
        merged: The labels and numbers of those that were merged with it.
    """

    size: int
    representative: str
    merged: dict[str, int] = field(default_factory=dict)

    def __setattr__(self, name: str, value: Any) -> None:
        if name in ("number", "label") and name in vars(self):
            raise AttributeError(
                f"Docs find a theme by its {name}, so that it stays as it is: theme.rename(...) "
                "gives it another name."
            )
        super().__setattr__(name, value)


@dataclass(eq=False, repr=False)
class CorpusThemes:
    """Themes of a collection of documents.

    Attributes:
        themes: Largest first when they were found.
        centres: Of the themes, (k, width), of length one.
        origin: (width,), subtracted from a vector before it is compared with the centres.
        outlier_threshold: Sentences with a lower confidence belong to no theme.
        set_aside: Whether those that say nothing of a theme belong to none.
        k_scores: Of each number of themes that was tried, when they were found.
        k_chosen: The one of these numbers that was chosen; None without scores, and in themes of
            earlier versions.
        units: What has one theme, "texts" or "sentences".
        texts: Digests of the texts that they were found in, to the number of the theme of each
            sentence, 0 for none.
        timeline: Dates, as in `doc._.thematic_date`, "" for documents without one, to numbers of
            themes, to how many units each had then.
        model: That encoded the texts, where it has a name.
        boilerplate: The words of sentences, in lower case, that many texts have, such as the footer
            of a mailing list. With `set_aside` they belong to no theme, unless a text has no
            others.
    """

    themes: list[CorpusTheme]
    centres: np.ndarray
    origin: np.ndarray
    outlier_threshold: float | None = None
    set_aside: bool = True
    k_scores: dict[int, float] = field(default_factory=dict)
    timeline: Timeline = field(default_factory=dict)
    units: UnitKind = "sentences"
    texts: dict[int, list[int]] = field(default_factory=dict)
    model: str = ""
    boilerplate: frozenset[str] = frozenset()
    k_chosen: int | None = None

    @property
    def levels(self) -> list[int]:
        """The stable numbers of themes, smallest first: each scored higher than the next smaller
        and the next larger number that was tried. Each may be given as `k`."""
        numbers = sorted(self.k_scores)
        scores = [-np.inf, *(self.k_scores[number] for number in numbers), -np.inf]
        return [
            number
            for number, before, own, after in zip(numbers, scores, scores[1:], scores[2:])
            if own > before and own >= after
        ]

    def to_frame(self, docs: Iterable[Doc] = ()) -> "DataFrame | list[Row]":
        """Return a table with a row for each theme, largest first: `number`, `name`, `keywords`,
        `parent`, `sentences`, or `texts` if `units` are texts, and `representative`. If Docs with
        these themes are given, `texts` says of how many it is the main theme. It is a pandas table,
        or a list of rows if pandas is not installed."""
        main = Counter(describe_document(doc, self._find_themes(doc))["theme"] for doc in docs)
        rows = [
            {
                "number": theme.number,
                "name": theme.name,
                "keywords": theme.keywords,
                "parent": theme.parent,
                self.units: theme.size,
                **({"texts": main[theme.number]} if main else {}),
                "representative": theme.representative,
            }
            for theme in sorted(self.themes, key=lambda theme: -theme.size)
        ]
        return make_frame(rows)

    def documents(self, docs: Iterable[Doc]) -> "DataFrame | list[Row]":
        """Return a table with a row for each Doc, in the given order: `title`; `date`; the number
        (`theme`), `name` and broader theme (`parent`) of its main theme, which most sentences have
        (0 and None if none has a theme); their `share` of those with a theme; and their mean
        `confidence`. Raises ValueError if a Doc does not have these themes, TypeError for anything
        but Docs."""
        rows = [describe_document(doc, self._find_themes(doc)) for doc in docs]
        return make_frame(rows, columns=COLUMNS)

    def _find_themes(self, doc: Doc) -> dict[int, CorpusTheme]:
        """What the themes of a Doc are here, by their numbers in the Doc. Raises ValueError if the
        Doc does not have these themes, TypeError if it is no Doc."""
        check_is_doc(doc)
        named = {(theme.number, theme.label): theme for theme in self.themes}
        named |= {(n, label): one for one in self.themes for label, n in one.merged.items()}
        found = doc._.thematic_clusters
        if found is None or any((theme.number, theme.label) not in named for theme in found):
            raise ValueError(
                f"The document {doc.text[:40]!r} does not have these themes: it was not clustered "
                "with these, or again since. Let themes.assign(doc) write them."
            )
        return {theme.number: named[theme.number, theme.label] for theme in found}

    def representatives(self, docs: Iterable[Doc], number: int, top: int = 5) -> list[Span]:
        """Return the sentences of the theme with this number that are nearest to its centre, the
        nearest first, from Docs that have these themes; if `units` are texts, whole texts. Raises
        ValueError if no theme has the number, or a Doc does not have these themes, TypeError for
        anything but Docs."""
        if number not in (known := [theme.number for theme in self.themes]):
            raise ValueError(f"Expected the number of a theme, of {known}, found {number!r:.50}.")
        scored: list[tuple[float, Span]] = []
        for doc in docs:
            now, group = self._find_themes(doc), doc.spans[CLUSTERS_KEY]
            own = [
                (score, span)
                for score, span in zip(group.attrs["scores"], group)
                if span.id and now[span.id].number == number
            ]
            if self.units == "texts" and own:
                own = [(float(np.mean([score for score, _ in own])), doc[:])]
            scored += own
        return [span for _, span in sorted(scored, key=lambda one: -one[0])][:top]

    def shares(self, docs: Iterable[Doc]) -> "DataFrame | list[Row]":
        """Return a table with a row for each Doc, and a column for each theme: its share of the
        Doc's sentences that have a theme. Columns are called as the themes, with the number if
        several have one name, as in `Library (2)`. Raises ValueError if a Doc does not have these
        themes, TypeError for anything but Docs."""
        times = Counter(theme.name for theme in self.themes)
        names = [
            theme.name if times[theme.name] == 1 else f"{theme.name} ({theme.number})"
            for theme in self.themes
        ]
        sizes = [count_sentences(doc, self._find_themes(doc)) for doc in docs]
        counts = [[of_doc[theme.number] for theme in self.themes] for of_doc in sizes]
        shares = np.array(counts, dtype=float).reshape(-1, len(names))
        shares /= np.maximum(shares.sum(axis=1, keepdims=True), 1)
        return make_frame([dict(zip(names, row)) for row in shares.tolist()], columns=names)

    def assign(self, doc: Doc, min_similarity: float | None = None) -> Doc:
        """Write the nearest theme of each sentence, or of the whole text if `units` are texts, to
        `doc.spans["thematic_clusters"]`, and return the same Doc, which `thematic_embedder` has
        processed. A text that the themes were found in, or updated with, keeps its themes, with
        their present names and merges, unless `min_similarity` is given.

        Args:
            min_similarity: The least cosine of a sentence, in its context, with the centre of its
                theme, -1 to 1. None: each belongs to the nearest.

        Raises ValueError if the Doc has no thematic vectors, or vectors of another width; or if
        `min_similarity` is no such number.
        """
        if min_similarity is not None and not -1 <= min_similarity <= 1:
            raise ValueError(f"Expected a min_similarity from -1 to 1, found {min_similarity}.")
        sentences, vectors = get_encoded_sentences(doc)
        labels = np.full(len(sentences), SET_ASIDE)
        kept = find_clustered(doc, sentences, vectors, self.set_aside)
        kept = kept[find_said([sentences[row].text for row in kept.tolist()], self.boilerplate)]
        rows, of_each = find_units(_round(vectors[kept]), np.zeros(0, int), self.units)
        labels[kept] = self.predict(rows, min_similarity)[of_each]
        found = self.texts.get(_digest(doc), ())
        if min_similarity is None and len(found) == len(sentences):
            places = {0: SET_ASIDE}
            for place, theme in enumerate(self.themes):
                places |= dict.fromkeys((theme.number, *theme.merged.values()), place)
            labels[kept] = np.array([places.get(number, SET_ASIDE) for number in found])[kept]
        return self.write(doc, labels)

    def update(
        self, docs: Iterable[Doc], nlp: Language | None = None, seed: int = 0
    ) -> ThemeChanges:
        """Add new documents to the collection, and write the theme of each sentence to them.

        Themes keep their numbers, names and centres. Sentences that are like none of them may form
        new themes, with numbers after the last.

        Args:
            docs: Processed by `thematic_embedder`, with their dates in `doc._.thematic_date`.
            nlp: The pipeline that processed them, which finds headings for new themes. None: the
                one that did, if it is in this process; else these have none.
            seed: Of the random numbers.

        Returns which themes were born, died and grew. Raises ValueError if a Doc has no thematic
        vectors, vectors of another width, or something that is not a date, TypeError for anything
        but Docs. Then nothing was changed.
        """
        new = _gather(docs, self.set_aside, self.boilerplate)
        nlp = nlp or (find_pipeline(new.docs[0]) if new.docs else None)
        encoder = find_encoder(nlp, new.docs[0]) if nlp and new.docs else None
        before = {theme.number: theme.size for theme in self.themes}
        if not len(new.kept):
            self._write_all(new, np.zeros(0, np.int64))
            return compare_sizes(before, {})
        self._check_width(new.vectors.raw)
        rows, of_each = new.find_units(self.units)
        alone = rows if self.units == "texts" else new.vectors.raw
        if are_of_another_kind(alone, self.origin):
            warnings.warn(
                "These texts resemble one another more than they resemble those of the themes: "
                "they may be of another collection. If they are, cluster them by themselves",
                stacklevel=2,
            )
        of_units = find_births(alone, self.origin, self.centres, seed)
        old = of_units < len(self.themes)
        of_units[old] = self.predict(rows[old])
        self._add_born(new, of_units[of_each], encoder, seed)
        sizes = np.bincount(of_units, minlength=len(self.themes)).tolist()
        for theme, size in zip(self.themes, sizes):
            theme.size = before.get(theme.number, 0) + size
        grown = {theme.number: size for theme, size in zip(self.themes, sizes) if size}
        self._write_all(new, of_units[of_each])
        return compare_sizes(before, grown)

    def _add_born(
        self, new: "_Collection", labels: np.ndarray, encoder: Encoder | None, seed: int
    ) -> None:
        """Append the themes whose labels, (kept,), are above those of the themes that are there."""
        k = len(self.themes)
        if labels.max() < k:
            return
        settings = ThemeSettings(seed=seed)
        found, centres, order = new.make_themes(
            labels, settings, encoder, self.origin, others=self.centres
        )
        taken = {theme.label for theme in self.themes}
        last = max((n for t in self.themes for n in (t.number, *t.merged.values())), default=0)
        places = [order[np.argmax(labels == label)] for label in range(k, labels.max() + 1)]
        for number, theme in enumerate((found[place] for place in places), last + 1):
            label = f"{theme.label} ({number})" if theme.label in taken else theme.label
            self.themes.append(replace(theme, number=number, label=label, size=0))
        self.centres = np.concatenate([self.centres, centres[places]])

    def __repr__(self) -> str:
        return "\n".join([f"CorpusThemes of {self.units}:", *map(repr, self.themes)])

    def merge(self, numbers: Iterable[int]) -> CorpusTheme:
        """Merge several themes into one, which keeps the number, the names and the keywords of the
        largest, and return it. Its centre is the mean of their centres, weighted by size. Docs do
        not change until you call `assign` for them. Raises ValueError if there are fewer than two
        numbers, or no theme has one of them."""
        numbers = list(numbers)
        if not all(is_whole(number, 0) for number in numbers):
            raise ValueError(
                f"Expected numbers of themes that become one, found {numbers!r:.60}: for several "
                "groups of themes, call merge once for each."
            )
        wanted = set(numbers)
        known = [theme.number for theme in self.themes]
        rows = [i for i, number in enumerate(known) if number in wanted]
        if len(wanted) < 2 or len(rows) < len(wanted):
            raise ValueError(
                f"Expected two or more numbers of themes, of {known}, found {sorted(wanted)}."
            )
        sizes = [self.themes[row].size for row in rows]
        row = rows[int(np.argmax(sizes))]
        kept = self.themes[row]
        kept.size = sum(sizes)
        for theme in (self.themes[one] for one in rows if one != row):
            kept.merged |= {theme.label: theme.number, **theme.merged}
        centre = np.maximum(sizes, 1)[None] @ self.centres[rows]
        self.centres[row] = unit_rows(centre, centre=False)[0]
        for then in self.timeline.values():
            if total := sum(then.pop(number, 0) for number in wanted):
                then[kept.number] = total
        left = [i for i in range(len(known)) if i == row or i not in rows]
        self.themes = [self.themes[i] for i in left]
        self.centres = self.centres[left]
        if sum(theme.parent == kept.parent for theme in self.themes) == 1:
            kept.parent = None
        return kept

    def _write_all(self, part: "_Collection", labels: np.ndarray) -> None:
        """Write themes, (kept,), indices of `themes`, to Docs, and count them in the timeline."""
        of_each = np.full(len(part.sentences), SET_ASIDE)
        of_each[part.kept] = labels
        for doc, date, own in zip(part.docs, part.dates, np.split(of_each, part.starts[1:])):
            self.write(doc, own)
            self.texts[_digest(doc)] = [self.themes[i].number if i >= 0 else 0 for i in own]
            counted = own[own >= 0]
            if self.units == "texts":
                counted = np.unique(counted)
            for index, size in enumerate(np.bincount(counted).tolist()):
                if size:
                    number = self.themes[index].number
                    then = self.timeline.setdefault(date, {})
                    then[number] = then.get(number, 0) + size

    def write(self, doc: Doc, labels: np.ndarray) -> Doc:
        """Write themes to `doc.spans["thematic_clusters"]`. The labels, (n,), are indices of
        `themes`, or negative for no theme."""
        sentences, vectors = get_encoded_sentences(doc)
        write_themes(
            doc,
            sentences,
            SentenceVectors(_round(vectors)),
            labels,
            self.themes,
            algorithm=OF_COLLECTION,
            outlier_threshold=self.outlier_threshold,
            choice=KChoice(self.k_chosen or len(self.themes), self.k_scores)
            if self.k_scores
            else None,
            collection=(self.centres, self.origin),
        )
        return doc

    def predict(self, vectors: np.ndarray, min_similarity: float | None = None) -> np.ndarray:
        """Return the index of the theme nearest to each vector, (n, width), as (n,); -1 if its
        cosine with the centre of that theme is below `min_similarity`. Raises ValueError if they
        are no rows, or have another width than the vectors of the collection, TypeError for
        anything but an array."""
        if not isinstance(vectors, np.ndarray):
            raise TypeError(
                f"Expected vectors, (n, width), found {type(vectors).__name__}: for Docs use "
                "themes.assign(doc), for texts themes.assign(nlp(text))."
            )
        if vectors.ndim != 2:
            raise ValueError(
                f"Expected vectors of shape (n, width), found an array of shape {vectors.shape}: "
                "for a single vector pass vector[None]."
            )
        if not len(vectors):
            return np.zeros(0, dtype=np.int64)
        self._check_width(vectors)
        cosines = unit_rows(vectors, self.origin) @ self.centres.T
        found = cosines.argmax(axis=1)
        if min_similarity is not None:
            found[cosines.max(axis=1) < min_similarity] = SET_ASIDE
        return found

    def _check_width(self, vectors: np.ndarray) -> None:
        if vectors.shape[1] != len(self.origin):
            raise ValueError(
                f"Expected vectors of width {len(self.origin)}, found {vectors.shape[1]}: these "
                f"themes were found with {self.model or 'another model'}. Encode texts with that."
            )

    def save(self, path: str | Path, keep_sentences: bool = False) -> None:
        """Write the themes to a folder, as `themes.json` and `centres.npz`, in place of themes that
        were saved there. keep_sentences: whether a folder `sentences`, which `thematic
        cluster-store` wrote, stays there. Raises FileExistsError if there is anything else at
        `path`."""
        path = Path(path)

        def fill(folder: Path) -> None:
            self.write_files(folder)
            if keep_sentences and (path / SENTENCES).is_dir():
                shutil.copytree(path / SENTENCES, folder / SENTENCES)

        own = (*FILES, SENTENCES) if keep_sentences else FILES
        write_folder(path, fill, THEMES, "saved themes", own)

    def write_files(self, folder: Path) -> None:
        """Write the same files as `save` into an existing folder."""
        record = {
            "format": _FORMAT,
            "outlier_threshold": self.outlier_threshold,
            "set_aside": self.set_aside,
            "units": self.units,
            "model": self.model,
            "boilerplate": sorted(self.boilerplate),
            "k_scores": list(self.k_scores.items()),
            "k_chosen": self.k_chosen,
            "timeline": [[date, list(sizes.items())] for date, sizes in self.timeline.items()],
            "themes": [asdict(theme) for theme in self.themes],
        }
        text = json.dumps(record, ensure_ascii=False, indent=1)
        (folder / THEMES).write_text(text, encoding="utf8")
        np.savez(
            folder / "centres.npz",
            centres=self.centres,
            origin=self.origin,
            texts=np.array([*self.texts], dtype=np.uint64),
            lengths=np.array([*map(len, self.texts.values())], dtype=np.int32),
            numbers=np.array([*chain(*self.texts.values())], dtype=np.int32),
        )

    @classmethod
    def load(cls, path: str | Path) -> "CorpusThemes":
        """Load themes that `save` wrote. This runs no code from the files. Raises ValueError if the
        folder holds no themes, was written in another format, or is damaged."""
        path = Path(path)
        if not (path / THEMES).is_file():
            raise ValueError(f"{path} holds no {THEMES}: expected a folder of saved themes.")
        try:
            text = (path / THEMES).read_text(encoding="utf8")
            found = json.loads(text)["format"]
            if found == _FORMAT:
                saved = dict(_Saved.model_validate_json(text))
                return cls(**saved, **_read_arrays(path, len(saved["themes"])))
        except Exception as error:
            # Damaged arrays and numbers give errors of many kinds.
            raise ValueError(
                f"The themes in {path} are damaged ({type(error).__name__}: {error}): save them "
                "again."
            ) from error
        raise ValueError(
            f"{path / THEMES} has format {found}, expected {_FORMAT}: it was saved by "
            "another version of spacy-thematic."
        )


def describe_document(doc: Doc, themes: Mapping[int, ThemeDescription] | None = None) -> Row:
    """Return the row of `CorpusThemes.documents` for a Doc. themes: what its themes are now in the
    collection, by their numbers in the Doc; None: those that the Doc has."""
    if themes is None:
        themes = {theme.number: theme for theme in doc._.thematic_clusters}
    sizes = count_sentences(doc, themes)
    number = max(sizes, key=sizes.__getitem__, default=0)
    own = [theme for theme in doc._.thematic_clusters if themes[theme.number].number == number]
    main = themes[own[0].number] if own else None
    confidences = [confidence for theme in own for confidence in theme.confidences]
    return {
        "title": doc._.thematic_title,
        "date": doc._.thematic_date,
        "theme": number,
        "name": main and main.name,
        "parent": main and main.parent,
        "share": sizes[number] / sizes.total() if own else 0.0,
        "confidence": round(float(np.mean(confidences)), 4) if own else 0.0,
    }


def count_sentences(doc: Doc, themes: Mapping[int, ThemeDescription]) -> Counter[int]:
    """Return how many sentences of a Doc each theme has, by its number."""
    return Counter(themes[span.id].number for span in doc.spans[CLUSTERS_KEY] if span.id)


def make_frame(rows: list[Row], columns: Sequence[str] = ()) -> Any:
    """Make a pandas DataFrame; where pandas is not installed, return the rows."""
    try:
        import pandas
    except ImportError:
        return rows
    return pandas.DataFrame(rows, columns=[*columns] or None)


_PAIRS = BeforeValidator(dict)


class _Saved(BaseModel, strict=True):
    """What `themes.json` holds of `CorpusThemes`; what version 0.1.0 did not save is as it was."""

    themes: list[Annotated[CorpusTheme, BeforeValidator(read_record)]]
    outlier_threshold: Annotated[float, Field(ge=0, le=1)] | None = None
    set_aside: bool = False
    k_scores: Annotated[dict[int, float], _PAIRS] = {}
    k_chosen: int | None = None
    timeline: Annotated[dict[str, Annotated[dict[int, int], _PAIRS]], _PAIRS] = {}
    units: UnitKind = "sentences"
    model: str = ""
    boilerplate: Annotated[frozenset[str], BeforeValidator(frozenset)] = frozenset()


def _read_arrays(folder: Path, k: int) -> dict[str, Any]:
    """The centres, the origin and the texts of k saved themes. They are written uncompressed, so
    that what is read is no larger than the file."""
    path = folder / "centres.npz"
    with ZipFile(path) as archive:
        if any(member.compress_type != ZIP_STORED for member in archive.infolist()):
            raise ValueError("compressed arrays")
    with np.load(path, allow_pickle=False) as arrays:
        centres, origin = arrays["centres"], arrays["origin"]
        # Version 0.1.0 kept no texts.
        digests, lengths, numbers = (arrays.get(n, ()) for n in ("texts", "lengths", "numbers"))
    if centres.dtype.kind != "f" or origin.dtype.kind != "f" or origin.ndim != 1:
        raise ValueError(f"arrays of {centres.dtype} and {origin.dtype}")
    if centres.shape != (k, len(origin)):
        raise ValueError(f"{k} themes, centres of shape {centres.shape}")
    check_vectors(np.vstack([centres, origin]))
    parts = np.split(numbers, np.cumsum(lengths)[:-1]) if len(digests) else []
    texts = {int(d): part.tolist() for d, part in zip(digests, parts, strict=True)}
    return {"centres": centres, "origin": origin, "texts": texts}


def _digest(doc: Doc) -> int:
    return int.from_bytes(blake2b(get_text(doc).encode(), digest_size=8).digest(), "little")


def find_corpus_themes(
    docs: Iterable[Doc],
    settings: ThemeSettings,
    encoder: Encoder | None = None,
    units: UnitKind | Literal["auto"] = "auto",
) -> CorpusThemes:
    """Find themes across documents, and write them to each, as `cluster_docs` does. The encoder is
    that of the sentences, for seed themes and headings; None: there are none."""
    if encoder is None and settings.seed_themes:
        raise ValueError("Seed themes need the pipeline that encodes them: pass nlp.")
    read = _gather(docs, settings.set_aside)
    if not read.docs:
        raise ValueError("The list of Docs is empty: expected one Doc or more to cluster.")
    if not read.sentences:
        raise ValueError("The documents hold no sentences to cluster.")
    if not len(read.kept):
        raise ValueError(
            "The encoder knows no word of these documents, so there is nothing to cluster: use one "
            "for their language."
        )
    maker = find_maker(read.docs[0])
    _warn_of_unknown(settings.seed_themes, read.docs)
    directions = encode_seed_themes(encoder.encode_texts, settings.seed_themes) if encoder else None
    vectors = read.vectors
    if units == "auto":
        sizes = np.diff(np.searchsorted(read.kept, [*read.starts, len(read.sentences)]))
        units = choose_units(count_sizes(sizes[sizes > 0]))
    rows, of_each = read.find_units(units)
    words = join_words(read.find_words(), of_each)
    labels = np.full(len(rows), SET_ASIDE)
    broader, k_scores, k_chosen, n_seeds = None, {}, None, 0
    if directions is not None:
        # What seed themes take was chosen for sentences by themselves.
        alone = SentenceVectors(rows) if units == "texts" else vectors
        n_seeds = len(directions)
        take_all = n_seeds in (settings.k, settings.max_k)
        compared = compare_words(words, settings.seed_themes)
        labels = take_by_seed_themes(alone, directions, take_all=take_all, compared=compared)
    rest = np.flatnonzero(labels == SET_ASIDE)
    if len(rest):
        sample = rest[draw_sample(len(rest), settings.seed)]
        topics = find_topic_map(read.docs[0], encoder)
        if encoder is None and maker is None:
            warnings.warn(
                "It is not known which model made the vectors of these Docs, as of Docs from "
                "n_process or a file: themes do without the topics that it may have learned. "
                "Pass nlp=nlp.",
                stacklevel=3,
            )
        # A seed theme that is in no sentence takes no place of another theme.
        n_found = len(np.unique(np.delete(labels, rest)))
        k, max_k = (n if n == "auto" else n - n_found for n in (settings.k, settings.max_k))
        clusters = UnitClusters.find(
            rows[sample],
            [words[unit] for unit in sample.tolist()],
            replace(settings, k=k, max_k=max_k, seed_themes={}),
            topics,
            units,
        )
        labels[rest] = n_seeds + clusters.label(rows[rest], [words[unit] for unit in rest.tolist()])
        k_scores = {n_found + k: score for k, score in clusters.found.scores.items()}
        k_chosen = n_found + clusters.found.k if k_scores else None
        broader = None if n_seeds else clusters.found.broader
    firsts = np.unique(of_each, return_index=True)[1]
    themes, centres, labels = read.make_themes(
        labels[of_each], settings, encoder, vectors.origin, broader, firsts
    )
    found = CorpusThemes(
        themes,
        centres,
        vectors.origin,
        settings.outlier_threshold,
        settings.set_aside,
        k_scores,
        units=units,
        model=getattr(maker, "pretrained", None) or "",
        boilerplate=read.boilerplate,
        k_chosen=k_chosen,
    )
    found._write_all(read, labels)
    return found


def _warn_of_unknown(seed_themes: Mapping[str, Sequence[str]], docs: Sequence[Doc]) -> None:
    """Warn of seed themes without a word that is usual, or in the texts."""
    if not seed_themes:
        return
    known = {to_word_key(token.lower_) for doc in docs for token in doc}
    known |= {*(load_rarities(docs[0].lang_) or ())}
    for name, examples in seed_themes.items():
        words = {to_word_key(word.lower()) for example in examples for word in example.split()}
        if not words & known:
            warnings.warn(
                f"No word of the seed theme {name!r} is known or in the texts, so what it gets is "
                "by chance: give it other examples.",
                stacklevel=4,
            )


@dataclass
class _Collection:
    """Docs, with their dates or "", and all of their sentences; the number of the first sentence of
    each Doc; the numbers of those that are not set aside, (kept,), and their vectors."""

    docs: list[Doc]
    dates: list[str]
    sentences: list[Span]
    starts: np.ndarray
    kept: np.ndarray
    vectors: SentenceVectors
    boilerplate: frozenset[str]

    def find_units(self, units: UnitKind) -> tuple[np.ndarray, np.ndarray]:
        """The vectors of the units, (units, width), and the unit of each kept sentence, (kept,)."""
        return find_units(self.vectors.raw, np.searchsorted(self.kept, self.starts[1:]), units)

    def find_words(self) -> list[list[str]]:
        """The words of each kept sentence that tell what it is about."""
        bounds = pairwise([*self.starts.tolist(), len(self.sentences)])
        of_docs = (find_terms_of_each(self.sentences[start:end]) for start, end in bounds)
        terms = [*chain.from_iterable(of_docs)]
        return [split_terms(terms[row]) for row in self.kept.tolist()]

    def make_themes(
        self,
        labels: np.ndarray,
        settings: ThemeSettings,
        encoder: Encoder | None,
        origin: np.ndarray,
        broader: np.ndarray | None = None,
        firsts: np.ndarray | slice = slice(None),
        others: np.ndarray | None = None,
    ) -> tuple[list[CorpusTheme], np.ndarray, np.ndarray]:
        """Make themes of the cluster of each kept sentence, (kept,), as `describe_themes` does.
        Returns them, their centres about an origin, and the index of the theme of each sentence.
        others: the centres of other themes."""
        kept = [self.sentences[row] for row in self.kept.tolist()]
        contents, title = read_content(kept), ""
        if all(sentence.doc is kept[0].doc for sentence in kept):
            # A single text may have headings of its own.
            title = kept[0].doc._.thematic_title or ""
        else:
            put_titles_above(contents, kept)
            drop_labels(contents)
        score = encoder.score_headings if encoder and settings.headings else None
        groups = np.unique(labels, return_inverse=True)[1]
        finder = HeadingFinder(group_by(contents, groups), self.vectors.unit, groups, score, title)
        described, labels = describe_themes(
            self.vectors, labels, settings, contents[0].lang, finder, broader, firsts
        )
        own = cluster_centres(unit_rows(self.vectors.raw, origin), labels)
        centres = own if others is None else np.concatenate([own, others])
        scores = measure_in_collection(self.vectors, labels, centres, origin).scores
        rows = find_representatives(scores, labels, described, lambda row: kept[row].text)
        sizes = np.bincount(labels[firsts]).tolist()
        themes = [
            CorpusTheme(**vars(theme), size=size, representative=kept[row].text)
            for theme, size, row in zip(described, sizes, rows.tolist())
        ]
        return themes, own, labels


def _gather(
    docs: Iterable[Doc], set_aside: bool, boilerplate: frozenset[str] | None = None
) -> _Collection:
    """The sentences of Docs. boilerplate: None: that of these Docs, if sentences are set aside."""
    docs = list(docs)
    for place, doc in enumerate(docs):
        check_is_doc(doc, place)
    parts = [get_encoded_sentences(doc) for doc in docs]
    widths = sorted({vectors.shape[1] for part, vectors in parts if part})
    if len(widths) > 1:
        raise ValueError(
            f"The documents have vectors of different widths, {widths}: process them all with the "
            "same thematic_embedder."
        )
    starts = np.cumsum([0, *(len(part) for part, _ in parts)])[:-1]
    read = [(doc, *part) for doc, part in zip(docs, parts)]
    found = [find_clustered(*one, set_aside) for one in read]
    if boilerplate is None and not any(map(len, found)):
        found = [np.flatnonzero(vectors.any(axis=1)) for _, vectors in parts]
    of_each = [start + rows for start, rows in zip(starts, found)]
    sentences = [sentence for part, _ in parts for sentence in part]
    texts = [
        [get_text(doc)[part[row].start_char : part[row].end_char] for row in rows.tolist()]
        for (doc, part, _), rows in zip(read, found)
    ]
    if boilerplate is None:
        boilerplate = Repeats.of_texts(texts).find_boilerplate() if set_aside else frozenset()
    of_each = [rows[find_said(own, boilerplate)] for rows, own in zip(of_each, texts)]
    kept = np.concatenate([np.zeros(0, np.int64), *of_each])
    rows = [vectors for part, vectors in parts if part] or [np.zeros((0, 1), "f")]
    return _Collection(
        docs=docs,
        dates=[read_date(doc._.thematic_date) for doc in docs],
        sentences=sentences,
        starts=starts,
        kept=kept,
        vectors=SentenceVectors(_round(np.concatenate(rows))).take(kept),
        boilerplate=boilerplate,
    )


def _round(rows: np.ndarray) -> np.ndarray:
    """Vectors as a store keeps them, if one can, so that both find the same themes."""
    rounded = round_to_half(rows)
    return rows if rounded is None else rounded.astype(np.float32)
