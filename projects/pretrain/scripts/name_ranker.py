"""Learn which names of themes readers accept, for `spacy_thematic.naming.headings`.

    python scripts/name_ranker.py write TEXT [...] --model en_thematic_md --out FOLDER
    python scripts/name_ranker.py collect FOLDER [...] --out marks/names.npz
    python scripts/name_ranker.py learn marks/names.npz marks/names_[23].npz --out ranker.npz
    python scripts/name_ranker.py learn marks/names_of_texts.npz --out ranker_of_texts.npz

`write` makes a file for readers: sentences of themes, or with `--together` texts of those of each
file, a collection, and candidates with letters. A reader writes
a line for each into `marks.txt` of the folder, such as

    T17 | good: a f | fair: c h

where good is what stands on a slide as it is, fair what is tolerable, and all else unfit. `collect`
keeps the marks and the features of what was marked, and no text. `learn` grows regression trees on
them, and prints how the best candidate of a theme is marked, of texts that were not learned from.
"""

import json
import random
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
import typer
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.model_selection import GroupKFold
from tqdm import tqdm

import spacy_thematic
from spacy_thematic.articles.sources import ReadLog
from spacy_thematic.clustering.vectors import SentenceVectors
from spacy_thematic.naming.content import put_titles_above, read_content
from spacy_thematic.naming.headings import HeadingFinder, load_ranker
from spacy_thematic.pipeline.reading import get_encoded_sentences, read_doc
from spacy_thematic.pipeline.text_encoder import find_encoder
from spacy_thematic.pipeline.texts import make_doc, read_texts
from spacy_thematic.rows import group_by
from spacy_thematic.span_keys import CLUSTERS_KEY
from spacy_thematic.trees import Trees
from trees import SETTINGS, save_trees

MOST_OF_TEXT, FEWEST, SHOWN, BEST, OTHERS = 6, 3, 8, 13, 8
MOST_TEXTS, MOST_OF_COLLECTION = 600, 20
LETTERS = "abcdefghijklmnopqrstuvwxyz"
MARKS = {"good": 1.0, "fair": 0.5}
MARK = re.compile(r"T(\d+) \| good:([^|]*)\| fair:([^|]*)")
MOST_UNFIT = 8  # The unfit candidates of a theme that are kept, which stand for all of them.
FOLDS = 6
BINS = 31
app = typer.Typer()


@app.command()
def write(
    texts: list[Path] = typer.Argument(..., help="Of any kind that `cluster` reads"),
    model: str = typer.Option("en_thematic_md"),
    together: bool = typer.Option(False, help="Themes of all texts of a file"),
    out: Path = typer.Option(..., help="Folder"),
):
    """Write themes without headings of their own, and candidates for their names."""
    rng, nlp = random.Random(0), spacy_thematic.load(model)
    themes = []
    for path in tqdm(texts):
        docs = [make_doc(nlp, text) for text in read_texts([path], ReadLog())]
        if together:
            of_each = [[*find_themes_of_texts(nlp, rng.sample(docs, min(MOST_TEXTS, len(docs))))]]
        else:
            of_each = [[*find_themes(nlp, doc)] for doc in docs]
        most = MOST_OF_COLLECTION if together else MOST_OF_TEXT
        for found in of_each:
            for theme in rng.sample(found, min(most, len(found))):
                themes.append({"source": path.name, **choose_candidates(theme, rng)})
    out.mkdir(parents=True, exist_ok=True)
    with (out / "themes.jsonl").open("w") as lines, (out / "themes.txt").open("w") as shown:
        for number, theme in enumerate(themes):
            lines.write(json.dumps(theme) + "\n")
            candidates = "  ".join(map(") ".join, zip(LETTERS, theme["names"])))
            sentences = "".join(f"- {sentence[:150]}\n" for sentence in theme["sentences"])
            shown.write(f"### T{number} | {theme['source']}\n{sentences}{candidates}\n\n")


