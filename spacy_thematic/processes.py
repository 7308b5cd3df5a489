"""Processes that share work."""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing.connection import wait


class WorkerLost(OSError):
    """A worker ended without an answer."""


@contextmanager
def clear_losses() -> Iterator[None]:
    """Raise WorkerLost, which says what to do, where a worker of an executor was killed."""
    try:
        yield
    except BrokenProcessPool as error:
        raise WorkerLost(
            "A worker process was killed; it may have run out of memory. What is finished is kept: "
            "the same command resumes there, perhaps with fewer --processes."
        ) from error


def start_workers(n: int) -> ProcessPoolExecutor:
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
