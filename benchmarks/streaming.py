"""Memory and time of training on a corpus, and on the same ten times over.

    python -m benchmarks.streaming CORPUS VECTORS [--steps 40] [--copies 1 10]
        [--config fast rows paper]

CORPUS is a folder made by `thematic corpus`, VECTORS one made by `thematic vectors`. Each row is a
run of the training loop in a process of its own, from the loading of the config on: peak memory,
CPU seconds a step, and the share of them that goes into reading, from article numbers to what the
encoder reads. `fast` and `paper` are the configs of these names; `rows` is `fast` with updates by
rows. With so many copies of each article, a word needs as many times more occurrences to be in the
table, so that the table stays as large. Scores are taken on 100 dev articles. The last row is the
naive way: to hold articles as Examples, as spaCy's own loop does, here some of them.
"""

from __future__ import annotations

import argparse
import io
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import spacy
import srsly
from spacy.training.initialize import init_nlp
from spacy.util import load_config
from wasabi import msg

from spacy_thematic.training.objectives.section_structure import SectionStructure
from spacy_thematic.training.runner import train
from spacy_thematic.triplets.compiled import FOLDER, HEADER, compile_shards
from spacy_thematic.triplets.corpus import create_triplet_corpus
from spacy_thematic.triplets.docbin import find_shards

STARTS = ("word_starts", "row_starts", "triplet_starts")
WARM_UP, EXAMPLES = 20, 500  # articles


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("vectors", type=Path)
    parser.add_argument("--steps", type=int, default=40)
    parser.add_argument("--copies", type=int, nargs="+", default=[1, 10])
    parser.add_argument("--config", nargs="+", default=["fast", "rows", "paper"])
    parser.add_argument("--child", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.child:
        print(srsly.json_dumps(measure(args.child, args.corpus, args.vectors, args.steps)))
        return
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for copies in args.copies:
            repeated = repeat(args.corpus, copies, Path(folder) / str(copies))
            for config in args.config:
                found = run_child(config, repeated, args.vectors, args.steps)
                rows.append((f"{config}, {copies} x", *format_row(found)))
            shutil.rmtree(repeated)
    found = run_child("examples", args.corpus, args.vectors, args.steps)
    examples = f"{found['memory'] / 1e6:,.0f} MB"
    rows.append(("held as Examples", f"{found['articles']:,}", examples, "", ""))
    header = ("", "articles", "peak memory", "CPU s a step", "of it reading")
    msg.table(rows, header=header, aligns=("l", *"rrrr"))
    print(f"An article as an Example: {found['memory'] / found['articles'] / 1000:,.0f} kB.")


def run_child(kind: str, corpus: Path, vectors: Path, steps: int) -> dict[str, Any]:
    command = [sys.executable, __file__, str(corpus), str(vectors), "--child", kind]
    done = subprocess.run(
        [*command, "--steps", str(steps)], check=True, capture_output=True, text=True
    )
    return srsly.json_loads(done.stdout.splitlines()[-1])


def format_row(found: dict[str, Any]) -> tuple[str, ...]:
    seconds, reading = found["seconds"], found["reading"]
    return (
        f"{found['articles']:,}",
        f"{found['memory'] / 1e6:,.0f} MB",
        f"{seconds:.3f}",
        f"{reading / seconds:.1%}",
    )


def measure(kind: str, corpus: Path, vectors: Path, steps: int) -> dict[str, Any]:
    """Train some steps, and read what that took."""
    if kind == "examples":
        return measure_examples(corpus)
    overrides = {
        "paths.train": str(corpus / "train"),
        "paths.dev": str(corpus / "dev"),
        "paths.vectors": str(vectors),
        "training.max_steps": steps,
        "training.max_epochs": 0,
        "training.eval_frequency": 10 * steps,
        "corpora.dev.limit": 100,
        "training.logger.progress_bar": None,
    }
    name = "fast" if kind == "rows" else kind
    config = load_config(Path("configs") / f"{name}.cfg", overrides=overrides)
    model = config["components"]["thematic_embedder"]["model"]
    if name == "fast":
        model["min_count"] = model["embed"]["min_count"] = 3 * copies_in(corpus)
    if kind == "rows":
        model["embed"]["row_rate"] = 1.0
    counted = {"reading": 0.0, "all": 0.0}
    take, step = SectionStructure._take, SectionStructure.step

    def timed_take(self: Any, *args: Any) -> Any:
        start = time.process_time()
        batch = take(self, *args)
        for embedder in self.setting.embedders:
            inputs = self.setting.forms.to_doc_spans(embedder.model.ops, batch.words, batch.lengths)
            assert len(inputs.words.lower)
        counted["reading"] += time.process_time() - start
        return batch

    def timed_step(self: Any, *args: Any) -> Any:
        start = time.process_time()
        found = step(self, *args)
        counted["all"] += time.process_time() - start
        return found

    SectionStructure._take, SectionStructure.step = timed_take, timed_step  # type: ignore[method-assign]
    with tempfile.TemporaryDirectory() as folder:
        nlp = init_nlp(config)
        train(nlp, Path(folder) / "out", stdout=io.StringIO(), stderr=io.StringIO())
    return {
        "articles": len(create_triplet_corpus(corpus / "train")(nlp).compile()[1]),
        "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
        "seconds": counted["all"] / steps,
        "reading": counted["reading"] / steps,
    }


def copies_in(corpus: Path) -> int:
    return int(corpus.name) if corpus.name.isdecimal() else 1


def measure_examples(corpus: Path) -> dict[str, Any]:
    """The memory of articles that are held as Examples."""
    nlp = spacy.blank("en")
    articles = iter(create_triplet_corpus(corpus / "train")(nlp))
    held = list(islice(articles, WARM_UP))
    before = resident()
    held += islice(articles, EXAMPLES)
    return {"articles": len(held) - WARM_UP, "memory": resident() - before}


def resident() -> int:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize()


def repeat(corpus: Path, copies: int, out: Path) -> Path:
    """A corpus whose compiled training split has each article so many times."""
    train_split = corpus / "train"
    if not (train_split / FOLDER / HEADER).is_file():
        compile_shards(train_split, spacy.blank("en").vocab)
    (out / "train" / FOLDER).mkdir(parents=True)
    for shard in find_shards(train_split):
        (out / "train" / shard.name).symlink_to(shard.resolve())
    (out / "dev").symlink_to((corpus / "dev").resolve())
    header = srsly.read_json(train_split / FOLDER / HEADER)
    for name in header["sizes"]:
        path, target = train_split / FOLDER / name, out / "train" / FOLDER / name
        if name not in STARTS:
            with target.open("wb") as file:
                for _ in range(copies):
                    file.write(path.read_bytes())
            continue
        starts = np.fromfile(path, "int64")
        parts = [starts, *(starts[1:] + n * starts[-1] for n in range(1, copies))]
        np.concatenate(parts).tofile(target)
    compiled = out / "train" / FOLDER
    header["sizes"] = {name: (compiled / name).stat().st_size for name in header["sizes"]}
    srsly.write_json(compiled / HEADER, header)
    return out


if __name__ == "__main__":
    main()
