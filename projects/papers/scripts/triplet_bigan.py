"""Triplet BiGAN (Zamorski & Zieba 2019): the adversarial game on data without labels, and the
objective that plays it on sentences.

    python -m spacy thematic train configs/triplet_bigan.cfg --code scripts/triplet_bigan.py -o OUT
"""

import math
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from functools import partial
from typing import NamedTuple

import numpy as np
import torch
from spacy.language import Language
from spacy.tokens import Doc, Span
from spacy.training import Example
from spacy.util import minibatch, registry
from thinc.api import PyTorchWrapper_v3, to_numpy
from torch import Tensor, nn
from torch.nn import functional as F
from torch.nn.utils.parametrizations import spectral_norm

from bigan_encoder import get_encoder, make_perceptron
from spacy_thematic.models.spans import make_doc_spans
from spacy_thematic.models.torch_wrapper import load_state, save_state
from spacy_thematic.pipeline.embedder import ThematicEmbedder
from spacy_thematic.progress import show_bar
from spacy_thematic.training import objective
from spacy_thematic.triplets.docbin import OTHERS, SENTENCES

Corpus = Callable[[Language], Iterable[Example]]
TERMS = {
    "discriminator_loss": "L_D",
    "encoder_generator_loss": "L_EG",
    "discriminator_accuracy": "D_accuracy",
    "logit_spread": "D_spread",
    "generated_spread": "G_spread",
}
"""What the log calls the fields of `Measures`."""


class VectorGenerator(nn.Module):
    """The generator G, from z, (batch, width), to x, (batch, output_width)."""

    def __init__(self, width: int, output_width: int, hidden_width: int = 512, depth: int = 2):
        super().__init__()
        self.hidden = make_perceptron(width, hidden_width, depth, normalize=True)
        self.last = nn.Linear(hidden_width, output_width)

    def forward(self, z: Tensor) -> Tensor:
        return self.last(self.hidden(z))


class VectorDiscriminator(nn.Module):
    """D: x, (batch, input_width), and z, (batch, width), to logits, (batch,), high for real pairs.
    D_x reads x, D_z reads z, and D_xz reads the outputs of both. Spectral normalisation is that of
    Miyato et al. (2018), in each layer."""

    def __init__(
        self,
        input_width: int,
        width: int,
        hidden_width: int = 512,
        spectral_normalization: bool = True,
    ):
        super().__init__()
        self.d_x = make_perceptron(input_width, hidden_width, 1)
        self.d_z = make_perceptron(width, hidden_width, 1)
        self.d_xz = nn.Sequential(
            make_perceptron(2 * hidden_width, hidden_width, 1), nn.Linear(hidden_width, 1)
        )
        if spectral_normalization:
            for layer in list(self.modules()):
                if isinstance(layer, nn.Linear):
                    spectral_norm(layer)

    def forward(self, x: Tensor, z: Tensor) -> Tensor:
        return self.d_xz(torch.cat([self.d_x(x), self.d_z(z)], dim=1)).squeeze(1)


def discriminator_loss(real: Tensor, generated: Tensor) -> Tensor:
    """L_D = softplus(-D(x, E(x))) + softplus(D(G(z), z)), the mean over the batch, of the logits of
    the pairs (x, E(x)) and (G(z), z), (batch,)."""
    return F.softplus(-real).mean() + F.softplus(generated).mean()


def encoder_generator_loss(real: Tensor, generated: Tensor) -> Tensor:
    """L_EG = softplus(D(x, E(x))) + softplus(-D(G(z), z)), of the same as `discriminator_loss`."""
    return F.softplus(real).mean() + F.softplus(-generated).mean()


def gradient_penalty(logits: Tensor, x: Tensor, z: Tensor) -> Tensor:
    """Half the squared norm of the gradient of D's logits, (batch,), at real pairs x, (batch, ...),
    and z, (batch, width), the mean over the batch: the R1 of Mescheder et al. (2018)."""
    gradients = torch.autograd.grad(logits.sum(), (x, z), create_graph=True)
    return 0.5 * sum(g.flatten(1).square().sum(dim=1) for g in gradients).mean()  # type: ignore[union-attr]


@dataclass
class Measures:
    """How one update of D went: L_D, L_EG, the share of pairs that D classifies correctly, 0.5 by
    chance, the standard deviation of D's logits, and the mean distance between generated x,
    relative to that between real x."""

    discriminator_loss: float
    encoder_generator_loss: float
    discriminator_accuracy: float
    logit_spread: float
    generated_spread: float


class Pairs(NamedTuple):
    """What the discriminator has to tell apart: (x, codes = E(x)) and (generated = G(z), z)."""

    x: Tensor
    codes: Tensor
    generated: Tensor
    z: Tensor


