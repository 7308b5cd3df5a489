"""`python -m spacy_thematic`: the commands of `python -m spacy thematic`, for what starts a module,
such as torchrun."""

from spacy_thematic.cli.app import app

app(prog_name="python -m spacy_thematic")
