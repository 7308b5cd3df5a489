"""What stands where in a text: text in, blocks with places out. It knows nothing of spaCy."""
