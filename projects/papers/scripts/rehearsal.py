"""The workflow `paper` of project.yml in small: what it costs, and what its whole would.

    python scripts/rehearsal.py ARTICLES OUT [--part 100] [--dump-part 2500] [--steps 5]

ARTICLES is any source of articles, which are taken in random order. The script makes files of the
formats in which the paper's data is published (`rehearsal_files.py`), a hundredth of their
size (the dump: a 2,500th), and a quarter of that again, and runs the commands of project.yml on
both. The hashes and sizes that `paper-data` checks are those of the true files, so of that command
only the unpacking is run. The nets are of their true size, of one seed, and stop after one update;
`sen` is trained again for --steps, which tells what an update costs. The tables are made for the
nets `sen` and `titles`. Each process has one thread. It goes on where it was interrupted.

It prints Markdown. A line through the two sizes tells what a command takes in any case and what
grows with its input. Memory is that of the largest process.
"""

from __future__ import annotations

import argparse
import os
import random
import shlex
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import srsly
from wasabi import msg
from weasel.util.config import load_project_config

import rehearsal_files
from paper_nets import NETS, SENTENCES_A_STEP
from spacy_thematic.articles.formats import read_articles
from spacy_thematic.evaluation.results import render
from spacy_thematic.triplets.compiled import FOLDER, CompiledCorpus
from spacy_thematic.triplets.corpus_builder import STATISTICS

PROJECT = Path(__file__).parents[1]
SCRIPTS = PROJECT / "scripts"
SMALLER = 4
TRIPLETS = 20_000  # that `paper-tables` draws
PAPER_ARTICLES = 809_000
PAIR = ("sen", "titles")
UNPACK = f"""
import sys
from pathlib import Path
sys.path.insert(0, {str(SCRIPTS)!r})
from paper_data import unpack
unpack(Path("assets"))
"""
# Measures in a small process of its own, for a process counts the memory of the one it comes from.
MEASURE = """
import json, os, subprocess, sys, time
start = time.perf_counter()
child = subprocess.Popen(sys.argv[2:])
_, status, usage = os.wait4(child.pid, 0)
found = [status, time.perf_counter() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss]
with open(sys.argv[1], "w") as file:
    json.dump(found, file)
"""


class Cost(NamedTuple):
    """Of a command: wall and CPU seconds, MB of its largest process, and MB it left on disk."""

    wall: float
    cpu: float
    memory: float
    disk: float

    def to_whole(self, smaller: Cost, share: float) -> tuple[Cost, Cost]:
        """What the command takes in any case, and what it takes besides for its whole input.

        Args:
            smaller: of the command on a `SMALLER`th of this input.
            share: of the whole input that this is.
        """
        slopes = [max(0, a - b) / (1 - 1 / SMALLER) for a, b in zip(self, smaller)]
        fixed = Cost(*(max(0, a - slope) for a, slope in zip(self, slopes)))
        return fixed, Cost(*(slope / share for slope in slopes))


class Part(NamedTuple):
    """A command of the workflow, its words, and the share of the whole input that it reads. Whether
    its memory grows in a line: that of corpora does with the number of different words only.
    """

    name: str
    words: list[str]
    share: float
    is_line: bool = True


class Size(NamedTuple):
    """A size of the rehearsal: its folder, and the shares of all files and of the dump."""

    folder: Path
    share: float
    dump_share: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("articles", type=Path)
    parser.add_argument("out", type=Path, help="a new folder")
    parser.add_argument("--part", type=float, default=100)
    parser.add_argument("--dump-part", type=float, default=2500)
    parser.add_argument("--steps", type=int, default=5)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    small, large = (
        Size(args.out.resolve() / name, 1 / (args.part * times), 1 / (args.dump_part * times))
        for name, times in (("small", SMALLER), ("large", 1))
    )
    make_files(args.articles, (small, large), args.seed)
    rows = []
    for smaller, larger in zip(list_parts(small), list_parts(large)):
        cost = run(larger, large)
        whole = cost.to_whole(run(smaller, small), larger.share)
        rows.append(describe(larger, cost) | describe_whole(*whole, larger.is_line))
    print(f"{render(rows)}\n\nOf the smaller files alone:\n")
    others = [mirror_part(small), *(net_part(name, small) for name in list_nets())]
    print(render([describe(part, run(part, small)) for part in others]))
    one = run(net_part(PAIR[0], small), small)
    several = run(net_part(PAIR[0], small, args.steps), small)
    print(describe_training(large, (several.cpu - one.cpu) / (args.steps - 1)))


