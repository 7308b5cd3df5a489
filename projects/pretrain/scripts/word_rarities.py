"""Count how rare words are in English, for `spacy_thematic.lang`.

    python scripts/word_rarities.py SOURCE [...] --out spacy_thematic/lang/en_word_rarities.npz

Sources, such as articles, other prose and meetings, count the same, whatever their sizes: a word's
share is the mean of its shares in them.
"""

import re
from collections import Counter
from pathlib import Path

import numpy as np
import typer
from tqdm import tqdm

from spacy_thematic.articles.formats import read_articles
from spacy_thematic.lang import RAREST, STEPS, to_word_key
from spacy_thematic.packages import resolve_path

WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
MOST, FEWEST = 40_000, 4


def main(sources: list[str], out: Path = typer.Option(...)) -> None:
    """Write the table."""
    counts: Counter[str] = Counter()
    shares: Counter[str] = Counter()
    for source in sources:
        own: Counter[str] = Counter()
        for article in tqdm(read_articles(resolve_path(source)), disable=None):
            for section in article.sections:
                for text in section.paragraphs:
                    own.update(to_word_key(word.lower()) for word in WORD.findall(text))
        counts.update(own)
        total = own.total() * len(sources)
        shares.update({word: n / total for word, n in own.items()})
    kept = [word for word, n in counts.most_common(MOST) if n >= FEWEST]
    bits = np.minimum(-np.log2([shares[word] for word in kept]), RAREST)
    text = np.frombuffer("\n".join(kept).encode("utf8"), np.uint8)
    np.savez_compressed(out, words=text, bits=np.round(bits * STEPS).astype(np.uint8))


if __name__ == "__main__":
    typer.run(main)
