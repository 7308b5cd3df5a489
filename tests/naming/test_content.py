from itertools import pairwise

import numpy as np
import pytest
import spacy
from spacy.tokens import Doc

from spacy_thematic.lang import to_word_key
from spacy_thematic.naming.codes_and_units import drop_labels
from spacy_thematic.naming.content import capitalize_name, is_content_word, read_content


def test_words_of_content_are_where_they_stand_in_their_doc(nlp):
    doc = nlp("It is raw honey, the food of bees. They make wax.")
    first, second = read_content(doc.sents)
    found = [doc[content.start : content.end] for content in (first, second)]
    assert found == list(doc.sents) and [first.text, second.text] == [s.text for s in found]
    assert [word.text for word in first.words] == ["raw", "honey", "food", "bees"]
    for word in [*first.words, *second.words]:
        assert doc.text[word.start :].startswith(word.text)
    assert [word.follows for word in first.words] == [False, True, False, False]
    assert [word.joins for word in first.words] == [False, True, False, True]
    assert first.words[-1].key == "bee"


def test_they_are_those_of_each_token(nlp):
    text = "Dr. Iqbal's 12 a4 <b> C:\\x http://x.org\n\n x@y.org Ünïcode, 漢字 of. OF it"
    doc = nlp(text)
    found = [word for content in read_content(doc.sents) for word in content.words]
    expected = [token for token in doc if is_content_word(token)]
    assert [(word.text, word.start) for word in found] == [(t.text, t.idx) for t in expected]


@pytest.mark.parametrize(
    "text", ["It DOESN'T. WE’RE, I'M", "doesnt dont Dont", "unto thee, thou", "spirit,—my"]
)
def test_what_says_nothing_is_of_no_phrase(nlp, text):
    (content,) = read_content([nlp(text)[:]])
    assert not content.phrases[0] and content.terms == ([], [])


@pytest.mark.parametrize(
    "text, phrases",
    [
        ("The archive filename.r of setup.py is new.", {"archive"}),
        ("The train home thu is late.", {"train home", "train", "home"}),
        (
            "Ich schreibe Ihnen, weil ich mit der Anmeldung und dem Zugriff ein Problem habe.",
            {"Anmeldung", "Zugriff", "Problem"},
        ),
        (
            "Il y a une porte dans le salon, et elle est pour vous ou pour nous.",
            {"porte", "salon"},
        ),
        (
            "J'ai dit qu’il n'y a pas de porte pour l'homme, et c'est tout jusqu’à l’hiver.",
            {"porte", "homme", "hiver"},
        ),
        (
            "C'è anche un'isola nella quale si trova la casa dell’amico con O'Brien.",
            {"isola", "trova", "amico", "O'Brien"},
        ),
    ],
)
def test_files_days_and_stop_words_of_the_language_are_of_no_phrase(text, phrases):
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    (content,) = read_content(nlp(text).sents)
    assert {*content.phrases[0]} == phrases


@pytest.mark.parametrize("text", ["什么是故事？你会觉得奇怪", "เขาไปตลาด", "是自由"])
def test_a_script_without_spaces_has_words_only_where_its_tokenizer_divides_it(nlp, text):
    assert [word.text for word in read_content([nlp(f"boats {text}")[:]])[0].words] == ["boats"]
    assert is_content_word(spacy.blank("xx").vocab["故事"])


@pytest.mark.parametrize(
    "name, written",
    [
        ("iPad sales", "iPad sales"),
        ("macOS", "macOS"),
        ("x-ray", "X-ray"),
        ("pre-WWII", "Pre-WWII"),
    ],
)
def test_a_word_with_a_capital_inside_keeps_its_first_letter(name, written):
    assert capitalize_name(name) == written


def test_what_hyphens_join_is_one_word(nlp):
    (content,) = read_content(
        [nlp("Ricky Seals-Jones of Port-au-Prince - a long-term X-ray, gap- 2-3")[:]]
    )
    words = content.words
    assert [word.text for word in words] == [
        "Ricky", "Seals-Jones", "Port-au-Prince", "long-term", "X-ray", "gap"
    ]  # fmt: skip
    assert [word.follows for word in words] == [False, True, False, False, True, False]
    assert [word.joins for word in words] == [False, True, True, False, True, False]
    for word in words:
        assert content.text[word.start :].startswith(word.text)
    assert [word.key for word in words][-2:] == ["x-ray", "gap"]
    for text in ("-", "a-", "-a", "- -", f"{'well-' * 8}known"):
        assert read_content([nlp(text)[:]])[0].words == []


