import pytest

from spacy_thematic.lang.questions import name_question


@pytest.mark.parametrize(
    "question, name",
    [
        ("How do I reset my password?", "Resetting the password"),
        ("How can we search and replace with it?", "Searching and replacing with it"),
        ("Where can I find the logs?", "Finding the logs"),
        ("Can I get a refund?", "Getting a refund"),
        ("How to lie?", "Lying"),
        ("What are the terms of delivery?", "Terms of delivery"),
        ("What is an index?", "Index"),
    ],
)
def test_questions_become_names(question, name):
    assert name_question(question) == name


@pytest.mark.parametrize(
    "text",
    [
        "How does it work?",
        "What's new?",
        "Can it replace the old one?",
        "Can I be insured?",
        "Where do members park?",
        "How can open tickets be closed?",
        "Terms of delivery",
        "How do I do what the other text of the other kind said it did not do at all?",
    ],
)
def test_other_headings_stay(text):
    assert name_question(text) == text
