"""The order in which training takes what it learns from."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from random import Random
from typing import Any


class Item:
    """Something to learn from: its number, and as its length its size (words, sentences)."""

    __slots__ = ("number", "size")

    def __init__(self, number: int, size: int):
        self.number = number
        self.size = size

    def __len__(self) -> int:
        return self.size


Batcher = Callable[[Iterable[Item]], Iterable[Sequence[Item]]]


class Order:
    """Batches of items in random order, epoch after epoch: a function of the seed and the epoch
    alone, so that a run that was killed resumes where it stopped.

    Args:
        numbers: of the items.
        sizes: of the item of each number.
        batcher: of items to lists of these, such as `spacy.batch_by_words.v1`.
        seed: of the shuffling.
    """

    def __init__(self, numbers: Sequence[int], sizes: Any, batcher: Batcher, seed: int | str):
        self.numbers = numbers
        self.sizes = sizes
        self.batcher = batcher
        self.seed = seed
        self.seek(0, 0)

    def seek(self, epoch: int, batch: int) -> None:
        """Go to a batch of an epoch, both counted from 0."""
        self.epoch, self.batch = epoch, batch
        self._batches = self._iter_epoch(epoch)
        for _ in range(batch):
            next(self._batches, None)
        self._next = next(self._batches, None)

    @property
    def epochs_done(self) -> int:
        """The epochs of which no batch is left."""
        return self.epoch + (self._next is None)

    def count_batches(self) -> int:
        """The batches of the first epoch; others may have a few more or less."""
        return sum(1 for _ in self._iter_epoch(0))

    def take(self) -> list[int]:
        """The numbers of the next batch's items."""
        if self._next is None:
            self.seek(self.epoch + 1, 0)
        if self._next is None:
            raise ValueError(
                "There is nothing to train on: the batcher gives no batch. Expected enough "
                "articles for one: add some, or lower the size of a batch in the config."
            )
        taken = [item.number for item in self._next]
        self.batch += 1
        self._next = next(self._batches, None)
        return taken

    def _iter_epoch(self, epoch: int) -> Iterator[Sequence[Item]]:
        order = array("q", self.numbers)
        Random(f"{self.seed}-{epoch}").shuffle(order)
        return iter(self.batcher(Item(number, int(self.sizes[number])) for number in order))


def batch_by_count(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    """Batches of `size` items; the last items of an epoch that do not fill one are left out."""
    batch: list[Item] = []
    for item in items:
        batch.append(item)
        if len(batch) == size:
            yield batch
            batch = []
