"""How encoders do on each kind of prose: accuracy on triplets and AMI of k-means, as a table.

    python -m benchmarks.kinds OUT NAME=ARTICLES... [--models NAME=PIPELINE] [--peers NAME=FOLDER]
        [--articles 120] [--by-kind NAME] [--min-sections 5]

Of each source of articles, some are drawn at random. A source named by --by-kind, JSONL whose
records have a field "kind", is divided by it. `thematic benchmark --protocol centred` measures, and
resumes in OUT; it takes --models and --peers as they are.
"""

from __future__ import annotations

import argparse
import gzip
import random
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import srsly
from wasabi import msg

from spacy_thematic.articles.formats import read_articles
from spacy_thematic.evaluation.markdown import render
from spacy_thematic.files import write_bytes

KMEANS = "k-means"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("sources", nargs="+", help="NAME=ARTICLES")
    parser.add_argument("--models", action="append", default=[])
    parser.add_argument("--peers", action="append", default=[])
    parser.add_argument("--vectors", default="")
    parser.add_argument("--by-kind", action="append", default=[], help="name of a source")
    parser.add_argument("--articles", type=int, default=120, help="to draw of each source")
    parser.add_argument("--min-sections", default="5", help="that an article needs to count")
    args = parser.parse_args()
    scores: dict[str, dict[str, str]] = defaultdict(dict)
    for name, path in draw_sets(args):
        for row, cell in measure(args, name, path).items():
            scores[row][name] = cell
    table = [{"accuracy / AMI": row, **cells} for row, cells in scores.items()]
    write_bytes(args.out / "kinds.md", (render(table) + "\n").encode())
    print(render(table))


def draw_sets(args: argparse.Namespace) -> list[tuple[str, Path]]:
    """Files of articles drawn at random, by name."""
    sets = []
    for source in args.sources:
        name, _, path = source.partition("=")
        records: dict[str, list] = defaultdict(list)
        if name in args.by_kind:
            records.update((f"{name} {kind}", own) for kind, own in read_by_kind(path).items())
        else:
            records[name] = [article.to_dict() for article in read_articles(Path(path))]
        for key, found in records.items():
            drawn = random.Random(0).sample(found, min(args.articles, len(found)))
            file = args.out / f"{key.replace(' ', '_')}.jsonl"
            lines = "".join(srsly.json_dumps(record) + "\n" for record in drawn)
            if not file.exists() or file.read_text("utf8") != lines:
                write_bytes(file, lines.encode())
            sets.append((key, file))
    return sets


def read_by_kind(path: str | Path) -> dict[str, list[dict]]:
    """The records of a JSONL file, divided by their field "kind"."""
    records: dict[str, list[dict]] = defaultdict(list)
    opened = gzip.open if str(path).endswith(".gz") else open
    with opened(path, "rt", encoding="utf8") as lines:
        for line in lines:
            record = srsly.json_loads(line)
            records[record["kind"]].append(record)
    return records


def measure(args: argparse.Namespace, name: str, path: Path) -> dict[str, str]:
    """Accuracy by cosine and AMI of each row on one set."""
    msg.info(name)
    out = args.out / path.stem
    options = [
        part
        for option, values in (("--models", args.models), ("--peers", args.peers))
        for value in values
        for part in (option, value)
    ]
    if args.vectors:
        options += ["--vectors", args.vectors]
    options += ["--min-sections", args.min_sections]
    command = [sys.executable, "-m", "spacy", "thematic", "benchmark", "--articles", str(path)]
    tables = ["--table", "3", "--table", "4", "--triplets", "0", "--protocol", "centred"]
    subprocess.run([*command, *tables, *options, "--output", str(out)], check=True)
    found = srsly.read_json(out / "tables.json")["tables"]
    ami = {line["row"]: line["AMI"] for line in found["4"] if line["algorithm"] == KMEANS}
    return {
        line["row"]: f"{show(line['cosine'])} / {show(ami[line['row']])}"
        for line in found["3"]
        if line["row"] in ami
    }


def show(estimate: dict) -> str:
    low, high = estimate["interval"]
    return f"{estimate['value']:.3f} ({low:.3f} to {high:.3f})"


if __name__ == "__main__":
    main()
