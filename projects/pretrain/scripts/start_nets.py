"""The model files that the learning of section boundaries and of headings starts from: a trained
encoder with a net that has learned nothing; that of headings has the words of a corpus's headings.
And a way to carry a net of headings that has learned to another file of the same encoder.

python scripts/start_nets.py boundaries CONFIG MODEL OUT
python scripts/start_nets.py headings CONFIG MODEL CORPUS OUT
python scripts/start_nets.py carry FROM MODEL OUT [--sharpen 1.1]
"""

from pathlib import Path

import numpy as np
import spacy
import typer
from spacy.util import load_config
from thinc.api import Model, fix_random_seed

from bare_encoder import take_encoder, write_beside
from learn_headings import normalise_heading
from spacy_thematic.models.section_boundaries import WITH_BOUNDARIES
from spacy_thematic.models.section_headings import WITH_HEADINGS
from spacy_thematic.pretrained import find_pretrained
from spacy_thematic.pretrained.architecture import build_architecture
from spacy_thematic.triplets.compiled import open_compiled

app = typer.Typer()


@app.command()
def boundaries(
    config: Path = typer.Argument(..., help="configs/start_boundaries.cfg"),
    name: str = typer.Argument(..., help="Model file or pipeline of the encoder"),
    out: Path = typer.Argument(..., help="Model file to write"),
    seed: int = typer.Option(0),
):
    """Give an encoder the net of a config. One that it has already is replaced; a net of headings
    is left out, and `carry` puts it back."""
    start(config, name, out, seed, "boundaries", WITH_HEADINGS, WITH_BOUNDARIES)


@app.command()
def headings(
    config: Path = typer.Argument(..., help="configs/start_headings.cfg"),
    name: str = typer.Argument(..., help="Model file or pipeline of the encoder"),
    corpus: Path = typer.Argument(..., help="Folder of the training corpus"),
    out: Path = typer.Argument(..., help="Model file to write"),
    seed: int = typer.Option(0),
):
    """Give an encoder the net of a config. One that it has already is replaced."""
    start(config, name, out, seed, "headings", WITH_HEADINGS, corpus=corpus)


def start(
    config: Path,
    name: str,
    out: Path,
    seed: int,
    key: str,
    *beside: str,
    corpus: Path | None = None,
) -> None:
    """Write an encoder, without what the architectures `beside` put there, with the net of a
    config, which the last of these architectures calls by a key."""
    fix_random_seed(seed)
    encoder = find_pretrained(name)
    trained = take_encoder(encoder, *beside)
    block = load_config(config, interpolate=True)["model"]
    net = build_architecture(block)
    if corpus:
        _give_words(net, corpus, encoder.lang)
    net.set_dim("nI", trained[1].get_dim("nO"))
    net.initialize()
    write_beside(out, encoder, beside[-1], trained, key, (block, net), exact=True)


@app.command()
def carry(
    source: str = typer.Argument(..., help="Model file that has the net"),
    name: str = typer.Argument(..., help="Model file of the same encoder"),
    out: Path = typer.Argument(..., help="Model file to write"),
    sharpen: float = typer.Option(
        1.0, help="Factor of the net's cosines, to bring its scores to the level of another net's"
    ),
):
    """Give a model file the net of headings of another, such as when what it knows of boundaries
    has been learned again. One that it has already is replaced. Weights of 16 and 8 bits stay as
    they are."""
    learned, encoder = find_pretrained(source), find_pretrained(name)
    blocks, with_net = take_encoder(learned)
    if blocks["@architectures"] != WITH_HEADINGS:
        raise typer.BadParameter(f"{source} has no net of headings.")
    trained = take_encoder(encoder, WITH_HEADINGS)
    net = with_net.layers[1]
    net.set_param("log_scale", net.get_param("log_scale") + np.float32(np.log(sharpen)))
    write_beside(out, encoder, WITH_HEADINGS, trained, "headings", (blocks["headings"], net))


def _give_words(net: Model, corpus: Path, lang: str) -> None:
    """Give the tables of a net the words of a corpus's headings."""
    nlp = spacy.blank(lang)
    headings = [normalise_heading(heading) for heading in open_compiled(corpus, nlp.vocab).headings]
    lower = [token.lower for doc in nlp.tokenizer.pipe(headings) for token in doc]
    words, counts = np.unique(np.array(lower, "uint64"), return_counts=True)
    for node in net.walk():
        if "set_vocabulary" in node.attrs:
            node.attrs["set_vocabulary"](node, nlp.vocab, words, counts)


if __name__ == "__main__":
    app()
