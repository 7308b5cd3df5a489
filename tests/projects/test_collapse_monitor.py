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
