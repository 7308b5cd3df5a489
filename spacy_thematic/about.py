__title__ = "spacy-thematic"
__version__ = "0.1.0"
