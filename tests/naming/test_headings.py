from dataclasses import replace

import numpy as np
import pytest
import spacy

from spacy_thematic.naming.candidates import HeadingScores
from spacy_thematic.naming.content import read_content
from spacy_thematic.naming.headings import HeadingFinder, _open

SEEN = ["Early life", "Life", "Sailing"]


@pytest.fixture
def groups():
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    doc = nlp("Bees make wax. We saw the wax of bees. Ships cross seas. Old ships sink.")
    sentences = read_content(doc.sents)
    return [sentences[:2], sentences[2:]]


def make_scores(headings, fit, log_shares, leanings=None):
    n = len(headings)
    if leanings is None:
        leanings = np.zeros(n)
    return HeadingScores(
        headings, log_shares, np.eye(n), fit, np.tile(leanings[:, None], 3), np.eye(n, 4)
    )


pytestmark = pytest.mark.usefixtures("rank_by_fit")


def put_below(groups, *headings):
    """Puts the sentences of groups below headings in the text."""
    sentences = [sentence for group in groups for sentence in group]
    for sentence, heading in zip(sentences, headings, strict=True):
        sentence.above = [heading] if heading else []


def scorer(fit, log_shares=(0.0, 0.0, 0.0)):
    """Knows how well the three seen headings fit each group, and that phrases fit badly."""

    def score(means, origin, phrases):
        rows = np.full((len(means), 3 + len(phrases)), -50.0)
        rows[:, :3] = fit
        return make_scores([*SEEN, *phrases], rows, np.array(log_shares))

    return score


def choose(groups, score, taken=(), new=False, title=""):
    labels = np.repeat(np.arange(len(groups)), [len(group) for group in groups])
    rows = np.eye(len(groups), 4)[labels]
    found = HeadingFinder(groups, rows, labels, score, title).choose(taken, new=new)
    return [heading and heading.text for heading in found]


def test_what_stands_directly_below_a_heading_has_its_name_beside_lower_ones(groups):
    first, second = groups[0], groups[1] * 3
    for sentence in first:
        sentence.above = ["Old boats"]
    for sentence in second:
        sentence.above = ["Old boats", "Sails"]
    assert choose([first, second], scorer([[9, 0, 0], [0, 8, 7]])) == ["Old boats", "Sails"]


@pytest.mark.parametrize(
    "above, expected",
    [
        (["Roof", "Roof", "Library", "Library"], "Roof and Library"),
        (["Roof", "Library", "Garden", "Garden"], "Roof, Library and Garden"),
        (["Roof", "Books and maps", "Garden", "Garden"], "Roof; Books and maps; Garden"),
        (["Roof", "Roof", "Roof", "Library"], "Roof"),  # Most of it.
        (["Roof", "Roof", "", ""], "Roof"),  # The rest stands below nothing.
        (["Roof of the old club house by the harbour of the town"] * 2
         + ["Books that members of the club have not brought back yet"] * 2,
         "Roof of the old club house by the harbour of the town"),
    ],
)  # fmt: skip
def test_parts_of_a_group_name_it_together(groups, above, expected):
    sentences = [*groups[0], *groups[1]]
    put_below([sentences], *above)
    assert choose([sentences], scorer([[9, 0, 0]])) == [expected]


def test_a_part_that_is_mostly_elsewhere_does_not_name_a_group(groups):
    put_below(groups, "Roof", "Library", "Library", "Library")
    assert choose(groups, scorer([[9, 0, 0], [0, 8, 7]])) == ["Roof", "Sailing"]


def test_the_surest_group_chooses_first(groups):
    assert choose(groups, scorer([[8, 0, 7], [9, 0, -9]])) == ["Sailing", "Early life"]


def test_a_heading_is_not_repeated_in_part(groups):
    assert choose(groups, scorer([[9, 0, 0], [0, 8, 7]])) == ["Early life", "Sailing"]


