"""`thematic corpus`: articles to triplets."""

from __future__ import annotations

from pathlib import Path

import typer
from wasabi import msg

from spacy_thematic.cli.app import app


@app.command("corpus")
def corpus_cli(
    source: str = typer.Argument(
        ..., help="Articles: a MediaWiki dump or JSONL, plain or compressed, or package:NAME/path"
    ),
    out: Path = typer.Argument(
        ..., help="Folder for the shards; a corpus that stands there is replaced"
    ),
    format: str = typer.Option("auto", help="Format of the source"),
    limit: int = typer.Option(0, help="Read only so many articles; 0 reads all"),
    skip_bad: bool = typer.Option(
        False, "--skip-bad", help="Pass over records that are no articles, and count them"
    ),
    subsections: str = typer.Option(
        "merge", help='"merge" subsections into their top section, or keep them "separate"'
    ),
    min_sections: int = typer.Option(5, help="Sections that an article needs"),
    shares: str = typer.Option("80/10/10", help="Shares of train, dev and test articles"),
    lang: str = typer.Option("en", help="Language of the tokenizer"),
    seed: int = typer.Option(0, help="Seed of the random negatives"),
):
    """
    Turn sectioned articles into training triplets: shards in OUT/train, OUT/dev and OUT/test, the
    clustering benchmark in OUT/clustering, and OUT/statistics.json.
    """
    from itertools import islice

    from spacy_thematic.articles.readers import read_articles
    from spacy_thematic.articles.reading import ReadLog
    from spacy_thematic.cli.shell import bytes_bar, clear_errors, update_bytes_bar
    from spacy_thematic.packages import resolve_path
    from spacy_thematic.triplets.building import (
        CLUSTERING,
        SPLITS,
        CorpusSettings,
        build_corpus,
        make_sentence_splitter,
    )

    with clear_errors():
        settings = CorpusSettings(
            seed=seed,
            subsections=_parse_subsections(subsections),
            min_sections=min_sections,
            shares=_parse_shares(shares),
        )
        log = ReadLog()
        articles = read_articles(resolve_path(source), format=format, skip_bad=skip_bad, log=log)
        with bytes_bar(log, "Reading") as bar:
            statistics = build_corpus(
                islice(articles, limit or None),
                out,
                make_sentence_splitter(lang),
                settings,
                log=log,
                on_article=lambda: update_bytes_bar(bar, log),
            )
    for problem in log.problems:
        msg.warn(problem)
    rows = [
        (split, *(statistics[split].get(name, 0) for name in ("articles", "sentences", "triplets")))
        for split in (*SPLITS, CLUSTERING)
    ]
    msg.table(rows, header=("", "articles", "sentences", "triplets"), aligns=("l", "r", "r", "r"))
    msg.good(f"Made {out} of {statistics['read']['articles read']} articles")


def _parse_shares(text: str) -> tuple[float, float, float]:
    try:
        train, dev, test = (float(share) for share in text.split("/"))
        if min(train, dev, test) < 0 or train + dev + test <= 0:
            raise ValueError
    except ValueError:
        raise ValueError(
            f"Expected --shares as three numbers of train, dev and test, such as 80/10/10, "
            f"found {text!r}."
        ) from None
    return train, dev, test


def _parse_subsections(text: str):
    if text not in ("merge", "separate"):
        raise ValueError(f'Expected --subsections "merge" or "separate", found {text!r}.')
    return text