def find_themes(nlp, doc) -> Iterator[dict]:
    """The sentences of each theme, its candidates, their features, (p, features), and the marks of
    today's ranker, (p,)."""
    for _, component in nlp.pipeline:
        doc = component(doc)
    reading = read_doc(doc, find_encoder(nlp, doc), "name_ranker")
    numbers = {
        sentence.start: theme.number
        for theme in doc._.thematic_clusters
        for sentence in theme.sentences
    }
    kept = [row for row, one in enumerate(reading.sentences) if one.start in numbers]
    if not kept:
        return
    reading = reading.take(np.array(kept))
    labels = np.array([numbers[sentence.start] for sentence in reading.sentences])
    finder = reading.make_finder(np.unique(labels, return_inverse=True)[1])
    yield from iter_candidates(finder, load_ranker("sentences"))


def find_themes_of_texts(nlp, docs: list) -> Iterator[dict]:
    """The same for the themes, and the broader ones, of a collection: its texts, as far as they
    have each theme, in place of sentences."""
    with nlp.select_pipes(disable=["thematic_clusterer"]):
        docs = [*nlp.pipe(docs)]
    found = spacy_thematic.cluster_docs(docs, nlp=nlp)
    themes = {theme.number: theme for theme in found.themes}
    spans, rows = [], []
    for doc in docs:
        vectors = SentenceVectors(get_encoded_sentences(doc)[1]).raw
        for span, row in zip(doc.spans[CLUSTERS_KEY], vectors):
            if span.id:
                spans.append(span)
                rows.append(row)
    contents = read_content(spans)
    put_titles_above(contents, spans)
    labels = np.unique([span.id for span in spans], return_inverse=True)[1]
    encoder, unit = find_encoder(nlp, docs[0]), SentenceVectors(np.stack(rows)).unit
    finder = HeadingFinder(group_by(contents, labels), unit, labels, encoder.score_headings)
    numbers = sorted({span.id for span in spans})
    parents = [themes[number].parent or f"alone {number}" for number in numbers]
    for one in (finder, finder.merge(np.unique(parents, return_inverse=True)[1])):
        yield from iter_candidates(one, load_ranker("texts"))


def iter_candidates(finder: HeadingFinder, rank: Trees) -> Iterator[dict]:
    """The groups that are not named by headings of the text, with their candidates."""
    known = finder.candidates
    if known is None:
        return
    found, scores = known
    features = np.stack([*found.features.values()], axis=1)
    marks = rank(found.features)
    for number, group in enumerate(finder.groups):
        own = np.flatnonzero(found.groups == number)
        if len(group) >= FEWEST and len(own) and not group[0].above:
            texts: dict[int, list[str]] = {}
            for content in group:
                texts.setdefault(content.doc, []).append(" ".join(content.text.split()))
            told = [*texts.values()]
            yield {
                "sentences": told[0] if len(told) == 1 else [*map(" ".join, told)],
                "names": [scores.headings[column] for column in found.columns[own].tolist()],
                "columns": [*found.features],
                "features": features[own],
                "marks": marks[own],
            }


def choose_candidates(theme: dict, rng: random.Random) -> dict:
    """The best candidates by today's ranker, and some others, in any order."""
    order = np.argsort(-theme["marks"]).tolist()
    rest = order[BEST:]
    chosen = order[:BEST] + rng.sample(rest, min(OTHERS, len(rest)))
    rng.shuffle(chosen)
    spread = np.linspace(0, len(theme["sentences"]) - 1, SHOWN).round().astype(int)
    return {
        "sentences": [theme["sentences"][place] for place in sorted({*spread.tolist()})],
        "names": [theme["names"][place] for place in chosen],
        "columns": theme["columns"],
        "features": theme["features"][chosen].round(4).tolist(),
    }


