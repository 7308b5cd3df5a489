import pytest

from spacy_thematic import cluster


def test_arguments_of_another_kind_say_what_is_expected(tmp_path):
    with pytest.raises(ValueError, match="per_document to be True, False or \"auto\", found 'yes'"):
        cluster([tmp_path], per_document="yes")
    with pytest.raises(TypeError, match="no setting text_column: give columns={'text': 'body'}"):
        cluster([tmp_path], text_column="body")
