__title__ = "spacy-thematic"
__version__ = "0.2.0.dev0"
