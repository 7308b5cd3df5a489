"""Learn which sentences say nothing of a theme, for `spacy_thematic.clustering.asides`.

    python scripts/aside_trees.py write TEXT [...] --out FOLDER
    python scripts/aside_trees.py collect FOLDER [...] --out marks/asides.npz
    python scripts/aside_trees.py learn marks/asides.npz marks/asides_2.npz --out asides.npz

`write` makes a file for readers: numbered sentences of texts. A reader writes a line a text into
`asides.txt` of the folder, with the numbers of the sentences that an editor would leave out who
outlines the text:

    speech.txt | 1-4 9 33-35

In place of it there may be outlines, as `gap_trees.py` has them: what has the theme "-" was left
out. `collect` keeps what is known of the sentences, and whether they were left out: no text. Each
text is also read in pieces of a few sentences, as short texts are. `learn` grows trees, and prints
how well they tell the sentences of kinds of text that they have not learned from.
"""

import random
import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np
import srsly
import typer
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import average_precision_score
from sklearn.model_selection import GroupKFold
from spacy.tokens import Doc
from tqdm import tqdm

import spacy_thematic
from gap_trees import MODELS, encode, read_records, write_sentences
from spacy_thematic.articles.sources import ReadLog
from spacy_thematic.clustering.asides import measure_around
from spacy_thematic.pipeline.reading import Reading, read_doc
from spacy_thematic.pipeline.text_encoder import find_encoder
from spacy_thematic.pipeline.texts import make_doc, read_texts
from trees import SETTINGS, save_trees

NUMBERS = re.compile(r"(\d+)(?:-(\d+))?")
KIND = re.compile(r"[-_]\d+\..*")
UNKNOWN = -1
FEWEST, MOST = 12, 130
LONGEST_PIECE = 8
FOLDS = 8
THRESHOLDS = 0.0, 0.7, 1.0

app = typer.Typer()


@app.command()
def write(texts: list[Path], out: Path = typer.Option(..., help="Folder")):
    """Write the sentences of texts, the first 130 of each, for readers."""
    nlp = spacy_thematic.load(MODELS[0])
    write_sentences(texts, out, partial(read_file, nlp), FEWEST, MOST)


@app.command()
def collect(folders: list[Path], out: Path = typer.Option(...)):
    """Keep what is known of sentences, and labels: no text."""
    pipelines = [spacy_thematic.load(name) for name in MODELS]
    marks = [mark for folder in folders for mark in read_marks(folder)]
    groups = sorted({group for group, _, _ in marks})
    columns: dict[str, list[np.ndarray]] = {name: [] for name in ("rows", "likeness", "labels")}
    of_each, names = [], {}
    for group, path, labels in tqdm(marks):
        for of_models in zip(*(read_whole_and_pieces(nlp, path) for nlp in pipelines)):
            (start, reading), *_ = of_models
            known = reading.measure_sentences()
            likeness = [read.compare_kinds() for _, read in of_models]
            names = {"names": [*known], "kinds": [*likeness[0]]}
            columns["rows"].append(np.stack([*known.values()], axis=1))
            columns["likeness"].append(
                np.stack([np.stack([*own.values()], axis=1) for own in likeness], axis=1)
            )
            starts = [start + sentence.start_char for sentence in reading.sentences]
            columns["labels"].append(np.array([labels.get(place, UNKNOWN) for place in starts]))
            of_each.append((len(starts), groups.index(group)))
    lengths, of_groups = np.array(of_each).T
    np.savez_compressed(
        out,
        **{name: " ".join(own) for name, own in names.items()},
        rows=np.concatenate(columns["rows"]).astype(np.float16),
        likeness=np.round(100 * np.concatenate(columns["likeness"])).astype(np.int8),
        labels=np.concatenate(columns["labels"]).astype(np.int8),
        lengths=lengths.astype(np.uint16),
        groups=of_groups.astype(np.uint16),
    )


def read_marks(folder: Path) -> Iterator[tuple[str, Path, dict[int, int]]]:
    """The kind of each text, its file, and whether the sentence that starts somewhere is an
    aside."""
    if not (folder / "asides.txt").exists():
        for text, themes in read_records(folder):
            labels = {at: int(theme == "-") for at, theme in zip(text["starts"], themes)}
            yield folder.name + KIND.sub("", text["name"]), Path(text["path"]), labels
        return
    lines = (folder / "asides.txt").read_text().splitlines()
    marks = dict(map(str.strip, line.split("|")) for line in lines)
    for text in srsly.read_jsonl(folder / "texts.jsonl"):
        if text["name"] in marks:
            runs = [(int(a), int(b or a)) for a, b in NUMBERS.findall(marks[text["name"]])]
            asides = {number for a, b in runs for number in range(a, b + 1)}
            labels = {at: int(n in asides) for n, at in enumerate(text["starts"], 1)}
            yield folder.name + KIND.sub("", text["name"]), Path(text["path"]), labels


