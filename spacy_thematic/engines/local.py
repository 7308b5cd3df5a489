"""This machine as an engine."""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import chain, islice
from multiprocessing.connection import wait
from types import TracebackType
from typing import TypeVar

from spacy_thematic.engines.engine import WorkerLost, run_in_order

T = TypeVar("T")
R = TypeVar("R")


class LocalEngine:
    """Runs functions in this process, or in several on this machine.

    Args:
        processes: Their number; 0 for the number of cores. Where there are several, this process
            is not one of them: it takes the tasks and the results.
    """

    def __init__(self, processes: int = 0) -> None:
        self.processes = processes or len(os.sched_getaffinity(0))
        self._pool: ProcessPoolExecutor | None = None

    def map(self, function: Callable[[T], R], tasks: Iterable[T]) -> Iterator[R]:
        """As `Engine.map`. A single task is run in this process."""
        tasks = iter(tasks)
        first = list(islice(tasks, min(2, self.processes)))
        if len(first) < 2:
            yield from map(function, chain(first, tasks))
            return
        pool = self._pool = self._pool or _start_workers(self.processes)
        try:
            # Twice as many as there are workers, so that each has its next one at hand.
            yield from run_in_order(
                lambda task: pool.submit(function, task), chain(first, tasks), 2 * self.processes
            )
        except BrokenProcessPool as error:
            raise WorkerLost(
                "A worker process was killed; it may have run out of memory. What is finished is "
                "kept: the same command resumes there, perhaps with fewer --processes."
            ) from error

    def __enter__(self) -> LocalEngine:
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
            self._pool = None


def _start_workers(n: int) -> ProcessPoolExecutor:
    """Return an executor of n processes, which end when this one does, even if it is killed."""
    # Workers are spawned, since a fork can hang after torch or BLAS have started threads.
    return ProcessPoolExecutor(
        n, multiprocessing.get_context("spawn"), initializer=_end_with_parent
    )


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_watch, args=(parent.sentinel,), daemon=True).start()


def _watch(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)
