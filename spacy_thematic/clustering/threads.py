"""One thread for the linear algebra: faster at these sizes, the same result on every machine with
the same library, and no thread left over for a forked worker of `nlp.pipe` to wait for."""

import sys
from contextlib import AbstractContextManager
from functools import lru_cache
from typing import Any


def single_thread() -> AbstractContextManager:
    """Return a context in which numpy and scikit-learn use one thread."""
    return _controller("sklearn.cluster" in sys.modules).limit(limits=1)


@lru_cache(maxsize=2)
def _controller(with_sklearn: bool) -> Any:
    """Finding the libraries takes milliseconds, so it is done once; and once more when scikit-learn
    has loaded its own."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
