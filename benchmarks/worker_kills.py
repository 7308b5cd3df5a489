"""Workers killed with SIGKILL at random moments: does the same command end with the same bytes?

    python -m benchmarks.worker_kills ARTICLES CONFIG --work FOLDER [--kills 3] [--articles 400]

Random articles of ARTICLES, with a seed, are a collection and a corpus. `embed`, `cluster-store`,
`corpus` and `train`, by torchrun with CONFIG, are run undisturbed with two processes, and then as
often as `--kills` says: a worker is killed at a random moment, and the same command is given again.
`--jobs` names some of them. Prints for each kill the status of the command and what it said, and
whether what it wrote in the end is what the undisturbed one wrote (of `train`, the losses to 1e-5).
"""

from __future__ import annotations

import argparse
import hashlib
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import srsly

from spacy_thematic.articles.article import Article
from spacy_thematic.articles.formats import read_articles

JOBS = ("embed", "cluster-store", "corpus", "train")
SAID = ("the same command resumes", "Signal 9 (SIGKILL)")
THEMATIC = [sys.executable, "-m", "spacy_thematic"]
TORCHRUN = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2"]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("source", type=Path)
    parser.add_argument("config", type=Path)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--kills", type=int, default=3)
    parser.add_argument("--articles", type=int, default=400)
    parser.add_argument("--jobs", nargs="+", default=JOBS, choices=JOBS)
    args = parser.parse_args()
    args.work.mkdir(parents=True, exist_ok=True)
    texts, articles = write_texts(args.source, args.work, args.articles)
    store, corpus = args.work / "embed-whole", args.work / "corpus-whole"
    settings = {
        "training.max_steps": 40,
        "training.eval_frequency": 4,
        "training.accumulate_gradient": 2,
        "training.batcher.size": 2000,
    }
    train = train_command(args.config, corpus, settings)
    two = ["--processes", 2]
    jobs = {
        "embed": (THEMATIC, ["embed", texts, "--partition-size", 1, *two, "--out"]),
        "cluster-store": (THEMATIC, ["cluster-store", store, *two, "--out"]),
        "corpus": (THEMATIC, ["corpus", articles, *two]),
        "train": ([*TORCHRUN, "-m", "spacy_thematic"], [*train, "--resume", "--output"]),
    }
    rng = random.Random(0)
    print("| job | killed after | ended | said | the same in the end |\n|" + " --- |" * 5)
    for name in args.jobs:
        launcher, command = jobs[name]
        whole = args.work / f"{name}-whole"
        remove(whole)
        command = [*map(str, [*launcher, *command])]
        began = time.monotonic()
        finish(start(command, whole))
        duration = time.monotonic() - began
        for kill in range(args.kills):
            out = args.work / f"{name}-{kill}"
            remove(out)
            process = start(command, out)
            after = kill_worker(process, rng.uniform(0.3, 0.9) * duration)
            printed = process.communicate()[0]
            said = next((words for words in SAID if words in " ".join(printed.split())), "")
            finish(start(command, out))
            same = read(out) == read(whole)
            when = f"{after:.0f} of {duration:.0f} s"
            print(f"| {name} | {when} | {process.returncode} | {said} | {same} |", flush=True)


def train_command(config: Path, corpus: Path, settings: dict[str, object]) -> list[object]:
    """`train` with a config, a corpus, and changes of the config."""
    command = ["train", config, "--paths.train", corpus / "train", "--paths.dev", corpus / "dev"]
    for name, value in settings.items():
        command += [f"--{name}", value]
    return command


def shuffle_articles(source: Path) -> list[Article]:
    """The articles of a source in random order, always the same."""
    articles = list(read_articles(source))
    random.Random(0).shuffle(articles)
    return articles


def finish(process: subprocess.Popen) -> None:
    """Wait for a command to end well."""
    printed, _ = process.communicate()
    if process.returncode:
        raise SystemExit(f"{process.args} failed: {printed}")


def write_texts(source: Path, work: Path, n_articles: int) -> tuple[Path, Path]:
    """Random articles, as records with a text and as articles."""
    drawn = shuffle_articles(source)[:n_articles]
    texts = ("\n\n".join(p for s in article.sections for p in s.paragraphs) for article in drawn)
    records = [{"title": article.title, "text": text} for article, text in zip(drawn, texts)]
    srsly.write_jsonl(work / "texts.jsonl", records)
    srsly.write_jsonl(work / "articles.jsonl", [article.to_dict() for article in drawn])
    return work / "texts.jsonl", work / "articles.jsonl"


def remove(out: Path) -> None:
    """Remove an output, and the hidden folders beside it."""
    for path in [out, *out.parent.glob(f".{out.name}.*")]:
        shutil.rmtree(path, ignore_errors=True)


def start(command: list[str], out: Path) -> subprocess.Popen:
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": str(Path.cwd())}
    return subprocess.Popen(
        [*command, str(out)],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def kill_worker(process: subprocess.Popen, after: float) -> float:
    """Kill the youngest worker after so many seconds, or when there is one."""
    began = time.monotonic()
    time.sleep(after)
    while process.poll() is None:
        workers = [child for child in children_of(process.pid) if is_worker(child, process.pid)]
        if workers:
            os.kill(workers[-1], signal.SIGKILL)
            break
        time.sleep(0.05)
    return time.monotonic() - began


def children_of(pid: int) -> list[int]:
    try:
        return list(map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split()))
    except OSError:
        return []


def is_worker(pid: int, parent: int) -> bool:
    """Whether a process does work: one that is only being started does not yet, and the tracker of
    resources of `multiprocessing` never does."""
    try:
        own, parents = (Path(f"/proc/{each}/cmdline").read_bytes() for each in (pid, parent))
    except OSError:
        return False
    return own != parents and b"resource_tracker" not in own


def read(out: Path) -> object:
    """The losses of a training run; the digest of any other output."""
    if (out / "log.jsonl").exists():
        lines = srsly.read_jsonl(out / "log.jsonl")
        return [{name: float(f"{v:.4g}") for name, v in line["losses"].items()} for line in lines]
    found = hashlib.sha256()
    for path in sorted(path for path in out.rglob("*") if path.is_file()):
        found.update(str(path.relative_to(out)).encode() + path.read_bytes())
    return found.hexdigest()


if __name__ == "__main__":
    main()
