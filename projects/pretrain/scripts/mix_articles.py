"""Articles of several sources as one file, in which no source and no template has too much weight.

python scripts/mix_articles.py OUT ARTICLES... [--most 600] [--seed 0]

Headings that a source repeats over its documents ("Drawbacks", "See also") name a type of section,
not a theme: such sections are left out. Of a source with many documents, some are drawn at random.
The articles of the first file are all kept as they are.
"""

import random
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import srsly
import typer
from wasabi import msg

from spacy_thematic.articles.article import Article, normalize_title
from spacy_thematic.articles.formats import read_articles
from spacy_thematic.files import write_bytes

# A heading is one of a template if it stands in this share of a source's documents, and in so many.
TEMPLATE_SHARE, TEMPLATE_DOCUMENTS = 0.1, 5


def main(
    out: Path = typer.Argument(..., help="JSONL to write"),
    sources: list[Path] = typer.Argument(..., help="Articles"),
    most: int = typer.Option(600, help="Most documents of a source, but of the first file's"),
    seed: int = typer.Option(0),
):
    """Mix articles of several files. The articles of the first are all kept as they are."""
    first, *others = sources
    rng = random.Random(seed)
    articles = list(read_articles(first))
    by_source: dict[str, list[Article]] = defaultdict(list)
    for path in others:
        for article in read_articles(path):
            by_source[article.source].append(article)
    for source in sorted(by_source):
        cleaned = list(drop_templates(by_source[source]))
        articles += rng.sample(cleaned, min(most, len(cleaned)))
    rng.shuffle(articles)
    lines = (srsly.json_dumps(article.to_dict()) for article in articles)
    write_bytes(out, "".join(f"{line}\n" for line in lines).encode())
    msg.good(f"Wrote {len(articles):,} articles to {out}")


def drop_templates(articles: list[Article]) -> Iterator[Article]:
    """The articles of one source without the sections whose headings it repeats."""
    titles = [[normalize_title(section.title) for section in one.sections] for one in articles]
    counts = Counter(title for own in titles for title in {*own} if title)
    least = max(TEMPLATE_DOCUMENTS, TEMPLATE_SHARE * len(articles))
    for article, own in zip(articles, titles):
        pairs = zip(article.sections, own)
        yield replace(article, sections=[one for one, title in pairs if counts[title] < least])


if __name__ == "__main__":
    typer.run(main)
