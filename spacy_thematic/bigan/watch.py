"""Tells when the game of a BiGAN has broken down."""

from __future__ import annotations

import math
from collections import deque
from dataclasses import asdict, fields

from spacy_thematic.bigan.game import Measures

# A generated set whose items are that close to each other, relative to real data.
COLLAPSED_SPREAD = 0.05
# Logits that say nothing of their pairs.
DEAD_LOGIT_SPREAD = 1e-3
# Right that often, D leaves E and G nothing to learn from.
WON_ACCURACY = 0.999


class GameError(ValueError):
    """The adversarial game has broken down, so that more of it teaches the encoder nothing."""


class CollapseMonitor:
    """Looks at the measures of each update, over a window of the last ones.

    window: updates; a state has to last as long to count.
    """

    def __init__(self, window: int = 500):
        self.last: deque[Measures] = deque(maxlen=window)

    def observe(self, measures: Measures) -> None:
        """Raises GameError when a loss is not finite, and when over the whole window the generator
        has collapsed to one point, or the discriminator is dead or never wrong."""
        self.last.append(measures)
        if not math.isfinite(measures.discriminator_loss + measures.encoder_generator_loss):
            raise GameError(
                f"L_D is {measures.discriminator_loss}, L_EG {measures.encoder_generator_loss}: "
                "lower the learning rate, or use spectral normalisation."
            )
        if len(self.last) < (self.last.maxlen or 0):
            return
        if all(m.generated_spread < COLLAPSED_SPREAD for m in self.last):
            raise GameError(
                "Mode collapse: the generator makes much the same of every z, at a mean distance "
                f"of {measures.generated_spread:.2g} of that between real data. Lower the learning "
                "rate, or raise the gradient penalty or the batch size."
            )
        if all(m.logit_spread < DEAD_LOGIT_SPREAD for m in self.last):
            raise GameError(
                "Dead discriminator: its logits differ by "
                f"{measures.logit_spread:.2g} only, whatever the pair. Lower the learning rate or "
                "the gradient penalty."
            )
        if all(m.discriminator_accuracy > WON_ACCURACY for m in self.last):
            raise GameError(
                "The discriminator has been right on every pair for "
                f"{len(self.last)} updates, so that E and G learn little from it. Use spectral "
                "normalisation, instance noise or a gradient penalty."
            )


def mean_measures(measures: list[Measures]) -> dict[str, float]:
    """The mean of each measure; nothing without any."""
    if not measures:
        return {}
    rows = [asdict(m) for m in measures]
    return {f.name: sum(row[f.name] for row in rows) / len(rows) for f in fields(Measures)}
