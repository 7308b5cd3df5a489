"""A bound on modules, whose sizes may come from a file that somebody else wrote."""

from math import prod
from typing import Any

import torch
from torch.overrides import TorchFunctionMode

_MAKERS = {torch.empty, torch.zeros, torch.ones, torch.full, torch.rand, torch.randn}
_LEAST = 50
"""Bytes that a file has for each tensor, however small."""


class Allowance(TorchFunctionMode):
    """While this lasts, the tensors that are made have no more numbers than a file has bytes.
    Raises ValueError before memory is taken for a tensor beyond that."""

    def __init__(self, n_bytes: int):
        super().__init__()
        self._left = n_bytes

    def __torch_function__(
        self, func: Any, types: Any, args: tuple = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        kwargs = kwargs or {}
        if func in _MAKERS:
            size = args[0] if args else kwargs["size"]
            shape = args if isinstance(size, int) else size
            self._left -= max(_LEAST, prod(map(int, shape)))
            if self._left < 0:
                raise ValueError("The architecture has more weights than the file can hold.")
        return func(*args, **kwargs)
