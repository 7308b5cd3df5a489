from itertools import islice

import numpy as np
import pytest

from sampled_sections import warm_up_decay


@pytest.mark.parametrize(
    ("decay", "expected"),
    [("linear", [0.5, 0.75, 0.5, 0.25, 0.1, 0.1]), ("cosine", [0.5, 0.854, 0.5, 0.146, 0.1, 0.1])],
)
def test_the_rate_rises_and_falls_to_its_lowest(decay, expected):
    rates = warm_up_decay(rate=1.0, warm_up=2, steps=4, decay=decay, lowest=0.1)
    np.testing.assert_allclose([*islice(rates, 6)], expected, atol=1e-3)
