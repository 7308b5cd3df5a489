"""The map from the vectors of an encoder to topics, put beside it: it is fitted to what a general
encoder says of random sentences.

python scripts/add_topics.py MODEL ARTICLES TEACHER OUT
"""

import gzip
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import spacy
import srsly
import typer

from bare_encoder import take_encoder, write_beside
from spacy_thematic.models.encoder_and_net import WITH_TOPICS, build_topics
from spacy_thematic.pipeline.loading import load_pipeline
from spacy_thematic.pipeline.text_encoder import encode_texts
from spacy_thematic.pretrained import find_pretrained
from spacy_thematic.rows import unit_rows
from teacher import load_encoder
from translate_nets import explained, fit_map

HELD_OUT = 2_000
SHORTEST, LONGEST = 20, 900


def main(
    name: str = typer.Argument(..., help="Model file or bundled model"),
    articles: Path = typer.Argument(..., help="JSONL of articles, in random order"),
    teacher: str = typer.Argument(..., help="Folder of a sentence-transformers model"),
    out: Path = typer.Argument(..., help="Model file to write"),
    width: int = typer.Option(256, help="Of the topics: the first principal components"),
    n_sentences: int = typer.Option(40_000, help="Sentences that the map is fitted to"),
    int8: bool = typer.Option(False, "--int8", help="Write nets in 8 bits a number too"),
    bfloat16: bool = typer.Option(False, help="The teacher computes in 16 bits"),
    cache: Path = typer.Option(Path("topics.npy"), help="For the vectors of the teacher"),
    seed: int = typer.Option(0),
):
    """Give an encoder the map. One that it has already is replaced."""
    texts = [text for _, text in zip(range(n_sentences), draw_sentences(articles, seed))]
    if not cache.is_file():
        np.save(cache, load_encoder(teacher, bfloat16)(texts))
    there = np.load(cache).astype("f")
    here = unit_rows(encode_texts(load_pipeline(name), texts), centre=False)
    map_ = fit_map(here[HELD_OUT:], there[HELD_OUT:])
    found = explained(here[:HELD_OUT] @ map_, there[:HELD_OUT])
    typer.echo(f"The map explains {found:.3f} of the variance of sentences held out.")
    map_ = map_ @ find_directions(here @ map_, width)

    encoder = find_pretrained(name)
    topics = build_topics(width)
    topics.set_dim("nI", len(map_))
    topics.set_param("W", map_)
    net = {"@architectures": "spacy-thematic.Topics.v1", "width": width}, topics
    write_beside(out, encoder, WITH_TOPICS, take_encoder(encoder), "topics", net, int8=int8)


def draw_sentences(articles: Path, seed: int) -> Iterator[str]:
    """Random sentences of articles: one of each of three random sections of an article."""
    nlp = spacy.blank("en")
    nlp.add_pipe("thematic_sentencizer")
    rng = np.random.default_rng(seed)
    with (gzip.open if articles.suffix == ".gz" else open)(articles, "rt", encoding="utf8") as file:
        for line in file:
            sections = [one["paragraphs"] for one in srsly.json_loads(line)["sections"]]
            sections = [paragraphs for paragraphs in sections if paragraphs]
            for number in rng.permutation(len(sections))[:3].tolist():
                paragraph = sections[number][int(rng.integers(len(sections[number])))]
                sentences = [one.text.strip() for one in nlp(paragraph[:LONGEST]).sents]
                sentences = [text for text in sentences if len(text) >= SHORTEST]
                if sentences:
                    yield sentences[int(rng.integers(len(sentences)))]


def find_directions(rows: np.ndarray, width: int) -> np.ndarray:
    """The first principal components of rows, (width of rows, width)."""
    centred = rows - rows.mean(axis=0)
    return np.linalg.eigh(centred.T @ centred)[1][:, ::-1][:, :width].astype("f")


if __name__ == "__main__":
    typer.run(main)
