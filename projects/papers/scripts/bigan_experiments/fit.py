"""Training on tensors: BiGAN alone, then with labelled triplets (Zamorski & Zieba 2019)."""

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field

import numpy as np
import torch
from thinc.api import NumpyOps
from torch import Tensor, nn
from tqdm import tqdm

from spacy_thematic.losses.targets import Targets
from spacy_thematic.losses.triplet import TripletNLL
from triplet_bigan import CollapseMonitor, Game, Measures

DrawTriplets = Callable[[np.random.Generator], tuple[Tensor, Tensor]]
"""Returns some labelled items, (n, ...), and triplets of their row numbers, (m, 3)."""


@dataclass(frozen=True)
class Schedule:
    """How long and how fast to train. Batches and rates are those of Dumoulin et al. (2017).

    Attributes:
        steps: Updates of D, and of E and G, alternately.
        triplet_weight: Lambda, the factor of L_T beside L_EG; 0 is a BiGAN, the paper's
            pretraining.
        game_weight: The factor of L_EG; 0 is a plain triplet net, which trains neither D nor G.
    """

    steps: int
    triplet_weight: float = 1.0
    game_weight: float = 1.0
    batch_size: int = 100
    learn_rate: float = 1e-4
    beta1: float = 0.5


@dataclass
class Log:
    """The measures of each step with the game, and L_T of each step with triplets."""

    measures: list[Measures] = field(default_factory=list)
    triplet_losses: list[float] = field(default_factory=list)


def triplet_loss(codes: Tensor, triplets: Tensor) -> tuple[float, Tensor]:
    """L_T (Zamorski & Zieba 2019, equation 7) of codes, (n, width), and triplets of their row
    numbers, (m, 3), and its gradient with respect to the codes."""
    no_sections = np.zeros(len(codes), "i")
    targets = Targets(triplets.numpy(), no_sections, no_sections, NumpyOps())
    gradient, value = TripletNLL()(codes.detach().numpy(), targets)
    return value, torch.from_numpy(gradient)


def fit(
    game: Game,
    unlabelled: Tensor,
    schedule: Schedule,
    draw_triplets: DrawTriplets | None = None,
    *,
    seed: int = 0,
    monitor: CollapseMonitor | None = None,
    check: Callable[[int], None] = lambda step: None,
) -> Log:
    """Train the modules of a game in place on all x, (n, ...), and on what `draw_triplets` draws
    for a step; without it, as a BiGAN. After each step, `check` is called with its number, from 1.
    Raises GameError if the monitor says that the game breaks down."""
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    log = Log()
    monitor = monitor or CollapseMonitor()
    plays = schedule.game_weight > 0
    adam = _adam([game.encoder, game.generator], schedule)
    adam_discriminator = _adam([game.discriminator], schedule)
    batches = iter_batches(len(unlabelled), schedule.batch_size, rng)
    for step in tqdm(range(1, schedule.steps + 1), disable=None, leave=False):
        game.encoder.train()
        adam.zero_grad()
        if plays:
            pairs = game.make_pairs(unlabelled[next(batches)])
            adam_discriminator.zero_grad()
            log.measures.append(game.discriminator_step(pairs))
            monitor.observe(log.measures[-1])
            (schedule.game_weight * game.encoder_generator_loss(pairs)).backward()
            # All gradients are taken before any of the steps, as in algorithm 1.
            adam_discriminator.step()
        if draw_triplets is not None and schedule.triplet_weight:
            x, triplets = draw_triplets(rng)
            codes = game.encoder(x)
            value, gradient = triplet_loss(codes, triplets)
            log.triplet_losses.append(value)
            codes.backward(schedule.triplet_weight * gradient)
        adam.step()
        check(step)
    return log


def mean_measures(measures: list[Measures]) -> dict[str, float]:
    """Compute the mean of each measure; nothing without any."""
    if not measures:
        return {}
    rows = [asdict(m) for m in measures]
    return {name: sum(row[name] for row in rows) / len(rows) for name in rows[0]}


def _adam(modules: list[nn.Module], schedule: Schedule) -> torch.optim.Adam:
    parameters = [parameter for module in modules for parameter in module.parameters()]
    return torch.optim.Adam(parameters, schedule.learn_rate, (schedule.beta1, 0.999), fused=True)


def iter_batches(n: int, size: int, rng: np.random.Generator) -> Iterator[np.ndarray]:
    """Yield row numbers without end, each row once in an epoch. The rows at the end of an epoch
    that do not fill a batch are left out."""
    size = min(size, n)
    while True:
        order = rng.permutation(n)
        yield from order[: n - n % size].reshape(-1, size)


def triplets_of_classes(x: Tensor, labels: np.ndarray, n_anchors: int = 100) -> DrawTriplets:
    """Make a function that draws `n_anchors` of some labelled items, (m, ...), of classes, (m,), at
    random, each with any other of its class and any of another class (Zamorski & Zieba 2019,
    algorithm 1, lines 7 and 8)."""
    same = labels[:, None] == labels
    other = ~same
    np.fill_diagonal(same, False)
    possible = np.flatnonzero(same.any(axis=1) & other.any(axis=1))

    def draw(rng: np.random.Generator) -> tuple[Tensor, Tensor]:
        anchors = rng.permutation(possible)[:n_anchors]
        rows = [
            anchors,
            *([rng.choice(np.flatnonzero(of[a])) for a in anchors] for of in (same, other)),
        ]
        numbers = torch.arange(3 * len(anchors)).reshape(3, -1).T
        return x[np.concatenate(rows).astype(int)], numbers

    return draw


def encode(encoder: nn.Module, x: Tensor, batch_size: int = 512) -> np.ndarray:
    """Encode all x without noise, as float32, (n, width)."""
    encoder.eval()
    with torch.no_grad():
        return torch.cat([encoder(part) for part in x.split(batch_size)]).numpy()
