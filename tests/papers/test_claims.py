"""The names of rows, and what is claimed of them."""

import pytest

from spacy_thematic.papers import claims


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("sen", ("sen", None)),
        ("sen-64", ("sen", 64)),
        ("sen-titles-plain-300", ("sen-titles-plain", 300)),
        ("sen-drop-0.8", ("sen-drop-0.8", None)),
        ("sen-drop-0.8-64", ("sen-drop-0.8", 64)),
        ("skip-thoughts-2", ("skip-thoughts-2", None)),
        ("all-MiniLM-L6-v2", ("all-MiniLM-L6-v2", None)),
    ],
)
def test_a_number_after_the_name_of_a_net_is_its_size(row, expected):
    assert claims.split_size(row) == expected


def test_rows_stand_in_the_order_of_the_paper_then_by_size():
    rows = ["wordllama", "sen-64", "en_thematic_lg", "sen-16", "titles", "siamese-64", "sen", "sif"]
    assert sorted(rows, key=claims.find_place) == [
        "sif", "sen", "titles", "en_thematic_lg", "sen-16", "siamese-64", "sen-64", "wordllama",
    ]  # fmt: skip


def test_nets_of_a_size_are_compared_with_each_other_and_with_the_baselines():
    plain = list(claims.list_findings(["sen", "mean-vectors"]))
    found = list(claims.list_findings(["sen", "sen-64", "capped-64"]))
    assert found[: len(plain)] == plain
    pairs = {(finding.first, finding.second) for finding in found[len(plain) :]}
    for pair in [
        ("sen-64", "skip-thoughts"), ("sen-64", "rand-section-64"), ("sen-64", "cosine-64"),
        ("sen-64", "L2-64"), ("sen-64", "margin-cosine-64"), ("sen-64", "capped-64"),
        ("capped-64", "rand-article-capped-64"),
        ("sen-titles-64", "sen-titles-plain-64"), ("titles-64", "titles-64"),
    ]:  # fmt: skip
        assert pair in pairs
    assert not any(first in claims.BASELINES for first, _ in pairs)
    assert ("sen", "sen-drop-0.8") in {(finding.first, finding.second) for finding in plain}


def test_every_finding_is_of_known_rows():
    for finding in claims.list_findings([]):
        assert {finding.first, finding.second} <= set(claims.ORDER)
