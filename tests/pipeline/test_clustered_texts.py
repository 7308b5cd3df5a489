import pytest

from spacy_thematic import cluster
from spacy_thematic.articles.sources import SourceError


def test_arguments_of_another_kind_say_what_is_expected(tmp_path):
    with pytest.raises(ValueError, match="per_document to be True, False or \"auto\", found 'yes'"):
        cluster([tmp_path], per_document="yes")
    with pytest.raises(TypeError, match="no setting text_column: give columns={'text': 'body'}"):
        cluster([tmp_path], text_column="body")
    with pytest.raises(TypeError, match="no setting id_column: give columns={'title': 'nr'}"):
        cluster([tmp_path], id_column="nr")
    with pytest.raises(TypeError, match="Expected log to be a ReadLog, .* found <built-in"):
        cluster([tmp_path], log=print)


def test_what_skips_a_file_is_named_as_an_argument_and_as_an_option(tmp_path):
    (tmp_path / "a.txt").write_bytes(bytes(range(256)) * 9)
    with pytest.raises(SourceError, match="skip it with skip_bad .--skip-bad in the shell"):
        cluster([tmp_path])
