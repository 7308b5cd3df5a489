"""RMSprop for tables of which each batch reads few rows."""

from __future__ import annotations

import torch


class RowRMSprop(torch.optim.Optimizer):
    """RMSprop with one second moment a row, corrected for bias, on the rows of a sparse gradient.

    decay: of the second moments.
    """

    def __init__(self, params, lr: float, decay: float = 0.99):
        super().__init__(params, {"lr": lr, "decay": decay})

    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            for table in group["params"]:
                self._step(table, group["lr"], group["decay"])

    def _step(self, table: torch.Tensor, rate: float, decay: float) -> None:
        state = self.state[table]
        if not state:
            state["moment"] = torch.zeros(len(table))
            state["steps"] = torch.zeros(len(table))
        gradient = table.grad.coalesce()
        rows, values = gradient.indices()[0], gradient.values()
        steps = state["steps"][rows] + 1
        moment = state["moment"][rows] * decay + values.square().mean(1) * (1 - decay)
        state["steps"][rows], state["moment"][rows] = steps, moment
        scale = -rate / ((moment / (1 - decay**steps)).sqrt() + 1e-8)
        table.index_add_(0, rows, values * scale[:, None])
