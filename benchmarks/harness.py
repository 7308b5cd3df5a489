"""What all benchmarks share: options, data, encoders, and the end of every report.

A source is named by its path in the folder `--data`, without its ending: `wikipedia/test` is
`wikipedia/test.jsonl.gz`. `segments/choi:1/3-11` are those texts of a file whose title begins with
`1/3-11`. Sources that the folder does not hold are skipped.
"""

import argparse
import os
import random
import re
import shlex
import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("HF_HUB_OFFLINE", "1")

import numpy as np

from spacy_thematic.about import __version__
from spacy_thematic.articles.article import Article
from spacy_thematic.articles.formats import read_articles
from spacy_thematic.clustering.vectors import TextEncoder
from spacy_thematic.evaluation.encoders import SpanEncoder, mean_vectors, pipeline_encoder
from spacy_thematic.evaluation.results import render
from spacy_thematic.models.vector_tables import load_word_vectors
from spacy_thematic.pipeline.loading import load_pipeline
from spacy_thematic.pipeline.text_encoder import encode_texts

ROOT = Path(__file__).parents[1]
SMALL, MEDIUM, LARGE = "en_thematic_sm", "en_thematic_md", "en_thematic_lg"
MINILM = "all-MiniLM-L6-v2"
QUICK_DOCUMENTS = 5

Item = TypeVar("Item")
Row = dict[str, Any]


class Source(NamedTuple):
    """A file of articles or of labelled texts; of these, the ones whose title begins with
    `prefix`."""

    name: str
    path: Path
    prefix: str = ""


def make_parser(
    description: str | None,
    *,
    sources: Sequence[str] = (),
    documents: int = 100,
    models: Sequence[str] = (SMALL, MEDIUM),
) -> argparse.ArgumentParser:
    """A parser with the options of all benchmarks, with the sources that are read if the user names
    no other, none if no `--data` is needed, how many documents are drawn from each, and the bundled
    models that are measured."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--data", type=Path, required=bool(sources), default=Path(), help="folder with the data"
    )
    parser.add_argument("--sources", nargs="+", default=[*sources], help="names of files in it")
    parser.add_argument("--documents", type=int, default=documents, help="to draw from each source")
    parser.add_argument("--seed", type=int, default=0, help="of the draw")
    parser.add_argument("--models", nargs="+", default=[*models], help="pipelines to measure")
    parser.add_argument("--quick", action="store_true", help="a small run, to see that it works")
    return parser


def parse(parser: argparse.ArgumentParser) -> argparse.Namespace:
    """The options of this run, and its commit. A quick one reads little, by the smallest model."""
    args = parser.parse_args()
    args.commit = find_commit()
    if args.quick:
        args.documents = min(args.documents, QUICK_DOCUMENTS)
        args.models = [SMALL]
    return args


def find_sources(args: argparse.Namespace) -> list[Source]:
    """The sources that are there. Says which are not, and ends the benchmark if none is."""
    found = []
    for name in args.sources:
        place, _, prefix = name.partition(":")
        path = args.data / f"{place}.jsonl.gz"
        if path.exists():
            found.append(Source(name, path, prefix))
        else:
            print(f"Skipped {name}: there is no {path}.", file=sys.stderr)
    if not found:
        raise SystemExit(f"None of these is in {args.data}: {', '.join(args.sources)}.")
    return found


def draw(items: Sequence[Item], args: argparse.Namespace) -> list[Item]:
    """At most as many items as the user wants, drawn at random."""
    return random.Random(args.seed).sample(items, min(args.documents, len(items)))


def draw_articles(source: Source, args: argparse.Namespace) -> list[Article]:
    """Random articles."""
    return draw([*read_articles(source.path)], args)


def get_text(article: Article) -> str:
    """An article as plain text, with blank lines between its paragraphs and without headings."""
    return "\n\n".join(text for section in article.sections for text in section.paragraphs)


def find_stems(text: str) -> set[str]:
    """The first five letters of the words of a name that have three or more."""
    words = re.findall(r"[^\W\d_]+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text))
    return {word.lower()[:5] for word in words if len(word) > 2}


def load_encoders(args: argparse.Namespace) -> dict[str, SpanEncoder]:
    """The models to measure, and what can be used in their place: `DATA/minilm` and `DATA/mpnet`,
    folders of sentence-transformers, WordLlama where it is installed, and the mean of GloVe's
    vectors."""
    encoders = {name: pipeline_encoder(load_pipeline(name)) for name in args.models}
    for folder, name in (("minilm", MINILM), ("mpnet", "all-mpnet-base-v2")):
        if (args.data / folder).exists():
            encoders[name] = text_encoder(load_sentence_transformer(str(args.data / folder)))
    if find_spec("wordllama"):
        import wordllama

        folder = Path(wordllama.__file__).parent
        model = wordllama.WordLlama.load(dim=256, cache_dir=folder, disable_download=True)
        encoders["WordLlama, 256 d"] = text_encoder(model.embed)
    glove = args.data / "vectors/glove6b-100d-120k.npz"
    if glove.exists():
        encoders["mean of GloVe, 100 d"] = mean_vectors(load_word_vectors(glove))
    return encoders


def load_sentence_transformer(folder: str) -> TextEncoder:
    """A model of sentence-transformers."""
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(folder, local_files_only=True)
    return partial(model.encode, batch_size=32, show_progress_bar=False)


def text_encoder(encode: TextEncoder) -> SpanEncoder:
    """An encoder of spans from one of strings."""
    return lambda doc, spans: np.asarray(encode([span.text for span in spans]), dtype="f")


def load_judge(args: argparse.Namespace) -> tuple[str, TextEncoder]:
    """What compares texts that are not ours to compare: MiniLM if `DATA/minilm` is there, the
    largest bundled model otherwise; and its name."""
    if (args.data / "minilm").exists():
        return MINILM, load_sentence_transformer(str(args.data / "minilm"))
    nlp = load_pipeline(LARGE)
    return LARGE, lambda texts: encode_texts(nlp, texts)


def print_report(args: argparse.Namespace, tables: Mapping[str, Sequence[Row]]) -> None:
    """Print tables under their titles, then the command and the commit that made them."""
    for title, rows in tables.items():
        print(f"{title}\n\n{render(rows)}\n")
    words = [word.replace(str(args.data), "DATA") if args.data else word for word in sys.argv[1:]]
    name = Path(sys.argv[0]).stem
    command = shlex.join(["python", "-m", f"benchmarks.{name}", *words])
    print(f"`{command}`, commit {args.commit}")


def find_commit() -> str:
    """The commit of the working tree, "-dirty" if files were changed; the version outside git."""
    command = ["git", "-C", str(ROOT), "describe", "--always", "--dirty", "--exclude", "*"]
    found = subprocess.run(command, capture_output=True, text=True)
    return found.stdout.strip() or f"of version {__version__}"
