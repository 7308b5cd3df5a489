"""Learn where readers cut texts, for `spacy_thematic.segmentation.gaps`.

    python scripts/gap_trees.py write TEXT [...] --out FOLDER
    python scripts/gap_trees.py collect FOLDER [...] --articles FILE --out marks/outlines.npz
    python scripts/gap_trees.py learn marks/outlines.npz --out gaps.npz

`write` makes a file for readers: numbered sentences of texts. A reader writes an outline of each
into `outlines.txt` of the folder, such as

    ##### speech.txt
    1-12 | Price of the ticket
    13-14 | -
    15-31 | Plans for the line

where "-" is for sentences of no theme. `collect` keeps what is known of the gaps, and whether a
theme begins after them: no text. The sections of articles, without their headings, are outlines
too. If the nets of boundaries have learned from the same outlines, `--models` is a folder with the
folders 0 and 1, each with models that have learned from the outlines of the other fold alone.
`learn` grows trees on both, with and without paragraphs, and prints how well they tell the gaps of
texts that they have not learned from.
"""

import random
import re
import zlib
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import spacy
import srsly
import typer
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.metrics import average_precision_score
from sklearn.model_selection import GroupKFold
from spacy.language import Language
from spacy.tokens import Doc
from tqdm import tqdm

import spacy_thematic
from spacy_thematic.articles.sources import ReadLog
from spacy_thematic.pipeline.reading import read_doc
from spacy_thematic.pipeline.text_encoder import find_encoder
from spacy_thematic.pipeline.texts import read_texts
from trees import SETTINGS, save_trees

MODELS = "en_thematic_sm", "en_thematic_md"
OUTLINE_FOLDS = 2
NAME, RUN = re.compile(r"##### (\S+)"), re.compile(r"(\d+)(?:-(\d+))? *\| *(.*)")
FEWEST, MOST, SHOWN = 30, 150, 330
SOURCE = re.compile(r"_\d+\.\w+$")
"""What differs between the names of texts of one source."""

BEGINS, WITHIN, UNKNOWN = 1, 0, -1
FOLDS = 5

app = typer.Typer()


class Outlined(NamedTuple):
    """A text, where its sentences start, and the theme of each; and the fold of the outline, None
    of a text that is none."""

    text: str
    starts: list[int]
    known: list
    fold: int | None = None


@app.command()
def write(texts: list[Path], out: Path = typer.Option(..., help="Folder")):
    """Write the sentences of texts, the first 150 of each, for readers."""
    nlp = spacy_thematic.load(MODELS[0])

    def read(path: Path) -> Doc:
        text = next(iter(read_texts([path], ReadLog())))
        return encode(nlp, "\n\n".join(text.paragraphs))

    write_sentences(texts, out, read, FEWEST, MOST)


def write_sentences(
    texts: list[Path], out: Path, read: Callable[[Path], Doc], fewest: int, most: int
) -> None:
    """Write the first numbered sentences of texts with enough of them for readers, and where these
    start."""
    out.mkdir(parents=True, exist_ok=True)
    known = []
    with (out / "texts.txt").open("w") as shown:
        for path in tqdm(texts):
            doc = read(path)
            sentences = [*doc.spans["thematic_sentences"]][:most]
            if len(sentences) < fewest:
                continue
            starts = [sentence.start_char for sentence in sentences]
            end = sentences[-1].end_char
            where = {"name": path.name, "path": str(path.resolve())}
            known.append({**where, "text": doc.text[:end], "starts": starts})
            shown.write(f"##### {path.name} ({len(sentences)} sentences)\n")
            for number, sentence in enumerate(sentences, 1):
                shown.write(f"{number} {' '.join(sentence.text.split())[:SHOWN]}\n")
    srsly.write_jsonl(out / "texts.jsonl", known)


@app.command()
def collect(
    folders: list[Path],
    articles: list[Path] = typer.Option([], help="Sectioned articles, .jsonl.gz"),
    n_articles: int = typer.Option(150, help="Of each file"),
    models: Path | None = typer.Option(None, help="Folder of the models of each fold"),
    out: Path = typer.Option(...),
):
    """Keep what is known of gaps, and labels: no text."""
    texts = [text for folder in folders for text in read_themes(folder)]
    n_outlines = len(texts)
    texts += [text for path in articles for text in read_articles(path, n_articles)]
    names: list[str] = []
    rows, learned, labels, numbers = [], [], [], []
    for number, text in enumerate(tqdm(texts)):
        pipelines = [load_pipeline(name, models, text.fold) for name in MODELS]
        places, of_each = measure(pipelines, text.text)
        gaps = of_each[0]
        theme_of = dict(zip(text.starts, text.known))
        themes = [theme_of.get(place, "-") for place in places]
        names = [name for name in gaps if name != "learned"]
        rows.append(np.stack([gaps[name] for name in names], axis=1))
        learned.append(np.stack([of_model["learned"] for of_model in of_each], axis=1))
        labels += map(label_gap, themes, themes[1:])
        numbers += [number] * (len(places) - 1)
    np.savez_compressed(
        out,
        names=" ".join(names),
        rows=np.concatenate(rows).astype(np.float16),
        learned=np.concatenate(learned).astype(np.float16),
        labels=np.array(labels, np.int8),
        texts=np.array(numbers, np.uint16),
        is_outline=np.array(numbers) < n_outlines,
    )