def read_whole_and_pieces(nlp, path: Path) -> Iterator[tuple[int, Reading]]:
    """Where a text starts, and its reading; then the same of its pieces."""
    doc = read_file(nlp, path)
    yield 0, read(nlp, doc)
    starts = [sentence.start_char for sentence in doc.spans["thematic_sentences"]]
    rng, place = random.Random(path.name), 0
    while place < min(len(starts), MOST):
        after = place + rng.randint(1, LONGEST_PIECE)
        start, end = starts[place], [*starts, len(doc.text)][min(after, len(starts))]
        yield start, read(nlp, encode(nlp, doc.text[start:end]))
        place = after


def read_file(nlp, path: Path) -> Doc:
    return encode(nlp, make_doc(nlp, next(iter(read_texts([path], ReadLog())))))


def read(nlp, doc: Doc) -> Reading:
    return read_doc(doc, find_encoder(nlp, doc), "aside_trees")


@app.command()
def learn(marks: list[Path], out: Path = typer.Option(...)):
    """Grow trees on files of marks, whose readers may differ in what they leave out."""
    files = [dict(np.load(path)) for path in marks]
    names, kinds = (str(files[0][name]).split() for name in ("names", "kinds"))
    rows, likeness, labels, lengths = (
        np.concatenate([file[name] for file in files])
        for name in ("rows", "likeness", "labels", "lengths")
    )
    rows, likeness = rows.astype("f"), likeness / 100
    groups = np.concatenate([file["groups"] + 1000 * n for n, file in enumerate(files)])
    file_of = np.repeat(np.arange(len(files)), [len(file["labels"]) for file in files])
    known, of_each = labels != UNKNOWN, np.repeat(groups, lengths)
    odds = np.zeros((len(MODELS), len(labels)))
    folds = GroupKFold(FOLDS, shuffle=True, random_state=0)
    for grown, held in folds.split(rows, groups=of_each):
        grown = grown[known[grown]]
        weights = weigh_kinds(likeness[grown], labels[grown])
        columns = add_around(rows, likeness, weights, lengths)
        trees = grow([own[grown] for own in columns], labels[grown])
        odds[:, held] = [trees.decision_function(own[held]) for own in columns]
    for name, of_model in zip(MODELS, odds):
        for number, path in enumerate(marks):
            of_file = known & (file_of == number)
            own, label = of_model[of_file], labels[of_file]
            told = [
                f"above {least}: {label[own > least].mean():.2f} right, "
                f"{(own > least)[label == 1].mean():.2f} found"
                for least in THRESHOLDS
            ]
            precision = average_precision_score(label, own)
            print(f"{name}, {path.name}, {len(own)}: average precision {precision:.3f}", *told)
    weights = weigh_kinds(likeness[known], labels[known])
    columns = add_around(rows, likeness, weights, lengths)
    trees = grow([own[known] for own in columns], labels[known])
    save_trees(out, [*names, *kinds, *measure_around(np.zeros(1))], trees)
    with np.load(out) as file:
        np.savez_compressed(out, **file, kinds=" ".join(kinds), weights=weights)


def weigh_kinds(likeness: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """The weights of the kinds for any encoder, and what is added, (kinds + 1,)."""
    model = LogisticRegression(C=3, max_iter=3000)
    model.fit(
        np.concatenate([*likeness.swapaxes(0, 1)]), np.repeat([labels], len(MODELS), 0).ravel()
    )
    return np.append(model.coef_, model.intercept_)


def add_around(rows, likeness, weights, lengths) -> list[np.ndarray]:
    """All that the trees may ask for, (sentences, features), by each encoder."""
    found = []
    for own in likeness.swapaxes(0, 1):
        odds = np.split(own @ weights[:-1] + weights[-1], np.cumsum(lengths)[:-1])
        around = [np.stack([*measure_around(of_text).values()], axis=1) for of_text in odds]
        found.append(np.hstack([rows, own, np.concatenate(around)]))
    return found


def grow(ways: list[np.ndarray], labels: np.ndarray) -> HistGradientBoostingClassifier:
    trees = HistGradientBoostingClassifier(learning_rate=0.06, min_samples_leaf=60, **SETTINGS)
    return trees.fit(np.concatenate(ways), np.tile(labels, len(ways)))


if __name__ == "__main__":
    app()
