"""The model file that the transformer of en_thematic_md or en_thematic_lg starts from: layers of a
BERT.

python scripts/start_transformer.py CONFIG BERT OUT
"""

from pathlib import Path

import typer
from spacy.cli._util import parse_config_overrides
from spacy.util import load_config
from thinc.api import fix_random_seed

from bert_layers import fill_from_bert
from spacy_thematic.models.torch_wrapper import get_module
from spacy_thematic.packages import resolve_path
from spacy_thematic.pretrained.architecture import build_architecture
from spacy_thematic.pretrained.model_file import write_model_file
from spacy_thematic.pretrained.state import take_state

app = typer.Typer()


@app.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
def main(
    ctx: typer.Context,
    config: Path = typer.Argument(..., help="configs/start_md.cfg or start_lg.cfg"),
    bert: str = typer.Argument(..., help="Folder with config.json, model.safetensors, vocab.txt"),
    out: Path = typer.Argument(..., help="Model file to write"),
    seed: int = typer.Option(0, help="Of the weights that no BERT has"),
):
    """Take the word pieces, their vectors and some layers of an uncased BERT."""
    settings = load_config(config, overrides=parse_config_overrides(ctx.args), interpolate=True)
    fix_random_seed(seed)
    model = build_architecture(settings["model"])
    embed, pool = model.layers
    pieces, vectors = fill_from_bert(
        get_module(pool), resolve_path(bert), settings["start"]["layers"]
    )
    embed.attrs["pieces"] = pieces
    embed.set_param("E", vectors)
    write_model_file(out, "en", settings["model"], take_state(model), exact=True)


if __name__ == "__main__":
    app()
