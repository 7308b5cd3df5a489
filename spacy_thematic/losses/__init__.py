"""Losses over the encoded sentences of a batch of articles, with analytic gradients."""
