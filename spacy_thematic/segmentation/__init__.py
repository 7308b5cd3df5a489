"""Vectors of sentences in the order of a text in, segments out."""
