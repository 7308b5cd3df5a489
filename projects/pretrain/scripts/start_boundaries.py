"""The model file that the learning of section boundaries starts from: a trained encoder with a net
that has learned nothing.

python scripts/start_boundaries.py CONFIG MODEL OUT
"""

from pathlib import Path

import typer
from spacy.util import load_config
from thinc.api import fix_random_seed

from bare_encoder import take_encoder, write_beside
from spacy_thematic.models.section_boundaries import WITH_BOUNDARIES
from spacy_thematic.models.section_headings import WITH_HEADINGS
from spacy_thematic.pretrained import find_pretrained
from spacy_thematic.pretrained.architecture import build_architecture


def main(
    config: Path = typer.Argument(..., help="configs/start_boundaries.cfg"),
    name: str = typer.Argument(..., help="Model file or pipeline of the encoder"),
    out: Path = typer.Argument(..., help="Model file to write"),
    seed: int = typer.Option(0),
):
    """Give an encoder the net of a config. One that it has already is replaced; a net of headings
    is left out, and `start_headings carry` puts it back."""
    fix_random_seed(seed)
    encoder = find_pretrained(name)
    trained = take_encoder(encoder, WITH_HEADINGS, WITH_BOUNDARIES)
    block = load_config(config, interpolate=True)["model"]
    net = build_architecture(block)
    net.set_dim("nI", trained[1].get_dim("nO"))
    net.initialize()
    write_beside(out, encoder, WITH_BOUNDARIES, trained, "boundaries", (block, net), exact=True)


if __name__ == "__main__":
    typer.run(main)
