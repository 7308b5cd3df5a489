"""How the game of a BiGAN is monitored, by the measures of single updates."""

import pytest

from triplet_bigan import CollapseMonitor, GameError, Measures


def test_a_loss_that_is_not_finite_is_reported_at_once():
    with pytest.raises(GameError, match="L_D is nan"):
        CollapseMonitor(500).observe(Measures(float("nan"), 1.0, 0.5, 1.0, 1.0))


def test_a_window_with_one_good_update_is_no_breakdown():
    monitor = CollapseMonitor(3)
    for spread in (0.01, 0.01, 0.5, 0.01, 0.01):
        monitor.observe(Measures(1.4, 1.4, 0.5, 1.0, spread))
    with pytest.raises(GameError, match="Mode collapse"):
        monitor.observe(Measures(1.4, 1.4, 0.5, 1.0, 0.01))


@pytest.mark.parametrize(
    "measures, message",
    [
        (Measures(1.4, 1.4, 0.5, 1e-4, 1.0), "Dead discriminator: its logits differ by 0.0001"),
        (Measures(0.1, 9.0, 1.0, 1.0, 1.0), "right on every pair for 2 updates"),
    ],
)
def test_a_discriminator_that_is_dead_or_always_right_is_reported(measures, message):
    monitor = CollapseMonitor(2)
    monitor.observe(measures)
    with pytest.raises(GameError, match=message):
        monitor.observe(measures)
