"""What runs the same function on many tasks: this process, several, or a Ray cluster."""

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import chain, islice
from multiprocessing import connection
from typing import Any, Protocol, TypeVar

from thinc.api import require_gpu

T = TypeVar("T")
R = TypeVar("R")


class WorkerLost(OSError):
    """A worker ended without an answer."""


class Engine(Protocol):
    """Runs functions on tasks. Its workers end with the context that it is used as."""

    def map(self, function: Callable[[T], R], tasks: Iterable[T]) -> Iterator[R]:
        """Yield the result of each task, in the order of the tasks, of which few are taken ahead of
        those that are done. The function can be pickled. What it needs at each task, such as a
        pipeline, it keeps itself, in the process that calls it. Raises WorkerLost if a worker was
        killed."""
        ...

    def __enter__(self) -> "Engine": ...

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
        # Workers are spawned, since a fork can hang after torch or BLAS have started threads.
        spawn = multiprocessing.get_context("spawn")
        pool = self._pool = self._pool or ProcessPoolExecutor(
            self.processes, spawn, initializer=_end_with_parent
        )

        def submit(task: T) -> Future[R]:
            # It may start a worker, which is not to be interrupted before `_end_with_parent`: hold
            # Ctrl-C back, also from the processes that are started meanwhile.
            earlier = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
            try:
                return pool.submit(function, task)
            finally:
                signal.pthread_sigmask(signal.SIG_SETMASK, earlier)

        try:
            yield from run_in_order(submit, chain(first, tasks), 2 * self.processes)
        except BrokenProcessPool as error:
            raise WorkerLost(
                "A worker process was killed; it may have run out of memory. Run the command "
                "again, perhaps with fewer --processes: corpus and embed keep what is finished."
            ) from error

    def __enter__(self) -> "LocalEngine":
        return self

    def __exit__(self, *exc: Any) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
            self._pool = None


def _end_with_parent() -> None:
    """Let this worker end when its parent does, even if that is killed."""
    # Ctrl-C reaches the workers too: what there is to say the parent says.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_watch, args=(parent.sentinel,), daemon=True).start()


def _watch(sentinel: int) -> None:
    connection.wait([sentinel])
    os._exit(1)


def make_engine(name: str, address: str = "local", processes: int = 0, gpu_id: int = -1) -> Engine:
    """Make the engine "local" or "ray", with an address as for `RayEngine`, of some processes, 0
    for the number of cores. gpu_id: the GPU that this process, the only one, uses from here on; -1
    for none. Raises ImportError if Ray is asked for and not installed, ValueError if an address is
    given that has no effect, or the GPU cannot be used."""
    if gpu_id >= 0 and (name == "ray" or processes > 1):
        raise ValueError("A GPU is used by one process: leave out --processes and --engine ray.")
    if name == "ray":
        from spacy_thematic.engines.ray_engine import RayEngine

        return RayEngine(address, processes)
    if address != "local":
        raise ValueError(f'The address "{address}" is that of a Ray cluster: add --engine ray.')
    if gpu_id < 0:
        return LocalEngine(processes)
    take_gpu(gpu_id)
    return LocalEngine(1)
