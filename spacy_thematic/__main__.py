"""`python -m spacy_thematic`: the commands of `python -m spacy thematic`."""

from spacy_thematic.cli.app import app

app(prog_name="python -m spacy_thematic")
