"""A whole corpus build: its cost, the markup left in its sentences, and kills.

    python -m benchmarks.corpus cost DUMP OUT [--megabytes 10]
    python -m benchmarks.corpus markup CORPUS
    python -m benchmarks.corpus kill DUMP [--megabytes 10] [--kills 10]

DUMP is an uncompressed MediaWiki dump such as enwik8, which may end in the middle of a page. `cost`
runs `python -m spacy thematic corpus` on the first `--megabytes` of it and on all of it, with one
process and with two, and leaves the last corpus at OUT. On a machine with other work, shown as
"others' CPU s", only the CPU seconds are meaningful. Those of the first process, which reads and
compiles, are shortened by no number of workers. `markup` counts the markup left in the sentences of
a corpus. `kill` builds a corpus in blocks of few articles with two processes, sends SIGKILL to all
of them at a random moment, builds again, and compares the result with that of an undisturbed build.
Prints Markdown tables.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import spacy

from spacy_thematic.articles.formats import read_records
from spacy_thematic.articles.sources import ReadLog
from spacy_thematic.engines import LocalEngine
from spacy_thematic.triplets.corpus_builder import CLUSTERING, SPLITS, build_corpus
from spacy_thematic.triplets.docbin import SENTENCES, find_shards, read_shards
from spacy_thematic.triplets.rules import CorpusSettings

MARKS = ("{{", "[[", "''", "|", "<ref", "()", "( ,")
SMALL_SHARD = 20


def cut(dump: Path, megabytes: int, folder: Path) -> Path:
    """Write the beginning of a dump to a file of its own."""
    path = folder / f"{megabytes}.xml"
    with dump.open("rb") as whole:
        path.write_bytes(whole.read(megabytes * 10**6))
    return path


def print_cost(dump: Path, out: Path, megabytes: int, folder: Path) -> None:
    beginning = cut(dump, megabytes, folder)
    whole = dump.stat().st_size / 1e6
    print(
        "| input | processes | wall s | others' CPU s | CPU s | of these the first process ", end=""
    )
    print("| MB of XML per CPU s | largest process, MiB |")
    print("|---|" + "---:|" * 7)
    for path, size, processes in (
        (beginning, megabytes, 1),
        (beginning, megabytes, 2),
        (dump, whole, 1),
        (dump, whole, 2),
    ):
        command = [sys.executable, "-m", "spacy", "thematic", "corpus", str(path)]
        command += [str(out), "--skip-bad", "--processes", str(processes)]
        start, busy = time.perf_counter(), machine_seconds()
        child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
        first = own_seconds(child.pid)
        _, status, usage = os.wait4(child.pid, 0)
        wall, busy = time.perf_counter() - start, machine_seconds() - busy
        if status:
            raise SystemExit(f"{' '.join(command)} ended with status {status}")
        cpu = usage.ru_utime + usage.ru_stime
        print(
            f"| {size:.0f} MB | {processes} | {wall:.1f} | {busy - cpu:.1f} | {cpu:.1f} "
            f"| {first:.1f} | {size / cpu:.2f} | {usage.ru_maxrss / 1024:.0f} |",
            flush=True,
        )


def machine_seconds() -> float:
    """CPU seconds that all processes of the machine have used (Linux)."""
    user, nice, system = map(int, Path("/proc/stat").read_text().split()[1:4])
    return (user + nice + system) / os.sysconf("SC_CLK_TCK")


def own_seconds(pid: int) -> float:
    """CPU seconds of an ended process that is still to be waited for, without its children's."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def print_markup(corpus: Path) -> None:
    nlp = spacy.blank("en")
    pattern = re.compile("|".join(map(re.escape, MARKS)))
    print("| part | sentences | with markup | 1 in |", *(f"`{mark}` |" for mark in MARKS))
    print("|---|" + "---:|" * (3 + len(MARKS)))
    for name, parts in (("openers", SPLITS), ("all sentences", (CLUSTERING,))):
        total = dirty = 0
        left: Counter[str] = Counter()
        for part in parts:
            for doc in read_shards(corpus / part, nlp.vocab):
                for sentence in doc.spans[SENTENCES]:
                    total += 1
                    found = set(pattern.findall(sentence.text))
                    dirty += bool(found)
                    left.update(found)
        cells = [f"{total:,}", f"{dirty}", f"{total // max(dirty, 1):,}", *(left[m] for m in MARKS)]
        print(f"| {name} |", *(f"{cell} |" for cell in cells))