def test_no_two_headings_say_the_same_in_other_words(groups):
    def score(means, origin, phrases):
        known = scorer([[9, 7, -9], [7, 8, 6]])(means, origin, phrases)
        return known._replace(headings=["History of honey", "Honey histories", *known.headings[2:]])

    assert choose(groups, score) == ["History of honey", "Sailing"]


def test_names_that_are_taken_are_not_given(groups):
    fit = [[8, 7, -9], [-9, -9, 8]]
    assert choose(groups, scorer(fit), taken=["early life"]) == ["Life", "Sailing"]


def test_no_heading_only_repeats_the_title(groups):
    score = scorer([[9, -9, -8.5], [-50, -50, -50]])
    assert choose(groups, score)[0] == "Early life"
    # `life` is not `lives`.
    assert choose(groups, score, title="The early lives")[0] == "Early life"
    assert choose(groups, score, title="Early Life (film)")[0] == "Sailing"
    assert (
        choose(groups, score, title="Early life and late times of an old king")[0] == "Early life"
    )
    assert choose(groups, score, title="The early life of a king")[0] == "Sailing"
    assert choose(groups, score, title="early_life")[0] == "Sailing"


@pytest.mark.parametrize(
    "fit, expected",
    [
        ([0.45, -9, 0.4], "Early life and Sailing"),
        ([9, -9, 8], "Early life"),  # Which is sure.
        ([0.45, -9, 0.3], "Early life"),  # Which a reader would not tolerate.
        ([0.45, 0.4, -9], "Early life"),  # Which says it again.
    ],
)
def test_two_phrases_name_a_group_of_sentences_together(groups, fit, expected):
    score = scorer([fit, [-50, -50, -50]])
    assert choose(groups, score)[0] == expected


@pytest.mark.parametrize("fit, expected", [(0.3, "Early life and Sailing"), (0.2, "Early life")])
def test_two_phrases_name_a_group_of_many_texts_where_marks_are_lower(groups, fit, expected):
    sentences = [
        replace(sentence, doc=n) for n, sentence in enumerate([*groups[0], *groups[1]] * 2)
    ]
    assert choose([sentences], scorer([[0.45, -9, fit]])) == [expected]


def test_a_second_phrase_gives_way_to_the_first_of_another_group(groups):
    score = scorer([[0.45, -9, 0.4], [-9, -9, 0.3]])
    assert choose(groups, score) == ["Early life", "Sailing"]


def test_what_the_text_heads_a_group_with_is_its_heading(groups):
    # The first sentence below the second heading is in the first group.
    put_below(groups, "Wax", "Bees at sea", "Bees at sea", "Bees at sea")
    score = scorer([[9, 0, 0], [0, 0, 8]])
    assert choose(groups, score) == ["Wax", "Sailing"]
    assert choose(groups, None) == ["Wax", None]
    assert choose(groups, score, new=True) == ["Early life", "Sailing"]
    assert choose(groups, score, title="Wax")[0] == "Bees at sea"
    assert choose(groups, score, taken=["wax", "bees at sea"]) == ["Early life", "Sailing"]
    put_below(groups, "Wax", "Wax", "Bees at sea", "Bees at sea")
    assert choose(groups, score) == ["Wax", "Bees at sea"]


@pytest.mark.parametrize("second, found", [("Wax", None), ("WAX", None), ("Waxes", "Waxes")])
def test_of_headings_that_differ_by_case_the_first_is_one(groups, second, found):
    put_below(groups, "Wax", "Wax", second, "Bees")
    three = [groups[0], groups[1][:1], groups[1][1:]]
    assert choose(three, None) == ["Wax", found, "Bees"]


@pytest.mark.parametrize(
    "written, name",
    [("2. Wax", "Wax"), ("3.1 Wax", "Wax"), ("iv) Wax", "Wax"), ("**Wax**", "Wax"),
     ("`wax` [edit]", "Wax"), ("3.5.0", None), ("Article", None), ("2020 wax", "2020 wax"),
     ("A wax", "A wax"), ("III", None), ("IV. Wax", "Wax"), ("Minutes", None),
     ("Day 2: January 4, 2020", None), ("\ufeffBee \n wax", "Bee wax"),
     ("[Cough]", None), ("(Bees) and wax", "(Bees) and wax")],
)  # fmt: skip
def test_a_heading_of_the_text_is_a_name_without_numbering_and_markup(groups, written, name):
    put_below(groups, written, written, "Ships", "Ships")
    assert choose(groups, None) == [name, "Ships"]


