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
        ("Can we please debug the job?", "Debugging the job"),
        ("How do we programmatically track scope?", "Tracking scope"),
        ("How do I apply for it?", "Applying for it"),
        ("What is needed data?", "Needed data"),
        ("Who is heir to the throne?", "Heir to the throne"),
    ],
)
def test_questions_become_names(question, name):
    assert name_question(question) == name


@pytest.mark.parametrize(
    "text",
    [
        "How does it work?",
        "What's new?",
        "What is new for users?",
        "What were we doing?",
        "What are they?",
        "What is this project about?",
        "Who is the tool for?",
        "What is included in setup?",
        "Who is involved?",
        "What is meant by a ledger?",
        "What is the minister going to do?",
        "What is a fire drill, and why is it required?",
        "What are areas and how does this proposal treat them?",
        "Do you provide certified texts?",
        "Can I re-license it?",
        "How do I know that it runs?",
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
