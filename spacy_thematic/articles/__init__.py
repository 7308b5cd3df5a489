"""Sectioned text: what an article is, how it is read from files and what is kept of it."""
