"""The adversarial game of a BiGAN: its losses, its rounds, and what ends it."""