def test_a_heading_of_the_text_that_is_no_name_for_its_length_is_passed_over(groups):
    long = "wax " * 30
    put_below(groups, long, long, "Ships", "Ships")
    assert choose(groups, None) == [None, "Ships"]


@pytest.mark.parametrize("heading", ["Conclusion", "Transcript"])
def test_what_a_section_is_for_is_no_heading(groups, heading):
    def score(means, origin, phrases):
        known = scorer([[9, 0, 6], [0, 0, 8]])(means, origin, phrases)
        return known._replace(headings=[heading, *known.headings[1:]])

    assert choose(groups, score) == ["Life", "Sailing"]


@pytest.mark.parametrize("first, second", [("Methods", "Results"), ("Summary", "Agenda")])
def test_some_sections_name_themes_of_a_text_and_none_of_a_collection(groups, first, second):
    put_below(groups, first, first, second, second)
    assert choose(groups, None) == [first, second]
    for sentence in groups[1]:
        sentence.doc += 1
    assert choose(groups, None) == [None, None]


def test_what_several_parts_have_names_none_of_them(groups):
    for name in ("Summary", "Fees"):
        put_below(groups, name, name, "Ships", name)
        assert choose(groups, None)[0] == (None if name == "Summary" else name)


def test_where_no_seen_heading_fits_a_phrase_of_the_text_names_a_group(groups):
    assert choose(groups, scorer([[9, -50, -50], [-50, -50, -50]])) == ["Early life", "Ships"]


def test_where_nothing_is_known_there_is_no_heading(groups):
    assert choose(groups, None) == [None, None]
    assert choose(groups, lambda *_: None) == [None, None]
    assert choose([], scorer([[0, 0, 0]])) == []


def test_of_two_that_fit_alike_the_commoner_is_likelier(groups):
    fit = [[8, -9, 8], [-9, 8, -9]]
    assert choose(groups, scorer(fit, log_shares=[-9, -2, -2]))[0] == "Sailing"


def score_alike(leanings):
    """A scorer by which every phrase fits every group, and the words of some say something."""

    def score(means, origin, phrases):
        fit = np.full((len(means), len(phrases)), 14.0)
        of_words = np.array([leanings.get(phrase, 0.0) for phrase in phrases])
        return make_scores(list(phrases), fit, np.zeros(0), of_words)

    return score


def test_what_the_words_of_phrases_say_counts(groups):
    for best in ("wax", "bees"):
        assert choose(groups, score_alike({best: 1.0}))[0].startswith(best.capitalize())


def test_a_score_is_the_mark_of_a_heading(groups):
    def find(fit):
        labels = np.array([0, 0, 1, 1])
        finder = HeadingFinder(groups, np.eye(2, 4)[labels], labels, scorer(fit))
        return [heading.score for heading in finder.choose()]

    assert find([[0.35, -9, -9], [-9, -9, 0.85]]) == [0.25, 0.75]  # The text says neither.
    assert find([[9, 0, 0], [-50, -50, -50]]) == [1, 0]


def test_a_heading_that_the_text_does_not_say_must_be_better(groups):
    def name_second(more):
        def score(means, origin, phrases):
            fit = np.zeros((2, 1 + len(phrases)))
            fit[:, 0] = -9, more
            return make_scores(["Sailing", *phrases], fit, np.zeros(1))

        return choose(groups, score)[1]

    assert name_second(0.05) != "Sailing" == name_second(0.2)


