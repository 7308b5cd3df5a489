"""What all engines are and share."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from typing import Any, Protocol, TypeVar

from thinc.api import require_gpu

T = TypeVar("T")
R = TypeVar("R")


class WorkerLost(OSError):
    """A worker ended without an answer."""


class Engine(Protocol):
    """Runs functions on tasks. Its workers end with the context that it is used as."""

    def map(self, function: Callable[[T], R], tasks: Iterable[T]) -> Iterator[R]:
        """Yield the result of each task, in the order of the tasks.

        Args:
            function: Can be pickled. What it needs at each task, such as a pipeline, it keeps
                itself, in the process that calls it.
            tasks: Few of them are taken ahead of those that are done.

        Raises:
            WorkerLost: If a worker was killed.
        """
        ...

    def __enter__(self) -> Engine: ...

    def __exit__(self, *exc: Any) -> None: ...


def run_in_order(submit: Callable[[T], Future[R]], tasks: Iterable[T], most: int) -> Iterator[R]:
    """Yield the results of tasks in their order. At any time at most `most` are not done."""
    running: set[Future[R]] = set()
    waiting: deque[Future[R]] = deque()
    for task in tasks:
        if len(running) >= most:
            _, running = wait(running, return_when=FIRST_COMPLETED)
        future = submit(task)
        running.add(future)
        waiting.append(future)
        while waiting and waiting[0].done():
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()


def take_gpu(gpu_id: int) -> None:
    """Let all that this process computes from here on be computed on a GPU, by Thinc and torch.
    Raises ValueError if it cannot be used."""
    try:
        require_gpu(gpu_id)
    except Exception as error:
        raise ValueError(
            f"GPU {gpu_id} cannot be used ({error}): install a torch for CUDA, and CuPy by pip "
            'install "spacy[cuda12x]", or leave out --gpu-id to use the CPU.'
        ) from error
