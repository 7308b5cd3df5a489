"""Themes across many documents: found once, saved, and given to new documents."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from spacy.tokens import Doc

from spacy_thematic.clustering.finding import describe_themes, find_clusters
from spacy_thematic.clustering.sampled import choose_k_of_collection, cluster_collection
from spacy_thematic.clustering.seed_themes import encode_seed_themes
from spacy_thematic.clustering.settings import ThemeSettings
from spacy_thematic.clustering.statistics import measure_clusters
from spacy_thematic.clustering.themes import ThemeDescription, get_sentences, write_themes
from spacy_thematic.clustering.vectors import (
    SentenceVectors,
    TextEncoder,
    cluster_centres,
    unit_rows,
)
from spacy_thematic.files import write_folder

_FORMAT = 1


@dataclass(kw_only=True)
class CorpusTheme(ThemeDescription):
    """A theme of a collection of documents.

    Attributes:
        size: The number of its sentences when it was found.
        representative: The text of the sentence nearest to its centre.
    """

    size: int
    representative: str


@dataclass
class CorpusThemes:
    """Themes of a collection of documents.

    Attributes:
        themes: Largest first.
        centres: Of the themes, (k, width), of length one.
        origin: (width,), subtracted from a vector before it is compared with the centres.
        outlier_threshold: Sentences of a document with a lower confidence belong to no theme.
    """

    themes: list[CorpusTheme]
    centres: np.ndarray
    origin: np.ndarray
    outlier_threshold: float | None = None

    def assign(self, doc: Doc) -> Doc:
        """Write the nearest theme of each sentence to `doc.spans["thematic_clusters"]`, and return
        the same Doc.

        Raises:
            ValueError: If it has no thematic vectors, or vectors of another width.
        """
        return self.write(doc, self.predict(get_sentences(doc)[1]))

    def write(self, doc: Doc, labels: np.ndarray) -> Doc:
        """Write given themes, (n,), indices of `themes`, to `doc.spans["thematic_clusters"]`."""
        sentences, vectors = get_sentences(doc)
        write_themes(
            doc,
            sentences,
            SentenceVectors(vectors),
            labels,
            self.themes,
            algorithm="cluster_docs",
            outlier_threshold=self.outlier_threshold,
        )
        return doc

    def predict(self, vectors: np.ndarray) -> np.ndarray:
        """Return for each vector, (n, width), the index of the nearest theme, (n,).

        Raises:
            ValueError: If they have another width than the vectors of the collection.
        """
        if not len(vectors):
            return np.zeros(0, dtype=np.int64)
        if vectors.shape[1] != len(self.origin):
            raise ValueError(
                f"Expected vectors of width {len(self.origin)}, found {vectors.shape[1]}: these "
                "themes were found with another encoder."
            )
        return (unit_rows(vectors, self.origin) @ self.centres.T).argmax(axis=1)

    def save(self, path: str | Path) -> None:
        """Write the themes to a folder, as `themes.json` and `centres.npz`.

        Raises:
            FileExistsError: If there is anything else at `path`.
        """
        write_folder(Path(path), self.write_files, "themes.json", "saved themes")

    def write_files(self, folder: Path) -> None:
        """Write the files of `save` into a folder that is there."""
        record = {
            "format": _FORMAT,
            "outlier_threshold": self.outlier_threshold,
            "themes": [asdict(theme) for theme in self.themes],
        }
        text = json.dumps(record, ensure_ascii=False, indent=1)
        (folder / "themes.json").write_text(text, encoding="utf8")
        np.savez(folder / "centres.npz", centres=self.centres, origin=self.origin)

    @classmethod
    def load(cls, path: str | Path) -> CorpusThemes:
        """Read what `save` wrote. Runs no code from the files.

        Raises:
            ValueError: If the folder holds no themes, was written in another format, or is damaged.
        """
        path = Path(path)
        if not (path / "themes.json").is_file():
            raise ValueError(f"{path} holds no themes.json: expected a folder of saved themes.")
        try:
            record = json.loads((path / "themes.json").read_text(encoding="utf8"))
            found = record["format"]
            if found == _FORMAT:
                return cls._from_record(record, path / "centres.npz")
        except (ValueError, LookupError, TypeError, OSError, EOFError, BadZipFile) as error:
            raise ValueError(
                f"The themes in {path} are damaged ({type(error).__name__}: {error}): save them "
                "again."
            ) from error
        raise ValueError(
            f"{path / 'themes.json'} has format {found}, expected {_FORMAT}: it was saved by "
            "another version of spacy-thematic."
        )

    @classmethod
    def _from_record(cls, record: dict[str, Any], arrays_path: Path) -> CorpusThemes:
        themes = [CorpusTheme(**theme) for theme in record["themes"]]
        with np.load(arrays_path, allow_pickle=False) as arrays:
            centres, origin = arrays["centres"], arrays["origin"]
        if centres.shape != (len(themes), len(origin)):
            raise ValueError(f"{len(themes)} themes, centres of shape {centres.shape}")
        return cls(themes, centres, origin, record.get("outlier_threshold"))


def find_corpus_themes(
    docs: Iterable[Doc], settings: ThemeSettings, encode: TextEncoder | None = None
) -> CorpusThemes:
    """Find themes across documents, and write them to each document.

    Args:
        docs: Processed by `thematic_embedder`. Each gets `doc.spans["thematic_clusters"]`, with
            labels and numbers that are the same in all.
        settings: Of the themes. Their number "auto" is chosen by the silhouette with a prior.
        encode: Encodes seed themes and the phrases of titles, as the sentences were encoded.

    Returns:
        The themes. Seed themes without sentences are left out.

    Raises:
        ValueError: If a Doc has no thematic vectors, no Doc has a sentence, seed themes or titles
            are asked for without `encode`, or a seed theme has no known word.
        TypeError: For what is no Doc.
    """
    if encode is None and (settings.seed_themes or settings.titles):
        raise ValueError("Seed themes and titles need the pipeline that encodes them: pass nlp.")
    docs = list(docs)
    parts = [get_sentences(doc) for doc in docs]
    sentences = [sentence for part, _ in parts for sentence in part]
    if not sentences:
        raise ValueError("The documents hold no sentences to cluster.")
    widths = sorted({vectors.shape[1] for part, vectors in parts if part})
    if len(widths) > 1:
        raise ValueError(
            f"The documents have vectors of different widths, {widths}: process them all with the "
            "same thematic_embedder."
        )
    vectors = SentenceVectors(np.concatenate([vectors for part, vectors in parts if part]))
    directions = encode_seed_themes(encode, settings.seed_themes) if encode else None
    labels = find_clusters(
        vectors, cluster_collection, choose_k_of_collection, settings, directions
    )
    described, labels = describe_themes(sentences, vectors, labels, settings, encode)
    representatives = measure_clusters(vectors, labels).representatives
    themes = [
        CorpusTheme(**theme.to_dict(), size=size, representative=sentences[row].text)
        for theme, size, row in zip(described, np.bincount(labels).tolist(), representatives)
    ]
    centres = cluster_centres(vectors.centred, labels)
    found = CorpusThemes(themes, centres, vectors.origin, settings.outlier_threshold)
    ends = np.cumsum([len(part) for part, _ in parts])
    for doc, part_labels in zip(docs, np.split(labels, ends[:-1])):
        found.write(doc, part_labels)
    return found
