"""What a command and the processes that it starts take: seconds and memory. Linux only."""

import os
import re
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


class Usage(NamedTuple):
    """Seconds of the processors that a process has used, and its memory at the peak, in MiB."""

    processor: float
    memory: float


def measure(command: Iterable[object]) -> Run:
    """Run a command quietly, with the processes below it. Raises SystemExit if it fails."""
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": str(Path.cwd())}
    words = [*map(str, command)]
    started = time.monotonic()
    process = subprocess.Popen(
        words, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    used: dict[int, Usage] = {}
    while process.poll() is None:
        for pid in (process.pid, *children_of(process.pid)):
            if usage := read_usage(pid):
                used[pid] = usage
        time.sleep(0.1)
    if process.returncode:
        raise SystemExit(f"{' '.join(words)} failed")
    seconds = sum(usage.processor for usage in used.values())
    memory = max(usage.memory for usage in used.values())
    return Run(time.monotonic() - started, seconds, memory)


def children_of(pid: int) -> list[int]:
    """The processes that one has started."""
    try:
        return list(map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split()))
    except OSError:
        return []


def read_usage(pid: int) -> Usage | None:
    """What a process has used; None if it has ended."""
    try:
        times = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]
        memory = re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())
    except OSError:
        return None
    seconds = sum(map(int, times)) / os.sysconf("SC_CLK_TCK")
    return Usage(seconds, int(memory[1]) / 1024) if memory else None
