"""The model file that the learning of section boundaries starts from: a trained encoder with a net
that has learned nothing.

python scripts/start_boundaries.py CONFIG MODEL OUT
"""

from pathlib import Path

import typer
from spacy.util import load_config
from thinc.api import fix_random_seed

from bare_encoder import take_encoder
from spacy_thematic.models.section_boundaries import WITH_BOUNDARIES, build_with_boundaries
from spacy_thematic.models.section_headings import WITH_HEADINGS
from spacy_thematic.pretrained import find_pretrained
from spacy_thematic.pretrained.architecture import build_architecture
from spacy_thematic.pretrained.model_file import write_model_file
from spacy_thematic.pretrained.state import take_state


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
    bare, trained = take_encoder(encoder, WITH_HEADINGS, WITH_BOUNDARIES)
    architecture = {
        "@architectures": WITH_BOUNDARIES,
        "encoder": bare,
        "boundaries": load_config(config, interpolate=True)["model"],
    }
    net = build_architecture(architecture["boundaries"])
    net.set_dim("nI", trained.get_dim("nO"))
    net.initialize()
    state = take_state(build_with_boundaries(trained, net))
    write_model_file(out, encoder.lang, architecture, state, exact=True)


if __name__ == "__main__":
    typer.run(main)
