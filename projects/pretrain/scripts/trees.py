"""Grow the trees that the package ships, from what readers marked in texts.

    python scripts/trees.py gaps marks/outlines.npz --out gaps.npz
    python scripts/trees.py pairs marks/pairs.npz --out pairs.npz
    python scripts/trees.py asides marks/asides.npz marks/asides_2.npz --out asides.npz
    python scripts/trees.py names marks/names.npz marks/names_2.npz --out ranker.npz

Files of marks hold features and labels, without the texts. Each command prints how well trees tell
the marks of texts that they have not learned from.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import typer
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import average_precision_score, roc_auc_score
from sklearn.model_selection import GroupKFold

from spacy_thematic.clustering.asides import measure_around

MODELS = "en_thematic_sm", "en_thematic_md"
"""The encoders of the marks, in their order."""

UNKNOWN = -1
"""A label."""

LEAVES = 8
"""Of a tree, at most: a bit each."""

SETTINGS: dict[str, Any] = {
    "max_iter": 250,
    "max_leaf_nodes": LEAVES,
    "max_features": 0.4,
    "l2_regularization": 5,
    "random_state": 0,
}
"""Of the gradient boosting of all trees but those of pairs."""

PAIR_SETTINGS = {
    "learning_rate": 0.1,
    "max_iter": 300,
    "max_leaf_nodes": 2,
    "min_samples_leaf": 100,
    "max_features": 0.5,
    "l2_regularization": 5,
    "random_state": 0,
}
OF_ARTICLES = 0.3
"""How much pairs of articles count: their sections are coarser than what readers divide."""

THRESHOLDS = 0.0, 0.7, 1.0
"""Log odds above which the sentences that are told to be asides are counted."""

Classifier, Regressor = HistGradientBoostingClassifier, HistGradientBoostingRegressor
app = typer.Typer(help=__doc__)


def split(groups: np.ndarray, n: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """The rows to learn from and those held out, n times: no group is in both."""
    return GroupKFold(n, shuffle=True, random_state=0).split(groups, groups=groups)


@app.command()
def gaps(marks: Path, out: Path = typer.Option(...)):
    """Where readers, and sections of articles, cut texts: `spacy_thematic.segmentation.gaps`."""
    with np.load(marks) as known:
        names = str(known["names"]).split()
        rows, learned = known["rows"].astype("f"), known["learned"].astype("f")
        labels, texts, is_outline = known["labels"], known["texts"], known["is_outline"]
    expected = np.zeros(len(labels))
    for grown, held in split(texts, 5):
        trees = grow_gaps(names, rows[grown], learned[grown], labels[grown])
        expected[held] = trees.decision_function(np.column_stack([rows[held], learned[held, 1]]))
    for name, own in (("outlines", is_outline), ("articles", ~is_outline)):
        own = own & (labels != UNKNOWN)
        precision = average_precision_score(labels[own], expected[own])
        of_net = average_precision_score(labels[own], learned[own, 1])
        n = len(np.unique(texts[own]))
        print(f"{n} {name}, {own.sum()} gaps: average precision {precision:.3f}, net {of_net:.3f}")
    save_trees(out, [([*names, "learned"], grow_gaps(names, rows, learned, labels))])


def grow_gaps(
    names: list[str], rows: np.ndarray, learned: np.ndarray, labels: np.ndarray
) -> Classifier:
    """Trees of gaps with each net, with and without paragraphs, and without a net."""
    of_paragraphs = [n for n, name in enumerate(names) if "paragraph" in name or "ends" in name]
    bare = rows.copy()
    bare[:, of_paragraphs] = np.nan
    none = np.full(len(rows), np.nan)
    ways = [(rows, net) for net in learned.T] + [(bare, net) for net in learned.T] + [(rows, none)]
    known = labels != UNKNOWN
    return Classifier(learning_rate=0.05, min_samples_leaf=200, **SETTINGS).fit(
        np.concatenate([np.column_stack(way)[known] for way in ways]),
        np.tile(labels[known], len(ways)),
    )


@app.command()
def pairs(marks: Path, out: Path = typer.Option(...)):
    """Which sentences have one theme: `spacy_thematic.segmentation.pairs`. Trees of a single split,
    whose sum is a function of each feature."""
    with np.load(marks) as known:
        names = str(known["names"]).split()
        rows, labels = known["rows"].astype("f"), known["labels"]
        texts, is_outline = known["texts"], known["is_outline"]
    expected = np.zeros(len(labels))
    weights = np.where(is_outline, 1, OF_ARTICLES)
    for grown, held in split(texts, 5):
        trees = Classifier(**PAIR_SETTINGS).fit(rows[grown], labels[grown], weights[grown])
        expected[held] = trees.decision_function(rows[held])
    for name, own in (("outlines", is_outline), ("articles", ~is_outline)):
        n = len(np.unique(texts[own]))
        print(f"{n} {name}: ROC AUC {roc_auc_score(labels[own], expected[own]):.3f}")
    save_shapes(out, names, Classifier(**PAIR_SETTINGS).fit(rows, labels, weights))


def save_shapes(out: Path, names: list[str], trees: Classifier) -> None:
    """Write what each value of each feature adds to the log odds."""
    splits: dict[str, list[tuple[float, float, float, bool]]] = {name: [] for name in names}
    for (tree,) in trees._predictors:
        root = tree.nodes[0]
        left, right = (tree.nodes[root[side]]["value"] for side in ("left", "right"))
        splits[names[root["feature_idx"]]].append(
            (root["num_threshold"], left, right, bool(root["missing_go_to_left"]))
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


@app.command()
def asides(marks: list[Path], out: Path = typer.Option(...)):
    """Which sentences say nothing of a theme: `spacy_thematic.clustering.asides`. The readers of
    the files may differ in what they leave out."""
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
    for grown, held in split(of_each, 8):
        grown = grown[known[grown]]
        weights = weigh_kinds(likeness[grown], labels[grown])
        columns = add_around(rows, likeness, weights, lengths)
        trees = grow_asides([own[grown] for own in columns], labels[grown])
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
    trees = grow_asides([own[known] for own in columns], labels[known])
    features = [*names, *kinds, *measure_around(np.zeros(1))]
    save_trees(out, [(features, trees)], kinds=" ".join(kinds), weights=weights)


def weigh_kinds(likeness: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """The weights of the kinds for any encoder, and what is added, (kinds + 1,)."""
    model = LogisticRegression(C=3, max_iter=3000)
    model.fit(np.concatenate([*likeness.swapaxes(0, 1)]), np.tile(labels, len(MODELS)))
    return np.append(model.coef_, model.intercept_)


def add_around(
    rows: np.ndarray, likeness: np.ndarray, weights: np.ndarray, lengths: np.ndarray
) -> list[np.ndarray]:
    """All that the trees may ask for, (sentences, features), by each encoder."""
    found = []
    for own in likeness.swapaxes(0, 1):
        odds = np.split(own @ weights[:-1] + weights[-1], np.cumsum(lengths)[:-1])
        around = [np.stack([*measure_around(of_text).values()], axis=1) for of_text in odds]
        found.append(np.hstack([rows, own, np.concatenate(around)]))
    return found


def grow_asides(ways: list[np.ndarray], labels: np.ndarray) -> Classifier:
    trees = Classifier(learning_rate=0.06, min_samples_leaf=60, **SETTINGS)
    return trees.fit(np.concatenate(ways), np.tile(labels, len(ways)))


@app.command()
def names(marks: list[Path], out: Path = typer.Option(...)):
    """Which names of themes readers accept: `spacy_thematic.naming.headings`. The readers and the
    features of the files may differ; a candidate's mark is the mean of what they say, and the last
    file has the features of all."""
    save_trees(out, [grow_names(path) for path in marks])


def grow_names(path: Path) -> tuple[list[str], Regressor]:
    """The features of a file of marks, and trees that have learned from it."""
    with np.load(path) as known:
        # Trees ask for no more than the middles of 255 bins; in the last, nothing is known.
        middles = np.vstack([known["bins"], np.full(known["bins"].shape[1], np.nan, "f")])
        rows = np.take_along_axis(middles, known["rows"].astype(int), axis=0)
        given, themes, texts = known["marks"].astype(float), known["themes"], known["texts"]
        features = str(known["names"]).split()

    def grow(rows: np.ndarray, given: np.ndarray) -> Regressor:
        return Regressor(learning_rate=0.03, min_samples_leaf=40, **SETTINGS).fit(rows, given)

    expected = np.zeros(len(given))
    for learned, held in split(texts, 6):
        expected[held] = grow(rows[learned], given[learned]).predict(rows[held])
    order = np.lexsort((-expected, themes))
    best = given[order[np.unique(themes[order], return_index=True)[1]]]
    print(f"{path}: {len(best)} themes of {len(np.unique(texts))} texts, {len(given)} candidates")
    print(f"best candidate good: {np.mean(best == 1):.3f}, good or fair: {np.mean(best > 0):.3f}")
    return features, grow(rows, given)


def save_trees(out: Path, forests: list[tuple[list[str], Any]], **more: Any) -> None:
    """Write the mean of some forests, each with the names of its features; the last has those of
    all, and more arrays. What the trees of a classifier add up to is a log odds."""
    names = forests[-1][0]
    grown = [
        (nodes.nodes, np.array([names.index(name) for name in own]), trees)
        for own, trees in forests
        for (nodes,) in trees._predictors
    ]
    shape = LEAVES - 1, len(grown)
    features, values, leaves = np.zeros(shape, np.int8), np.zeros(shape, "f"), np.zeros(shape, "u1")
    unknown, marks = np.zeros(shape, bool), np.zeros((len(grown), LEAVES), "f")
    # Nodes that a tree lacks send nothing anywhere.
    values += np.inf
    for tree, (nodes, columns, trees) in enumerate(grown):
        below = list_leaves(nodes)
        share = nodes["value"] + trees._baseline_prediction.item() / trees.n_iter_
        marks[tree, : len(below[0])] = share[below[0]] / len(forests)
        inner = np.flatnonzero(nodes["is_leaf"] == 0)
        features[: len(inner), tree] = columns[nodes["feature_idx"][inner].astype(int)]
        values[: len(inner), tree] = nodes["num_threshold"][inner]
        unknown[: len(inner), tree] = nodes["missing_go_to_left"][inner] == 0
        for place, node in enumerate(inner.tolist()):
            left = [below[0].index(leaf) for leaf in below[nodes["left"][node]]]
            leaves[place, tree] = 255 - sum(2**leaf for leaf in left)
    np.savez_compressed(
        out,
        names=" ".join(names),
        features=features,
        values=values,
        unknown=unknown,
        leaves=leaves,
        marks=marks,
        **more,
    )


def list_leaves(nodes: np.ndarray) -> dict[int, list[int]]:
    """The leaves below each node of a tree, from left to right; of a leaf itself. Children stand
    after their parents."""
    below: dict[int, list[int]] = {}
    for node in reversed(range(len(nodes))):
        is_leaf, left, right = (int(nodes[name][node]) for name in ("is_leaf", "left", "right"))
        below[node] = [node] if is_leaf else below[left] + below[right]
    return below


if __name__ == "__main__":
    app()
