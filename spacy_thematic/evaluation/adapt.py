"""A model for one's own documents, if held-out ones say that it is better there."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path

from spacy.language import Language

from spacy_thematic.articles.formats import choose_language, read_articles
from spacy_thematic.articles.sources import ReadLog
from spacy_thematic.checks import check_whole
from spacy_thematic.evaluation import encoders
from spacy_thematic.evaluation.comparison import MIN_DOCUMENTS, Comparison, Measured
from spacy_thematic.evaluation.results import results_of_documents
from spacy_thematic.packages import resolve_path
from spacy_thematic.pipeline.embedder import find_embedder
from spacy_thematic.pipeline.loading import load_pipeline
from spacy_thematic.pretrained import BUNDLED, find_pretrained
from spacy_thematic.pretrained.paths import check_model_name
from spacy_thematic.progress import show_bar
from spacy_thematic.training.adapting import (
    STEPS,
    draw_articles,
    encode_docs,
    learn_map,
    list_sentences,
    make_adapted,
    make_docs,
    score,
)
from spacy_thematic.triplets.reasons import MIN_SECTIONS, describe_dropped
from spacy_thematic.triplets.rules import is_other_language

MAX_DOCUMENTS = 3000
"""More are for `thematic train`."""

N_FOLDS = 4
ADAPTED = "adapted"


@dataclass(frozen=True, kw_only=True)
class Adapted(Measured):
    """What documents taught a model. Its comparison is that of `nlp`.

    Attributes:
        nlp: The pipeline: with what was learned if it helps, else the start as it is.
        is_changed: Whether it helps.
        tried: What was learned beside the start, the other bundled models and baselines.
        n_read: Documents that were read.
        n_drawn: Of them, drawn at random.
        n_documents: Of these, with sections to compare.
    """

    nlp: Language
    is_changed: bool
    tried: Comparison
    n_read: int
    n_drawn: int
    n_documents: int


def adapt(
    articles: str | Path,
    *,
    start: str = "en_thematic_md",
    lang: str = "",
    limit: int = 0,
    skip_bad: bool = False,
    word_vectors: str = "",
    bundled: bool = True,
    seed: int = 0,
    progress: bool = True,
    log: ReadLog | None = None,
    on_article: Callable[[], None] = lambda: None,
) -> Adapted:
    """Adapt a model to documents with headings: learn a linear map of its vectors from their
    sections. Cross-validation, in which each document is held out once, decides whether the map
    helps.

    Args:
        articles: A source: a folder of Markdown or HTML, JSONL, a dump, ...
        start: The model to start from: bundled, a file, or a pipeline.
        lang: Of the documents, as spaCy's code; "": what a dump says, or else that of `start`.
        limit: Read only this many documents; 0 reads all.
        skip_bad: Whether to pass over documents that cannot be read.
        word_vectors: A table of word vectors, or a pipeline that has some, for a row of their
            means; "" for none.
        bundled: Whether to measure the other bundled models too.
        seed: Of the folds, and of what is drawn.
        progress: Whether to show progress bars.
        log: Counts what is read.
        on_article: Called for each document that is read.

    Raises:
        ValueError: If there is no such model, it is for another language, or fewer than 20
            documents have sections to compare, or `limit` or `seed` is out of its range.
        TypeError: If `start` is no name.
    """
    start = check_model_name(start)
    check_whole("limit", limit, 0)
    check_whole("seed", seed, 0)
    path, log = resolve_path(str(articles)), log or ReadLog()
    log.skip_bad = skip_bad
    own = find_pretrained(start).lang
    language, warning = choose_language(lang, path, own)
    if start not in BUNDLED and is_other_language(own, language):
        raise ValueError(
            f'{start} is for the language "{own}", and the documents are in "{language}": start '
            "from a bundled model or one for that language, or name theirs as lang (--lang in the "
            "shell)."
        )
    warnings = [warning] if warning else []
    nlp = make_adapted(start, language)
    baselines = encoders.make_baselines(nlp.vocab, word_vectors, seed)
    read = islice(read_articles(path, log=log), limit or None)
    found, n_read = draw_articles(read, MAX_DOCUMENTS, seed, on_article)
    counts: Counter[str] = Counter()
    docs = make_docs(found, nlp, counts)
    if not lang and encoders.reads_otherwise(docs, nlp):
        warnings.append(
            "The documents do not read like English: name their language with --lang (lang in "
            "Python)"
        )
    if len(docs) < MIN_DOCUMENTS:
        dropped = "; ".join([*warnings, *describe_dropped(counts, MIN_SECTIONS, log.skipped)])
        raise ValueError(
            f"{articles} holds {len(docs)} documents with two sections to compare, and at least "
            f"{MIN_DOCUMENTS} are needed to tell whether a change helps: use {start} as it is, or "
            f"add documents with headings.{f' ({dropped})' if dropped else ''}"
        )
    n_sentences = sum(len(list_sentences(doc)) for doc in docs)
    others, left_out = encoders.choose_bundled(start, own, n_sentences) if bundled else ([], [])
    show = partial(show_bar, is_shown=progress)
    with show(total=len(docs) * (1 + len(others)), desc="Encoding", unit=" documents") as bar:
        documents = encode_docs(docs, find_embedder(nlp).encode, bar.update)
        scores = {}
        for name in others:
            plain = find_embedder(load_pipeline(name))
            scores[name] = score(encode_docs(docs, plain.encode, bar.update))
    with show(total=(N_FOLDS + 1) * STEPS, desc="Learning", unit=" steps") as bar:
        learned = learn_map(documents, n_folds=N_FOLDS, seed=seed, on_step=bar.update)
    adapted = ADAPTED if start != ADAPTED else f"{ADAPTED} again"
    rows = {start: learned.before, adapted: learned.after, **scores}
    for name, encoder in baselines.items():
        rows[name] = score(encode_docs(docs, partial(map, encoder)))
    tried = Comparison(
        results_of_documents(rows, [len(document.triplets) for document in documents]),
        adapted,
        [start, *others],
        list(baselines),
        names=encoders.NAMES,
        start=start,
    )
    is_changed = learned.W is not None
    return Adapted(
        nlp=make_adapted(start, language, learned.W),
        is_changed=is_changed,
        tried=tried,
        comparison=tried if is_changed else replace(tried, model=start, others=others),
        n_read=n_read,
        n_drawn=len(found),
        n_documents=len(docs),
        n_sentences=n_sentences,
        left_out=left_out,
        warnings=warnings,
        counts=counts,
    )
