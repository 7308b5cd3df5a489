"""Processes that share work."""

from __future__ import annotations

import multiprocessing
import os
import threading
from concurrent.futures import ProcessPoolExecutor
from multiprocessing.connection import wait


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
