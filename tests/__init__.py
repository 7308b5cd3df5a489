"""Tests run in several processes at once, so each computes in one thread."""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")
