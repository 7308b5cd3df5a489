"""Triplet BiGAN: an encoder learned from few labelled triplets and much data without labels
(Zamorski & Zieba 2019)."""
