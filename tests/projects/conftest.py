"""A small corpus, and a training run on it, as the tests of training have them."""

from tests.training.conftest import corpus, whole  # noqa: F401
