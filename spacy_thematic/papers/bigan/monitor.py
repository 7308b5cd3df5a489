"""Detects that the game of a BiGAN has broken down."""

from __future__ import annotations

import math
from collections import deque

from spacy_thematic.papers.bigan.game import Measures
from spacy_thematic.training.errors import TrainingError

# The generator has collapsed if the spread of its output, relative to real data, is below this.
COLLAPSED_SPREAD = 0.05
# The logits of a discriminator that does not look at its input spread less than this.
DEAD_LOGIT_SPREAD = 1e-3
# A discriminator that is right more often leaves E and G nothing to learn from.
WON_ACCURACY = 0.999


class GameError(TrainingError):
    """The adversarial game has broken down, so the encoder would learn nothing more from it."""


class CollapseMonitor:
    """Watches the measures of the last updates.

    Args:
        window: Number of updates for which a broken state must last.
    """

    def __init__(self, window: int = 500):
        self.recent: deque[Measures] = deque(maxlen=window)

    def observe(self, measures: Measures) -> None:
        """Take in the measures of an update.

        Raises:
            GameError: If a loss is not finite, or if during the whole window the generator was
                collapsed to one point, or the discriminator was dead or always right.
        """
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
                "normalisation, instance noise or a gradient penalty."
            )
