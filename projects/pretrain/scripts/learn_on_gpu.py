"""Learn an encoder on a GPU: a teacher, from sections; or a student, from the vectors of teachers,
from sections, and from where they begin.

python scripts/learn_on_gpu.py teacher START CORPUS... --out MODEL
python scripts/learn_on_gpu.py student START CORPUS... --teacher MODEL --general MODEL --out MODEL

It runs on a CPU, too, but takes days there.
"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
import typer
from torch import Tensor, nn
from tqdm import tqdm

from bare_encoder import take_encoder, write_beside
from padded import Boundaries, PaddedEncoder, unit
from passages import Batch, Passages, Sampling, read_passages
from sampled_sections import warm_up_decay
from spacy_thematic.models.section_boundaries import WITH_BOUNDARIES
from spacy_thematic.models.section_headings import WITH_HEADINGS
from spacy_thematic.models.tables import open_table
from spacy_thematic.models.torch_wrapper import get_module
from spacy_thematic.models.word_pieces import get_cutter
from spacy_thematic.pretrained import find_pretrained
from spacy_thematic.pretrained.model_file import write_model_file
from spacy_thematic.pretrained.state import take_state

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
TEMPERATURE, CENTRED_TEMPERATURE, BATCH_WEIGHT, BATCH_SIZE = 0.08, 0.15, 0.3, 1024
RELATION_TEMPERATURE, BATCH_RELATION_TEMPERATURE = 0.1, 0.05
WEIGHTS = {
    "teacher": 2.0,
    "general": 1.0,
    "sections": 0.3,
    "relations": 1.0,
    "batch_relations": 0.5,
    "boundaries": 0.3,
}
"""Of the terms of a student's loss."""

AVERAGE = 0.999
WARM_UP, LOWEST_RATE = 100, 0.03

app = typer.Typer(help=__doc__)


@app.command()
def teacher(
    start: str = typer.Argument(..., help="Model file, such as of start_transformer.py"),
    corpora: list[Path] = typer.Argument(..., help="Training splits of corpora"),
    out: Path = typer.Option(..., help="Model file to write"),
    steps: int = typer.Option(1_080),
    rate: float = typer.Option(6e-5),
    frozen: int = typer.Option(5, help="Layers that do not learn"),
    n_articles: int = typer.Option(64, help="Of a step"),
    seed: int = typer.Option(0),
):
    """Learn from sections alone."""
    torch.manual_seed(seed)
    learner = Learner(start, frozen)
    passages = read_passages(corpora, learner.cutter)
    sampling = Sampling(n_articles=n_articles, n_texts=0)
    learner.prepare([(learner.encoder, rate)], steps)
    pieces = torch.from_numpy(passages.pieces.astype("int32")).to(DEVICE)
    for batch in take(sampling.draw(passages, seed), steps):
        vectors = unit(encode_rows(learner.encoder, pieces, passages, batch.rows))
        rows, mask = lay(vectors, batch.articles)
        learner.step(contrast_sections(rows, mask, find_sections(passages, batch)))
    learner.save(out)


@app.command()
def student(
    start: str = typer.Argument(..., help="Model file or bundled model"),
    corpora: list[Path] = typer.Argument(..., help="Training splits of corpora"),
    taught_by: str = typer.Option(..., "--teacher", help="Model file that knows sections"),
    general: str = typer.Option(..., help="Model file of a general encoder"),
    out: Path = typer.Option(..., help="Model file to write"),
    steps: int = typer.Option(2_400),
    rate: float = typer.Option(2e-4),
    n_articles: int = typer.Option(96, help="Of a step, of which sentences are drawn"),
    n_texts: int = typer.Option(32, help="Of a step, whose sentences are taken in their order"),
    keep: float = typer.Option(0.0, help="Share of the start in the weights that are written"),
    seed: int = typer.Option(0),
):
    """Learn from teachers, sections and boundaries together."""
    torch.manual_seed(seed)
    learner = Learner(start)
    passages = read_passages(corpora, learner.cutter)
    targets = {
        "teacher": encode_corpora(taught_by, corpora),
        "general": encode_corpora(general, corpora),
    }
    width = learner.width
    heads = nn.ModuleDict({k: nn.Linear(width, rows.shape[1]) for k, rows in targets.items()})
    boundaries = Boundaries(width)
    parts = [(learner.encoder, rate), (heads, 1e-3), (boundaries, 2e-3)]
    learner.prepare(parts, steps)
    sampling = Sampling(n_articles=n_articles, n_texts=n_texts)
    pieces = torch.from_numpy(passages.pieces.astype("int32")).to(DEVICE)
    for batch in take(sampling.draw(passages, seed), steps):
        wanted = {k: torch.from_numpy(v[batch.rows]).to(DEVICE).float() for k, v in targets.items()}
        vectors = unit(encode_rows(learner.encoder, pieces, passages, batch.rows))
        terms = {
            name: 1 - (unit(heads[name](vectors)) * rows).sum(dim=-1).mean()
            for name, rows in wanted.items()
        }
        terms |= compare_relations(vectors, wanted["teacher"], batch)
        rows, mask = lay(vectors, batch.articles)
        terms["sections"] = contrast_sections(rows, mask, find_sections(passages, batch))
        terms["boundaries"] = tell_boundaries(boundaries, vectors, passages, batch)
        learner.step(sum(WEIGHTS[name] * term for name, term in terms.items()))
    learner.save(out, boundaries, keep)


