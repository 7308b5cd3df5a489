"""What runs the same function on many partitions: this process, several, or a cluster."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from types import TracebackType
from typing import Any, Protocol, TypeVar

from spacy_thematic.processes import clear_losses, start_workers

T = TypeVar("T")
R = TypeVar("R")


class Engine(Protocol):
    """Runs functions on tasks. Used as a context, at the end of which its workers end."""

    def map(self, function: Callable[[T], R], tasks: Sequence[T]) -> Iterator[R]:
        """Yield the result of each task, in the order of the tasks.

        Args:
            function: Can be pickled. What it needs at each task, such as a pipeline, it keeps
                itself, in the process that calls it.
            tasks: Small: what is large is on disk.

        Raises:
            WorkerLost: If a worker was killed.
        """
        ...

    def __enter__(self) -> Engine: ...

    def __exit__(self, *exc: Any) -> None: ...


def make_engine(name: str, address: str = "local", processes: int = 0) -> Engine:
    """Make an engine.

    Args:
        name: "local" or "ray".
        address: Of a Ray cluster, see `RayEngine`.
        processes: Their number; 0 for the number of cores.

    Raises:
        ImportError: If Ray is asked for and not installed.
        ValueError: If an address is given that has no effect.
    """
    if name == "ray":
        from spacy_thematic.scale.ray_engine import RayEngine

        return RayEngine(address, processes)
    if address != "local":
        raise ValueError(f'The address "{address}" is that of a Ray cluster: add --engine ray.')
    return LocalEngine(processes)


class LocalEngine:
    """Runs functions in this process, or in several on this machine.

    Args:
        processes: Their number; 0 for the number of cores.
    """

    def __init__(self, processes: int = 0) -> None:
        self.processes = processes or len(os.sched_getaffinity(0))
        self._pool: ProcessPoolExecutor | None = None

    def map(self, function: Callable[[T], R], tasks: Sequence[T]) -> Iterator[R]:
        """As `Engine.map`. A single task is run in this process."""
        if self.processes == 1 or len(tasks) == 1:
            yield from map(function, tasks)
            return
        if self._pool is None:
            self._pool = start_workers(self.processes)
        with clear_losses():
            yield from self._pool.map(function, tasks)

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
