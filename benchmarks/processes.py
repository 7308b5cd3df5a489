"""What a command and the processes that it starts take: seconds and memory. Linux only."""

import os
import subprocess
import time
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple


class Run(NamedTuple):
    """Seconds by the clock and of the processors, and MiB of the largest process at its peak."""

    clock: float
    processor: float
    memory: float


def measure(command: Iterable[object]) -> Run:
    """Run a command quietly, with the processes below it. Raises SystemExit if it fails."""
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": str(Path.cwd())}
    words, started, quiet = [*map(str, command)], time.monotonic(), subprocess.DEVNULL
    process = subprocess.Popen(words, env=environment, stdout=quiet, stderr=quiet)
    _, status, used = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"{' '.join(words)} failed")
    seconds = used.ru_utime + used.ru_stime
    return Run(time.monotonic() - started, seconds, used.ru_maxrss / 1024)
