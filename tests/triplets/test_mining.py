import random

from spacy_thematic.triplets.mining import article_rng, iter_pairs, mine_adjacent, split_of


def test_pairs_stay_in_their_section():
    assert list(iter_pairs([0, 0, 0, 2, 2], [0, 1, 4, 0, 1])) == [(0, 1), (1, 2), (3, 4)]


def test_negatives_come_from_the_previous_and_the_next_section():
    sections = [0, 0, 1, 1, 4, 4]
    triplets = mine_adjacent(sections, [0, 1, 0, 1, 0, 1], random.Random(0))
    by_pair: dict = {}
    for anchor, positive, negative in triplets:
        assert sections[anchor] == sections[positive] != sections[negative]
        by_pair.setdefault((anchor, positive), []).append(sections[negative])
    assert by_pair == {(0, 1): [1], (2, 3): [0, 4], (4, 5): [1]}


def test_one_section_gives_no_triplet():
    assert mine_adjacent([3, 3, 3], [0, 1, 2], random.Random(0)) == []


def test_negatives_are_drawn_at_random_but_depend_on_title_and_seed_alone():
    sections, paragraphs = [0] * 4 + [1] * 20, [*range(4), *range(20)]
    first = mine_adjacent(sections, paragraphs, article_rng("Oslo", 0))
    assert first == mine_adjacent(sections, paragraphs, article_rng("Oslo", 0))
    assert first != mine_adjacent(sections, paragraphs, article_rng("Oslo", 1))
    assert first != mine_adjacent(sections, paragraphs, article_rng("Rome", 0))
    assert len({negative for anchor, _, negative in first if anchor < 4}) > 2


def test_split_has_the_shares_asked_for_and_never_changes():
    splits = [split_of(f"title {number}") for number in range(5000)]
    assert abs(splits.count("train") / 5000 - 0.8) < 0.02
    assert abs(splits.count("dev") / 5000 - 0.1) < 0.015
    assert splits[:5] == ["train", "train", "train", "train", "train"] or len(set(splits)) == 3
    assert split_of("anarchism") == split_of("anarchism", (80, 10, 10))
    assert split_of("anarchism", (0, 0, 1)) == "test"
