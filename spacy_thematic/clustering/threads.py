"""One thread for the linear algebra: faster at these sizes, the same result on every machine with
the same library, and no thread left over for a forked worker of `nlp.pipe` to wait for."""

from __future__ import annotations

from contextlib import AbstractContextManager
from functools import lru_cache
from typing import Any


@lru_cache(maxsize=1)
def _controller() -> Any:
    """Finding the libraries takes milliseconds, so it is done once."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


def single_thread() -> AbstractContextManager:
    """A context in which numpy's linear algebra uses one thread."""
    return _controller().limit(limits=1)
