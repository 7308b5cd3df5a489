"""Soft information-based clustering, cooled down until it is hard."""

from __future__ import annotations

import numpy as np


def anneal(
    rows: np.ndarray,
    k: int,
    rng: np.random.Generator,
    n_temperatures: int = 16,
    max_iterations: int = 100,
) -> np.ndarray:
    """Maximise `<s> - T I(C;i)` (Slonim et al. 2005, eq. 1), with T lowered step by step.

    Iterates `P(C|i) = P(C)/Z(i) exp((2 s(C;i) - s(C)) / T)` (eq. 6) at each temperature, from the
    critical one, where the uniform solution splits first, to a twentieth of it.

    Args:
        rows: (n, width), of length one or zero; the similarity s is their cosine.
        k: The number of clusters.
        rng: Draws the first memberships, and disturbs them at each temperature.
        n_temperatures: The number of temperatures.
        max_iterations: The most iterations at a temperature.

    Returns:
        P(C|i), (n, k); rows sum to one.
    """
    n = len(rows)
    memberships = rng.dirichlet(np.full(k, 100.0), size=n)
    centred = rows - rows.mean(axis=0)
    critical = 2 * np.linalg.norm(centred, ord=2) ** 2 / n
    for temperature in np.geomspace(critical, critical / 20, n_temperatures):
        memberships = memberships * rng.uniform(0.99, 1.01, memberships.shape)
        memberships /= memberships.sum(axis=1, keepdims=True)
        for _ in range(max_iterations):
            previous = memberships
            memberships = _update(rows, memberships, temperature)
            if np.abs(memberships - previous).max() < 1e-4:
                break
    return memberships


def _update(rows: np.ndarray, memberships: np.ndarray, temperature: float) -> np.ndarray:
    sizes = np.maximum(memberships.sum(axis=0), np.finfo(np.float64).tiny)
    means = (memberships.T @ rows) / sizes[:, None]
    within = np.einsum("ij,ij->i", means, means)
    exponents = (2 * rows @ means.T - within) / temperature + np.log(sizes / len(rows))
    exponents -= exponents.max(axis=1, keepdims=True)
    new = np.exp(exponents)
    return new / new.sum(axis=1, keepdims=True)