class Learner:
    """An encoder that learns in 16 bits, beside weights of 32 bits and their running average."""

    def __init__(self, name: str, frozen: int = 0):
        pretrained = find_pretrained(name)
        self.architecture, self.model = take_encoder(pretrained, WITH_HEADINGS, WITH_BOUNDARIES)
        if self.architecture["@architectures"] == "spacy-thematic.Concatenate.v1":
            # Beside the transformer of md stand words, which do not learn.
            self.architecture = self.architecture["*"]["transformer"]
            self.model = self.model.layers[0]
        self.pretrained = pretrained
        self.table, self.net = self.model.layers[0], get_module(self.model.layers[1])
        self.cutter = get_cutter(self.table)
        open_table(self.table, is_train=True)
        self.encoder = PaddedEncoder(self.net, self.table.get_param("E"), frozen)
        self.first = [one.detach().clone() for one in self.encoder.parameters()]
        self.width = self.encoder.table.shape[1]

    def prepare(self, parts: Sequence[tuple[nn.Module, float]], steps: int) -> None:
        """Make the optimizer of modules, each with its rate."""
        self.done = 0
        self.rates = warm_up_decay(1.0, WARM_UP, steps, lowest=LOWEST_RATE)
        self.copies, self.weights, groups = [], [], []
        for module, rate in parts:
            module.to(DEVICE)
            own = [one for one in module.parameters() if one.requires_grad]
            weights = [one.detach().float().clone().requires_grad_() for one in own]
            groups.append({"params": weights, "lr": rate, "rate": rate})
            self.copies += own
            self.weights += weights
            if module is self.encoder:
                module.bfloat16()
        self.averages = [one.detach().clone() for one in self.weights]
        self.optimizer = torch.optim.AdamW(groups, betas=(0.9, 0.98), weight_decay=0.01)

    def step(self, loss: Tensor) -> None:
        """Follow the gradient of a loss."""
        loss.backward()
        for weight, copy in zip(self.weights, self.copies):
            weight.grad = None if copy.grad is None else copy.grad.float()
            copy.grad = None
        torch.nn.utils.clip_grad_norm_(self.weights, 1.0)
        factor = next(self.rates)
        for group in self.optimizer.param_groups:
            group["lr"] = group["rate"] * factor
        self.optimizer.step()
        self.done += 1
        share = min(AVERAGE, (1 + self.done) / (10 + self.done))
        with torch.no_grad():
            torch._foreach_copy_(self.copies, self.weights)
            torch._foreach_lerp_(self.averages, self.weights, 1 - share)

    def save(self, out: Path, boundaries: Boundaries | None = None, keep: float = 0.0) -> None:
        """Write the averages as a model file, with a net of boundaries. Where the encoder keeps a
        share of the weights that it started with, it loses less of what it knew (WiSE-FT, Wortsman
        et al. 2022)."""
        self.encoder.float()
        with torch.no_grad():
            torch._foreach_copy_(self.copies, self.averages)
            for weight, first in zip(self.encoder.parameters(), self.first):
                # What does not learn was rounded to 16 bits.
                weight.lerp_(first.to(DEVICE), keep if weight.requires_grad else 1.0)
        self.encoder.cpu()
        self.table.set_param("E", self.encoder.table.detach().numpy())
        if boundaries is None:
            state = take_state(self.model)
            write_model_file(out, self.pretrained.lang, self.architecture, state, exact=True)
        else:
            built, net = (self.architecture, self.model), boundaries.build(self.width)
            write_beside(
                out, self.pretrained, WITH_BOUNDARIES, built, "boundaries", net, exact=True
            )


def take(batches: Iterator[Batch], steps: int) -> Iterator[Batch]:
    for _, batch in zip(tqdm(range(steps), unit=" steps", disable=None), batches):
        yield batch


@torch.no_grad()
def encode_corpora(name: str, corpora: Sequence[Path]) -> np.ndarray:
    """What an encoder says of all sentences, unit rows, float16."""
    learner = Learner(name)
    passages = read_passages(corpora, learner.cutter)
    encoder = learner.encoder.to(DEVICE).bfloat16()
    pieces = torch.from_numpy(passages.pieces.astype("int32")).to(DEVICE)
    starts = range(0, len(passages.lengths), 50_000)
    return np.concatenate(
        [
            unit(encode_rows(encoder, pieces, passages, rows)).half().cpu().numpy()
            for rows in (
                np.arange(start, min(start + 50_000, len(passages.lengths)))
                for start in tqdm(starts, unit=" chunks", disable=None)
            )
        ]
    )