def make_files(source: Path, sizes: tuple[Size, ...], seed: int) -> None:
    due = [size for size in sizes if not (size.folder / "assets" / rehearsal_files.DUMP).exists()]
    articles = list(read_articles(source)) if due else []
    random.Random(seed).shuffle(articles)
    for size in due:
        msg.info(f"Making the files in {size.folder}")
        rng = random.Random(seed)
        rehearsal_files.write_files(
            articles, size.folder / "assets", size.share, size.dump_share, rng
        )


def list_parts(size: Size) -> Iterator[Part]:
    """The commands of the workflow in order, with the nets of `PAIR` alone."""
    yield Part("paper-data, unpacking", ["python", "-c", UNPACK], size.share)
    (words,) = read_commands("paper-vectors", size)
    yield Part("paper-vectors", words, size.share)
    for words in read_commands("paper-corpora", size):
        name = "released" if "released" in words[3] else Path(words[6]).name
        share = size.share if name == "released" else size.dump_share
        yield Part(f"paper-corpora, {name}", words, share, is_line=False)
    for name in PAIR:
        yield net_part(name, size)
    (words,) = read_commands("paper-skip-thoughts", size)
    yield Part("paper-skip-thoughts", words, size.share)
    (words,) = read_commands("paper-tables", size)
    yield Part("paper-tables", words, size.share)


def mirror_part(size: Size) -> Part:
    """The corpus of the released triplets, made of the mirror's Parquet."""
    words = read_commands("paper-corpora", size)[0]
    words = [*words[:2], f"assets/{rehearsal_files.MIRROR}", "paper/mirror", *words[4:]]
    return Part("paper-corpora, released, of Parquet", words, size.share)


def read_commands(name: str, size: Size) -> list[list[str]]:
    """The words of each command of a name in project.yml."""
    overrides = {"vars.triplets": round(TRIPLETS * size.share)}
    project = load_project_config(PROJECT, overrides=overrides)
    command = next(command for command in project["commands"] if command["name"] == name)
    return [shlex.split(line) for line in command["script"]]


def list_nets() -> list[str]:
    (words,) = read_commands("paper-nets", Size(PROJECT, 1, 1))
    return [name for option, name in pairwise(words) if option == "--only"]


def net_part(name: str, size: Size, steps: int = 1) -> Part:
    """`paper-nets` for one net, of seed 0, with so many updates."""
    (words,) = read_commands("paper-nets", size)
    first = words.index("--only")
    rest = words[first:]
    while "--only" in rest:
        place = rest.index("--only")
        del rest[place : place + 2]
    words = [*words[:first], "--only", name, "--seed", "0", "--max-steps", str(steps), *rest]
    if steps > 1:
        words[words.index("paper/nets")] = f"paper/nets-{steps}-steps"
    return Part(f"paper-nets, {name}, {steps} update{'s' * (steps > 1)}", words, size.share)


