"""`thematic skip-thoughts`: the baseline of Kiros et al. (2015), trained on articles."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import typer
from tqdm import tqdm
from wasabi import msg

from spacy_thematic.articles.article import Article
from spacy_thematic.articles.sources import ReadLog
from spacy_thematic.cli.app import app
from spacy_thematic.cli.shell import bytes_bar, clear_errors, update_bytes_bar


@app.command(
    "skip-thoughts", context_settings={"allow_extra_args": True, "ignore_unknown_options": True}
)
def skip_thoughts_cli(
    ctx: typer.Context,
    config: Path = typer.Argument(..., help="Recipe, such as configs/skip_thoughts.cfg"),
    source: str = typer.Argument(..., help="Articles, as for thematic corpus"),
    output: Path = typer.Option(
        ..., "--output", "-o", help="Folder for model-last, the log and the checkpoint"
    ),
    limit: int = typer.Option(0, min=0, help="Read only so many articles; 0 reads all"),
    max_length: int = typer.Option(40, min=1, help="Words of a sentence that are read"),
    dev_share: float = typer.Option(
        0.02, min=0.0, max=1.0, help="Share of the articles that perplexity is measured on"
    ),
    resume: bool = typer.Option(
        False, "--resume", help="Go on from the checkpoint in the output folder"
    ),
    use_gpu: int = typer.Option(-1, "--gpu-id", "-g", help="GPU ID, or -1 for the CPU"),
):
    """
    Train an encoder of skip-thoughts: from the vector of a sentence two decoders foretell the words
    of the sentences before and after it. Settings of the recipe can be overridden on the command
    line: --paths.vectors assets/vectors, --skip_thoughts.max_steps 500.
    """
    from spacy.cli._util import parse_config_overrides, setup_gpu, show_validation_error
    from spacy.util import load_config

    from spacy_thematic.articles.formats import read_articles
    from spacy_thematic.files import check_is_replaceable
    from spacy_thematic.packages import resolve_path
    from spacy_thematic.training.checkpoints import CHECKPOINT
    from spacy_thematic.training.runner import LAST
    from spacy_thematic.training.skip_thoughts import make_pipeline, make_trainer
    from spacy_thematic.triplets.article_docs import make_sentence_splitter
    from spacy_thematic.triplets.paragraphs import read_paragraphs
    from spacy_thematic.triplets.rules import CorpusSettings

    with clear_errors():
        check_is_replaceable(output / LAST, "meta.json", "a pipeline")
        setup_gpu(use_gpu)
        overrides = parse_config_overrides(ctx.args)
        with show_validation_error(config):
            settings = load_config(config, overrides=overrides, interpolate=False)
            trainer = make_trainer(settings)
            nlp = make_pipeline(settings)
        log = ReadLog()
        splitter = make_sentence_splitter(CorpusSettings(lang=nlp.meta["lang"]))
        with bytes_bar(log, "Reading", limit) as bar:
            articles = _watch(read_articles(resolve_path(source), log=log), bar, log, limit)
            paragraphs = read_paragraphs(articles, splitter, max_length, dev_share)
        n_sentences = len(paragraphs.sentences) - 1
        msg.info(f"{n_sentences:,} sentences in {len(paragraphs.is_dev):,} paragraphs")
        if resume and not (output / CHECKPOINT).exists():
            msg.info(f"No checkpoint in {output}, so training starts from the beginning")
        lines = trainer.train(nlp, paragraphs, output, resume=resume)
        total = trainer.count_steps(paragraphs)
        with tqdm(total=total, desc="Training", unit=" steps", disable=None, leave=False) as bar:
            for line in lines:
                bar.set_postfix_str(f"loss {line['loss']:.3f}", refresh=False)
                bar.update(line["step"] - bar.n)
                if "perplexity" in line:
                    bar.clear()
                    msg.text(
                        f"step {line['step']} of {total}: loss {line['loss']:.3f}, "
                        f"perplexity on dev articles {line['perplexity']:.1f}"
                    )
    msg.good(f"Saved {output / LAST}")


def _watch(articles: Iterator[Article], bar: tqdm, log: ReadLog, limit: int) -> Iterator[Article]:
    """The articles, so many at most, with a bar that moves as they are read."""
    for article in islice(articles, limit or None):
        update_bytes_bar(bar, log, limit)
        yield article
