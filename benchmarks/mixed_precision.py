"""Training steps of the paper's net in 32 bits and in bfloat16, on one thread, as a table.

    python -m benchmarks.mixed_precision [--widths 64 300] [--rounds 5]

A step is forward and backward of random sentences of 5 to 50 words, 20,000 words in all. CPU
seconds are the least of the rounds, in which both take turns. Where the processor does not compute
in bfloat16, the ratio is below 1.
"""

from __future__ import annotations

import argparse
import time

import numpy as np
import torch
from thinc.api import NumpyOps
from thinc.types import Ragged

from spacy_thematic.evaluation.markdown import render
from spacy_thematic.models.torch.bilstm_attention import BiLSTMAttention
from spacy_thematic.models.torch_wrapper import wrap_sentence_module

WORD_WIDTH, N_WORDS = 100, 20_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--widths", type=int, nargs="+", default=[64, 300])
    parser.add_argument("--rounds", type=int, default=5)
    args = parser.parse_args()
    torch.set_num_threads(1)
    rng = np.random.default_rng(0)
    lengths = np.clip(rng.normal(23, 9, N_WORDS), 5, 50).astype("i")
    lengths = lengths[: int(np.searchsorted(np.cumsum(lengths), N_WORDS))]
    words = Ragged(rng.standard_normal((lengths.sum(), WORD_WIDTH)).astype("f"), lengths)
    table = []
    for width in args.widths:
        models = {
            mixed: wrap_sentence_module(
                BiLSTMAttention(WORD_WIDTH, width, min(width, 200), 0.2), False, mixed
            )
            for mixed in (False, True)
        }
        gradient = NumpyOps().asarray2f(rng.standard_normal((len(lengths), 2 * width)))
        seconds: dict[bool, list[float]] = {False: [], True: []}
        for _ in range(args.rounds + 1):
            for mixed, model in models.items():
                start = time.process_time()
                _, backprop = model.begin_update(words)
                backprop(gradient)
                seconds[mixed].append(time.process_time() - start)
        full, half = (min(seconds[mixed][1:]) for mixed in (False, True))
        table.append(
            {
                "hidden width": width,
                "float32, s a step": round(full, 3),
                "bfloat16, s a step": round(half, 3),
                "times as fast": round(full / half, 2),
            }
        )
    print(render(table))


if __name__ == "__main__":
    main()
