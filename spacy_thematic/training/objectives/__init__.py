"""The objectives that a config names in its [objectives] block."""
