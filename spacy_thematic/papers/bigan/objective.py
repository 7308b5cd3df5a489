"""Triplet BiGAN: the adversarial game on sentences without labels (Zamorski & Zieba 2019)."""

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from functools import partial
from typing import ClassVar

import numpy as np
from spacy.language import Language
from spacy.tokens import Doc, Span
from spacy.training import Example
from spacy.util import minibatch, registry
from thinc.api import PyTorchWrapper_v3, to_numpy

from spacy_thematic.models.spans import make_doc_spans
from spacy_thematic.models.torch_wrapper import load_state, save_state
from spacy_thematic.papers.bigan.encoder import get_encoder
from spacy_thematic.pipeline.embedder import ThematicEmbedder
from spacy_thematic.progress import show_bar
from spacy_thematic.training.errors import TrainingError
from spacy_thematic.training.objective import Objective, Setting, Step
from spacy_thematic.training.order import Order, batch_by_count
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


@registry.misc("spacy-thematic.TripletBiGAN.v1")
@dataclass(kw_only=True)
class TripletBiGAN(Objective):
    """The game of a `spacy-thematic.BiGANEncoder.v1` E with a generator G and a discriminator D, on
    sentences without labels (Zamorski & Zieba 2019, algorithm 1).

    For a Triplet BiGAN set `SectionStructure.v1` beside it: its `weight` is the paper's lambda, its
    `from_step` the number of steps of pretraining.

    Args:
        unlabelled: Reader of texts without labels, such as `spacy-thematic.TripletCorpus.v1`, whose
            triplets are ignored, or `spacy.PlainTextCorpus.v1`. The vectors that the encoder's
            base gives their sentences are held in memory, 1 kB each if 256 wide.
        batch_size: Sentences without labels in a step.
        hidden_width: Width of the hidden layers of G and D.
        spectral_normalization: Whether D has it.
        label_smoothing, instance_noise, gradient_penalty, reconstruction: See
            `spacy_thematic.papers.bigan.game.Stabilizers`.
        window: Steps for which a game must be broken down to end the training.
    """

    unlabelled: Corpus
    batch_size: int = 256
    hidden_width: int = 512
    spectral_normalization: bool = True
    label_smoothing: float = 0.0
    instance_noise: float = 0.0
    gradient_penalty: float = 0.0
    reconstruction: float = 0.0
    window: int = 500
    is_divisible: ClassVar[bool] = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.batch_size < 2:
            raise ValueError(
                f"Expected batch_size of TripletBiGAN to be at least 2, found {self.batch_size}."
            )

    def start(self, setting: Setting) -> Order:
        """Encode the sentences without labels, and make G and D of the sizes that E needs.

        Raises:
            TrainingError: If the embedder is not a `BiGANEncoder.v1`, or if there are fewer
                sentences than a batch has.
        """
        import torch

        from spacy_thematic.papers.bigan.game import Game, Stabilizers
        from spacy_thematic.papers.bigan.monitor import CollapseMonitor
        from spacy_thematic.papers.bigan.networks import VectorDiscriminator, VectorGenerator

        self.model = setting.embedder.model
        if self.model.name != "bigan_encoder":
            raise TrainingError(
                "TripletBiGAN trains a spacy-thematic.BiGANEncoder.v1, but the model of the "
                f'thematic_embedder is "{self.model.name}". configs/triplet_bigan.cfg has both.'
            )
        module = get_encoder(self.model)
        device = module.standardize.mean.device
        self.features = torch.from_numpy(self._encode(setting.nlp)).to(device)
        if len(self.features) < self.batch_size:
            raise TrainingError(
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
        stabilizers = Stabilizers(
            self.label_smoothing, self.instance_noise, self.gradient_penalty, self.reconstruction
        )
        self.game = Game(module.encoder, generator, discriminator, width, stabilizers)
        self.monitor = CollapseMonitor(self.window)
        sizes = np.ones(len(self.features), "int32")
        batcher = partial(batch_by_count, size=self.batch_size)
        return Order(range(len(sizes)), sizes, batcher, f"{setting.seed}-unlabelled")

    def step(self, step: Step) -> dict[str, float]:
        """Update D, and add the gradient of L_EG to those of E and G.

        Raises:
            GameError: If the game has broken down.
        """
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
