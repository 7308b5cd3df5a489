"""Random SIGKILLs of a training run: does each resumed run end with the undisturbed weights?

    python -m benchmarks.training_kills CONFIG TRAIN DEV [--kills 10] [--steps 40]

TRAIN and DEV are folders of shards. The config is trained once undisturbed, then killed at a random
moment after its first evaluation and gone on with by --resume, again and again; the weights of
model-last and model-best are compared byte for byte.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import srsly


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("config", type=Path)
    parser.add_argument("train", type=Path)
    parser.add_argument("dev", type=Path)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--steps", type=int, default=40)
    args = parser.parse_args()
    rng = random.Random(0)
    same = 0
    with tempfile.TemporaryDirectory() as folder:
        whole = Path(folder) / "whole"
        duration = watch(start(args, whole), whole)
        for kill in range(args.kills):
            output = Path(folder) / str(kill)
            process = start(args, output)
            watch(process, output, kill_after=rng.uniform(0, 0.8 * duration))
            how = "killed" if process.returncode else "ended before the kill"
            step = last_step(output)
            start(args, output, "--resume").wait()
            same += weights(output) == weights(whole)
            print(f"{how}, evaluated up to step {step}: {same} of {kill + 1} the same", flush=True)


def start(args: argparse.Namespace, output: Path, *more: str) -> subprocess.Popen:
    settings = {
        "--paths.train": args.train,
        "--paths.dev": args.dev,
        "--training.max_steps": args.steps,
        "--training.max_epochs": 0,
        "--training.eval_frequency": 4,
        "--training.batcher.size": 2000,
    }
    command = [sys.executable, "-m", "spacy", "thematic", "train", args.config, "-o", output, *more]
    command += [part for setting in settings.items() for part in setting]
    return subprocess.Popen(list(map(str, command)), stdout=subprocess.DEVNULL)


def watch(process: subprocess.Popen, output: Path, kill_after: float | None = None) -> float:
    """Wait for the end, or kill so many seconds after the first evaluation. Returns the seconds
    from there to the end."""
    while not (output / "log.jsonl").exists() and process.poll() is None:
        time.sleep(0.01)
    began = time.monotonic()
    try:
        process.wait(kill_after)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    return time.monotonic() - began


def last_step(output: Path) -> int:
    """Of the last evaluation before the kill."""
    return list(srsly.read_jsonl(output / "log.jsonl"))[-1]["step"]


def weights(output: Path) -> list[bytes]:
    return [
        (output / name / "thematic_embedder" / "model").read_bytes()
        for name in ("model-last", "model-best")
    ]


if __name__ == "__main__":
    main()
