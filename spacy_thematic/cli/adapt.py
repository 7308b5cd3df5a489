"""`thematic adapt`: a bundled model for one's own documents."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import typer
from wasabi import msg

from spacy_thematic.cli.app import app

# Fewer than these tell little.
MIN_DOCUMENTS, MIN_TRIPLETS = 20, 500
# More are for `thematic train`.
MAX_DOCUMENTS = 3000
N_FOLDS = 4


@app.command("adapt")
def adapt_cli(
    articles: str = typer.Argument(
        ..., help="Documents with headings: a folder of Markdown or HTML, JSONL, a dump, ..."
    ),
    output: Path = typer.Option(..., "--output", "-o", help="Folder for the adapted pipeline"),
    start: str = typer.Option(
        "en_thematic_md", "--from", help="Model to start from: bundled, a file, or a pipeline"
    ),
    lang: str = typer.Option(
        "",
        help="Language of the documents, as spaCy's code, such as de; empty for what a dump says, or else that of --from",
    ),
    skip_bad: bool = typer.Option(
        False, "--skip-bad", help="Skip and count unreadable records instead of stopping"
    ),
    seed: int = typer.Option(0, help="Seed of the folds, and of what is drawn"),
):
    """
    Adapt a model to your own documents, in minutes.

    Learns a linear map on the model's vectors from the sections of the documents. Held-out documents
    decide how far to go, and whether to go at all: no change is a possible answer, and is said.
    """
    from collections import Counter

    from tqdm import tqdm

    from spacy_thematic.articles.formats import read_articles
    from spacy_thematic.cli.shell import choose_language, clear_errors, reading_bar
    from spacy_thematic.files import check_is_replaceable, write_folder
    from spacy_thematic.packages import resolve_path
    from spacy_thematic.pipeline.embedder import find_embedder
    from spacy_thematic.pretrained import BUNDLED, find_pretrained
    from spacy_thematic.training.adapting import NO_CHANGE, adapt, count_steps, score
    from spacy_thematic.training.documents import (
        draw_articles,
        encode_docs,
        make_adapted,
        make_docs,
    )

    with clear_errors():
        check_is_replaceable(output, "meta.json", "a pipeline")
        path = resolve_path(articles)
        language = choose_language(lang, path, find_pretrained(start).lang)
        nlp = make_adapted(start, language)
        with reading_bar("Reading documents") as (log, move_bar):
            read = read_articles(path, skip_bad=skip_bad, log=log)
            found, n_read = draw_articles(read, MAX_DOCUMENTS, seed, move_bar)
        if n_read > len(found):
            msg.info(
                f"Drew {len(found):,} of {n_read:,} documents; so many are enough to train a model "
                'of your own with "python -m spacy thematic train"'
            )
        counts: Counter[str] = Counter()
        docs = make_docs(found, nlp, counts)
        _report_dropped(len(found), len(docs), counts)
        documents = encode_docs(docs, find_embedder(nlp))
        n_triplets = sum(len(document.triplets) for document in documents)
        if len(documents) < 2 * N_FOLDS:
            raise ValueError(
                f"{articles} holds {len(documents)} documents with two sections to compare, and at "
                f"least {2 * N_FOLDS} are needed to tell whether a change helps: use {start} as it "
                "is, or add documents."
            )
        with tqdm(
            total=count_steps(N_FOLDS), desc="Learning", unit=" steps", disable=None, leave=False
        ) as bar:
            found_map = adapt(documents, n_folds=N_FOLDS, seed=seed, on_step=bar.update)
        rows = {start: found_map.before}
        for other in BUNDLED:
            if other != start and find_pretrained(other).lang == language:
                plain = make_adapted(other, language)
                rows[other] = score(encode_docs(docs, find_embedder(plain)))
        rows["adapted"] = found_map.after
        write_folder(output, make_adapted(start, language, found_map.W).to_disk)
    _print_table(rows, seed)
    few = len(documents) < MIN_DOCUMENTS or n_triplets < MIN_TRIPLETS
    if few:
        msg.warn(
            f"{len(documents)} documents with {n_triplets} triplets are too few to tell: at least "
            f"{MIN_DOCUMENTS} with {MIN_TRIPLETS} are wanted."
        )
    means = {name: float(np.nanmean(values)) for name, values in rows.items()}
    best = max(means, key=means.__getitem__)
    if found_map.choice is NO_CHANGE:
        msg.info(f"No change scored better than {start} on held-out documents, so nothing changed.")
        msg.good(f"Saved {start} as it is to {output}; the best of the table is {best}")
    else:
        msg.good(f"Saved {output}; the best of the table is {best}: use that")


def _report_dropped(n_read: int, n_kept: int, counts) -> None:
    from spacy_thematic.triplets.reasons import MEANINGS, OF_ARTICLES
    from spacy_thematic.triplets.rules import CorpusSettings

    msg.text(f"{n_kept:,} of {n_read:,} documents have sections to compare")
    settings = CorpusSettings(min_sections=2)
    for reason in OF_ARTICLES:
        if counts[reason]:
            meaning = MEANINGS[reason].format(min_sections=settings.min_sections)
            msg.text(f"{meaning}: {counts[reason]:,}")


def _print_table(rows: dict[str, np.ndarray], seed: int) -> None:
    """Means over documents, with 95 per cent intervals by bootstrap over them."""
    from spacy_thematic.evaluation.significance import estimate_ratio

    lines = []
    for name, values in rows.items():
        cells = []
        for column in values.T:
            own = column[~np.isnan(column)]
            cells.append(str(estimate_ratio([own.tolist()], seed=seed)))
        lines.append((name, *cells))
    header = ("on held-out documents", "accuracy", "AMI")
    msg.table(lines, header=header, aligns=("l", "l", "l"))
