"""Schedules of the learning rate."""

import math
from collections.abc import Iterator
from typing import Literal

from spacy.util import registry


@registry.schedules("spacy-thematic.WarmUpDecay.v1")
def warm_up_decay(
    rate: float,
    warm_up: int,
    steps: int,
    decay: Literal["linear", "cosine"] = "cosine",
    lowest: float = 0.05,
) -> Iterator[float]:
    """A rate that rises linearly, and then falls to a share of its highest value.

    Args:
        warm_up: steps in which it rises.
        steps: after which it stays as low as it gets.
        lowest: share of the highest below which it does not fall.
    """
    step = 0
    while True:
        done = min(step / max(steps, 1), 1)
        left = 1 - done if decay == "linear" else 0.5 * (1 + math.cos(math.pi * done))
        yield rate * min(1, (step + 1) / max(warm_up, 1)) * max(lowest, left)
        step += 1
