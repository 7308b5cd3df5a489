"""`thematic report`: a page of held-out articles, coloured by theme."""

from __future__ import annotations

from pathlib import Path

import typer

from spacy_thematic.cli.app import app
from spacy_thematic.cli.messages import msg


@app.command("report")
def report_cli(
    model: str = typer.Argument(..., help="Trained pipeline, bundled model, or model file"),
    data: Path = typer.Argument(..., help="Corpus folder, or a source of articles"),
    output: Path = typer.Option(Path("report.html"), "--output", "-o", help="HTML file to write"),
    articles: int = typer.Option(5, "--articles", "-n", min=1, help="Number of articles to show"),
):
    """
    Write an HTML page of articles, coloured by theme.

    The page shows the first articles that have enough sections; of a corpus, held-out ones. It needs
    only a browser.
    """
    from spacy_thematic.cli.outputs import claim_outputs
    from spacy_thematic.cli.shell import clear_errors, reading_bar
    from spacy_thematic.evaluation.heldout import iter_docs_to_show
    from spacy_thematic.pipeline.embedder import find_embedder
    from spacy_thematic.pipeline.loading import load
    from spacy_thematic.report import write_page
    from spacy_thematic.triplets.docbin import SENTENCES

    with clear_errors() as held:
        held.enter_context(claim_outputs([model, data], files=[output]))
        nlp = load(model)
        find_embedder(nlp)
        docs = []
        with reading_bar() as (log, on_article):
            for doc in iter_docs_to_show(data, nlp, log=log):
                on_article()
                docs.append(doc)
                if len(docs) == articles:
                    break
        if not docs:
            raise ValueError(
                f"{data} holds no article to show: one of two sections with sentences to compare."
            )
        names = [doc.spans[SENTENCES].attrs["title"] for doc in docs]
        for doc, name in zip(docs, names):
            doc._.thematic_title = name
        write_page([nlp(doc) for doc in docs], output, "Themes of held-out articles", names)
    msg.good(f"Saved {output}: open it in a browser")
