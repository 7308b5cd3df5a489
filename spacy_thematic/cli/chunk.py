"""`thematic chunk`: chunks of texts for retrieval."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

import srsly
import typer

from spacy_thematic.cli import shell
from spacy_thematic.cli.app import TEXTS, command
from spacy_thematic.cli.shell import msg


@command(TEXTS, "chunk notes/ --max-tokens 256 --out chunks.jsonl")
def chunk_cli(
    paths: list[Path] = typer.Argument(
        ...,
        help='Files or folders: plain text, Markdown, reStructuredText, AsciiDoc, Org, wikitext, HTML and subtitles. Mail, CSV, TSV, Parquet, JSONL and JSON files are read only if you name the file itself, not just its folder. The same goes for PDF, DOCX and the like, which need markitdown, and for LaTeX, ODT and RTF, which need Pandoc. Each row or record is a text; the column or field "text" holds it. If a CSV, TSV, JSONL or JSON file has no column "text", the column with by far the most words is used. Use "-" to read standard input',
    ),
    out: Path = typer.Option(
        ..., "--out", "-o", help="JSONL file to write: one chunk per line, with its position"
    ),
    max_tokens: int = typer.Option(256, help="Largest size of a chunk, in tokens", min=1),
    min_tokens: int | None = typer.Option(
        None,
        help="Smallest size of a chunk in tokens, where possible; default: a quarter of --max-tokens",
    ),
    overlap: int = typer.Option(
        0,
        help="Start each chunk with up to this many tokens of the text before it",
        min=0,
    ),
    model: str = shell.MODEL,
    tokenizer: Path | None = typer.Option(
        None,
        help="A tokenizer.json from Hugging Face, used to count tokens; default: spaCy's tokenizer",
    ),
    suggest_headings: bool = typer.Option(
        False, "--suggest-headings", help="Suggest a heading for each chunk"
    ),
    vectors: bool = typer.Option(
        False, "--vectors", help="Add a vector to each chunk, for your own vector index"
    ),
    text_column: str = shell.TEXT_COLUMN,
    skip_bad: bool = shell.SKIP_BAD,
):
    """
    Cut texts into chunks for retrieval.

    Each chunk stays within a size limit in tokens. Texts are cut at headings, and where their theme
    changes. Small sections are joined.
    """
    from spacy_thematic.articles.csv_records import Columns
    from spacy_thematic.articles.file_parts import FilePart
    from spacy_thematic.chunking.files import FileChunker
    from spacy_thematic.files import open_whole, readable
    from spacy_thematic.pipeline.texts import PROSE_SUFFIXES, iter_files
    from spacy_thematic.scale.search import count_lines, find_place, read_prose

    with shell.clear_errors() as held:
        held.enter_context(shell.claim_outputs([*paths, model, tokenizer], files=[out]))
        counter = None if tokenizer is None else _load_tokenizer(tokenizer)
        chunk_file = FileChunker(
            max_tokens=max_tokens,
            tokenizer=counter,
            min_tokens=min_tokens,
            model=model,
            suggest_headings=suggest_headings,
            overlap=overlap,
            vectors=vectors,
        )
        n_chunks, n_texts = 0, 0
        with (
            shell.reading_bar("Chunking", skip_bad=skip_bad) as (log, update),
            open_whole(out) as stream,
        ):
            files = list(iter_files(paths, PROSE_SUFFIXES, log))
            total_bytes = sum(file.stat().st_size for file in files)
            columns = Columns(text_column)
            for file in files:
                for read, chunks in chunk_file(FilePart(file), log, columns):
                    content, place = read_prose(file) if read.is_shown else None, 0
                    for chunk in (one for one in chunks if one.text.strip()):
                        source = f"{readable(file)}{read.place}"
                        record = {**asdict(chunk), "source": source, "title": read.title}
                        if read.is_shown:
                            found = find_place(chunk.text, content, place)
                            record["line"] = count_lines(content, found)
                            place = found or place
                        if not vectors:
                            del record["vector"]
                        record["metadata"] = read.metadata
                        stream.write(f"{srsly.json_dumps(record)}\n".encode())
                        n_chunks += 1
                    n_texts += 1
                    log.total_bytes = total_bytes
                    update()
            if not n_chunks:
                raise ValueError(f"{', '.join(map(str, paths))}: there is no text to cut.")
        shell.say_what_is_missing(log)
        msg.good(
            f"Saved {out}: {shell.count(n_chunks, 'chunk')} from {shell.count(n_texts, 'text')}"
        )


def _load_tokenizer(path: Path) -> Any:
    from tokenizers import Tokenizer

    try:
        tokenizer = Tokenizer.from_str(path.read_text("utf8"))
    except Exception as error:  # tokenizers raises nothing else.
        raise ValueError(f"{path} is no tokenizer.json from Hugging Face ({error}).") from error
    tokenizer.no_truncation()  # As most are saved, they count no more than a model can read.
    tokenizer.no_padding()
    return tokenizer