@pytest.mark.parametrize("n, name", [(3, "Honey cakes"), (4, "Bees")])
def test_groups_of_several_texts_have_a_ranker_of_their_own(n, name, monkeypatch):
    nlp = spacy.blank("en")
    texts = ["We ate honey cakes.", "Bees make wax.", *["They sting, those bees."] * (n - 2)]
    docs = [nlp(text) for text in texts]
    said = read_content([doc[:] for doc in docs])
    by = {"sentences": "fit", "texts": "share"}
    monkeypatch.setattr(
        "spacy_thematic.naming.headings.load_ranker", lambda of: lambda known: known[by[of]]
    )

    def score(means, origin, phrases):
        fit = np.array([[0.9 if text == "honey cakes" else 0 for text in phrases]])
        return make_scores(phrases, fit, np.zeros(0))

    assert choose([said], score) == [name]


def read_texts(*texts):
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    return read_content([sentence for text in texts for sentence in nlp(text).sents])


@pytest.mark.parametrize("n_others, name", [(1, "Bees"), (6, "Honey")])
def test_what_other_texts_say_as_often_names_no_group_of_several(n_others, name):
    said = read_texts(*["Bees like honey."] * 4)
    others = read_texts(*["Ships like bees."] * n_others, *["Ships sink."] * 6)
    others = [replace(sentence, doc=-number) for number, sentence in enumerate(others, 1)]

    def score(means, origin, phrases):
        fit = {"bees": 0.9, "honey": 0.5}
        rows = np.array([[fit.get(text.lower(), -9) for text in phrases]] * 2)
        return make_scores(phrases, rows, np.zeros(0))

    assert choose([said, others], score)[0].startswith(name)


@pytest.mark.parametrize("n, named", [(9, True), (10, False)])
def test_many_texts_are_not_called_by_the_title_of_one(n, named):
    said = read_texts("Bees make wax. " * 12, *["Bees sting."] * (n - 1))
    put_below([said], *["Our hive"] * 12, *[""] * (n - 1))
    assert (choose([said], scorer([[-9, -9, -9]])) == ["Our hive"]) is named


@pytest.mark.parametrize("elsewhere, named", [(3, True), (4, False)])
def test_a_heading_of_several_texts_names_what_holds_half_of_them(elsewhere, named):
    bees, ships = read_texts(*["Bees make wax."] * 3), read_texts(*["Ships sink."] * 6)
    below = ["Our report"] * (3 + elsewhere)
    put_below([bees, ships], *below, *[""] * (6 - elsewhere))
    found = choose([bees, ships], scorer([[-9, -9, -9]] * 2))
    assert (found[0] == "Our report") is named
    # A text of its own has its headings, however many of them are alike.
    text = read_texts("Bees make wax. " * 3 + "Ships sink. " * 6)
    put_below([text], *below, *[""] * (6 - elsewhere))
    assert choose([text[:3], text[3:]], scorer([[-9, -9, -9]] * 2))[0] == "Our report"


def test_speech_is_called_by_its_phrases_alone(groups):
    nlp = spacy.blank("en")
    said = read_content([nlp("Yeah. So we did it.")[:2], nlp("I know.")[:]])
    score = scorer([[9, 0, 0], [0, 0, 8]])
    assert choose(groups, score) == ["Early life", "Sailing"]
    assert choose([[*group, *said] for group in groups], score) == ["Bees", "Ships"]


def test_a_group_without_a_good_phrase_is_called_by_the_sentence_that_it_begins_with():
    score = scorer([[-9, -9, -9]])
    told = "Right. It was warm when we went to the lake. We swam. It was late. We went home."
    assert choose([read_texts(told)], score) == ["It was warm when we went to the lake"]
    # Two sentences are few, and one of several texts, or an item of a list, does not speak for all.
    assert choose([read_texts(told)[1:3]], score) == ["Lake"]
    assert choose([read_texts(*told.split(". "))], score) == ["Lake"]
    assert choose([read_texts(told)[::2], read_texts(told)[1::2]], score)[1] == "Lake"