def test_who_speaks_is_no_word_wherever_the_name_stands(nlp):
    lines = ["Anna: Carla bakes pizza.", "Ben: Ask Carla.", "Carla: Anna knows pizza.", "Ben: Oh."]
    doc = nlp("\n".join([*lines, "Then rain came."]))
    starts = [0, *(token.i + 1 for token in doc if token.text == "\n"), len(doc)]
    spans = [doc[a:b] for a, b in pairwise(starts)]
    assert [span[0].text for span in spans] == ["Anna", "Ben", "Carla", "Ben", "Then"]
    words = {word.text for content in read_content(spans) for word in content.words}
    assert "pizza" in words and not words & {"Anna", "Ben", "Carla"}
    alone = {word.text for content in read_content(spans[4:]) for word in content.words}
    assert "rain" in alone


def test_sentences_may_come_from_several_docs_in_any_order(nlp):
    first, second = nlp("Bees make wax. Ships sail."), nlp("Kings rule.")
    sentences = [*first.sents, *second.sents]
    found = read_content(sentences)
    for row in np.random.default_rng(0).permutation(3):
        assert read_content([sentences[row]]) == [found[row]]
    assert read_content([]) == []


@pytest.mark.parametrize(
    "singular, plural",
    [("bee", "bees"), ("library", "libraries"), ("movie", "movies"), ("day", "days"),
     ("church", "churches"), ("cache", "caches"), ("class", "classes"), ("box", "boxes"),
     ("child", "children"), ("bus", "buses")],
)  # fmt: skip
def test_singular_and_plural_have_one_key(singular, plural):
    assert to_word_key(singular) == to_word_key(plural)


def test_other_words_have_other_keys():
    words = ["bee", "bus", "virus", "glass", "glue", "gas", "as", "cash", "case", "city", "cite"]
    assert len({*map(to_word_key, words)}) == len(words)


def test_names_have_one_space_between_words_and_nothing_unseen(nlp):
    (content,) = read_content([nlp("\ufeffRiver val\xadleys of the river valleys")[:]])
    assert [text for _, text, _ in content.terms[0]] == [
        "River", "valleys", "river", "valleys"
    ]  # fmt: skip
    assert {word.key for word in content.words} == {"river", "valley"}


def test_lemmas_and_parts_of_speech_are_read_where_they_are(nlp):
    words, lemmas = ["Rivers", "ran", "slowly"], ["river", "run", ""]
    doc = Doc(nlp.vocab, words, lemmas=lemmas, pos=["NOUN", "VERB", "ADV"])
    (content,) = read_content([doc[:]])
    assert [(word.key, word.is_name) for word in content.words] == [
        ("river", True),
        ("run", False),
        ("slowlie", False),
    ]


def test_in_speech_who_speaks_is_no_word():
    nlp = spacy.blank("en")
    nlp.add_pipe("thematic_lines")
    nlp.add_pipe("sentencizer")
    doc = nlp(
        "[10:02] anna_2: are the boats ready\n[10:03] leo: the tents are\n<leo> anna, good boats\n"
    )
    words = [[word.text for word in content.words] for content in read_content(doc.sents)]
    assert words == [["boats", "ready"], ["tents"], ["good", "boats"]]
    prose = nlp("Warning: boats leak. The tents are dry. They are new tents. Boats sink.")
    assert read_content(prose.sents)[0].words[0].text == "Warning"


@pytest.mark.parametrize(
    ("text", "is_verb"),
    [
        ("The river rises in the mountains.", True),
        ("Court hears Lee.", True),
        ("Comcast refuses to help.", True),
        ("Peace talks about the land continue.", False),
        ("The river rises of May were high.", False),
        ("The river boats in the harbour are new.", False),
    ],
)
def test_what_looks_like_a_plural_is_the_verb_of_a_sentence_without_another(text, is_verb):
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    phrases = [phrase for content in read_content(nlp(text).sents) for phrase in content.phrases[0]]
    two = " ".join(text.removeprefix("The ").split()[:2])
    assert (two in phrases) is not is_verb


@pytest.mark.parametrize(
    "text, is_word",
    [
        ("“Is it late?” Kory asks. “It is,” says Kory.", False),
        ("“Is it late?” Kory asks. “It is,” says Kory. The storm wakes Kory.", False),
        # Once, or in less than most sentences.
        ("“Is it late?” Kory asks.", True),
        ("Kory asks. Kory says so. Kory has a boat. The river took Kory.", True),
        ("It adds Kory. It calls Kory. The storm wakes Kory.", True),
        ("kory asks. kory says so.", True),
    ],
)
def test_who_mostly_says_something_is_no_word_of_content(nlp, text, is_word):
    content = read_content(nlp(text).sents)
    assert ("kory" in {word.text.lower() for one in content for word in one.words}) == is_word


