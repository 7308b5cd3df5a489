import re
from pathlib import Path

import pytest
import spacy

from spacy_thematic.lang import Words, get_words, iter_languages
from spacy_thematic.layout.plain import read_plain


def test_a_language_without_a_file_knows_no_words():
    assert get_words("fi") == Words()


@pytest.mark.parametrize("language", iter_languages())
def test_each_file_is_of_a_language_of_spacy_and_its_patterns_are_valid(language):
    assert spacy.util.get_lang_class(language).lang == language
    known = get_words(language)
    for pattern in (*known.closings, *known.greetings):
        re.compile(pattern)


def test_the_fields_marked_as_english_are_those_that_the_docs_name():
    root = Path(__file__).parents[2]
    marked = re.findall(
        r"English\s(?:# )?only\.\n\[?(\w+)", (root / "spacy_thematic/lang/en.toml").read_text()
    )
    listed = (root / "docs/languages.md").read_text().rpartition("English only:")[2]
    assert sorted(marked) == re.findall(r"`(\w+)`", listed)


def test_greeting_and_closing_of_a_german_mail_are_asides():
    mail = "Sehr geehrte Frau Kern,\n\ndas Dach ist undicht.\n\nMit freundlichen Grüßen\nUte Lang"
    lines = [mail[b.start : b.end] for b in read_plain(mail) if b.kind == "aside"]
    assert lines == ["Sehr geehrte Frau Kern,", "Mit freundlichen Grüßen", "Ute Lang"]