@cache
def load_pipeline(name: str, models: Path | None, fold: int | None) -> Language:
    """Load a model that has not learned from the outlines of a fold; the bundled one without
    models, or a fold."""
    if models is None or fold is None:
        return spacy_thematic.load(name)
    return spacy_thematic.load(models / str(fold) / f"{name}.safetensors")


def read_themes(folder: Path) -> Iterator[Outlined]:
    """Outlined texts, with the theme of each sentence."""
    for text, themes in read_records(folder):
        yield Outlined(text["text"], text["starts"], themes, find_fold(text["name"]))


def find_fold(name: str) -> int:
    """The fold of a text by its name, the same for those of one source."""
    return zlib.crc32(SOURCE.sub("", name).encode()) % OUTLINE_FOLDS


def read_records(folder: Path) -> Iterator[tuple[dict, list[str]]]:
    """The records of texts that are outlined, and the theme of each of their sentences."""
    runs: dict[str, list[tuple[int, str]]] = {}
    for line in (folder / "outlines.txt").read_text().splitlines():
        if name := NAME.match(line):
            own = runs[name[1]] = []
        elif run := RUN.match(line):
            own += [
                (number, run[3].strip()) for number in range(int(run[1]), int(run[2] or run[1]) + 1)
            ]
    for text in srsly.read_jsonl(folder / "texts.jsonl"):
        themes = [theme for _, theme in runs.get(text["name"], ())]
        if len(themes) == len(text["starts"]):
            yield text, themes


def label_gap(before: Any, after: Any) -> int:
    """What is known of a gap between sentences of two themes, or of two parts of one."""
    if "-" in (before, after):
        return UNKNOWN
    if isinstance(before, tuple) and before[0] == after[0] and before != after:
        return UNKNOWN
    return BEGINS if before != after else WITHIN


def read_articles(path: Path, n: int) -> Iterator[Outlined]:
    """The same of random articles. A theme is a section of the second level and a part of it, for
    it is not known whether one begins with a section below it."""
    known = [*srsly.read_gzip_jsonl(path)]
    nlp = spacy.blank("en")
    nlp.add_pipe("thematic_sentencizer")
    for article in random.Random(0).sample(known, min(n, len(known))):
        text, starts, themes, section = "", [], [], 0
        for part, own in enumerate(article["sections"]):
            section += own.get("level", 2) <= 2
            for paragraph in own["paragraphs"]:
                found = [len(text) + sentence.start_char for sentence in nlp(paragraph).sents]
                starts += found
                themes += [(section, part)] * len(found)
                text += paragraph + "\n\n"
        if FEWEST <= len(starts) <= 2 * MOST:
            yield Outlined(text.strip(), starts, themes)


def measure(pipelines, text: str) -> tuple[list[int], list[dict[str, np.ndarray]]]:
    """Where the sentences of a text start that say something, as the last pipeline tells, and what
    is known of the gaps between them by each."""
    docs = [encode(nlp, text) for nlp in pipelines]
    readings = [
        read_doc(doc, find_encoder(nlp, doc), "gap_trees") for nlp, doc in zip(pipelines, docs)
    ]
    said = readings[-1].not_asides
    taken = [reading.take(said) for reading in readings]
    starts = [sentence.start_char for sentence in taken[0].sentences]
    return starts, [reading.measure_gaps() for reading in taken]


def encode(nlp, text: str | Doc) -> Doc:
    return nlp(text, disable=["thematic_segmenter", "thematic_clusterer"])


@app.command()
def learn(marks: Path, out: Path = typer.Option(...)):
    """Grow trees on outlines and articles."""
    with np.load(marks) as known:
        names = str(known["names"]).split()
        rows, learned = known["rows"].astype("f"), known["learned"].astype("f")
        labels, texts, is_outline = known["labels"], known["texts"], known["is_outline"]
    expected = np.zeros(len(labels))
    for grown, held in GroupKFold(FOLDS, shuffle=True, random_state=0).split(rows, groups=texts):
        trees = grow(names, rows[grown], learned[grown], labels[grown])
        expected[held] = trees.decision_function(np.column_stack([rows[held], learned[held, 1]]))
    for name, own in (("outlines", is_outline), ("articles", ~is_outline)):
        own = own & (labels != UNKNOWN)
        precision = average_precision_score(labels[own], expected[own])
        of_net = average_precision_score(labels[own], learned[own, 1])
        n = len(np.unique(texts[own]))
        print(f"{n} {name}, {own.sum()} gaps: average precision {precision:.3f}, net {of_net:.3f}")
    save_trees(out, [*names, "learned"], grow(names, rows, learned, labels))


def grow(
    names: list[str], rows: np.ndarray, learned: np.ndarray, labels: np.ndarray
) -> HistGradientBoostingClassifier:
    """Trees of gaps with each net, with and without paragraphs, and without a net."""
    of_paragraphs = [n for n, name in enumerate(names) if "paragraph" in name or "ends" in name]
    bare = rows.copy()
    bare[:, of_paragraphs] = np.nan
    none = np.full(len(rows), np.nan)
    ways = [(rows, net) for net in learned.T] + [(bare, net) for net in learned.T] + [(rows, none)]
    known = labels != UNKNOWN
    trees = HistGradientBoostingClassifier(learning_rate=0.05, min_samples_leaf=200, **SETTINGS)
    return trees.fit(
        np.concatenate([np.column_stack(way)[known] for way in ways]),
        np.tile(labels[known], len(ways)),
    )


if __name__ == "__main__":
    app()
