"""`thematic corpus`: articles to triplets."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer
from wasabi import msg

from spacy_thematic.cli.app import app

# Below this many bytes on disk one process is done before others have started.
SMALL_SOURCE = 20_000_000


@app.command("corpus")
def corpus_cli(
    source: str = typer.Argument(
        ...,
        help="Articles: a dump, JSONL, a folder of Markdown or HTML and others, plain or compressed, or package:NAME/path",
    ),
    out: Path = typer.Argument(
        ..., help="Folder for the shards; a corpus that stands there is replaced"
    ),
    kind: str = typer.Option(
        "sen",
        help="Negatives from the adjacent sections (sen), from any other section (sen-rand-section), from other articles (sen-rand-article); or sentences against section titles (titles)",
    ),
    format: str = typer.Option(
        "auto",
        help="Format of the source: mediawiki, jsonl, segment_wiki, wikisection, sentence_clustering, section_triplets, wikitext, markdown, html",
    ),
    limit: int = typer.Option(0, min=0, help="Read only so many articles; 0 reads all"),
    skip_bad: bool = typer.Option(
        False, "--skip-bad", help="Pass over records that are no articles, and count them"
    ),
    subsections: str = typer.Option(
        "merge", help='"merge" subsections into their top section, or keep them "separate"'
    ),
    min_sections: int = typer.Option(5, min=1, help="Sections that an article needs"),
    shares: str = typer.Option(
        "80/10/10",
        help="Proportions of train, dev and test articles, whatever their sum: 8/1/1 is 80/10/10",
    ),
    lang: str = typer.Option("en", help="Language of the tokenizer"),
    pipeline: str = typer.Option(
        "",
        help="spaCy pipeline with a senter or parser, to find sentences by instead of by punctuation",
    ),
    check_language: bool = typer.Option(
        False,
        "--check-language",
        help="Drop articles that are not in the language of the tokenizer",
    ),
    processes: int = typer.Option(
        0, min=0, help="Processes; 0 takes all cores for a large source, one for a small"
    ),
    seed: int = typer.Option(0, help="Seed of the random negatives"),
):
    """
    Turn sectioned articles, or released triplets, into training triplets: shards in OUT/train, OUT/dev and OUT/test, the
    clustering benchmark in OUT/clustering and OUT/clustering.csv, and OUT/statistics.json. Killed
    at any moment, the same command goes on where it stopped.
    """
    from itertools import islice

    from spacy_thematic.articles.formats import read_records
    from spacy_thematic.articles.sources import ReadLog
    from spacy_thematic.cli.shell import bytes_bar, clear_errors, restart_rate, update_bytes_bar
    from spacy_thematic.packages import resolve_path
    from spacy_thematic.triplets.article_docs import make_sentence_splitter
    from spacy_thematic.triplets.corpus_builder import (
        CLUSTERING,
        SPLITS,
        build_corpus,
        folder_of_build,
    )
    from spacy_thematic.triplets.rules import KINDS, CorpusSettings

    with clear_errors():
        path = resolve_path(source)
        settings = CorpusSettings(
            kind=_choose("--kind", kind, KINDS),
            seed=seed,
            subsections=_choose("--subsections", subsections, ("merge", "separate")),
            min_sections=min_sections,
            shares=_parse_shares(shares),
            lang=lang,
            pipeline=pipeline or None,
            check_language=check_language,
        )
        make_sentence_splitter(settings)
        log = ReadLog()
        records = read_records(path, format=format, skip_bad=skip_bad, log=log)
        with bytes_bar(log, "Reading", limit) as bar:

            def say_goes_on(n_articles: int) -> None:
                bar.clear()
                msg.info(f"Goes on after {n_articles:,} articles that an earlier run has made")

            try:
                statistics = build_corpus(
                    islice(records, limit or None),
                    out,
                    settings,
                    log=log,
                    source=f"{_describe(path)} {format} {limit}",
                    processes=processes or _count_processes(path),
                    on_record=lambda: update_bytes_bar(bar, log, limit),
                    on_resume=say_goes_on,
                    on_first_block=lambda: restart_rate(bar),
                )
            except BaseException:
                bar.close()
                folder = folder_of_build(out)
                if any(folder.glob("blocks/*.json")):
                    msg.info(f"What was made so far is in {folder}: the same command goes on there")
                raise
    for problem in log.problems:
        msg.warn(problem)
    rows = [
        (split, *(statistics[split][name] for name in ("articles", "sentences", "triplets")))
        for split in (*SPLITS, CLUSTERING)
    ]
    msg.table(rows, header=("", "articles", "sentences", "triplets"), aligns=("l", "r", "r", "r"))
    for split in SPLITS:
        if not statistics[split]["triplets"]:
            msg.warn(f"The {split} split is empty: use more articles, or other --shares")
    read = statistics["read"]["articles read"]
    kept = sum(statistics[split]["articles"] for split in SPLITS)
    msg.good(f"Made {out}: {kept:,} of {read:,} articles kept")


def _choose(option: str, value: str, choices: tuple[str, ...]) -> Any:
    if value not in choices:
        raise ValueError(f"Expected {option} to be one of {', '.join(choices)}, found {value!r}.")
    return value


def _parse_shares(text: str) -> tuple[float, float, float]:
    try:
        train, dev, test = (float(share) for share in text.split("/"))
        if min(train, dev, test) < 0 or not 0 < train + dev + test < float("inf"):
            raise ValueError
    except ValueError:
        raise ValueError(
            f"Expected --shares as three numbers of train, dev and test, such as 80/10/10, "
            f"found {text!r}."
        ) from None
    total = train + dev + test
    return train / total, dev / total, test / total


def _describe(path: Path) -> str:
    """The path, size and time of a source, so that a killed build of another is not gone on with."""
    if not path.is_file():
        return str(path.resolve())
    stat = path.stat()
    return f"{path.resolve()} {stat.st_size} {stat.st_mtime_ns}"


def _count_processes(path: Path) -> int:
    import os

    small = path.is_file() and path.stat().st_size < SMALL_SOURCE
    return 1 if small or path.is_dir() else len(os.sched_getaffinity(0))
