import copy

import pytest

from spacy_thematic.articles.article import Article, Section
from spacy_thematic.triplets.rules import (
    are_near,
    drop_back_matter,
    drop_lead_and_background,
    has_enough_sections,
    is_prose,
    is_sentence_length,
    merge_subsections,
)


def article(*sections):
    return Article(
        "T", "", [Section(title, level, list(texts)) for level, title, *texts in sections]
    )


def outline(article):
    return [(section.level, section.title, *section.paragraphs) for section in article.sections]


def test_rule_i_pairs_are_at_most_three_paragraphs_apart():
    assert are_near(0, 3)
    assert are_near(5, 2)
    assert not are_near(0, 4)


def test_merging_keeps_order_and_leaves_the_lead_alone():
    merged = merge_subsections(
        article(
            (1, "", "lead"),
            (2, "A", "a"),
            (3, "A1", "a1"),
            (4, "A1x", "a1x"),
            (3, "A2", "a2"),
            (2, "B", "b"),
            (3, "B1", "b1"),
        )
    )
    assert outline(merged) == [
        (1, "", "lead"),
        (2, "A", "a", "a1", "a1x", "a2"),
        (2, "B", "b", "b1"),
    ]


def test_merging_takes_the_shallowest_level_as_the_top():
    merged = merge_subsections(article((1, "", "lead"), (3, "A", "a"), (4, "A1", "b"), (3, "B")))
    assert outline(merged) == [(1, "", "lead"), (3, "A", "a", "b"), (3, "B")]


def test_merging_does_not_lose_subsections_without_a_section_above():
    merged = merge_subsections(article((1, "", "lead"), (3, "Early", "e"), (2, "B", "b")))
    assert outline(merged) == [(1, "", "lead"), (3, "Early", "e"), (2, "B", "b")]


def test_lead_and_background_go_with_their_subsections():
    kept = drop_lead_and_background(
        article((1, "", "lead"), (2, "BACKGROUND ", "b"), (3, "Causes", "c"), (2, "War", "w"))
    )
    assert outline(kept) == [(2, "War", "w")]


def test_an_untitled_first_section_is_the_lead_whatever_its_level():
    assert outline(drop_lead_and_background(article((2, "", "x"), (2, "A", "a")))) == [
        (2, "A", "a")
    ]


def test_an_article_that_starts_with_a_heading_keeps_it():
    assert outline(drop_lead_and_background(article((2, "A", "a")))) == [(2, "A", "a")]


@pytest.mark.parametrize(
    "title",
    [
        "External links",
        "Further reading",
        "References",
        "See also",
        "Notes",
        "Citations",
        "Authored books",
        "NOTES AND REFERENCES",
        "Notes & References:",
        "see_also",
        " Bibliography ",
        "'''Sources'''",
    ],
)
def test_back_matter_goes(title):
    kept = drop_back_matter(
        article((2, "A", "a"), (2, title, "x"), (3, "Books", "y"), (2, "B", "b"))
    )
    assert outline(kept) == [(2, "A", "a"), (2, "B", "b")]


@pytest.mark.parametrize(
    "lang, title",
    [
        ("bg", "Външни препратки"),
        ("de", "Fußnoten"),
        ("de", "LITERATUR"),
        ("es", "Véase también"),
        ("fr", "Galerie d’images"),
        ("it", "Voci correlate"),
        ("ja", "関連項目"),
        ("nl", "Bronnen, noten en/of referenties"),
        ("pl", "Przypisy"),
        ("pt", "Ligações externas"),
        ("ru", "См. также"),
        ("sv", "Källor"),
        ("zh", "參考文獻"),
    ],
)
def test_back_matter_of_a_language_goes_in_that_language(lang, title):
    given = article((2, "A", "a"), (2, title, "x"), (2, "References", "y"))
    assert outline(drop_back_matter(given, lang)) == [(2, "A", "a")]
    assert outline(drop_back_matter(given, "xx")) == [(2, "A", "a")]
    assert outline(drop_back_matter(given, lang, paper_rules=True)) == [(2, "A", "a")]
    assert outline(drop_back_matter(given)) == [(2, "A", "a"), (2, title, "x")]


def test_background_goes_in_its_language():
    given = article((2, "Hintergrund", "b"), (3, "Ursachen", "c"), (2, "Krieg", "k"))
    assert outline(drop_lead_and_background(given, "de")) == [(2, "Krieg", "k")]
    assert drop_lead_and_background(given) == given


@pytest.mark.parametrize("title", ["Sources of energy", "Notes on style", "Referencesque"])
def test_titles_that_only_look_like_back_matter_stay(title):
    assert outline(drop_back_matter(article((2, title, "x")))) == [(2, title, "x")]


def test_back_matter_below_a_section_does_not_take_its_neighbours():
    kept = drop_back_matter(article((2, "A", "a"), (3, "Notes", "n"), (3, "More", "m")))
    assert outline(kept) == [(2, "A", "a"), (3, "More", "m")]


def test_only_sections_with_text_count():
    sections = [(2, str(number), "text") for number in range(4)]
    assert not has_enough_sections(article(*sections, (2, "empty"), (2, "blank", " \n")))
    assert has_enough_sections(article(*sections, (2, "last", "", "text")))
    assert has_enough_sections(article(*sections), minimum=4)


@pytest.mark.parametrize(
    "n_tokens, expected", [(0, False), (4, False), (5, True), (50, True), (51, False)]
)
def test_sentence_length(n_tokens, expected):
    assert is_sentence_length(n_tokens) is expected


def test_prose_is_mostly_letters():
    assert is_prose("The 1920 census counted 4,511 people in the town.")
    assert not is_prose("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O")
    assert not is_prose("+ = / * ( ) a")
    assert not is_prose("")


@pytest.mark.parametrize("rule", [merge_subsections, drop_lead_and_background, drop_back_matter])
def test_rules_do_not_change_what_they_are_given(rule):
    given = article((1, "", "lead"), (2, "A", "a"), (3, "B", "b"), (2, "Notes", "n"))
    before = copy.deepcopy(given)
    rule(given)
    assert given == before


def test_merging_shares_no_paragraphs_with_what_it_is_given():
    given = article((1, "", "lead"), (2, "A", "a"))
    for section in merge_subsections(given).sections:
        section.paragraphs.append("changed")
    assert outline(given) == [(1, "", "lead"), (2, "A", "a")]


def test_a_lone_heading_above_all_others_does_not_swallow_them():
    pages = article((1, "", "l"), (2, "Contents"), (3, "a", "x"), (4, "b", "y"), (3, "c", "z"))
    merged = merge_subsections(pages)
    assert [(s.title, s.paragraphs) for s in merged.sections[1:]] == [
        ("Contents", []),
        ("a", ["x", "y"]),
        ("c", ["z"]),
    ]
