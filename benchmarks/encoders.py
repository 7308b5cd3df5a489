"""The bundled models beside other sentence encoders: thematic accuracy and clustering.

    python -m benchmarks.encoders --data DATA [--sources wikipedia/test ...] [--by-kind]

Accuracy is the share of triplets whose anchor is nearer to the positive than to the negative, by
cosine. AMI is that of k-means with the true number of clusters, on rows centred at the document's
mean. All encoders get the same random documents; intervals are 95 per cent, by bootstrap over
documents. Meetings have topics for sections. Other encoders are found in DATA (`minilm`, `mpnet`,
`vectors`), WordLlama if it is installed.
"""

import argparse
from collections import defaultdict
from pathlib import Path
from tempfile import TemporaryDirectory

import spacy
import srsly
from spacy.tokens import Doc

from benchmarks import harness
from benchmarks.labelled_texts import is_labelled, make_topic_docs, read_texts
from spacy_thematic.articles.sources import ReadLog
from spacy_thematic.evaluation.evaluate import evaluate_encoders, load_heldout
from spacy_thematic.triplets.rules import CorpusSettings

MEASURES = {"accuracy": "cosine", "AMI": "ami"}


def main() -> None:
    parser = harness.make_parser(
        __doc__,
        sources=("wikipedia/test", "textbooks/dev", "prose/dev", "meetings/dev"),
        documents=120,
        models=(harness.SMALL, harness.MEDIUM, harness.LARGE),
    )
    parser.add_argument("--min-sections", type=int, default=5, help="that a document needs")
    parser.add_argument("--by-kind", action="store_true", help='divide by the field "kind"')
    args = harness.parse(parser)
    encoders = harness.load_encoders(args)
    tables = {}
    with TemporaryDirectory() as folder:
        for source in harness.find_sources(args):
            parts = divide_by_kind(source, Path(folder)) if args.by_kind else [source]
            for part in parts:
                title, rows = measure(part, args, encoders)
                tables[title] = rows
    harness.print_report(args, tables)


def divide_by_kind(source: harness.Source, folder: Path) -> list[harness.Source]:
    """Write the articles of each kind to a file of their own."""
    records = defaultdict(list)
    for record in srsly.read_gzip_jsonl(source.path):
        records[record.get("kind", "")].append(record)
    parts = []
    for kind, own in sorted(records.items()):
        path = folder / f"{source.name.replace('/', '-')}-{kind}.jsonl.gz"
        srsly.write_gzip_jsonl(path, own)
        parts.append(harness.Source(f"{source.name} {kind}", path))
    return parts


def measure(
    source: harness.Source, args: argparse.Namespace, encoders: dict
) -> tuple[str, list[harness.Row]]:
    triplets, clustered = read_docs(source, args)
    _, results = evaluate_encoders(encoders, triplets, clustered, seed=args.seed)
    rows: list[harness.Row] = [
        {"encoder": name, **{head: results.estimate(name, key) for head, key in MEASURES.items()}}
        for name in encoders
    ]
    title = f"{source.name}: {len(triplets)} documents with triplets, {len(clustered)} clustered"
    return title, rows


def read_docs(source: harness.Source, args: argparse.Namespace) -> tuple[list[Doc], list[Doc]]:
    """Random Docs with triplets, and random Docs to cluster."""
    nlp = spacy.blank("en")
    if is_labelled(source):
        docs = make_topic_docs(read_texts(source, args), nlp)
        return docs, docs
    settings = CorpusSettings(min_sections=args.min_sections)
    triplets, clustered = load_heldout(source.path, nlp, settings, log=ReadLog(True))
    return harness.draw(triplets, args), harness.draw(clustered, args)


if __name__ == "__main__":
    main()
