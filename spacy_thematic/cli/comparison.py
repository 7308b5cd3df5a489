"""What the commands share that compare a model with others: the table, the verdict, baselines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from spacy_thematic.cli.messages import msg

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc
    from spacy.vocab import Vocab

    from spacy_thematic.articles.sources import ReadLog
    from spacy_thematic.evaluation.comparison import Comparison, Verdict
    from spacy_thematic.evaluation.encoders import Encoder

MEAN_VECTORS, RANDOM = "mean_vectors", "random"
NAMES = {MEAN_VECTORS: "mean vectors", RANDOM: "chance"}
"""What baselines are called in words."""

MAX_SLOW_SENTENCES = 20_000
"""With more, a slow model would take more than some minutes."""


def make_baselines(vocab: Vocab, word_vectors: str, seed: int) -> dict[str, Encoder]:
    """The encoders that a model should be above: mean word vectors and random vectors.

    Args:
        vocab: Its word vectors are taken, if it has any and no others are named.
        word_vectors: A pipeline with word vectors; may be "".
        seed: Of the random vectors.

    Raises:
        ValueError: If the pipeline has no word vectors.
    """
    from spacy_thematic.evaluation.baselines.random_vectors import random_vectors
    from spacy_thematic.evaluation.baselines.word_vectors import mean_vectors
    from spacy_thematic.pipeline.loading import load_pipeline

    if word_vectors:
        vocab = load_pipeline(word_vectors).vocab
        if not vocab.vectors.shape[0]:
            raise ValueError(f'The pipeline "{word_vectors}" has no word vectors.')
    found = {MEAN_VECTORS: mean_vectors(vocab)} if vocab.vectors.shape[0] else {}
    return {**found, RANDOM: random_vectors(seed)}


def choose_bundled(model: str, lang: str, n_sentences: int) -> tuple[list[str], list[str]]:
    """The bundled models for a language that a model is compared with: the slow ones only on few
    sentences.

    Args:
        model: That is compared; it is not among them.
        lang: The code of the language.
        n_sentences: That are to be encoded.

    Returns:
        Those to compare with, and those that are too slow for it.
    """
    from spacy_thematic.pretrained import find_path, list_bundled

    own = find_path(model)
    names = [name for name in list_bundled(lang, slow=True) if find_path(name) != own]
    quick = list_bundled(lang)
    chosen = [name for name in names if name in quick or n_sentences <= MAX_SLOW_SENTENCES]
    return chosen, [name for name in names if name not in chosen]


def reads_otherwise(docs: Iterable[Doc], nlp: Language) -> bool:
    """Whether texts that a pipeline takes for English have too few English stop words for it. Of
    other languages, whose words may be joined or inflected, nothing is told."""
    from spacy_thematic.triplets.rules import is_in_language

    words = (token.text for doc in docs for token in doc)
    return nlp.lang == "en" and not is_in_language(words, nlp.Defaults.stop_words)


def show_dropped(log: ReadLog, counts: Mapping[str, int], min_sections: int) -> None:
    """Print what was left out of the documents that were read, and which option would keep it.

    Args:
        log: Of the reader.
        counts: How many documents were dropped for each reason.
        min_sections: The fewest sections that a document needs.
    """
    from spacy_thematic.triplets.reasons import describe_dropped

    for problem in log.list_problems():
        msg.warn(problem)
    for line in describe_dropped(counts, min_sections, log.skipped):
        msg.text(line)


def show_table(comparison: Comparison) -> None:
    """Print the scores of all rows, with intervals."""
    from spacy_thematic.pretrained.finding import SLOW

    lines = comparison.make_table()
    header = tuple(lines[0])
    rows = [tuple(line.values()) for line in lines]
    msg.table(rows, header=header, aligns=tuple("l" for _ in header))
    if comparison.others:
        msg.text(
            "The bundled models learned from Wikipedia and other public text: their scores on "
            "articles that they have read are too high"
        )
    for name in SLOW.intersection(comparison.others):
        msg.text(f"{name} takes about seven times as long as en_thematic_md")
    if MEAN_VECTORS not in comparison.baselines:
        msg.text("For a row of mean vectors, name a pipeline with word vectors: --vectors")


def show_verdict(verdict: Verdict) -> None:
    """Print what to use, with a tick only if the model is shown to be better."""
    for fault in verdict.faults:
        msg.warn(fault)
    say = {"good": msg.good, "info": msg.info, "warn": msg.warn}[verdict.level]
    say(verdict.advice)
