"""Prediction with a PyTorch module in several threads."""

import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import torch
from thinc.api import Ragged

from spacy_thematic.models.torch_wrapper import wrap_sentence_module


class Meeting(torch.nn.Module):
    """Goes on when two threads are in it, and gives the number of threads that torch uses."""

    def __init__(self):
        super().__init__()
        self.barrier = threading.Barrier(2, timeout=60)

    def forward(self, words, lengths):
        self.barrier.wait()
        return torch.full((len(lengths), 1), float(torch.get_num_threads()))


@pytest.fixture
def two_threads():
    threads = torch.get_num_threads()
    torch.set_num_threads(2)
    yield
    torch.set_num_threads(threads)


def test_each_of_several_predictions_at_once_uses_one_thread_and_leaves_two(two_threads):
    model = wrap_sentence_module(Meeting(), input_gradient=False)
    words = Ragged(np.zeros((3, 4), "f"), np.asarray([2, 1], "i"))

    ready = threading.Barrier(2, timeout=60)

    def predict(_):
        # The first call in a thread takes the number that was set last, in whichever thread.
        torch.get_num_threads()
        torch.set_num_threads(2)
        ready.wait()
        vectors = model.predict(words)
        return vectors.max(), torch.get_num_threads()

    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(predict, range(2))) == [(1, 2), (1, 2)]