@pytest.mark.parametrize(
    "text, phrases, none",
    [
        ("Zika Outbreak Hits Miami", {"Zika Outbreak", "Miami"}, "Hits"),
        ("Bronchitis Keeps Spreading Across Denver", {"Bronchitis", "Denver"}, "Keeps"),
        ("West Nile Fever Hits West Virginia", {"West Nile Fever", "West Virginia"}, "Hits"),
        ("The storm reached North Korea and West Virginia", {"North Korea"}, "storm reached"),
    ],
)
def test_verbs_of_titles_and_directions_of_names_are_told(text, phrases, none):
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    (content,) = read_content(nlp(text).sents)
    found = {*content.phrases[0]}
    assert phrases <= found
    assert not any(none in phrase.split() or phrase == none for phrase in found)


def list_words(contents):
    return [word.text for content in contents for word in content.words]


@pytest.mark.parametrize(
    "text, words",
    [
        (
            "He denies pain .,Physical examination: ,MEDICATIONS: , none",
            "pain Physical examination",
        ),
        ("We like .NET and AT&T (co.) *a lot*: -ish", "like .NET AT&T co. lot ish"),
        ("Loss of 5 mL.,FLUIDS: saline,The saline", "Loss saline saline"),
        ("Of priors \\index{Bayes factor!prior} see \\citep[p. 3]{lee, kim} \\emph{x}", "priors"),
        ("A key: aGVsbG8gd29ybGQhIFRoaXMgaXMg or Rqgqvepae9pg0db9vqaivgfr0xfr", "key"),
        (f"The math=gi=heeeu0xxdbba9frfj0xb9qqpg0dx={'aq=' * 9}wax@5 image", "image"),
        ("On XX/XX/2023 XXXX bees ([REDACTED]) of [**Name 12**] or <PERSON> XXII", "bees XXII"),
        ("Reads ACGTTTGACCATTGACAT of DNA in getUserByName", "Reads DNA getUserByName"),
    ],
)
def test_words_are_without_marks_around_them_and_what_no_one_reads(nlp, text, words):
    found = read_content([nlp(text)[:]])
    assert [one for one in list_words(found) if one in words.split()] == words.split()
    rest = {"denies", "MEDICATIONS"}
    assert {*list_words(found)} - rest == {*words.split()}
    for word in found[0].words:
        assert text[word.start :].startswith(word.text)


def test_what_a_mark_parts_from_the_word_before_does_not_follow_it(nlp):
    (content,) = read_content([nlp("Old wax ,honey cakes")[:]])
    assert [word.follows for word in content.words] == [False, True, False, True]


@pytest.mark.parametrize(
    "text, words",
    [
        ("Give 5 mg now and 12 mg/dL, or 5\u00a0mg. A 5-mg dose, 0.5 mg/dL now.", "dose"),
        ("A 95% CI of ours, and the 95 % CI of wax.", "wax"),
        ("Take 6 eggs, then 3 eggs.", "eggs eggs"),
        ("Take 1 egg, 3 eggs, and 1 egg.", "egg eggs egg"),
        ("The dog met 2 dog walkers.", "dog met dog walkers"),
        ("Add 2 cups honey, 1 cup wax and ½ cup wax, then 3 cups wax.", "Add honey wax wax wax"),
        ("[SEAL BARKING] A dog. [NOISE]", "dog"),
        ("We use bees of course. The NATO (NATO) bees.", "use bees NATO NATO bees"),
        ("HIV-1 RNA and 5-HT, SARS-2 RNA and 5-HT.", "HIV-1 RNA 5-HT SARS-2 RNA 5-HT"),
    ],
)
def test_units_are_no_words(nlp, text, words):
    found = list_words(read_content([nlp(text)[:]]))
    assert [word for word in found if word not in {"Give", "Take"}] == words.split()


def test_labels_of_a_form_are_no_words_of_a_collection(nlp):
    texts = [f"PLAN:, Honey {n}.,Past history: , Bees and a plan." for n in range(5)]
    other = "Recipes: with honey. It has past history."

    def read(n):
        docs = [*map(nlp, texts[:n]), nlp(other)]
        contents = read_content(sentence for doc in docs for sentence in doc.sents)
        drop_labels(contents)
        return list_words(contents)

    assert read(5) == ["Honey", "Bees", "plan"] * 5 + ["Recipes", "honey", "past", "history"]
    assert "PLAN" in read(4)


def test_who_speaks_elsewhere_in_the_text_is_no_word_of_a_sentence():
    nlp = spacy.blank("en")
    for name in ("thematic_layout", "sentencizer"):
        nlp.add_pipe(name)
    turns = "\n\n".join(f"DORN. The ship sails {n}.\n\nMASHA. The bees hum {n}." for n in "abcd")
    doc = nlp(f"{turns}\n\nMASHA and DORN leave the boat.")
    (content,) = read_content([[*doc.sents][-1]])
    assert [word.text for word in content.words] == ["leave", "boat"]