def encode_rows(
    encoder: PaddedEncoder, pieces: Tensor, passages: Passages, rows: np.ndarray
) -> Tensor:
    return encoder.encode(pieces, passages.starts[rows], passages.lengths[rows].clip(min=1))


def lay(vectors: Tensor, places: np.ndarray) -> tuple[Tensor, Tensor]:
    """The rows at places, (groups, n), -1 for none, as (groups, n, width); and where one is."""
    numbers = torch.from_numpy(places).to(vectors.device)
    mask = numbers >= 0
    return vectors[numbers.clamp(min=0)] * mask[..., None], mask


def find_sections(passages: Passages, batch: Batch) -> Tensor:
    return torch.from_numpy(passages.sections[batch.rows][batch.articles]).to(DEVICE)


def contrast_sections(rows: Tensor, mask: Tensor, sections: Tensor) -> Tensor:
    """`spacy-thematic.CentredContrastive.v1` of articles: unit rows, (articles, n, width), and
    their sections, (articles, n)."""
    valid = find_pairs(mask)
    same = sections[:, :, None] == sections[:, None, :]
    centred = centre(rows, mask)
    loss = 0.5 * contrast(rows, same, valid, TEMPERATURE)
    loss = loss + 0.5 * contrast(centred, same, valid, CENTRED_TEMPERATURE)
    flat, own = rows[mask], sections[mask]
    drawn = torch.randperm(len(flat), device=flat.device)[:BATCH_SIZE]
    flat, own = flat[drawn][None], own[drawn]
    valid = find_pairs(torch.ones_like(own, dtype=torch.bool)[None])
    same = (own[:, None] == own)[None]
    return loss + BATCH_WEIGHT * contrast(flat, same, valid, TEMPERATURE)


def contrast(rows: Tensor, same: Tensor, valid: Tensor, temperature: float) -> Tensor:
    scores = rows @ rows.transpose(1, 2) / temperature
    positive = same & valid
    n_positive = positive.sum(dim=-1)
    anchors = n_positive > 0
    total = torch.logsumexp(scores.masked_fill(~valid, -1e9), dim=-1)
    mean = (scores * positive).sum(dim=-1) / n_positive.clamp(min=1)
    return ((total - mean) * anchors).sum() / anchors.sum().clamp(min=1)


def compare_relations(vectors: Tensor, wanted: Tensor, batch: Batch) -> dict[str, Tensor]:
    """How unlike the cosines of vectors and of the teacher's are: within each article, centred, and
    in the whole batch."""
    rows, mask = lay(vectors, batch.articles)
    theirs = centre(lay(wanted, batch.articles)[0], mask)
    within = match(centre(rows, mask), theirs, find_pairs(mask), RELATION_TEMPERATURE)
    drawn = torch.randperm(len(vectors), device=vectors.device)[:BATCH_SIZE]
    pairs = find_pairs(torch.ones_like(drawn, dtype=torch.bool)[None])
    own, theirs = vectors[drawn][None], wanted[drawn][None]
    whole = match(own, theirs, pairs, BATCH_RELATION_TEMPERATURE)
    return {"relations": within, "batch_relations": whole}


def match(rows: Tensor, wanted: Tensor, valid: Tensor, temperature: float) -> Tensor:
    """The mean divergence of the softmax over the others of the cosines of rows from that of the
    wanted ones."""
    found, true = (
        torch.log_softmax(
            (one @ one.transpose(1, 2) / temperature).masked_fill(~valid, -1e9), dim=-1
        )
        for one in (rows, wanted)
    )
    divergence = (true.exp() * (true - found)).masked_fill(~valid, 0).sum(dim=-1)
    has_others = valid.any(dim=-1)
    return (divergence * has_others).sum() / has_others.sum().clamp(min=1)


def centre(rows: Tensor, mask: Tensor) -> Tensor:
    there = mask[..., None].float()
    mean = (rows * there).sum(dim=1, keepdim=True) / there.sum(dim=1, keepdim=True).clamp(min=1)
    return unit((rows - mean) * there)


def find_pairs(mask: Tensor) -> Tensor:
    """Whether two rows of a group are there, and are not the same."""
    n = mask.shape[1]
    others = ~torch.eye(n, dtype=torch.bool, device=mask.device)
    return mask[:, :, None] & mask[:, None, :] & others


def tell_boundaries(
    boundaries: Callable, vectors: Tensor, passages: Passages, batch: Batch
) -> Tensor:
    """The logistic loss over the gaps of texts."""
    rows, mask = lay(vectors, batch.texts)
    characters = torch.from_numpy(passages.characters[batch.rows][batch.texts]).to(DEVICE)
    is_gap = mask.clone()
    is_gap[:, 0] = False
    logits = boundaries(rows, characters * mask, mask)
    begins = torch.from_numpy(batch.begins).to(DEVICE).float()
    losses = F.binary_cross_entropy_with_logits(logits, begins, reduction="none")
    return (losses * is_gap).sum() / is_gap.sum().clamp(min=1)


if __name__ == "__main__":
    app()