@pytest.mark.parametrize(
    "sentence, name",
    [
        ("The red fox ran to the U.S.", "The red fox ran to the U.S."),
        ("The red fox, it ran.", "The red fox, it ran"),
        ("The red fox ran" + " on" * 30, ""),
        ("**3.** The red fox ran.", ""),
        ("ran the red fox.", ""),
        ("Ann: The red fox ran.", ""),
        ("The fox <b>ran</b>.", ""),
        ("The red fox\u200e ran.", ""),
        ("The red fox\x1b[1m ran.", ""),
    ],
)
def test_a_sentence_that_reads_as_a_name_is_one(sentence, name):
    said = read_texts("The red fox ran. It was so. It was so.")
    said[0] = replace(said[0], text=sentence)
    assert _open(said) == name


def test_numbers_of_parts_are_no_names(groups):
    def score(means, origin, phrases):
        seen = ["CHAPTER I", "Part II", "Sailing"]
        rows = np.tile([9.0, 8.0, 7.0] + [-50.0] * len(phrases), (len(means), 1))
        return make_scores([*seen, *phrases], rows, np.zeros(3))

    assert choose([groups[0] * 2, groups[1]], score)[0] == "Sailing"


def test_keywords_gain_by_what_the_encoder_knows_of_headings(groups):
    labels = np.array([0, 0, 1, 1])
    vectors = np.eye(2, 4)[labels]

    def score(means, origin, phrases):
        assert means.shape == (2, 4)
        fit = np.zeros((2, 1 + len(phrases)))  # of one heading seen, then of the phrases
        fit[:, 0] = 9
        fit[0, 1 + phrases.index("wax")], fit[1, 1 + phrases.index("ships")] = 2, 3
        headings = ["Life", *phrases]
        of_words = np.array([-float(phrase == "wax") for phrase in headings])
        return make_scores(headings, fit, np.zeros(1), of_words)

    finder = HeadingFinder(groups, vectors, labels, score)
    of_bees, of_ships = finder.weigh([["bee", "wax"], ["wax", "ship", "old"]])
    assert of_bees.tolist() == pytest.approx([0, 0.25 * 2 - 0.4])
    # "Old" is no phrase, and has the least of the others.
    assert of_ships.tolist() == pytest.approx([-0.4, 0.25 * 3, -0.4])


def test_headings_are_the_same_whether_or_not_keywords_were_weighed_before(groups):
    labels = np.array([0, 0, 1, 1])
    vectors = np.eye(2, 4)[labels]
    finder = HeadingFinder(groups, vectors, labels, score_alike({}))
    finder.weigh([["bee", "wax"], ["ship"]])
    assert [heading.text for heading in finder.choose()] == choose(groups, score_alike({}))


def test_merged_groups_have_headings_of_their_own(groups):
    labels = np.array([0, 0, 1, 1])
    vectors = np.eye(2, 4)[labels]
    seen = []

    def score(means, origin, phrases):
        seen.append(means.tolist())
        return scorer([[9, 0, 0]] * len(means))(means, origin, phrases)

    finder = HeadingFinder(groups, vectors, labels, score)
    (heading,) = finder.merge(np.array([0, 0])).choose()
    assert heading.text == "Early life" and seen == [[[0.5, 0.5, 0, 0]]]


def test_keywords_gain_by_the_openers_that_have_them():
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    doc = nlp("Public libraries lend. Books are old. Ships sink. The library of Rome burned.")
    first, second, third, fourth = read_content(doc.sents)
    groups, labels = [[first, second, fourth], [third]], np.array([0, 0, 0, 1])
    finder = HeadingFinder(groups, np.eye(2, 4)[labels], labels, None)
    gains, none = finder.weigh_openings(
        [["library", "public libraries", "Books", "Rome burned", "ships"], []]
    )
    assert gains.tolist() == pytest.approx([1.2, 0.6, 0, 0.6, 0]) and none.tolist() == []


def test_keywords_gain_nothing_where_nothing_is_known(groups):
    vectors = np.eye(2, 4)[[0, 0, 1, 1]]
    for score in (None, lambda means, origin, phrases: None):
        finder = HeadingFinder(groups, vectors, np.array([0, 0, 1, 1]), score)
        assert [gain.tolist() for gain in finder.weigh([["bee"], []])] == [[0], []]
