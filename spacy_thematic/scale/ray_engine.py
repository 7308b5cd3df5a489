"""Ray as an engine: a thin adapter, on Ray Data. Nothing else knows Ray."""

from __future__ import annotations

import logging
import pickle
import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, TypeVar

import pyarrow

from spacy_thematic.processes import WorkerLost

try:
    import ray
    from ray.data import DataContext, TaskPoolStrategy
except ImportError as error:
    raise ImportError('--engine ray needs Ray: pip install "spacy-thematic[ray]".') from error

T = TypeVar("T")
R = TypeVar("R")


class RayEngine:
    """Runs functions on a Ray cluster, whose nodes see the same files by the same paths.

    Ray's worker processes stay between calls, so what a function keeps in its process, such as a
    pipeline, is made once in each.

    Args:
        address: Of a running cluster, "auto" for the one that this machine belongs to, or "local"
            to start one on this machine.
        processes: The number of tasks at a time, each on one core; 0 for as many as the cluster has
            cores.
    """

    def __init__(self, address: str = "local", processes: int = 0) -> None:
        self._address = address
        self._processes = processes

    def map(self, function: Callable[[T], R], tasks: Sequence[T]) -> Iterator[R]:
        """As `Engine.map`. A task whose worker was killed is run again, up to three times."""
        if not tasks:
            return
        rows = [{"task": pickle.dumps(task)} for task in tasks]
        with warnings.catch_warnings():
            # Ray announces that the way to limit retries will change with 2.64.
            warnings.simplefilter("ignore", DeprecationWarning)
            results = ray.data.from_items(rows, override_num_blocks=len(rows)).map_batches(
                partial(_run, function),
                batch_format="pyarrow",
                batch_size=None,
                compute=TaskPoolStrategy(self._processes or int(ray.cluster_resources()["CPU"])),
                num_cpus=1,
                ray_remote_args_fn=_remote_arguments,
            )
        try:
            for row in results.iter_rows():
                result = pickle.loads(row["result"])
                if isinstance(result, Exception):
                    raise result
                yield result
        except ray.exceptions.RayError as error:
            raise WorkerLost(
                f"Ray lost a worker ({error}). What is finished is kept: the same command resumes "
                "there."
            ) from error

    def __enter__(self) -> RayEngine:
        is_local = self._address == "local"
        ray.init(
            address=self._address,
            num_cpus=(self._processes or None) if is_local else None,
            include_dashboard=False if is_local else None,
            log_to_driver=False,
            logging_level=logging.CRITICAL,
        )
        logging.getLogger("ray.data").setLevel(logging.CRITICAL)
        context = DataContext.get_current()
        context.execution_options.preserve_order = True
        context.enable_progress_bars = False
        return self

    def __exit__(self, *exc: Any) -> None:
        ray.shutdown()


def _remote_arguments() -> dict[str, Any]:
    """Ray Data by itself would run a task that kills its worker for ever."""
    return {"max_retries": 3}


def _run(function: Callable[[Any], Any], block: pyarrow.Table) -> pyarrow.Table:
    """The results of tasks, as Arrow columns of bytes; an error is a result too."""
    results = []
    for task in block.column("task").to_pylist():
        try:
            result = function(pickle.loads(task))
        except Exception as error:
            result = error
        results.append(pickle.dumps(result))
    return pyarrow.table({"result": pyarrow.array(results, pyarrow.binary())})
