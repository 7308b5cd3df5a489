"""A collection embedded and clustered on disk: time and memory as it grows, and what engines cost.

    python -m benchmarks.scale ARTICLES --work FOLDER [--characters 750000] [--python PYTHON]

ARTICLES is any source of articles. Random ones of it, with a seed, make collections of JSONL of 1,
4 and 16 times `--characters`. Each is embedded by `en_thematic_sm` and clustered by one process and
by two, and by Ray with one worker and with two, if `--python` names an interpreter that has it.
Every run is a process of its own, on one thread, from its start to its end. Prints a
Markdown table: sentences, seconds by the clock, seconds of the processors, and the memory of the
largest process at its peak (both of the command and its workers, without what else Ray runs). It
stops if two engines write different bytes. Linux only.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from itertools import product
from pathlib import Path
from typing import NamedTuple

import srsly

from benchmarks.worker_kills import children_of, shuffle_articles
from spacy_thematic.scale.store import SentenceStore

GROWTH = (1, 4, 16)
PARTITION = 1  # MB
WORKER = re.compile(rb"^ray::|spawn_main")


class Run(NamedTuple):
    """Seconds by the clock and of the processors, and MiB of the largest process."""

    clock: float
    processor: float
    memory: float


class Usage(NamedTuple):
    """Seconds of the processors that a process has used, and its memory at the peak, in MiB."""

    processor: float
    memory: float


def write_collections(source: Path, work: Path, characters: int) -> dict[int, Path]:
    """Write random articles as records with a text, until there are enough characters."""
    articles = shuffle_articles(source)
    paths = {}
    for factor in GROWTH:
        records, held = [], 0
        for article in articles:
            text = "\n\n".join(text for part in article.sections for text in part.paragraphs)
            records.append({"title": article.title, "text": text})
            held += len(text)
            if held >= characters * factor:
                break
        else:
            raise ValueError(f"{source} has {held:,} characters: lower --characters.")
        paths[factor] = work / f"{factor}.jsonl"
        srsly.write_jsonl(paths[factor], records)
    return paths


def measure(command: Iterable[object], find: Callable[[int], list[int]]) -> Run:
    """Run a command, quietly, with the processes that `find` finds below it."""
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": str(Path.cwd())}
    command = list(map(str, command))
    started = time.monotonic()
    process = subprocess.Popen(
        command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    used: dict[int, Usage] = {}
    while process.poll() is None:
        for pid in (process.pid, *find(process.pid)):
            if usage := read_usage(pid):
                used[pid] = usage
        time.sleep(0.1)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} failed")
    seconds = sum(usage.processor for usage in used.values())
    memory = max(usage.memory for usage in used.values())
    return Run(time.monotonic() - started, seconds, memory)


def find_workers(pid: int) -> list[int]:
    """The processes below one that work: those of Ray, and those that Python spawned."""
    below = [found for child in children_of(pid) for found in find_workers(child)]
    try:
        is_worker = WORKER.search(Path(f"/proc/{pid}/cmdline").read_bytes())
    except OSError:
        return []
    return [pid, *below] if is_worker else below


def read_usage(pid: int) -> Usage | None:
    """What a process has used; None if it has ended."""
    try:
        times = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]
        memory = re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())
    except OSError:
        return None
    seconds = sum(map(int, times)) / os.sysconf("SC_CLK_TCK")
    return Usage(seconds, int(memory[1]) / 1024) if memory else None


def digest(folder: Path) -> str:
    """Of the partitions below a folder."""
    found = hashlib.sha256()
    for path in sorted(folder.rglob("part-*.parquet")):
        found.update(path.read_bytes())
    return found.hexdigest()


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("source", type=Path)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--characters", type=int, default=750_000)
    parser.add_argument("--python", help="Interpreter with Ray")
    args = parser.parse_args()
    args.work.mkdir(parents=True, exist_ok=True)
    collections = write_collections(args.source, args.work, args.characters)
    engines = ("local", "ray") if args.python else ("local",)
    runs = list(product(GROWTH, engines, (1, 2)))
    digests: dict[tuple[int, str], str] = {}
    print("| engine | workers | sentences | command | clock s | processor s | memory, MiB |")
    print("| --- |" + " --- |" * 6)
    for factor, engine, workers in runs:
        store, themes = args.work / "store", args.work / "themes"
        for folder in (store, themes):
            shutil.rmtree(folder, ignore_errors=True)
        thematic = [args.python if engine == "ray" else sys.executable, "-m", "spacy_thematic"]
        how = ["--engine", engine, "--processes", workers]
        embed = ["embed", collections[factor], "--partition-size", PARTITION, "--out", store]
        for command in (embed, ["cluster-store", store, "--out", themes]):
            run = measure([*thematic, *command, *how], find_workers)
            n = sum(SentenceStore.open(store).count_rows())
            print(
                f"| {engine} | {workers} | {n:,} | {command[0]} | {run.clock:.0f} | "
                f"{run.processor:.0f} | {run.memory:.0f} |",
                flush=True,
            )
            made = digest(command[-1])
            if digests.setdefault((factor, command[0]), made) != made:
                raise SystemExit(f"{engine} with {workers} wrote other bytes than one process.")


if __name__ == "__main__":
    main()
