"""This machine as an engine."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import chain, islice
from multiprocessing.connection import wait
from typing import Any, TypeVar

from spacy_thematic.engines.engine import WorkerLost, run_in_order

T = TypeVar("T")
R = TypeVar("R")


class LocalEngine:
    """Runs functions in this process, or in `processes` others on this machine, 0 for the number of
    cores."""

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
        if self._pool is None:
            # Workers are spawned, since a fork can hang after torch or BLAS have started threads.
            spawn = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(self.processes, spawn, initializer=_end_with_parent)
        pool = self._pool

        def submit(task: T) -> Future[R]:
            # It may start a worker, which is not to be interrupted before `_end_with_parent`.
            with _interrupts_wait():
                return pool.submit(function, task)

        try:
            yield from run_in_order(submit, chain(first, tasks), 2 * self.processes)
        except BrokenProcessPool as error:
            raise WorkerLost(
                "A worker process was killed; it may have run out of memory. Run the command "
                "again, perhaps with fewer --processes: corpus and embed keep what is finished."
            ) from error

    def __enter__(self) -> LocalEngine:
        return self

    def __exit__(self, *exc: Any) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
            self._pool = None


@contextmanager
def _interrupts_wait() -> Iterator[None]:
    """Hold Ctrl-C back, also from the processes that are started meanwhile."""
    earlier = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, earlier)


def _end_with_parent() -> None:
    """Let this worker end when its parent does, even if that is killed."""
    # Ctrl-C reaches the workers too: what there is to say the parent says.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_watch, args=(parent.sentinel,), daemon=True).start()


def _watch(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)