@dataclass(eq=False)
class Game:
    """Losses and gradients of E, x to z, (batch, width), of G, z to x, and of D, x and z to logits,
    (batch,). The prior of z is N(0, 1). The caller makes the steps of the optimizers. Random
    numbers are torch's own."""

    encoder: nn.Module
    generator: nn.Module
    discriminator: nn.Module
    width: int
    gradient_penalty: float = 0.0

    def make_pairs(self, x: Tensor) -> Pairs:
        """Make the real pairs of a batch of data, and as many generated ones. D learns from them
        first, then E and G, which D's step does not change."""
        for module in (self.encoder, self.generator, self.discriminator):
            if not module.training:
                module.train()
        z = torch.randn(len(x), self.width, device=x.device)
        return Pairs(x, self.encoder(x), self.generator(z), z)

    def discriminator_step(self, pairs: Pairs) -> Measures:
        """Add the gradient of L_D to the discriminator's parameters."""
        is_penalized = self.gradient_penalty > 0
        x, codes, generated, z = (tensor.detach() for tensor in pairs)
        x, codes = x.requires_grad_(is_penalized), codes.requires_grad_(is_penalized)
        real, false = self._classify(x, codes, generated, z)
        loss = total = discriminator_loss(real, false)
        if is_penalized:
            total = loss + self.gradient_penalty * gradient_penalty(real, x, codes)
        total.backward()
        with torch.no_grad():
            return Measures(
                discriminator_loss=loss.item(),
                encoder_generator_loss=encoder_generator_loss(real, false).item(),
                discriminator_accuracy=torch.cat([real > 0, false < 0]).float().mean().item(),
                logit_spread=torch.cat([real, false]).std().item(),
                generated_spread=(_spread(generated) / _spread(pairs.x)).item(),
            )

    def encoder_generator_loss(self, pairs: Pairs) -> Tensor:
        """L_EG. Its gradient does not reach D's parameters."""
        self.discriminator.requires_grad_(False)
        logits = self._classify(pairs.x, pairs.codes, pairs.generated, pairs.z)
        self.discriminator.requires_grad_(True)
        return encoder_generator_loss(*logits)

    def _classify(
        self, x: Tensor, codes: Tensor, generated: Tensor, z: Tensor
    ) -> tuple[Tensor, Tensor]:
        logits = self.discriminator(torch.cat([x, generated]), torch.cat([codes, z]))
        real, false = logits.split(len(x))
        return real, false


def _spread(x: Tensor) -> Tensor:
    return torch.pdist(x.flatten(1)).mean()


# The generator has collapsed if the spread of its output, relative to real data, is below this.
COLLAPSED_SPREAD = 0.05
# The logits of a discriminator that does not look at its input spread less than this.
DEAD_LOGIT_SPREAD = 1e-3
# A discriminator that is right more often leaves E and G nothing to learn from.
WON_ACCURACY = 0.999


class GameError(objective.TrainingError):
    """The adversarial game has broken down, so the encoder would learn nothing more from it."""


class CollapseMonitor:
    """Watches the measures of so many last updates, for which a broken state must last."""

    def __init__(self, window: int = 500):
        self.recent: deque[Measures] = deque(maxlen=window)

    def observe(self, measures: Measures) -> None:
        """Take in the measures of an update. Raises GameError if a loss is not finite, or if during
        the whole window the generator was collapsed to one point, or the discriminator was dead or
        always right."""
        self.recent.append(measures)
        if not math.isfinite(measures.discriminator_loss + measures.encoder_generator_loss):
            raise GameError(
                f"L_D is {measures.discriminator_loss}, L_EG {measures.encoder_generator_loss}: "
                "lower the learning rate, or use spectral normalisation."
            )
        if len(self.recent) < (self.recent.maxlen or 0):
            return
        if all(m.generated_spread < COLLAPSED_SPREAD for m in self.recent):
            raise GameError(
                "Mode collapse: the generator gives nearly the same for every z, with a mean "
                f"distance of {measures.generated_spread:.2g} of that between real data. Lower "
                "the learning rate, or raise the gradient penalty or the batch size."
            )
        if all(m.logit_spread < DEAD_LOGIT_SPREAD for m in self.recent):
            raise GameError(
                "Dead discriminator: its logits differ by "
                f"{measures.logit_spread:.2g} only, whatever the pair. Lower the learning rate or "
                "the gradient penalty."
            )
        if all(m.discriminator_accuracy > WON_ACCURACY for m in self.recent):
            raise GameError(
                "The discriminator has been right on every pair for "
                f"{len(self.recent)} updates, so E and G learn little from it. Use spectral "
                "normalisation or a gradient penalty."
            )


