"""Articles of several sources as one file."""

import srsly

from mix_articles import main
from spacy_thematic.articles.article import Article, Section
from spacy_thematic.articles.formats import read_articles


def write(path, articles):
    path.write_text("".join(srsly.json_dumps(article.to_dict()) + "\n" for article in articles))
    return path


def make(source: str, n: int) -> list[Article]:
    """Documents with a heading of their own, and one of a template."""
    return [
        Article(
            f"{source} {i}",
            source,
            [Section("", 1, ["Lead."]), Section(f"Part {i}"), Section("Drawbacks ")],
        )
        for i in range(n)
    ]


def test_templates_and_large_sources_are_cut_but_not_in_the_first_file(tmp_path):
    first = write(tmp_path / "first.jsonl", make("wiki", 9))
    others = write(tmp_path / "others.jsonl", [*make("large", 8), *make("small", 4)])
    main(tmp_path / "out.jsonl", [first, others], most=6, seed=0)
    found = list(read_articles(tmp_path / "out.jsonl"))
    by_source = {
        source: [article for article in found if article.source == source]
        for source in ("wiki", "large", "small")
    }
    assert {source: len(articles) for source, articles in by_source.items()} == {
        "wiki": 9, "large": 6, "small": 4,
    }  # fmt: skip
    headings = {
        source: {section.title for article in articles for section in article.sections}
        for source, articles in by_source.items()
    }
    assert "Drawbacks " in headings["wiki"]
    assert "Drawbacks " not in headings["large"]
    # Four documents are too few to tell a template.
    assert "Drawbacks " in headings["small"]
    assert all("" in titles for titles in headings.values())
    former = (tmp_path / "out.jsonl").read_bytes()
    main(tmp_path / "out.jsonl", [first, others], most=6, seed=0)
    assert (tmp_path / "out.jsonl").read_bytes() == former