def run(part: Part, size: Size) -> Cost:
    """Run a command, unless an earlier run did, and measure it."""
    log = size.folder / "logs" / part.name.replace(" ", "-")
    log.parent.mkdir(exist_ok=True)
    result = log.with_suffix(".json")
    if result.exists():
        return Cost(*srsly.read_json(result))
    msg.info(f"{part.name} in {size.folder}")
    before = count_megabytes(size.folder)
    measured = log.with_suffix(".measured")
    words = [sys.executable, *part.words[1:]]
    if words[1].startswith("scripts/"):
        words[1] = str(PROJECT / words[1])
    with log.with_suffix(".txt").open("w") as output:
        subprocess.run(
            [sys.executable, "-S", "-c", MEASURE, str(measured), *words],
            cwd=size.folder,
            env={**os.environ, "OMP_NUM_THREADS": "1"},
            stdout=output,
            stderr=output,
            check=True,
        )
    status, wall, cpu, memory = srsly.read_json(measured)
    if status:
        raise SystemExit(f"{part.name} failed: see {log.with_suffix('.txt')}")
    cost = Cost(wall, cpu, memory / 1024, count_megabytes(size.folder) - before)
    srsly.write_json(result, list(cost))
    return cost


def count_megabytes(folder: Path) -> float:
    """What the files of a folder take on disk; one with several names counts once."""
    found = {stat.st_ino: stat.st_blocks for path in folder.rglob("*") if (stat := path.lstat())}
    return sum(found.values()) * 512 / 2**20


def describe(part: Part, cost: Cost) -> dict[str, Any]:
    """A line of the table: what was measured."""
    return {
        "command": part.name,
        "1 in": f"{1 / part.share:,.0f}",
        "wall s": f"{cost.wall:,.0f}",
        "CPU s": f"{cost.cpu:,.1f}",
        "memory MB": f"{cost.memory:,.0f}",
        "disk MB": f"{cost.disk:,.1f}",
    }


def describe_whole(fixed: Cost, grown: Cost, is_line: bool) -> dict[str, Any]:
    """The rest of the line: of the whole what is fixed and what grows."""
    memory = f"{fixed.memory / 1024:.2f} + {grown.memory / 1024:.2f}" if is_line else None
    return {
        "whole: CPU h": f"{fixed.cpu / 3600:,.3f} + {grown.cpu / 3600:,.2f}",
        "memory GB": memory,
        "disk GB": f"{fixed.disk / 1024:.2f} + {grown.disk / 1024:.2f}",
    }


def describe_training(size: Size, seconds: float) -> str:
    """What a pass of each net takes, by the rows of its corpus that triplets name.

    Args:
        size: with the corpora.
        seconds: CPU seconds of an update of the first net.
    """
    corpora = size.folder / "paper" / "corpora"
    articles, sentences, rows = count_rows(corpora / NETS[PAIR[0]].corpus)
    seconds_a_row = seconds / (SENTENCES_A_STEP * rows / sentences)
    table = []
    for name in list_nets():
        net = NETS[name]
        articles, _, rows = count_rows(corpora / net.corpus)
        # Of the dump, as many articles as the paper has.
        factor = 1 / size.share if net.corpus == "released" else 0.98 * PAPER_ARTICLES / articles
        hours = factor * rows * seconds_a_row / 3600
        table.append(
            {
                "net": name,
                "rows of triplets": f"{factor * rows:,.0f}",
                "CPU h a pass": f"{hours:,.1f}",
                f"CPU h, {net.passes} passes": f"{net.passes * hours:,.0f}",
            }
        )
    per_second = 1 / seconds_a_row
    return (
        f"An update takes {seconds:.1f} CPU s, {per_second:.0f} rows a second.\n\n{render(table)}"
    )


def count_rows(corpus: Path) -> tuple[int, int, int]:
    """The articles, sentences and rows of triplets (sentences, titles) of a train split."""
    train = srsly.read_json(corpus / STATISTICS)["train"]
    compiled = CompiledCorpus(corpus / "train" / FOLDER)
    batch = compiled.take(range(len(compiled)))
    return train["articles"], train["sentences"], int(batch.is_in_triplet.sum())


if __name__ == "__main__":
    main()
