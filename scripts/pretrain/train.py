"""Trains the net of a config; killed, the same command goes on.

python -m scripts.pretrain.train CONFIG OUT [--section.setting VALUE]
"""

from __future__ import annotations

import io
import math
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
import srsly
import torch
import typer
from safetensors.torch import load_file, save
from torch.nn.functional import normalize
from torch.optim.swa_utils import AveragedModel
from wasabi import msg

from scripts.pretrain.batches import ArticleSampler, Sampling, TaughtSampler
from scripts.pretrain.bert import read_bert
from scripts.pretrain.losses import Distillation, SectionLoss
from scripts.pretrain.optimizers import RowRMSprop
from scripts.pretrain.selection import DevSet
from scripts.pretrain.sentences import Corpus, load_corpus
from scripts.pretrain.settings import OVERRIDABLE, load_settings
from scripts.pretrain.students import StaticStudent, TransformerStudent
from scripts.pretrain.teacher import Taught, load_taught
from spacy_thematic.files import write_bytes
from spacy_thematic.packages import resolve_path

WEIGHTS = "weights.safetensors"
VOCABULARY = "vocabulary.txt"
CHECKPOINT = "checkpoint.pt"
LOG = "log.jsonl"
LOWEST_RATE = 0.05
AVERAGE_EVERY = 5
SMALLEST_SHARE = 0.05
BETAS = (0.9, 0.98)
WEIGHT_DECAY = 0.01
GRADIENT_NORM = 1.0

app = typer.Typer()


@dataclass(frozen=True)
class Phase:
    """A run of the optimizer. A phase starts from the best weights of the one before.

    n_articles: of a step, from step `articles_from` on. n_taught: sentences of the teacher.
    rate, row_rate: of AdamW for the layers, and of RowRMSprop for the tables. decay: of both over
    the steps, after `warm_up` of them. token_dropout: share of words left out. dropout: rate in the
    layers. cosine_weight, relation_weight: of the terms of `Distillation`. keep_projection: go on
    with the projection of the phase before.
    """

    steps: int
    evaluate_every: int
    n_articles: int
    articles_from: int
    n_taught: int
    rate: float
    row_rate: float
    warm_up: int
    decay: Literal["linear", "cosine"]
    token_dropout: float
    dropout: float
    cosine_weight: float
    relation_weight: float
    keep_projection: bool

    def get_factor(self, step: int) -> float:
        """Of the rates at a step."""
        done = step / self.steps
        left = 1 - done if self.decay == "linear" else 0.5 * (1 + math.cos(math.pi * done))
        return min(1, (step + 1) / self.warm_up) * max(LOWEST_RATE, left)


@app.command(context_settings=OVERRIDABLE)
def main(
    ctx: typer.Context,
    config: Path = typer.Argument(..., help="configs/pretrain_sm.cfg or pretrain_md.cfg"),
    out: Path = typer.Argument(..., help="Folder for the weights, the log and checkpoints"),
):
    """Train on the sections of articles and on a teacher's vectors."""
    settings = load_settings(config, ctx.args)
    torch.set_num_threads(settings["system"]["threads"])
    torch.manual_seed(settings["system"]["seed"])
    corpus = load_corpus(Path(settings["paths"]["sentences"]))
    taught = load_taught(Path(settings["paths"]["teacher"]))
    student = make_student(settings, corpus, taught)
    trainer = Trainer(student, corpus, taught, settings)
    for number, (name, changes) in enumerate(settings["phases"].items()):
        trainer.run(Phase(**{**settings["training"], **changes}), number, out / name)
        load_weights(student, out / name / WEIGHTS)
    write_bytes(out / VOCABULARY, "".join(w + "\n" for w in student.vocabulary).encode())
    write_bytes(out / WEIGHTS, (out / name / WEIGHTS).read_bytes())
    msg.good(f"Saved {out / WEIGHTS}")


def make_student(settings: dict, corpus: Corpus, taught: Taught) -> Any:
    """The net with the weights that it starts from."""
    start = resolve_path(settings["paths"]["start"])
    sizes = dict(settings["student"])
    if sizes.pop("kind") == "transformer":
        return TransformerStudent(*read_bert(start, **sizes))
    vocabulary = corpus.words[: sizes.pop("n_words")]
    student = StaticStudent(vocabulary, **sizes, teacher_width=taught.vectors.shape[1])
    load_weights(student, start)
    return student


def load_weights(student: torch.nn.Module, path: Path) -> None:
    """All but those of the projection, which stays as it is."""
    student.load_state_dict(load_file(path), strict=False)


