"""Texts whose sentences people gave to topics, as a corpus."""

import gzip

import numpy as np
import spacy
import srsly

from labelled_texts import main
from learn_boundaries import find_text_order
from spacy_thematic.triplets.corpus import create_triplet_corpus
from teacher import get_texts


def write_texts(path, *sizes):
    """Texts of topics of so many sentences."""
    with gzip.open(path, "wt") as file:
        for number, of_topics in enumerate(sizes):
            labels = [topic - 1 for topic, size in enumerate(of_topics) for _ in range(size)]
            sentences = [f"Sentence {i} of text {number} ." for i in range(len(labels))]
            record = {"title": f"T{number}", "sentences": sentences, "labels": labels}
            file.write(f"{srsly.json_dumps(record)}\n")


def test_pieces_hold_the_topics_in_order(tmp_path):
    write_texts(tmp_path / "texts.jsonl.gz", (3, 5, 2), (4, 4))
    main(tmp_path / "texts.jsonl.gz", tmp_path / "out", "en", 320, "labelled")
    corpus, numbers = create_triplet_corpus(tmp_path / "out")(spacy.blank("en")).compile()
    assert numbers == [0, 1]
    batch = corpus.take(numbers)
    starts = np.diff(batch.sections[find_text_order(batch)], prepend=-1) != 0
    assert np.flatnonzero(starts).tolist() == [0, 3, 8, 10, 14]
    assert get_texts(corpus, np.arange(2)) == ["Sentence 0 of text 0 .", "Sentence 1 of text 0 ."]


def test_a_long_text_is_read_twice_in_pieces_that_begin_elsewhere(tmp_path):
    write_texts(tmp_path / "texts.jsonl.gz", (10, 10, 10))
    main(tmp_path / "texts.jsonl.gz", tmp_path / "out", "en", 12, "labelled")
    corpus, numbers = create_triplet_corpus(tmp_path / "out")(spacy.blank("en")).compile()
    firsts = [corpus.take([number]) for number in numbers]
    assert [len(batch.sections) for batch in firsts] == [12, 12, 12, 12]
    ends = np.cumsum([0] + [len(batch.sections) for batch in firsts])[:-1]
    texts = get_texts(corpus, ends)
    assert texts == [f"Sentence {start} of text 0 ." for start in (0, 6, 12, 18)]
