"""The small corpus of the tests of training."""

from tests.training.conftest import corpus  # noqa: F401
