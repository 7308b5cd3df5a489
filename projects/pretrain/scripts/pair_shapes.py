"""Learn which sentences have one theme, for `spacy_thematic.segmentation.pairs`.

    python scripts/pair_shapes.py collect FOLDER [...] --articles FILE --out marks/pairs.npz
    python scripts/pair_shapes.py learn marks/pairs.npz --out pairs.npz

`collect` reads outlines of texts, as `gap_trees.py` describes them, and sections of articles, with
and without their paragraphs. Of each text it keeps what is known of some pairs of sentences, and
whether they have one theme: no text. `learn` grows trees of a single split, whose sum is a function
of each feature, and prints how well they tell the pairs of texts that they have not learned from.
"""

import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import spacy
import srsly
import typer
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GroupKFold
from tqdm import tqdm

from gap_trees import FOLDS, MODELS, Outlined, encode, load_pipeline, read_themes
from spacy_thematic.pipeline.reading import find_clustered, read_doc
from spacy_thematic.pipeline.text_encoder import find_encoder
from spacy_thematic.segmentation.pairs import measure_pairs

PAIRS = 75
FEWEST_SENTENCES = 6
SHORTEST, LONGEST = 2_500, 60_000
OF_ARTICLES = 0.3
"""How much pairs of articles count: their sections are coarser than what readers divide."""

SETTINGS = {
    "learning_rate": 0.1,
    "max_iter": 300,
    "max_leaf_nodes": 2,
    "min_samples_leaf": 100,
    "max_features": 0.5,
    "l2_regularization": 5,
    "random_state": 0,
}

app = typer.Typer()


@app.command()
def collect(
    folders: list[Path],
    articles: list[Path] = typer.Option([], help="Sectioned articles, .jsonl.gz"),
    n_articles: int = typer.Option(150, help="Of each file"),
    models: Path | None = typer.Option(None, help="Folder of the models of each fold"),
    out: Path = typer.Option(...),
):
    """Keep what is known of pairs of sentences, and whether they have one theme."""
    texts = [text for folder in folders for text in read_themes(folder)]
    n_outlines = len(texts)
    texts += [text for path in articles for text in read_articles(path, n_articles)]
    rng = np.random.default_rng(0)
    rows, labels, numbers = [], [], []
    names: list[str] = []
    for model in MODELS:
        for number, (text, starts, themes, fold) in enumerate(tqdm(texts)):
            nlp = load_pipeline(model, models, fold)
            doc = encode(nlp, text)
            reading = read_doc(doc, find_encoder(nlp, doc), "pair_shapes")
            kept = find_clustered(doc, reading.sentences, reading.vectors, True)
            if len(kept) < FEWEST_SENTENCES:
                continue
            reading = reading.take(kept)
            known = dict(zip(starts, themes))
            own = [known.get(sentence.start_char, "-") for sentence in reading.sentences]
            of_each = np.unique(own, return_inverse=True)[1]
            first, second = np.triu_indices(len(own), 1)
            has_theme = np.array([theme != "-" for theme in own])
            pairs = np.flatnonzero(has_theme[first] & has_theme[second])
            pairs = np.sort(rng.choice(pairs, min(PAIRS, len(pairs)), replace=False))
            measured = dict(
                measure_pairs(
                    reading.vectors, reading.log_odds, reading.word_keys, reading.paragraph_ends
                )
            )
            names = [*measured]
            rows.append(np.stack([measured[name][pairs] for name in names], axis=1))
            labels.append((of_each[first] == of_each[second])[pairs])
            numbers += [number] * len(pairs)
    np.savez_compressed(
        out,
        names=" ".join(names),
        rows=np.concatenate(rows).astype(np.float16),
        labels=np.concatenate(labels),
        texts=np.array(numbers, np.uint16),
        is_outline=np.array(numbers) < n_outlines,
    )


def read_articles(path: Path, n: int) -> Iterator[Outlined]:
    """Random articles, with and without blank lines between their paragraphs; where each sentence
    starts, and the section of the second level that it stands in."""
    known = [*srsly.read_gzip_jsonl(path)]
    nlp = spacy.blank("en")
    nlp.add_pipe("thematic_sentencizer")
    for article in random.Random(0).sample(known, min(n, len(known))):
        number, paragraphs = 0, []
        for section in article["sections"]:
            number += section.get("level", 2) <= 2
            paragraphs += [(str(number), text) for text in section["paragraphs"]]
        if SHORTEST < sum(len(text) for _, text in paragraphs) < LONGEST:
            for divider in ("\n\n", "  "):
                place, starts, themes = 0, [], []
                for theme, text in paragraphs:
                    own = [place + sentence.start_char for sentence in nlp(text).sents]
                    starts, themes = starts + own, themes + [theme] * len(own)
                    place += len(text) + len(divider)
                yield Outlined(divider.join(text for _, text in paragraphs), starts, themes)


@app.command()
def learn(marks: Path, out: Path = typer.Option(...)):
    """Grow the shapes of outlines and articles."""
    with np.load(marks) as known:
        names = str(known["names"]).split()
        rows, labels = known["rows"].astype("f"), known["labels"]
        texts, is_outline = known["texts"], known["is_outline"]
    expected = np.zeros(len(labels))
    weights = np.where(is_outline, 1, OF_ARTICLES)
    for grown, held in GroupKFold(FOLDS, shuffle=True, random_state=0).split(rows, groups=texts):
        trees = grow(rows[grown], labels[grown], weights[grown])
        expected[held] = trees.decision_function(rows[held])
    for name, own in (("outlines", is_outline), ("articles", ~is_outline)):
        n = len(np.unique(texts[own]))
        print(f"{n} {name}: ROC AUC {roc_auc_score(labels[own], expected[own]):.3f}")
    save_shapes(out, names, grow(rows, labels, weights))


def grow(rows: np.ndarray, labels: np.ndarray, weights: np.ndarray):
    return HistGradientBoostingClassifier(**SETTINGS).fit(rows, labels, sample_weight=weights)


def save_shapes(out: Path, names: list[str], trees: HistGradientBoostingClassifier) -> None:
    """Write what each value of each feature adds to the log odds."""
    splits: dict[str, list[tuple[float, float, float, bool]]] = {name: [] for name in names}
    for (tree,) in trees._predictors:
        root, left, right = (
            tree.nodes[0],
            *(tree.nodes[tree.nodes[0][s]] for s in ("left", "right")),
        )
        splits[names[root["feature_idx"]]].append(
            (root["num_threshold"], left["value"], right["value"], bool(root["missing_go_to_left"]))
        )
    arrays = {"bias": np.float32(trees._baseline_prediction.item())}
    for name, own in splits.items():
        limits = np.array(sorted({limit for limit, *_ in own} | {np.inf}), "f")
        added = np.zeros(len(limits) + 1)
        for limit, left, right, is_left in own:
            added[:-1] += np.where(limits <= np.float32(limit), left, right)
            added[-1] += left if is_left else right
        arrays |= {f"limits {name}": limits, f"added {name}": added.astype("f")}
    np.savez_compressed(out, **arrays)


if __name__ == "__main__":
    app()
