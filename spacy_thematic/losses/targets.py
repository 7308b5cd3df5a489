"""What a loss is told of the rows of a batch."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from thinc.api import Ops
from thinc.types import Ints1d, Ints2d


@dataclass
class Targets:
    """What a loss is told of the n encoded rows (sentences and titles) of a batch.

    Attributes:
        triplets: (m, 3) row numbers of anchor, positive, negative.
        sections: (n,) a number for each section, distinct between articles.
        articles: (n,) a number for each article, from 0.
        rng: for losses that draw from the batch.
    """

    triplets: Ints2d
    sections: Ints1d
    articles: Ints1d
    ops: Ops
    rng: np.random.Generator = field(default_factory=lambda: np.random.default_rng(0))
