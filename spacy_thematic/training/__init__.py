"""One training loop, and objectives for it."""
