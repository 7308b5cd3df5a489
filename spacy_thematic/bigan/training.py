"""Triplet BiGAN within the training loop: a `before_update` callback plays the adversarial game."""

from collections.abc import Iterable
from typing import Any, Callable

import numpy as np
from spacy.language import Language
from spacy.tokens import Doc, Span
from spacy.training import Example
from spacy.util import minibatch, registry
from thinc.api import Model, Optimizer, PyTorchWrapper_v3, to_numpy
from tqdm import tqdm

from spacy_thematic.bigan.architecture import get_encoder
from spacy_thematic.models.spans import make_doc_spans
from spacy_thematic.models.torch_wrapper import load_state, save_state
from spacy_thematic.pipeline.embedder import ThematicEmbedder, find_embedder
from spacy_thematic.triplets.docbin import SENTENCES

Corpus = Callable[[Language], Iterable[Example]]
SCORES = {
    "discriminator_loss": "L_D",
    "encoder_generator_loss": "L_EG",
    "discriminator_accuracy": "D_accuracy",
    "logit_spread": "D_spread",
    "generated_spread": "G_spread",
}
"""What the log calls the fields of `Measures`."""


@registry.callbacks("spacy-thematic.TripletBiGAN.v1")
def create_triplet_bigan(
    unlabelled: Corpus,
    pretraining_steps: int = 1000,
    triplet_weight: float = 10.0,
    batch_size: int = 256,
    hidden_width: int = 512,
    spectral_normalization: bool = True,
    label_smoothing: float = 0.0,
    instance_noise: float = 0.0,
    gradient_penalty: float = 0.0,
    reconstruction: float = 0.0,
    window: int = 500,
) -> "TripletBiGAN":
    """A callback for [training.before_update], which makes `python -m spacy thematic train` train
    a `spacy-thematic.BiGANEncoder.v1` as a Triplet BiGAN.

    unlabelled: a reader of texts without labels, such as `spacy-thematic.TripletCorpus.v1`, whose
    triplets are not looked at, or `spacy.PlainTextCorpus.v1`. pretraining_steps: steps before
    triplets count. triplet_weight: lambda, the factor of the embedder's loss from then on.
    batch_size: sentences without labels of a step. hidden_width: of G and D.
    spectral_normalization: of D. label_smoothing, instance_noise, gradient_penalty,
    reconstruction: see `spacy_thematic.bigan.game.Stabilizers`. window: steps after which a game
    that has broken down ends the training.
    """
    from spacy_thematic.bigan.game import Stabilizers
    from spacy_thematic.bigan.watch import Watch

    if batch_size < 2 or triplet_weight < 0:
        raise ValueError(
            "Expected batch_size of [training.before_update] to be at least 2 and triplet_weight "
            f"at least 0, found {batch_size} and {triplet_weight}."
        )
    return TripletBiGAN(
        unlabelled,
        pretraining_steps,
        triplet_weight,
        batch_size,
        hidden_width,
        spectral_normalization,
        Stabilizers(label_smoothing, instance_noise, gradient_penalty, reconstruction),
        Watch(window),
    )


class TripletBiGAN:
    """Before each step on labelled articles, one step of D and one of G on sentences without
    labels, which leaves the gradient of L_EG with E; the step itself adds that of lambda * L_T.

    models: "generator" and "discriminator" by name, which are no part of the pipeline.
    Source: Zamorski & Zieba (2019), algorithm 1.
    """

    def __init__(
        self,
        unlabelled: Corpus,
        pretraining_steps: int,
        triplet_weight: float,
        batch_size: int,
        hidden_width: int,
        spectral_normalization: bool,
        stabilizers: Any,
        watch: Any,
    ):
        self.unlabelled = unlabelled
        self.pretraining_steps = pretraining_steps
        self.triplet_weight = triplet_weight
        self.batch_size = batch_size
        self.hidden_width = hidden_width
        self.spectral_normalization = spectral_normalization
        self.stabilizers = stabilizers
        self.watch = watch
        self.models: dict[str, Model] = {}
        self.measures: list[Any] = []

    def start(self, nlp: Language, optimizer: Optimizer) -> None:
        """Encode the sentences without labels, and make G and D of the sizes that E needs.

        Raises ValueError if the pipeline's embedder is no BiGANEncoder, or there are fewer
        sentences than a batch.
        """
        import torch

        from spacy_thematic.bigan.game import Game
        from spacy_thematic.bigan.vectors import VectorDiscriminator, VectorGenerator

        self.optimizer = optimizer
        self.seed = nlp.config.interpolate()["training"]["seed"] or 0
        self.model = find_embedder(nlp).model
        if self.model.name != "bigan_encoder":
            raise ValueError(
                f"TripletBiGAN trains a spacy-thematic.BiGANEncoder.v1, and the model of the "
                f'thematic_embedder is "{self.model.name}". configs/triplet_bigan.cfg has both.'
            )
        module = get_encoder(self.model)
        device = module.standardize.mean.device
        self.features = torch.from_numpy(self._encode(nlp)).to(device)
        if len(self.features) < self.batch_size:
            raise ValueError(
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

    def __call__(self, nlp: Language, progress: dict[str, int]) -> None:
        """Play one round. progress: the "step" that comes.

        Raises GameError when the game has broken down.
        """
        if not self.models:
            raise ValueError(
                "TripletBiGAN has states of its own to save and resume: train with "
                '"python -m spacy thematic train", not with "spacy train".'
            )
        step = progress["step"]
        x = get_encoder(self.model).standardize(self._take_batch(step))
        pairs = self.game.make_pairs(x)
        measures = self.game.play_discriminator(pairs)
        self.models["discriminator"].finish_update(self.optimizer)
        self.measures.append(measures)
        self.watch.observe(measures)
        self.game.encoder_generator_loss(pairs).backward()
        self.models["generator"].finish_update(self.optimizer)
        is_pretraining = step < self.pretraining_steps
        self.model.attrs["loss_weight"] = 0.0 if is_pretraining else self.triplet_weight

    def pop_scores(self) -> dict[str, float]:
        """The means of `SCORES` over the steps since the last call; nothing without a step. L_T is
        the embedder's own loss."""
        from spacy_thematic.bigan.watch import mean_measures

        measures, self.measures = self.measures, []
        return {SCORES[name]: value for name, value in mean_measures(measures).items()}

    def _take_batch(self, step: int) -> Any:
        """The rows of a step depend on seed and step alone, so that a resumed run sees the same."""
        n_batches = len(self.features) // self.batch_size
        epoch, number = divmod(step, n_batches)
        order = np.random.default_rng([self.seed, epoch]).permutation(len(self.features))
        return self.features[order[number * self.batch_size :][: self.batch_size]]

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