@registry.misc("papers.TripletBiGAN.v1")
@dataclass(kw_only=True)
class TripletBiGAN(objective.Objective):
    """The game of a `papers.BiGANEncoder.v1` E with a generator G and a discriminator D, on
    sentences without labels (Zamorski & Zieba 2019, algorithm 1).

    For a Triplet BiGAN set `SectionStructure.v1` beside it: its `weight` is the paper's lambda, its
    `from_step` the number of steps of pretraining.

    Args:
        unlabelled: Reader of texts without labels, such as `spacy-thematic.TripletCorpus.v1`, whose
            triplets are ignored, or `spacy.PlainTextCorpus.v1`. The vectors that the encoder's
            base gives their sentences are held in memory, 1 kB each if 256 wide.
        batch_size: Sentences without labels in a step.
        hidden_width: Of G and D.
        spectral_normalization: Whether D has it.
        gradient_penalty: Weight of `gradient_penalty`.
        window: Steps for which a game must be broken down to end the training.
    """

    unlabelled: Corpus
    batch_size: int = 256
    hidden_width: int = 512
    spectral_normalization: bool = True
    gradient_penalty: float = 0.0
    window: int = 500

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.batch_size < 2:
            raise ValueError(
                f"Expected batch_size of TripletBiGAN to be at least 2, found {self.batch_size}."
            )

    def start(self, setting: objective.Setting) -> objective.Order:
        """Encode the sentences without labels, and make G and D of the sizes that E needs. Raises
        TrainingError if the embedder is not a `BiGANEncoder.v1`, or if there are fewer sentences
        than a batch has."""
        self.model = setting.embedder.model
        if self.model.name != "bigan_encoder":
            raise objective.TrainingError(
                "TripletBiGAN trains a papers.BiGANEncoder.v1, but the model of the "
                f'thematic_embedder is "{self.model.name}". configs/triplet_bigan.cfg has both.'
            )
        module = get_encoder(self.model)
        device = module.standardize.mean.device
        self.features = torch.from_numpy(self._encode(setting.nlp)).to(device)
        if len(self.features) < self.batch_size:
            raise objective.TrainingError(
                f"The texts without labels have {len(self.features)} sentences, fewer than a batch "
                f"of {self.batch_size}. Add more texts, or lower batch_size."
            )
        module.standardize.fit(self.features)
        input_width, width = self.features.shape[1], self.model.get_dim("nO")
        generator = VectorGenerator(width, input_width, self.hidden_width)
        discriminator = VectorDiscriminator(
            input_width, width, self.hidden_width, self.spectral_normalization
        )
        self.models = {
            name: PyTorchWrapper_v3(
                net.to(device), serialize_model=save_state, deserialize_model=load_state
            )
            for name, net in (("generator", generator), ("discriminator", discriminator))
        }
        nets = module.encoder, generator, discriminator
        self.game = Game(*nets, width, self.gradient_penalty)
        self.monitor = CollapseMonitor(self.window)
        sizes = np.ones(len(self.features), "int32")
        batcher = partial(objective.batch_by_count, size=self.batch_size)
        return objective.Order(range(len(sizes)), sizes, batcher, f"{setting.seed}-unlabelled")

    def step(self, step: objective.Step) -> dict[str, float]:
        """Update D, and add the gradient of L_EG to those of E and G. Raises GameError if the game
        has broken down."""
        x = get_encoder(self.model).standardize(self.features[step.batch])
        pairs = self.game.make_pairs(x)
        measures = self.game.discriminator_step(pairs)
        self.models["discriminator"].finish_update(step.optimizer)
        # Without gradients, as the runner's update would otherwise move D by its momentum.
        self.game.discriminator.zero_grad(set_to_none=True)
        self.monitor.observe(measures)
        (self.weight * self.game.encoder_generator_loss(pairs)).backward()
        return {TERMS[name]: value for name, value in asdict(measures).items()}

    def _encode(self, nlp: Language) -> np.ndarray:
        """The base encoder's vectors of all sentences with words, float32 (sentences, width)."""
        base = self.model.layers[0]
        parts = []
        examples = show_bar(iterable=self.unlabelled(nlp), desc="Sentences without labels")
        for batch in minibatch(examples, size=32):
            docs = [example.reference for example in batch]
            spans = [_find_sentences(nlp, doc) for doc in docs]
            parts.append(to_numpy(base.predict(make_doc_spans(base.ops, docs, spans))))
        rows = np.concatenate(parts) if parts else np.zeros((0, 1), "f")
        return rows[rows.any(axis=1)]


def _find_sentences(nlp: Language, doc: Doc) -> list[Span]:
    """The sentences that the corpus marks, or else those that the pipeline finds."""
    if SENTENCES in doc.spans:
        return [span for key in (SENTENCES, OTHERS) if key in doc.spans for span in doc.spans[key]]
    for _, pipe in nlp.pipeline:
        if isinstance(pipe, ThematicEmbedder):
            return pipe.get_sentences(doc)
        doc = pipe(doc)
    return []
