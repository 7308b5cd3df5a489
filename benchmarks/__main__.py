"""All benchmarks under one command.

    python -m benchmarks                          lists them
    python -m benchmarks --data DATA --out OUT    runs them, by their usual settings
    python -m benchmarks --data DATA --out OUT --quick --only themes segments

DATA is a folder with what is to be had of: wikipedia/train, dev and test.jsonl.gz,
textbooks/dev.jsonl.gz, prose/dev.jsonl.gz, meetings/dev.jsonl.gz, segments/choi.jsonl.gz and
wiki50.jsonl.gz, chunking/questions.jsonl.gz, vectors/glove6b-100d-120k.npz; and minilm and mpnet,
folders or links to all-MiniLM-L6-v2 and all-mpnet-base-v2 of sentence-transformers. OUT/NAME.md
holds what a benchmark prints, OUT/NAME.log its progress and errors. `--quick` reads little: it
shows that a benchmark works and says nothing of quality. Each has a command line of its own:
`python -m benchmarks.NAME --help`.
"""

import argparse
import ast
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]


def find_benchmarks() -> dict[str, str]:
    """The scripts that take the options of the harness, and the first line of each."""
    paths = sorted(Path(__file__).parent.glob("[!_]*.py"))
    scripts = {path.stem: path.read_text() for path in paths}
    return {
        name: (ast.get_docstring(ast.parse(text)) or "").split("\n")[0]
        for name, text in scripts.items()
        if "make_parser(" in text and "def main()" in text
    }


def run(name: str, args: argparse.Namespace) -> str:
    """Run a benchmark, and say how it ended."""
    command = [sys.executable, "-m", f"benchmarks.{name}", "--data", str(args.data.resolve())]
    command += ["--quick"] if args.quick else []
    start = time.perf_counter()
    with (args.out / f"{name}.md").open("w") as out, (args.out / f"{name}.log").open("w") as log:
        status = subprocess.call(command, stdout=out, stderr=log, cwd=ROOT)
    seconds = time.perf_counter() - start
    return f"failed with status {status}: {name}.log" if status else f"{seconds:.0f} s"


def main() -> None:
    benchmarks = find_benchmarks()
    parser = argparse.ArgumentParser(
        "python -m benchmarks",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--data", type=Path, help="folder with the data")
    parser.add_argument("--out", type=Path, help="folder for what is printed")
    parser.add_argument("--quick", action="store_true", help="small runs, to see that they work")
    parser.add_argument("--only", nargs="+", choices=benchmarks, metavar="NAME")
    args = parser.parse_args()
    names = args.only or [*benchmarks]
    if not (args.data or args.out):
        for name in names:
            print(f"{name:<12} {benchmarks[name]}")
        return
    if not (args.data and args.out):
        parser.error("A run needs --data and --out.")
    args.out.mkdir(parents=True, exist_ok=True)
    ends = []
    for name in names:
        ends.append(run(name, args))
        print(f"{name:<12} {ends[-1]}", flush=True)
    sys.exit(any(end.startswith("failed") for end in ends))


if __name__ == "__main__":
    main()
