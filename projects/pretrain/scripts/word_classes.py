"""Learn which words are nouns, adjectives or verbs, from the tags of a spaCy pipeline.

    python scripts/word_classes.py ARTICLES PROSE --tagger PIPELINE --out FILE

Prints the share of held-out words that get the class that their tag has, by source.
"""

import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import spacy
import typer
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression

from spacy_thematic.articles.formats import read_articles
from spacy_thematic.lang.word_classes import (
    ADJECTIVE,
    BEGIN,
    END,
    NOUN,
    OTHER,
    WordClasses,
    iter_own,
    name_context,
    name_shape,
)
from spacy_thematic.packages import resolve_path

CLASSES = {"NOUN": NOUN, "PROPN": NOUN, "ADJ": ADJECTIVE, "VERB": OTHER, "AUX": OTHER, "ADV": OTHER}
FEWEST_OF_WORD, FEWEST_OF_CONTEXT = 4, 40
ARTICLES, PARAGRAPHS = 2500, 5
HELD_OUT = 0.1

Sentence = list[tuple[str, str]]
"""Words and their tags."""


def draw_paragraphs(source: str, seed: int) -> list[str]:
    rng = random.Random(seed)
    articles = list(read_articles(resolve_path(source)))
    paragraphs = []
    for article in rng.sample(articles, min(ARTICLES, len(articles))):
        own = [text for section in article.sections for text in section.paragraphs]
        paragraphs += rng.sample(own, min(PARAGRAPHS, len(own)))
    return paragraphs


def tag(nlp: spacy.Language, paragraphs: list[str]) -> Iterator[Sentence]:
    for doc in nlp.pipe(paragraphs, batch_size=64):
        for sentence in doc.sents:
            words = [(token.text, token.pos_) for token in sentence if not token.is_space]
            if words:
                yield words


def find_features(sentence: Sentence, words: set[str], contexts: set[str]) -> Iterator[list[str]]:
    forms = [BEGIN, *(form for form, _ in sentence), END]
    for place in range(1, len(forms) - 1):
        word, *endings = iter_own(forms[place])
        yield [
            *([word] if forms[place].lower() in words else []),
            *endings,
            name_shape(forms[place], place == 1),
            name_context(forms[place - 1], contexts, "p"),
            name_context(forms[place + 1], contexts, "n"),
        ]


def learn(sentences: list[Sentence]) -> tuple[list[str], np.ndarray, np.ndarray]:
    counts = Counter(form.lower() for sentence in sentences for form, _ in sentence)
    words = {word for word, n in counts.items() if n >= FEWEST_OF_WORD}
    common = {BEGIN, END, *(word for word, n in counts.items() if n >= FEWEST_OF_CONTEXT)}
    contexts = {f"{side} {word}" for side in ("p", "n") for word in common}
    numbers: dict[str, int] = {}
    columns: list[int] = []
    bounds, targets = [0], []
    for sentence in sentences:
        for (_, pos), features in zip(sentence, find_features(sentence, words, contexts)):
            if pos in CLASSES:
                columns += (numbers.setdefault(one, len(numbers)) for one in features)
                bounds.append(len(columns))
                targets.append(CLASSES[pos])
    shape = (len(targets), len(numbers))
    X = csr_matrix((np.ones(len(columns), "f"), columns, bounds), shape)
    model = LogisticRegression(max_iter=400, tol=1e-5).fit(X, targets)
    scale = 127 / np.abs(model.coef_).max()
    weights = np.round(model.coef_.T * scale).astype("i1")
    kept = np.flatnonzero(weights.any(axis=1))
    features = [*numbers]
    bias = (model.intercept_ * scale).astype("f")
    return [features[row] for row in kept.tolist()], weights[kept], bias


def measure(classes: WordClasses, sentences: list[Sentence]) -> tuple[float, float]:
    """The share of words whose class is right, and of those that are told from verbs."""
    flat = [word for sentence in sentences for word in sentence]
    starts = np.concatenate([np.arange(len(sentence)) == 0 for sentence in sentences])
    forms, words = np.unique([form for form, _ in flat], return_inverse=True)
    found = classes(forms.tolist(), words, starts)
    wanted = np.array([CLASSES.get(pos, -1) for _, pos in flat])
    found, wanted = found[wanted >= 0], wanted[wanted >= 0]
    return (found == wanted).mean(), ((found == OTHER) == (wanted == OTHER)).mean()


def main(
    sources: list[str],
    tagger: str = typer.Option(...),
    out: Path = typer.Option(...),
    seed: int = 0,
) -> None:
    """Write the table, and print how often it is right."""
    nlp = spacy.load(resolve_path(tagger), exclude=["ner", "lemmatizer", "parser"])
    nlp.add_pipe("sentencizer", first=True)
    learned, held = [], {}
    for source in sources:
        sentences = list(tag(nlp, draw_paragraphs(source, seed)))
        random.Random(seed).shuffle(sentences)
        n_held = int(HELD_OUT * len(sentences))
        held[source] = sentences[:n_held]
        learned += sentences[n_held:]
    features, weights, bias = learn(learned)
    text = np.frombuffer("\n".join(features).encode("utf8"), np.uint8)
    np.savez_compressed(out, features=text, weights=weights, bias=bias)
    for source, sentences in held.items():
        right, apart = measure(WordClasses(features, weights, bias), sentences)
        print(f"{Path(source).name}: {right:.3f} right, {apart:.3f} told from verbs and adverbs")


if __name__ == "__main__":
    typer.run(main)
