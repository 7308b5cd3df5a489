"""`thematic corpus`: from articles to triplets."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import typer

from spacy_thematic.articles.article import Article
from spacy_thematic.cli import shell
from spacy_thematic.cli.app import MODELS, command
from spacy_thematic.cli.shell import msg
from spacy_thematic.triplets.rules import CorpusSettings, Kind, is_in_language

if TYPE_CHECKING:
    from spacy_thematic.articles.formats import Record

# For sources of fewer bytes on disk, one process finishes before others have started.
SMALL_SOURCE = 20_000_000
# Articles, and characters of each, that tell the language.
N_FIRST, N_CHARACTERS = 100, 10_000


@command(MODELS, "corpus wiki.jsonl corpus")
def corpus_cli(
    source: str = typer.Argument(
        ...,
        help="Articles, plain or compressed: a dump, a JSONL file, a folder of files (Markdown, HTML, AsciiDoc and the like), or another format. package:NAME/path names a file in an installed package",
    ),
    out: Path = typer.Argument(
        ..., help="Folder for the corpus; an earlier corpus there is replaced"
    ),
    kind: Kind = typer.Option(
        "sen",
        help="A triplet has two sentences of one section, and a sentence from elsewhere (the negative). Negatives come from adjacent sections (sen), any other section (sen-rand-section) or other articles (sen-rand-article). With titles, a triplet has a sentence, the title of its section and another title",
    ),
    sentences: Literal["openers", "all"] = typer.Option(
        "openers",
        help='Sentences to keep: those that open a paragraph (openers), or all. In both cases, triplets contain only openers. With "all", the other sentences are stored as well, for training objectives that also learn from them',
    ),
    limit: int = typer.Option(0, min=0, help="Read only this many articles; 0 reads all"),
    leave_out: list[str] = typer.Option(
        [],
        metavar="SOURCE",
        help="Articles to leave out. SOURCE is a source of articles, a .txt file of titles, or the train, dev or test folder of another corpus. Articles are matched by their sentences if SOURCE is a train, dev or test folder, and otherwise by title. The option may be repeated",
    ),
    skip_bad: bool = shell.SKIP_BAD,
    min_sections: int = typer.Option(5, min=1, help="Minimum sections per article"),
    paper_rules: bool = typer.Option(
        False,
        "--paper-rules",
        help="Apply only the rules of Ein Dor et al. (2018). The default rules also drop openers that are repeated, are not prose or introduce a list, and they drop more of the back matter",
    ),
    shares: str = typer.Option(
        "80/10/10",
        help="Proportions of train, dev and test articles; 8/1/1 is the same as 80/10/10",
    ),
    lang: str = typer.Option(
        "",
        help="spaCy's code for the language of the articles, such as de; default: the language of a dump or, for other sources, en",
    ),
    processes: int = typer.Option(
        0,
        min=0,
        help="Number of processes; 0 uses all cores for a large source, and a single core for a small source",
    ),
    engine: Literal["local", "ray"] = shell.ENGINE,
    address: str = shell.ADDRESS,
    seed: int = typer.Option(0, min=0, help="Seed of the random negatives"),
):
    """
    Turn articles into training examples (sentence triplets).

    The output folder gets the subfolders train, dev and test with the triplets, and statistics.json.
    The subfolder "clustering" and the file clustering.csv are for measuring clustering: both have
    sentences of the test articles, each with its section. After an interruption, run the same
    command again to resume.
    """
    from itertools import chain, islice

    from spacy_thematic.articles.formats import choose_language, read_records
    from spacy_thematic.articles.sources import ReadLog
    from spacy_thematic.engines import make_engine
    from spacy_thematic.packages import resolve_path
    from spacy_thematic.triplets import corpus_builder
    from spacy_thematic.triplets.article_docs import make_sentence_splitter
    from spacy_thematic.triplets.reasons import LEFT_OUT, LEFT_OUT_BY_SENTENCE

    with shell.clear_errors() as held:
        path, *left_out = map(resolve_path, (source, *leave_out))
        held.enter_context(shell.claim_outputs([path, *left_out], folders=[out]))
        language, warning = choose_language(lang, path, "en")
        if warning:
            msg.warn(warning)
        settings = CorpusSettings(
            kind=kind,
            seed=seed,
            min_sections=min_sections,
            shares=_parse_shares(shares),
            lang=language,
            sentences=sentences,
            paper_rules=paper_rules,
        )
        splitter = make_sentence_splitter(settings)
        titles, sentences_left_out = _read_left_out(left_out, skip_bad)
        log = ReadLog(skip_bad=skip_bad)
        records = read_records(path, log)
        first = list(islice(records, limit or N_FIRST))
        words = (word for record in first for word in _find_text(record).split())
        if (
            not lang
            and language == "en"
            and not is_in_language(words, splitter.Defaults.stop_words)
        ):
            msg.warn("The articles do not read like English: name their language with --lang")
        records = chain(first, records)
        if engine == "local":
            processes = processes or _count_processes(path)
        with (
            make_engine(engine, address, processes) as workers,
            shell.bytes_bar(log, "Reading", limit) as bar,
        ):

            def report_resuming(n_articles: int) -> None:
                bar.clear()
                msg.info(f"Resuming after {n_articles:,} articles from an earlier run")

            try:
                statistics = corpus_builder.build_corpus(
                    islice(records, limit or None),
                    out,
                    settings,
                    leave_out=titles,
                    leave_out_sentences=sentences_left_out,
                    log=log,
                    source=" ".join((*map(_describe, (path, *left_out)), str(limit))),
                    engine=workers,
                    on_record=lambda: shell.update_bytes_bar(bar, log, limit),
                    on_resume=report_resuming,
                    on_first_block=lambda: shell.restart_rate(bar),
                )
            except BaseException:
                bar.close()
                folder = corpus_builder.folder_of_build(out)
                if any(folder.glob("blocks/*.json")):
                    msg.info(f"The work so far is in {folder}: the same command resumes there")
                raise
    columns = ["articles", "sentences", "triplets"] + ["others"] * (sentences == "all")
    rows = [
        (split, *(statistics[split].get(name, 0) for name in columns))
        for split in (*corpus_builder.SPLITS, corpus_builder.CLUSTERING)
    ]
    msg.table(rows, header=("", *columns), aligns=("l", *("r" for _ in columns)))
    for split, share in zip(corpus_builder.SPLITS, settings.shares):
        if share and not statistics[split]["triplets"]:
            msg.warn(f"The {split} split is empty: use more articles, or other --shares")
    read = statistics["read"]["articles read"]
    kept = sum(statistics[split]["articles"] for split in corpus_builder.SPLITS)
    shell.show_dropped(log, statistics["read"], min_sections)
    if leave_out and not any(map(statistics["read"].get, (LEFT_OUT, LEFT_OUT_BY_SENTENCE))):
        msg.warn("--leave-out left out nothing: no article has a title or a sentence that it names")
    msg.good(f"Made {out}: {kept:,} of {read:,} articles kept")


def _find_text(record: Record) -> str:
    """The beginning of the text of a record."""
    return (record.text() if isinstance(record, Article) else record.text)[:N_CHARACTERS]


def _read_left_out(sources: Sequence[Path], skip_bad: bool) -> tuple[list[str], list[str]]:
    """The titles of articles to leave out, and the sentences whose articles to leave out."""
    from spacy.vocab import Vocab

    from spacy_thematic.articles.formats import read_records
    from spacy_thematic.triplets.docbin import SENTENCES, read_shards

    titles: list[str] = []
    sentences: set[str] = set()
    for source in sources:
        if source.suffix == ".txt":
            titles += _read_titles(source)
            continue
        if source.suffix == ".spacy" or any(source.glob("*.spacy")):
            for doc in read_shards(source, Vocab()):
                sentences.update(sentence.text for sentence in doc.spans[SENTENCES])
            continue
        with shell.reading_bar("Reading what to leave out", skip_bad=skip_bad) as (log, move_bar):
            for record in read_records(source, log):
                titles.append(record.title)
                move_bar()
        for problem in log.list_problems():
            msg.warn(problem)
    return titles, sorted(sentences)


def _read_titles(source: Path) -> list[str]:
    from spacy_thematic.articles.documents import decode

    try:
        titles = decode(source.read_bytes()).splitlines()
    except ValueError as error:
        raise ValueError(f"{source}: {error}. Expected a title on each line, in UTF-8.") from error
    if not any(map(str.strip, titles)):
        raise ValueError(f"{source} holds no title. Expected one on each line.")
    return titles


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
    """The path, size and time of a source, so that the interrupted build of another is not resumed."""
    if not path.is_file():
        return str(path.resolve())
    stat = path.stat()
    return f"{path.resolve()} {stat.st_size} {stat.st_mtime_ns}"


def _count_processes(path: Path) -> int:
    files = path.rglob("*") if path.is_dir() else [path]
    size = sum(file.stat().st_size for file in files if file.is_file())
    # Of a pipe, the size is not known.
    small = size < SMALL_SOURCE and (path.is_dir() or path.is_file())
    return 1 if small else 0
