"""Triplet BiGAN: the adversarial game on sentences without labels (Zamorski & Zieba 2019)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field
from functools import partial
from typing import Any

import numpy as np
from spacy.language import Language
from spacy.tokens import Doc, Span
from spacy.training import Example
from spacy.util import minibatch, registry
from thinc.api import PyTorchWrapper_v3, to_numpy
from tqdm import tqdm

from spacy_thematic.bigan.architecture import get_encoder
from spacy_thematic.models.spans import make_doc_spans
from spacy_thematic.models.torch_wrapper import load_state, save_state
from spacy_thematic.pipeline.embedder import ThematicEmbedder
from spacy_thematic.training.errors import TrainingError
from spacy_thematic.training.objective import Objective, Setting, Step
from spacy_thematic.training.order import Order, batch_by_count
from spacy_thematic.triplets.docbin import SENTENCES

Corpus = Callable[[Language], Iterable[Example]]
TERMS = {
    "discriminator_loss": "L_D",
    "encoder_generator_loss": "L_EG",
    "discriminator_accuracy": "D_accuracy",
    "logit_spread": "D_spread",
    "generated_spread": "G_spread",
}
"""What the log calls the fields of `Measures`."""


@dataclass
class TripletBiGAN(Objective):
    """One step of D and one of G on sentences without labels, which leaves the gradient of L_EG
    with E. Beside it, `SectionStructure` with weight lambda gives that of L_T.

    The settings are those of `create_triplet_bigan`. Source: Zamorski & Zieba (2019), algorithm 1.
    """

    unlabelled: Corpus = tuple  # type: ignore[assignment]
    batch_size: int = 256
    hidden_width: int = 512
    spectral_normalization: bool = True
    stabilizers: Any = None
    window: int = 500
    features: Any = field(default=None, init=False)

    def start(self, setting: Setting) -> Order:
        """Encode the sentences without labels, and make G and D of the sizes that E needs.

        Raises:
            TrainingError: If the pipeline's embedder is no BiGANEncoder, or there are fewer
                sentences than a batch.
        """
        import torch

        from spacy_thematic.bigan.game import Game
        from spacy_thematic.bigan.vectors import VectorDiscriminator, VectorGenerator
        from spacy_thematic.bigan.watch import CollapseMonitor

        (embedder,) = setting.embedders
        self.model = embedder.model
        if self.model.name != "bigan_encoder":
            raise TrainingError(
                f"TripletBiGAN trains a spacy-thematic.BiGANEncoder.v1, and the model of the "
                f'thematic_embedder is "{self.model.name}". configs/triplet_bigan.cfg has both.'
            )
        module = get_encoder(self.model)
        device = module.standardize.mean.device
        self.features = torch.from_numpy(self._encode(setting.nlp)).to(device)
        if len(self.features) < self.batch_size:
            raise TrainingError(
                f"The texts without labels have {len(self.features)} sentences, fewer than a batch "
                f"of {self.batch_size}. Give more, or a smaller batch_size."
            )
        module.standardize.fit(self.features)
        input_width, width = self.features.shape[1], self.model.get_dim("nO")
        generator = VectorGenerator(width, input_width, self.hidden_width).to(device)
        discriminator = VectorDiscriminator(
            input_width, width, self.hidden_width, self.spectral_normalization
        ).to(device)
        self.models = {
            name: PyTorchWrapper_v3(part, serialize_model=save_state, deserialize_model=load_state)
            for name, part in (("generator", generator), ("discriminator", discriminator))
        }
        self.game = Game(module.encoder, generator, discriminator, width, self.stabilizers)
        self.monitor = CollapseMonitor(self.window)
        sizes = np.ones(len(self.features), "int32")
        batcher = partial(batch_by_count, size=self.batch_size)
        return Order(range(len(sizes)), sizes, batcher, f"{setting.seed}-unlabelled")

    def step(self, step: Step) -> dict[str, float]:
        """Play one round. Raises GameError when the game has broken down."""
        x = get_encoder(self.model).standardize(self.features[step.batch])
        pairs = self.game.make_pairs(x)
        measures = self.game.discriminator_step(pairs)
        self.models["discriminator"].finish_update(step.optimizer)
        self.monitor.observe(measures)
        (self.weight * self.game.encoder_generator_loss(pairs)).backward()
        return {TERMS[name]: value for name, value in asdict(measures).items()}

    def _encode(self, nlp: Language) -> np.ndarray:
        """The base encoder's vectors of all sentences with words, float32 (sentences, width)."""
        base = self.model.layers[0]
        parts = []
        examples = tqdm(
            self.unlabelled(nlp), desc="Sentences without labels", disable=None, leave=False
        )
        for batch in minibatch(examples, size=32):
            docs = [example.reference for example in batch]
            spans = [_find_sentences(nlp, doc) for doc in docs]
            parts.append(to_numpy(base.predict(make_doc_spans(base.ops, docs, spans))))
        rows = np.concatenate(parts) if parts else np.zeros((0, 1), "f")
        return rows[rows.any(axis=1)]


def _find_sentences(nlp: Language, doc: Doc) -> list[Span]:
    """Those that the corpus marks, else those that the pipeline finds."""
    if SENTENCES in doc.spans:
        return list(doc.spans[SENTENCES])
    for _, pipe in nlp.pipeline:
        if isinstance(pipe, ThematicEmbedder):
            return pipe.get_sentences(doc)
        doc = pipe(doc)
    return []


@registry.misc("spacy-thematic.TripletBiGAN.v1")
def create_triplet_bigan(
    unlabelled: Corpus,
    weight: float = 1.0,
    from_step: int = 0,
    batch_size: int = 256,
    hidden_width: int = 512,
    spectral_normalization: bool = True,
    label_smoothing: float = 0.0,
    instance_noise: float = 0.0,
    gradient_penalty: float = 0.0,
    reconstruction: float = 0.0,
    window: int = 500,
) -> Objective:
    """The game of a `spacy-thematic.BiGANEncoder.v1` with a generator and a discriminator. For a
    Triplet BiGAN set `SectionStructure.v1` beside it, whose weight is lambda, and whose `from_step`
    is the number of steps of pretraining.

    Args:
        unlabelled: a reader of texts without labels, such as `spacy-thematic.TripletCorpus.v1`,
            whose triplets are not looked at, or `spacy.PlainTextCorpus.v1`.
        weight: factor of the gradient of L_EG.
        from_step: the step from which on it counts.
        batch_size: sentences without labels of a step.
        hidden_width: of G and D.
        spectral_normalization: of D.
        label_smoothing, instance_noise, gradient_penalty, reconstruction: see
            `spacy_thematic.bigan.game.Stabilizers`.
        window: steps after which a game that has broken down ends the training.
    """
    from spacy_thematic.bigan.game import Stabilizers

    if batch_size < 2:
        raise ValueError(
            f"Expected batch_size of TripletBiGAN to be at least 2, found {batch_size}."
        )
    return TripletBiGAN(
        weight,
        from_step,
        unlabelled,
        batch_size,
        hidden_width,
        spectral_normalization,
        Stabilizers(label_smoothing, instance_noise, gradient_penalty, reconstruction),
        window,
    )
