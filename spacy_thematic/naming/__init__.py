"""Groups of sentences in, descriptions out: for themes, segments, chunks and collections."""
