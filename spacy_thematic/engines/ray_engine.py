"""Ray as an engine: a thin adapter. Nothing else knows Ray."""

import logging
import socket
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from typing import Any, TypeVar

from spacy_thematic.engines import WorkerLost, run_in_order

try:
    import ray
except ImportError as error:
    raise ImportError('--engine ray needs Ray: pip install "spacy-thematic[ray]".') from error

T = TypeVar("T")
R = TypeVar("R")
_RETRIES = 3
_PATIENCE = 10
"""Seconds in which a cluster has to answer."""
_CLIENT = "ray://"
_MEMORY = 2**30
"""Bytes that a task takes at most, twice what was measured."""


class RayEngine:
    """Runs functions on a Ray cluster, whose nodes see the same files by the same paths.

    Ray's worker processes stay between tasks, so what a function keeps in its process, such as a
    pipeline, is made once in each.

    The address is that of a running cluster, "auto" for the one that this machine belongs to, or
    "local" to start one on this machine. `processes` is the number of tasks at a time, each on one
    core, with 1 GiB of memory; 0 for as many as the cluster has cores.
    """

    def __init__(self, address: str = "local", processes: int = 0) -> None:
        self._address = address
        self._processes = processes

    def map(self, function: Callable[[T], R], tasks: Iterable[T]) -> Iterator[R]:
        """As `Engine.map`. A task whose worker or node was killed is run again, up to three
        times."""
        n_slots = int(ray.cluster_resources().get("CPU", 0))
        shared = ray.put(function)
        run: Any = ray.remote(num_cpus=1, memory=_MEMORY, max_retries=_RETRIES)(_run)

        def submit(task: T) -> Future[R | Exception]:
            return run.remote(shared, task).future()

        try:
            for result in run_in_order(submit, tasks, self._processes or n_slots):
                if isinstance(result, Exception):
                    raise result
                yield result
        except ray.exceptions.RayError as error:
            raise WorkerLost(
                f"Ray lost a worker ({error}). Run the command again: corpus and embed keep what "
                "is finished."
            ) from error

    def __enter__(self) -> "RayEngine":
        _check_answers(self._address)
        is_local = self._address == "local"
        ray.init(
            address=self._address,
            num_cpus=(self._processes or None) if is_local else None,
            include_dashboard=False if is_local else None,
            log_to_driver=False,
            logging_level=logging.CRITICAL,
        )
        return self

    def __exit__(self, *exc: Any) -> None:
        ray.shutdown()


def _check_answers(address: str) -> None:
    """Raise an error unless a cluster may be found: Ray itself tries for minutes."""
    if address in ("local", "auto"):
        return
    host, _, port = address.removeprefix(_CLIENT).partition("/")[0].rpartition(":")
    if not (host and port.isdecimal()) or int(port) > 65_535:
        raise ValueError(
            f'"{address}" is no address of a Ray cluster: expected auto, local, HOST:PORT, as '
            f'"ray start --head" prints it, or {_CLIENT}HOST:PORT.'
        )
    try:
        socket.create_connection((host.strip("[]"), int(port)), _PATIENCE).close()
    except OSError as error:
        raise ConnectionError(
            f"No Ray cluster answers at {address} ({error}): expected the address that "
            '"ray start --head" prints.'
        ) from error


def _run(function: Callable[[T], R], task: T) -> R | Exception:
    """The result of a task; an error is a result too, which Ray would wrap in one of its own."""
    try:
        return function(task)
    except Exception as error:
        return error