def digest(folder: Path) -> str:
    """One hash of the names and bytes of all files in a folder."""
    whole = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            whole.update(str(path.relative_to(folder)).encode() + b"\0")
            whole.update(hashlib.sha256(path.read_bytes()).digest())
    return whole.hexdigest()


def build(source: Path, out: Path) -> None:
    log = ReadLog()
    records = read_records(source, skip_bad=True, log=log)
    settings = CorpusSettings(shard_size=SMALL_SHARD)
    with LocalEngine(2) as engine:
        build_corpus(records, out, settings, log=log, source=str(source), engine=engine)


def start_build(source: Path, out: Path) -> subprocess.Popen:
    command = [sys.executable, __file__, "build", str(source), str(out)]
    return subprocess.Popen(command, start_new_session=True, stderr=subprocess.DEVNULL)


def print_kills(dump: Path, megabytes: int, kills: int, seed: int, folder: Path) -> None:
    source = cut(dump, megabytes, folder)
    start = time.perf_counter()
    if start_build(source, folder / "undisturbed").wait():
        raise SystemExit("the undisturbed build failed")
    wall = time.perf_counter() - start
    expected = digest(folder / "undisturbed")
    blocks = len(find_shards(folder / "undisturbed" / "train"))
    print(f"Undisturbed: {wall:.0f} s, {blocks} blocks, digest {expected[:16]}\n")
    print("| killed with blocks done | resumed with them | same digest |")
    print("|---:|---|---|")
    rng = random.Random(seed)
    out = folder / "killed"
    done_blocks = folder / f".{out.name}.building" / "blocks"
    same = number = 0
    while number < kills:
        shutil.rmtree(out, ignore_errors=True)
        child = start_build(source, out)
        # A share of the blocks, not of the seconds, which differ from run to run on a busy machine.
        least = rng.randrange(blocks)
        while child.poll() is None and len(list(done_blocks.glob("*.json"))) < least:
            time.sleep(0.02)
        time.sleep(rng.uniform(0, wall / blocks))
        if child.poll() is not None:
            continue
        os.killpg(child.pid, signal.SIGKILL)
        if child.wait() != -signal.SIGKILL:
            continue
        number += 1
        done = {path: path.stat().st_mtime_ns for path in done_blocks.glob("*.json")}
        child = start_build(source, out)
        kept = True
        while child.poll() is None:
            # Reading starts long before the first block is gathered and removed at the end.
            now = {path: path.stat().st_mtime_ns for path in done if path.exists()}
            kept = kept and all(done[path] == stamp for path, stamp in now.items())
            time.sleep(0.5)
        equal = child.returncode == 0 and digest(out) == expected
        same += equal
        cells = (
            f"{len(done)} of {blocks}",
            "yes" if kept else "no",
            "yes" if equal else "NO",
        )
        print(f"| {' | '.join(cells)} |", flush=True)
    print(f"\n{same} of {kills} the same")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("cost", "markup", "kill", "build"))
    parser.add_argument("source", type=Path)
    parser.add_argument("out", type=Path, nargs="?", help="of cost and build")
    parser.add_argument("--megabytes", type=int, default=10)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    source = arguments.source
    with tempfile.TemporaryDirectory() as name:
        if arguments.what == "cost":
            print_cost(source, arguments.out, arguments.megabytes, Path(name))
        elif arguments.what == "markup":
            print_markup(source)
        elif arguments.what == "kill":
            print_kills(source, arguments.megabytes, arguments.kills, arguments.seed, Path(name))
        else:
            build(source, arguments.out)


if __name__ == "__main__":
    main()
