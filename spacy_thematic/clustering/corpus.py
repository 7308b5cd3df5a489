"""Themes across many documents: found once, saved, and given to new documents."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal
from zipfile import BadZipFile

import numpy as np
from spacy.language import Language
from spacy.tokens import Doc, Span

from spacy_thematic.clustering.choosing_k import choose_by_silhouette
from spacy_thematic.clustering.hierarchy import find_parents
from spacy_thematic.clustering.keywords import content_words
from spacy_thematic.clustering.large import cluster_rows
from spacy_thematic.clustering.seeds import cluster_around_seeds, encode_seeds
from spacy_thematic.clustering.statistics import find_mixed
from spacy_thematic.clustering.themes import ThemeName, name_themes, write_named_themes
from spacy_thematic.clustering.titles import find_titles
from spacy_thematic.clustering.vectors import centre_of, cluster_sums, unit_rows
from spacy_thematic.files import write_folder
from spacy_thematic.span_keys import SENTENCES_KEY, check_is_doc

_FORMAT = 1


@dataclass
class CorpusThemes:
    """Themes of a collection of documents.

    `names`: number (from 1, largest first), label and keywords of each theme. `centres`: (k,
    width), of length one. `origin`: (width,), subtracted from a vector before it is compared.
    `sizes`: the number of sentences of each theme when it was found. `representatives`: the text
    of the sentence nearest to each centre.
    """

    names: list[ThemeName]
    centres: np.ndarray
    origin: np.ndarray
    sizes: list[int]
    representatives: list[str] = field(default_factory=list)

    def assign(self, doc: Doc) -> Doc:
        """Write the themes of a Doc that has thematic vectors to `doc.spans["thematic_clusters"]`,
        numbered and labelled as here. Raises ValueError if it has none, or of another width."""
        return self.write(doc, self.predict(_get_sentences(doc)[1]))

    def write(self, doc: Doc, labels: np.ndarray) -> Doc:
        """Write given themes, (n,), indices of `names`, to `doc.spans["thematic_clusters"]`."""
        sentences, vectors = _get_sentences(doc)
        names = dict(enumerate(self.names))
        write_named_themes(doc, sentences, vectors, labels, names, algorithm="cluster_docs")
        return doc

    def predict(self, vectors: np.ndarray) -> np.ndarray:
        """The nearest theme of each row, (n, width), as an index of `names`. (n,), int."""
        if not len(vectors):
            return np.zeros(0, dtype=np.int64)
        if vectors.shape[1] != len(self.origin):
            raise ValueError(
                f"Expected vectors of width {len(self.origin)}, found {vectors.shape[1]}: these "
                "themes were found with another encoder."
            )
        return (unit_rows(vectors, self.origin) @ self.centres.T).argmax(axis=1)

    def save(self, path: str | Path) -> None:
        """Write the themes to a folder: `themes.json` and `centres.npz`. Raises FileExistsError
        if there is anything else at `path`."""
        themes = [
            {
                "number": name.number,
                "label": name.label,
                "keywords": list(name.keywords),
                "parent": name.parent,
                "title": name.title,
                "mixed": name.mixed,
                "size": size,
                "representative": representative,
            }
            for name, size, representative in zip(self.names, self.sizes, self.representatives)
        ]
        text = json.dumps({"format": _FORMAT, "themes": themes}, ensure_ascii=False, indent=1)

        def fill(folder: Path) -> None:
            (folder / "themes.json").write_text(text, encoding="utf8")
            np.savez(folder / "centres.npz", centres=self.centres, origin=self.origin)

        write_folder(Path(path), fill, "themes.json", "saved themes")

    @classmethod
    def load(cls, path: str | Path) -> CorpusThemes:
        """Read what `save` wrote. Runs no code from the files.

        Raises ValueError if the folder holds no themes, was written in another format, or is
        damaged.
        """
        path = Path(path)
        if not (path / "themes.json").is_file():
            raise ValueError(f"{path} holds no themes.json: expected a folder of saved themes.")
        try:
            record = json.loads((path / "themes.json").read_text(encoding="utf8"))
            found = record["format"]
            if found == _FORMAT:
                return cls._from_record(record["themes"], path / "centres.npz")
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
    def _from_record(cls, themes: list[dict[str, Any]], arrays_path: Path) -> CorpusThemes:
        names = [
            ThemeName(
                theme["number"],
                theme["label"],
                theme["keywords"],
                theme.get("parent"),
                theme.get("title"),
                theme.get("mixed", False),
            )
            for theme in themes
        ]
        sizes = [theme["size"] for theme in themes]
        representatives = [theme["representative"] for theme in themes]
        with np.load(arrays_path, allow_pickle=False) as arrays:
            centres, origin = arrays["centres"], arrays["origin"]
        if centres.shape != (len(names), len(origin)):
            raise ValueError(f"{len(names)} themes, centres of shape {centres.shape}")
        return cls(names, centres, origin, sizes, representatives)


def cluster_docs(
    docs: Iterable[Doc],
    k: int | Literal["auto"] = "auto",
    *,
    max_k: int = 12,
    seed: int = 0,
    n_keywords: int = 8,
    n_broader: int = 0,
    titles: bool = False,
    seeds: Mapping[str, Sequence[str]] | None = None,
    nlp: Language | None = None,
) -> CorpusThemes:
    """Find themes across documents that have thematic vectors, and write them to each document.

    k: the number of themes, or "auto": the silhouette with a prior, at most max_k. Up to 5,000
    sentences are clustered by Iclust; of more, a sample, and k-means goes on from there with all.
    The vectors' common mean is subtracted first. Each Doc gets `doc.spans["thematic_clusters"]`,
    with labels and numbers that are the same in all.

    n_broader: the number of broader themes to group the themes into, 0 for none; each theme's
    `parent` is the label of its own.
    titles: whether each theme gets a title, the phrase of its sentences nearest to its centre;
    seed themes keep their name.
    seeds: themes to look for, a name and some example words or sentences for each. nlp: the
    pipeline that encodes these, and the phrases of titles. Each sentence goes to the nearest seed;
    if k is more than there are, the sentences that are like none of them form the remaining themes.
    Seed themes without sentences are left out.
    Raises ValueError if a Doc has no thematic vectors, if there is no sentence in any, for k or
    max_k below 1, for seeds or titles without nlp, and for seeds without a known word; TypeError
    for what is no Doc.
    """
    if (seeds or titles) and nlp is None:
        raise ValueError("Seed themes and titles need the pipeline that encodes them: pass nlp.")
    if k != "auto" and not (isinstance(k, int) and k >= 1):
        raise ValueError(f'Expected k to be "auto" or a number of at least 1, found {k!r}.')
    if max_k < 1:
        raise ValueError(f"Expected max_k to be at least 1, found {max_k}.")
    docs = list(docs)
    parts = [_get_sentences(doc) for doc in docs]
    widths = sorted({vectors.shape[1] for _, vectors in parts if len(vectors)})
    if len(widths) > 1:
        raise ValueError(
            f"The documents have vectors of different widths, {widths}: process them all with the "
            "same thematic_embedder."
        )
    sentences = [sentence for part, _ in parts for sentence in part]
    if not sentences:
        raise ValueError("The documents hold no sentences to cluster.")
    vectors = np.concatenate([vectors for _, vectors in parts if len(vectors)])
    origin = centre_of(vectors)
    rows = unit_rows(vectors, origin)
    if k == "auto":
        k = choose_by_silhouette(rows, cluster_rows, max_k, seed, weight=0.3, centre=False)
    if seeds and nlp is not None:
        directions = encode_seeds(nlp, seeds)
        labels = cluster_around_seeds(vectors, directions, _cluster_centred, k, seed)
    else:
        labels = cluster_rows(rows, k, seed)
    themes, labels = _describe(
        rows, labels, sentences, origin, n_keywords, n_broader, list(seeds or ())
    )
    for name, mixed in zip(themes.names, find_mixed(vectors, labels)):
        name.mixed = mixed
    if titles and nlp is not None:
        keywords = [name.keywords for name in themes.names]
        found = find_titles(nlp, sentences, vectors, labels, keywords, origin)
        for name, title in zip(themes.names, found):
            name.title = None if name.label in (seeds or ()) else title
    ends = np.cumsum([len(part) for part, _ in parts])
    for doc, part_labels in zip(docs, np.split(labels, ends[:-1])):
        themes.write(doc, part_labels)
    return themes


def _cluster_centred(vectors: np.ndarray, k: int, seed: int) -> np.ndarray:
    return cluster_rows(unit_rows(vectors), k, seed)


def _describe(
    rows: np.ndarray,
    labels: np.ndarray,
    sentences: Sequence[Span],
    origin: np.ndarray,
    n_keywords: int,
    n_broader: int,
    seeds: Sequence[str],
) -> tuple[CorpusThemes, np.ndarray]:
    """The themes, largest first, and for each row the index of its own. Empty ones are left out."""
    clusters, labels = np.unique(labels, return_inverse=True)
    sums, sizes = cluster_sums(rows, labels)
    order = np.argsort(-sizes, kind="stable")
    centres = unit_rows(sums[order], centre=False)
    words: list[list[str]] = [[] for _ in order]
    for sentence, label in zip(sentences, labels.tolist()):
        words[label].extend(content_words(sentence))
    given = [seeds[cluster] for cluster in clusters.tolist() if cluster < len(seeds)]
    parents = find_parents(rows, labels, words, n_broader)
    names = list(name_themes(order, words, n_keywords, given).values())
    for name, cluster in zip(names, order.tolist()):
        name.parent = parents[cluster]
    labels = np.argsort(order)[labels]
    nearest = [
        members[(rows[members] @ centre).argmax()]
        for centre, members in zip(
            centres, (np.flatnonzero(labels == c) for c in range(len(order)))
        )
    ]
    representatives = [sentences[row].text for row in nearest]
    return CorpusThemes(names, centres, origin, sizes[order].tolist(), representatives), labels


def _get_sentences(doc: Doc) -> tuple[list[Span], np.ndarray]:
    check_is_doc(doc)
    vectors = doc._.thematic_vectors
    if vectors is None or SENTENCES_KEY not in doc.spans:
        raise ValueError(
            f"The document that starts {doc[:8].text!r} has no thematic vectors: process it with "
            'a pipeline that has "thematic_embedder".'
        )
    return list(doc.spans[SENTENCES_KEY]), vectors
