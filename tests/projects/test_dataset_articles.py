"""Articles of published datasets, in small files of their true format."""

import gzip
import json

from dataset_articles import main
from spacy_thematic.articles.article import Article, Section
from spacy_thematic.articles.formats import read_articles


def convert(tmp_path, format: str, content: str) -> list[Article]:
    source, out = tmp_path / "source.gz", tmp_path / "out.jsonl"
    source.write_bytes(gzip.compress(content.encode()))
    main(format, source, out)
    return list(read_articles(out))


def test_segment_wiki(tmp_path):
    record = {
        "title": "Oak",
        "section_titles": ["Introduction", "Uses"],
        "section_texts": [
            "\n\n\n'''Oak''' is a tree.\n",
            "\nWood.\n\n* a list\n\n=== Furniture ===\nChairs\nand tables.\n",
        ],
        "interlinks": [["tree", "tree"]],
    }
    sections = [
        Section("", 1, ["Oak is a tree."]),
        Section("Uses", 2, ["Wood."]),
        Section("Furniture", 3, ["Chairs and tables."]),
    ]
    found = convert(tmp_path, "segment_wiki", json.dumps(record))
    assert found == [Article("Oak", "segment_wiki", sections)]


def test_wikisection(tmp_path):
    record = {
        "title": "Gout",
        "text": "Gout hurts.\nIt is old.\nWine causes it.",
        "annotations": [
            {"begin": 0, "length": 23, "sectionHeading": "Abstract", "sectionLabel": "d.abstract"},
            {"begin": 23, "length": 15, "sectionHeading": "Causes", "sectionLabel": "d.cause"},
        ],
    }
    sections = [
        Section("", 1, ["Gout hurts.", "It is old."]),
        Section("Causes", 2, ["Wine causes it."]),
    ]
    found = convert(tmp_path, "wikisection", json.dumps([record, record]))
    assert found == [Article("Gout", "WikiSection", sections)] * 2


def test_wikitext(tmp_path):
    content = (
        " \n = Robert Boulter = \n \n"
        " Boulter is a film , television and theatre actor ( born 1980 ) . \n"
        " \n = = Career = = \n \n"
        ' He starred in " Herons " at 1 @,@ 500 @.@ 5 well @-@ known halls ; it \'s his . \n'
        " x = = y \n"
        " \n = = = 2004 = = = \n \n He won . \n"
        " = Du Fu = \n \n A poet . \n"
    )
    career = ['He starred in "Herons" at 1,500.5 well-known halls; it\'s his.', "x = = y"]
    sections = [
        Section("", 1, ["Boulter is a film, television and theatre actor (born 1980)."]),
        Section("Career", 2, career),
        Section("2004", 3, ["He won."]),
    ]
    assert convert(tmp_path, "wikitext", content) == [
        Article("Robert Boulter", "WikiText", sections),
        Article("Du Fu", "WikiText", [Section("", 1, ["A poet."])]),
    ]
