"""Writing trees of scikit-learn's histogram gradient boosting for `spacy_thematic.trees`."""

from pathlib import Path
from typing import Any

import numpy as np

LEAVES = 8
"""Of a tree, at most: a bit each."""

SETTINGS: dict[str, Any] = {
    "max_iter": 250,
    "max_leaf_nodes": LEAVES,
    "max_features": 0.4,
    "l2_regularization": 5,
    "random_state": 0,
}
"""Of the gradient boosting of all trees."""


def save_trees(out: Path, names: list[str], trees: Any) -> None:
    """Write trees, and the names of their features. What those of a classifier add up to is a log
    odds."""
    grown = [nodes.nodes for (nodes,) in trees._predictors]
    shape = LEAVES - 1, len(grown)
    features, values, leaves = np.zeros(shape, np.int8), np.zeros(shape, "f"), np.zeros(shape, "u1")
    unknown, marks = np.zeros(shape, bool), np.zeros((len(grown), LEAVES), "f")
    # Nodes that a tree lacks send nothing anywhere.
    values += np.inf
    for tree, nodes in enumerate(grown):
        below = list_leaves(nodes)
        share = nodes["value"] + trees._baseline_prediction.item() / trees.n_iter_
        marks[tree, : len(below[0])] = share[below[0]]
        inner = np.flatnonzero(nodes["is_leaf"] == 0)
        features[: len(inner), tree] = nodes["feature_idx"][inner]
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
    )


def list_leaves(nodes: np.ndarray) -> dict[int, list[int]]:
    """The leaves below each node of a tree, from left to right; of a leaf itself. Children stand
    after their parents."""
    below: dict[int, list[int]] = {}
    for node in reversed(range(len(nodes))):
        is_leaf, left, right = (int(nodes[name][node]) for name in ("is_leaf", "left", "right"))
        below[node] = [node] if is_leaf else below[left] + below[right]
    return below
