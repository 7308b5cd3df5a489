import pytest

from spacy_thematic.articles.article import normalize_title


@pytest.mark.parametrize(
    "title",
    ["Straße von Gibraltar", "STRASSE_von  Gibraltar", "ＳＴＲＡＳＳＥ von\u00a0gibraltar "],
)
def test_spellings_of_a_title_are_the_same(title):
    assert normalize_title(title) == "strasse von gibraltar"
