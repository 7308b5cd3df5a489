"""Articles in, corpora of triplets out."""