class Trainer:
    """Trains a net, a phase at a time."""

    def __init__(self, student: Any, corpus: Corpus, taught: Taught, settings: dict):
        self.student = student
        self.corpus = corpus
        self.taught = taught
        self.word_parts = student.cut(corpus.words)
        self.sampling = Sampling(**settings["sampling"])
        self.section_loss = SectionLoss(**settings["section_loss"])
        self.distillation = Distillation(**settings["distillation"])
        self.centre = np.float32(0)
        if self.distillation.centre:
            self.centre = taught.vectors.mean(axis=0, dtype="f")
        self.seed = settings["system"]["seed"]
        self.projection = {k: v.clone() for k, v in student.projection.state_dict().items()}
        self.devs = {
            name: DevSet(**{**dev, "path": Path(dev["path"])})
            for name, dev in settings["dev"].items()
            if dev["path"]
        }

    def run(self, phase: Phase, number: int, out: Path) -> None:
        """Train from the net's weights; write the averaged ones of the best step."""
        if not phase.keep_projection:
            self.student.projection.load_state_dict(self.projection)
        averaged = AveragedModel(self.student, avg_fn=_average)
        tables = [m.weight for m in self.student.modules() if getattr(m, "sparse", False)]
        known = set(map(id, tables))
        dense = [weight for weight in self.student.parameters() if id(weight) not in known]
        layer_optimizer = torch.optim.AdamW(dense, betas=BETAS, weight_decay=WEIGHT_DECAY)
        row_optimizer = RowRMSprop(tables, lr=phase.row_rate)
        saved = {
            "student": self.student,
            "averaged": averaged,
            "layers": layer_optimizer,
            "rows": row_optimizer,
        }
        progress = _load_checkpoint(out / CHECKPOINT, saved)
        articles = ArticleSampler(self.corpus, self.sampling, [self.seed, number, 0])
        sentences = TaughtSampler(len(self.taught.rows), [self.seed, number, 1])
        totals: Counter[str] = Counter()
        for module in self.student.modules():
            if isinstance(module, torch.nn.Dropout):
                module.p = phase.dropout
        for step in range(progress["step"], phase.steps):
            factor = phase.get_factor(step)
            layer_optimizer.param_groups[0]["lr"] = phase.rate * factor
            row_optimizer.param_groups[0]["lr"] = phase.row_rate * factor
            losses = self.compute_losses(phase, step, number, articles, sentences)
            for optimizer in (layer_optimizer, row_optimizer):
                optimizer.zero_grad()
            sum(losses.values()).backward()
            torch.nn.utils.clip_grad_norm_(dense, GRADIENT_NORM)
            for optimizer in (layer_optimizer, row_optimizer):
                optimizer.step()
            totals.update({name: loss.item() for name, loss in losses.items()})
            if step % AVERAGE_EVERY == 0:
                averaged.update_parameters(self.student)
            if (step + 1) % phase.evaluate_every == 0 or step + 1 == phase.steps:
                progress["step"] = step + 1
                self.evaluate(averaged.module, totals, progress, out)
                _save_checkpoint(out / CHECKPOINT, saved, progress)
                totals.clear()

    def compute_losses(
        self,
        phase: Phase,
        step: int,
        number: int,
        article_sampler: ArticleSampler,
        taught_sampler: TaughtSampler,
    ) -> dict[str, torch.Tensor]:
        """The weighted terms of the loss at a step."""
        rng = np.random.default_rng([self.seed, number, step])
        torch.manual_seed(int(rng.integers(2**31)))
        with_articles = step >= phase.articles_from
        n_articles = phase.n_articles if with_articles else 0
        rows, articles, sections = article_sampler.draw(step * phase.n_articles, n_articles, rng)
        chosen = taught_sampler.draw(step, phase.n_taught)
        words = self.corpus.sentences.take(np.append(rows, self.taught.rows[chosen]))
        words = words.select(rng.random(len(words.values)) >= phase.token_dropout)
        vectors = self.student(words.replace(self.word_parts))
        losses: dict[str, torch.Tensor] = {}
        if n_articles:
            numbers = torch.from_numpy(articles), torch.from_numpy(sections)
            losses.update(self.section_loss(vectors[: len(rows)], *numbers))
        vectors = vectors[len(rows) :]
        taught = torch.from_numpy(self.taught.vectors[chosen].astype("f") - self.centre)
        projected = self.student.project(vectors)
        terms = self.distillation(vectors, projected, normalize(taught, dim=1))
        losses["cosine"] = phase.cosine_weight * terms["cosine"]
        losses["relation"] = phase.relation_weight * terms["relation"]
        return losses

    def evaluate(self, student: Any, totals: Counter[str], progress: dict, out: Path) -> None:
        """Score the net, log it, and write its weights if it is the best so far."""
        student.eval()
        steps = progress["step"] - progress["logged"]
        entry = {
            "step": progress["step"],
            "losses": {name: round(total / steps, 4) for name, total in totals.items()},
            "dev": {name: dev.score(student) for name, dev in self.devs.items()},
        }
        progress["logged"] = progress["step"]
        msg.text(srsly.json_dumps(entry))
        out.mkdir(parents=True, exist_ok=True)
        srsly.write_jsonl(out / LOG, [entry], append=True, append_new_line=False)
        score = sum(map(sum, entry["dev"].values())) if self.devs else progress["step"]
        if score > progress["best"]:
            progress["best"] = score
            state = {k: v for k, v in student.state_dict().items() if "projection" not in k}
            write_bytes(out / WEIGHTS, save(state))


def _average(average: torch.Tensor, new: torch.Tensor, n: torch.Tensor) -> torch.Tensor:
    """The mean at first, later a running one."""
    return average.lerp(new, max(SMALLEST_SHARE, 1 / (n.item() + 1)))


def _save_checkpoint(path: Path, saved: dict[str, Any], progress: dict) -> None:
    buffer = io.BytesIO()
    state = {name: part.state_dict() for name, part in saved.items()}
    torch.save({**state, "progress": progress}, buffer)
    write_bytes(path, buffer.getvalue())


def _load_checkpoint(path: Path, saved: dict[str, Any]) -> dict:
    if not path.exists():
        return {"step": 0, "logged": 0, "best": -math.inf}
    state = torch.load(path, weights_only=True)
    for name, part in saved.items():
        part.load_state_dict(state[name])
    return state["progress"]


if __name__ == "__main__":
    app()
