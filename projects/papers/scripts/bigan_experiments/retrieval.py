"""How well vectors find the class of an item (Zamorski & Zieba 2019)."""

import numpy as np


def neighbour_accuracy(
    labelled: np.ndarray,
    labels: np.ndarray,
    queries: np.ndarray,
    query_labels: np.ndarray,
    n_neighbours: int = 9,
) -> float:
    """The share of queries, (m, width), of classes, (m,), whose class the nearest of the labelled
    items, (n, width) and (n,), predict, weighted by the inverse of their L2 distance."""
    from sklearn.neighbors import KNeighborsClassifier

    knn = KNeighborsClassifier(min(n_neighbours, len(labelled)), weights="distance")
    return float(knn.fit(labelled, labels).score(queries, query_labels))


def mean_average_precision(
    labelled: np.ndarray, labels: np.ndarray, queries: np.ndarray, query_labels: np.ndarray
) -> float:
    """The mean average precision of all labelled items, (n, width) and (n,), ordered by L2 distance
    from a query, of (m, width) and (m,). Items of the query's class are relevant. A class without
    labelled items counts as 0."""
    relevant = labels[find_nearest(labelled, queries)] == query_labels[:, None]
    precision = relevant.cumsum(axis=1) / np.arange(1, len(labelled) + 1)
    found = np.maximum(relevant.sum(axis=1), 1)
    return float(((precision * relevant).sum(axis=1) / found).mean())


def find_nearest(items: np.ndarray, queries: np.ndarray) -> np.ndarray:
    """The numbers of all items, (n, width), by L2 distance from each query, (m, width), the nearest
    first, (m, n)."""
    distances = (items**2).sum(axis=1) - 2 * queries @ items.T  # + |q|^2, the same for all
    return np.argsort(distances, axis=1, kind="stable")
