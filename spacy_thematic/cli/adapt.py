"""`thematic adapt`: a bundled model for one's own documents."""

from __future__ import annotations

from pathlib import Path

import typer

from spacy_thematic.cli.app import app
from spacy_thematic.cli.messages import msg
from spacy_thematic.cli.reading_options import SKIP_BAD

# More are for `thematic train`.
MAX_DOCUMENTS = 3000
N_FOLDS = 4
ADAPTED = "adapted"


@app.command("adapt")
def adapt_cli(
    articles: str = typer.Argument(
        ..., help="Documents with headings: a folder of Markdown or HTML, JSONL, a dump, ..."
    ),
    output: Path = typer.Option(..., "--output", "-o", help="Folder for the adapted pipeline"),
    start: str = typer.Option(
        "en_thematic_md", "--from", help="Model to start from: bundled, a file, or a pipeline"
    ),
    lang: str = typer.Option(
        "",
        help="Language of the documents, as spaCy's code, such as de; if not given, that of the dump, or else of --from",
    ),
    limit: int = typer.Option(0, min=0, help="Read only this many documents; 0 reads all"),
    skip_bad: bool = SKIP_BAD,
    word_vectors: str = typer.Option(
        "", "--vectors", help="Pipeline whose word vectors are compared too, by their means"
    ),
    bundled: bool = typer.Option(
        True,
        "--bundled/--no-bundled",
        help="Compare with the other bundled models, or do not; en_thematic_lg, the slowest, is "
        "compared on at most 20,000 sentences",
    ),
    seed: int = typer.Option(0, min=0, help="Random seed"),
):
    """
    Adapt a model to your own documents, in minutes.

    Learns a linear map on the model's vectors from the sections of the documents, and tests it on
    held-out ones, each document once. If it does not help there, the model stays as it is.
    """
    from collections import Counter
    from dataclasses import replace
    from functools import partial
    from itertools import islice

    from spacy_thematic.articles.formats import read_articles
    from spacy_thematic.cli.comparison import (
        NAMES,
        choose_bundled,
        make_baselines,
        reads_otherwise,
        show_dropped,
        show_table,
        show_verdict,
    )
    from spacy_thematic.cli.outputs import claim_outputs
    from spacy_thematic.cli.shell import choose_language, clear_errors, reading_bar, show_bar
    from spacy_thematic.evaluation.comparison import Comparison
    from spacy_thematic.evaluation.results import results_of_documents
    from spacy_thematic.files import check_is_replaceable, write_folder
    from spacy_thematic.packages import resolve_path
    from spacy_thematic.pipeline.embedder import find_embedder
    from spacy_thematic.pipeline.loading import load_pipeline
    from spacy_thematic.pretrained import BUNDLED, find_pretrained
    from spacy_thematic.training.adapting import adapt, count_steps, score
    from spacy_thematic.training.documents import (
        draw_articles,
        encode_docs,
        get_rows,
        make_adapted,
        make_docs,
    )
    from spacy_thematic.triplets.back_matter import is_other_language
    from spacy_thematic.triplets.reasons import MIN_SECTIONS

    with clear_errors() as held:
        check_is_replaceable(output, "meta.json", "a pipeline")
        path = resolve_path(articles)
        held.enter_context(claim_outputs([path, start, word_vectors], folders=[output]))
        own = find_pretrained(start).lang
        language = choose_language(lang, path, own)
        if start not in BUNDLED and is_other_language(own, language):
            raise ValueError(
                f'{start} is for the language "{own}", and the documents are in "{language}": start '
                "from a bundled model or one for that language, or name theirs with --lang."
            )
        nlp = make_adapted(start, language)
        baselines = make_baselines(nlp.vocab, word_vectors, seed)
        with reading_bar("Reading documents") as (log, move_bar):
            read = islice(read_articles(path, skip_bad=skip_bad, log=log), limit or None)
            found, n_read = draw_articles(read, MAX_DOCUMENTS, seed, move_bar)
        if n_read > len(found):
            msg.info(
                f"Drew {len(found):,} of {n_read:,} documents; so many are enough to train a model "
                'of your own with "python -m spacy thematic train"'
            )
        counts: Counter[str] = Counter()
        docs = make_docs(found, nlp, counts)
        msg.text(f"{len(docs):,} of {len(found):,} documents have sections to compare")
        show_dropped(log, counts, MIN_SECTIONS)
        if not lang and reads_otherwise(docs, nlp):
            msg.warn("The documents do not read like English: name their language with --lang")
        if len(docs) < 2 * N_FOLDS:
            raise ValueError(
                f"{articles} holds {len(docs)} documents with two sections to compare, and at "
                f"least {2 * N_FOLDS} are needed to tell whether a change helps: use {start} as it "
                "is, or add documents with headings."
            )
        n_sentences = sum(len(get_rows(doc)) for doc in docs)
        others, left_out = choose_bundled(start, own, n_sentences) if bundled else ([], [])
        n_encoded = len(docs) * (1 + len(others))
        with show_bar(total=n_encoded, desc="Encoding", unit=" documents") as bar:
            documents = encode_docs(docs, find_embedder(nlp).encode, bar.update)
            scores = {}
            for name in others:
                plain = find_embedder(load_pipeline(name))
                scores[name] = score(encode_docs(docs, plain.encode, bar.update))
        with show_bar(total=count_steps(N_FOLDS), desc="Learning", unit=" steps") as bar:
            found_map = adapt(documents, n_folds=N_FOLDS, seed=seed, on_step=bar.update)
        adapted = ADAPTED if start != ADAPTED else f"{ADAPTED} again"
        rows = {start: found_map.before, adapted: found_map.after, **scores}
        for name, encoder in baselines.items():
            rows[name] = score(encode_docs(docs, partial(map, encoder)))
        tried = Comparison(
            results_of_documents(rows, [len(document.triplets) for document in documents]),
            adapted,
            [start, *others],
            list(baselines),
            names=NAMES,
            start=start,
        )
        W = None if tried.is_small else found_map.W
        write_folder(output, make_adapted(start, language, W).to_disk)
    comparison = tried if W is not None else replace(tried, model=start, others=others)
    msg.text("On held-out documents:")
    show_table(comparison)
    for name in left_out:
        msg.text(
            f"{name} is not in the table: it would take minutes for {n_sentences:,} sentences. "
            f"--from {name} compares it, and so does --limit with fewer documents"
        )
    if W is not None:
        msg.text(f"Saved {output}: it scores better than {start} on held-out documents")
    else:
        scored = ", ".join(
            f"{name} {value}" for name, value in tried.make_table()[0].items() if name
        )
        msg.text(f"What was learned scored: {scored}")
        if tried.is_small:
            msg.info("These are too few to tell whether a change helps, so nothing changed.")
        else:
            msg.info(f"No change scored better than {start}, so nothing changed.")
        msg.text(f"Saved {start} as it is to {output}")
    show_verdict(comparison.judge())
