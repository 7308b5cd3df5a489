import numpy as np
import pytest


@pytest.fixture
def blobs():
    """60 rows around three orthogonal directions, and the direction of each."""
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 3, 60)
    rows = np.eye(3, 20)[truth] + rng.normal(0, 0.1, (60, 20))
    return rows.astype(np.float32), truth
