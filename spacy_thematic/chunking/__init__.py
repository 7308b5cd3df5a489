"""Chunks of a text for retrieval, each about one thing and within a size."""
