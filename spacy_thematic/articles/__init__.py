"""Sectioned text: what an article is, and how it is read from files."""
