"""What a loss is told of the rows of a batch."""

from dataclasses import dataclass

from thinc.api import Ops
from thinc.types import Ints1d, Ints2d


@dataclass
class Targets:
    """What a loss is told of the n encoded rows (sentences and titles) of a batch.

    triplets: (m, 3) row numbers of anchor, positive, negative. sections: (n,) a number for each
    section, distinct between articles. articles: (n,) a number for each article.
    """

    triplets: Ints2d
    sections: Ints1d
    articles: Ints1d
    ops: Ops
