from itertools import combinations, pairwise

import numpy as np
import pytest


class BruteForce:
    """Every segmentation of a passage, and what it costs."""

    def __init__(self, rows, passage):
        self.rows, self.passage = rows, passage
        n = len(rows)
        every = ([0, *cuts, n] for k in range(n) for cuts in combinations(range(1, n), k))
        self.allowed = [bounds for bounds in every if self._is_small_enough(bounds)]
        least = min(map(self._shortfall, self.allowed))
        self.allowed = [bounds for bounds in self.allowed if self._shortfall(bounds) == least]

    def _sizes(self, bounds):
        return [(b - a, self.passage.sizes[a:b].sum()) for a, b in pairwise(bounds)]

    def _is_small_enough(self, bounds):
        return all(n == 1 or size <= self.passage.largest for n, size in self._sizes(bounds))

    def _shortfall(self, bounds):
        return sum(max(0, self.passage.smallest - size) for _, size in self._sizes(bounds))

    def cost(self, bounds, penalty=0.0):
        scatter = sum(
            ((self.rows[a:b] - self.rows[a:b].mean(axis=0)) ** 2).sum() for a, b in pairwise(bounds)
        )
        return scatter + sum(penalty - self.passage.gap_scores[cut - 1] for cut in bounds[1:-1])

    def best(self, penalty):
        return min(self.allowed, key=lambda bounds: self.cost(bounds, penalty))[:-1]

    def best_of_number(self, n):
        numbers = {len(bounds) - 1 for bounds in self.allowed}
        number = max([k for k in numbers if k <= n], default=min(numbers))
        return min((bounds for bounds in self.allowed if len(bounds) - 1 == number), key=self.cost)[
            :-1
        ]


@pytest.fixture
def brute_force():
    return BruteForce


@pytest.fixture
def blocks():
    """40 rows around four orthogonal directions, ten after ten."""
    rng = np.random.default_rng(0)
    rows = np.repeat(np.eye(4, 16), 10, axis=0) + rng.normal(0, 0.1, (40, 16))
    return rows.astype("f")