@app.command()
def collect(folders: list[Path], out: Path = typer.Option(...)):
    """Keep marks and features: no text."""
    rng = random.Random(0)
    rows, marks, weights, themes, texts = [], [], [], [], []
    for folder in folders:
        known = [json.loads(line) for line in (folder / "themes.jsonl").open()]
        for line in (folder / "marks.txt").open():
            if found := MARK.match(line):
                theme = known[int(found[1])]
                given = np.zeros(len(theme["names"]))
                for mark, letters in zip(MARKS.values(), (found[2], found[3])):
                    given[[LETTERS.index(letter) for letter in letters.split()]] = mark
                unfit = np.flatnonzero(given == 0).tolist()
                left_out = rng.sample(unfit, max(0, len(unfit) - MOST_UNFIT))
                kept = np.delete(np.arange(len(given)), left_out)
                given = given[kept]
                weight = len(unfit) / max(1, len(unfit) - len(left_out))
                rows += [theme["features"][place] for place in kept.tolist()]
                marks += given.tolist()
                weights += np.where(given == 0, weight, 1).tolist()
                themes += [themes[-1] + 1 if themes else 0] * len(given)
                texts += [f"{folder}/{theme['source']}"] * len(given)
    of_text = np.unique(texts, return_inverse=True)[1]
    bins, binned = bin_columns(np.array(rows, "f"))
    np.savez_compressed(
        out,
        names=" ".join(known[0]["columns"]),
        bins=bins,
        rows=binned,
        marks=np.array(marks, np.float16),
        weights=np.array(weights, np.float16),
        themes=np.array(themes, np.uint16),
        texts=of_text.astype(np.uint16),
    )


def bin_columns(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The middles of some bins of each column, (bins, columns), and the bin of each value, uint8
    (n, columns), the number of bins where none is known: trees ask for no more."""
    quantiles = np.nanquantile(rows, np.linspace(0, 1, BINS), axis=0).astype("f")
    binned = [
        np.searchsorted((own[1:] + own[:-1]) / 2, values)
        for own, values in zip(quantiles.T, rows.T)
    ]
    return quantiles, np.where(np.isnan(rows), BINS, np.stack(binned, axis=1)).astype(np.uint8)


def read_rows(known: Mapping[str, np.ndarray], names: list[str]) -> np.ndarray:
    """The features of a file of marks, those of `names`, NaN where one is not known."""
    bins, binned, own = known["bins"], known["rows"], str(known["names"]).split()
    middles = np.vstack([bins, np.full(bins.shape[1], np.nan, "f")])
    found = np.full((len(binned), len(names)), np.nan, "f")
    found[:, [*map(names.index, own)]] = np.take_along_axis(middles, binned.astype(int), axis=0)
    return found


@app.command()
def learn(files: list[Path], out: Path = typer.Option(...)):
    """Grow trees on files of marks, whose readers and features may differ. The last one has the
    features of all."""
    known = [dict(np.load(path)) for path in files]
    names = str(known[-1]["names"]).split()
    rows = np.concatenate([read_rows(own, names) for own in known])
    marks = np.concatenate([own["marks"].astype(float) for own in known])
    weights = np.concatenate([own.get("weights", np.ones(len(own["marks"]))) for own in known])
    themes, texts = (number_in_all([own[name] for own in known]) for name in ("themes", "texts"))
    expected = np.zeros(len(marks))
    for learned, held in GroupKFold(FOLDS, shuffle=True, random_state=0).split(rows, groups=texts):
        trees = make_trees().fit(rows[learned], marks[learned], weights[learned])
        expected[held] = trees.predict(rows[held])
    order = np.lexsort((-expected, themes))
    best = order[np.unique(themes[order], return_index=True)[1]]
    of_file = np.repeat(np.arange(len(files)), [len(own["marks"]) for own in known])
    for number, path in enumerate(files):
        own = marks[best[of_file[best] == number]]
        print(f"{path}: {len(own)} themes, {np.sum(of_file == number)} candidates")
        print(f"best candidate good: {np.mean(own == 1):.3f}, or fair: {np.mean(own > 0):.3f}")
    save_trees(out, names, make_trees().fit(rows, marks, weights))


def number_in_all(numbers: list[np.ndarray]) -> np.ndarray:
    """Numbers of one file after those of another, so that none means two things."""
    sizes = np.cumsum([0, *(own.max() + 1 for own in numbers)]).tolist()
    return np.concatenate([own + size for own, size in zip(numbers, sizes)])


def make_trees() -> HistGradientBoostingRegressor:
    settings = {**SETTINGS, "max_iter": 500}
    return HistGradientBoostingRegressor(learning_rate=0.06, min_samples_leaf=40, **settings)


if __name__ == "__main__":
    app()
