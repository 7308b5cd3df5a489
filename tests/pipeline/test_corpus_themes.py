import io
import json
import pickle
import warnings
from types import SimpleNamespace
from zipfile import ZipFile

import numpy as np
import pytest
import spacy
import srsly
from spacy.tokens import SpanGroup

import spacy_thematic
from spacy_thematic.clustering.settings import ThemeSettings
from spacy_thematic.naming.candidates import HeadingScores
from spacy_thematic.pipeline import corpus_themes
from spacy_thematic.pipeline.clusterer import cluster_docs
from spacy_thematic.pipeline.corpus_themes import CorpusThemes, find_corpus_themes
from spacy_thematic.report.page import explain_k

pytestmark = pytest.mark.filterwarnings("ignore:It is not known which model made")
WORDS = {"bees": "Bees make {} honey.", "ships": "Ships cross {} seas.", "kings": "Kings rule {}."}
WORDS["rules"] = "Rules are below."
NAMES = "amber birch cedar daisy elder fern grass hazel iris jade kelp lime".split()


def make_doc(kinds, seed=0, width=16, first=0):
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    doc = nlp(" ".join(WORDS[kind].format(NAMES[i % 12]) for i, kind in enumerate(kinds, first)))
    sentences = list(doc.sents)
    rows = np.eye(4, width)[[list(WORDS).index(kind) for kind in kinds]].reshape(-1, width)
    noise = np.random.default_rng(seed).normal(0, 0.05, rows.shape)
    doc._.thematic_vectors = (rows + 0.5 + noise).astype(np.float32)
    doc.spans["thematic_sentences"] = SpanGroup(doc, name="thematic_sentences", spans=sentences)
    return doc


def find(docs, k="auto", encode=None, **settings):
    encoder = encode and SimpleNamespace(
        encode_texts=encode, score_headings=lambda *_: None, embedder=None
    )
    return find_corpus_themes(docs, ThemeSettings(k=k, **settings), encoder)


def encoder(**axes):
    """Encodes these texts as `make_doc` does sentences; others are unknown."""

    def encode(texts):
        known = np.array([[text in axes] for text in texts])
        return known * (np.eye(16)[[axes.get(text, 0) for text in texts]] + 0.5)

    return encode


@pytest.fixture
def docs():
    return [
        make_doc(["bees", "ships", "bees", "bees"]),
        make_doc(["ships", "kings", "ships"], 1),
        make_doc([], 2),
        make_doc(["kings", "bees"], 3),
    ]


def first_word(label):
    return label.lower().replace(",", "").split()[0]


def labels_of(doc):
    return [
        span.label_.lower().replace(",", "").split()[0] for span in doc.spans["thematic_clusters"]
    ]


@pytest.mark.parametrize("k", [3, "auto"])
def test_a_theme_has_one_name_in_all_documents(docs, k):
    themes = find(docs, k)
    assert [labels_of(doc) for doc in docs] == [
        ["bees", "ships", "bees", "bees"],
        ["ships", "kings", "ships"],
        [],
        ["kings", "bees"],
    ]
    assert [theme.size for theme in themes.themes] == [4, 3, 2]
    assert [span.id for span in docs[1].spans["thematic_clusters"]] == [2, 3, 2]
    assert themes.themes[2].representative.startswith("Kings rule")


def test_seed_themes_name_what_they_find(docs):
    seed_themes = {"travel": ["sea"], "power": ["throne"]}
    themes = find(docs, 3, encoder(sea=1, throne=2), seed_themes=seed_themes)
    assert [first_word(theme.label) for theme in themes.themes] == [
        "bees",
        "travel",
        "power",
    ]
    assert labels_of(docs[1]) == ["travel", "power", "travel"]
    again = themes.assign(make_doc(["kings", "bees"], 5))
    assert labels_of(again) == ["power", "bees"]


def test_a_seed_theme_without_sentences_is_left_out(docs):
    seed_themes = {"a": ["bee"], "none": ["fish"], "b": ["sea"], "c": ["throne"]}
    encode = encoder(bee=0, fish=3, sea=1, throne=2)
    themes = find(docs, 4, encode, seed_themes=seed_themes)
    assert [theme.label for theme in themes.themes] == ["a", "b", "c"]
    assert [theme.size for theme in themes.themes] == [4, 3, 2]


def test_broader_themes_are_saved(docs, tmp_path):
    docs = [make_doc(["bees", "ships", "kings"] * 3)]
    docs[0]._.thematic_vectors[:, 5] += 3 * np.array([1, 1, -1] * 3)
    themes = find(docs, 3, n_broader=2)
    parents = {first_word(theme.label): theme.parent for theme in themes.themes}
    assert parents["bees"] == parents["ships"] != parents["kings"]
    assert repr(themes).count("\n") == 3
    themes.save(tmp_path)
    assert CorpusThemes.load(tmp_path).themes == themes.themes
    assert [theme.parent for theme in docs[0]._.thematic_clusters] == [
        theme.parent for theme in themes.themes
    ]


@pytest.mark.usefixtures("rank_by_fit")
def test_headings_are_saved(docs, tmp_path):
    def score(means, origin, phrases):
        """Knows two headings, each of which fits one theme."""
        fit = np.full((len(means), 2 + len(phrases)), -30.0)
        fit[0, 0] = fit[1, 1] = 10
        n = len(fit[0])
        headings, leanings = ["hives", "sails", *phrases], np.zeros((n, 3))
        return HeadingScores(headings, np.zeros(2), np.eye(n), fit, leanings, np.eye(n, 16))

    encoder = SimpleNamespace(encode_texts=None, score_headings=score, embedder=None)
    themes = find_corpus_themes(docs, ThemeSettings(k=3), encoder)
    themes.save(tmp_path)
    loaded = CorpusThemes.load(tmp_path)
    assert loaded.themes == themes.themes
    headings = {theme.heading for doc in docs for theme in doc._.thematic_clusters}
    # What neither fits is called by a phrase.
    assert len(headings) == 3 and {"Hives", "Sails"} < headings


def test_themes_that_were_saved_with_a_title_have_it_as_heading(docs, tmp_path):
    find(docs, 3).save(tmp_path)
    record = srsly.read_json(tmp_path / "themes.json")
    for theme in record["themes"]:
        del theme["heading"], theme["heading_score"]
        theme.update(title="Bees", mixed=True)
    srsly.write_json(tmp_path / "themes.json", record)
    assert {theme.heading for theme in CorpusThemes.load(tmp_path).themes} == {"Bees"}


def test_an_outlier_threshold_is_saved(docs, tmp_path):
    docs[0]._.thematic_vectors[1] = docs[0]._.thematic_vectors[:2].mean(axis=0)
    themes = find(docs, 3, outlier_threshold=0.9)
    themes.save(tmp_path)
    found = labels_of(docs[0])
    assert "outlier" in found
    assert labels_of(CorpusThemes.load(tmp_path).assign(docs[0])) == found


def confidences_of(doc):
    return doc.spans["thematic_clusters"].attrs["confidences"]


def test_confidence_compares_with_all_themes_of_the_collection(docs, tmp_path):
    themes = find(docs, 3)
    alone, unlike = make_doc(["kings"], 5), make_doc(["ships"], 5)
    unlike._.thematic_vectors[:] = themes.origin + np.eye(16)[9]
    together = make_doc(["kings", "bees", "ships"], 5)
    together._.thematic_vectors[0] = alone._.thematic_vectors[0]
    themes.save(tmp_path)
    for found in (themes, CorpusThemes.load(tmp_path)):
        for doc in (alone, unlike, together):
            found.assign(doc)
        assert 0.8 < confidences_of(alone)[0] < 1
        assert confidences_of(unlike)[0] < 0.3
        assert confidences_of(together)[0] == confidences_of(alone)[0]
        (here,), others = alone._.thematic_clusters, together._.thematic_clusters
        same = next(theme for theme in others if theme.number == here.number)
        assert (same.cohesion, same.separation) == (here.cohesion, here.separation)
        assert here.separation > 0.5


def test_confidences_of_found_and_of_assigned_themes_are_the_same(docs):
    themes = find(docs, 3)
    found = [confidences_of(doc) for doc in docs]
    assert [confidences_of(themes.assign(doc)) for doc in docs] == found
    numbers = {"bees": 0, "ships": 1, "kings": 2}
    rows = docs[1]._.thematic_vectors - themes.origin
    distances = 1 - rows @ themes.centres.T / np.linalg.norm(rows, axis=1, keepdims=True)
    for row, (kind, confidence) in enumerate(zip(labels_of(docs[1]), found[1])):
        own = distances[row, numbers[kind]]
        following = np.delete(distances[row], numbers[kind]).min()
        assert confidence == pytest.approx((following - own) / following, abs=1e-3)


def test_a_threshold_holds_for_documents_of_one_sentence(docs):
    themes = find(docs, 3, outlier_threshold=0.5)
    unlike = make_doc(["ships"], 5)
    unlike._.thematic_vectors[:] = themes.origin + np.eye(16)[9]
    assert labels_of(themes.assign(unlike)) == ["outlier"]
    assert unlike._.thematic_clusters == []
    assert 0 < confidences_of(unlike)[0] < 0.5
    assert labels_of(themes.assign(make_doc(["ships"], 5))) == ["ships"]


def test_the_confidences_of_an_update_are_those_of_all_themes(docs):
    themes = find(docs, 3)
    new = make_doc(["kings"], 5)
    themes.update([new])
    updated = confidences_of(new)
    assert confidences_of(themes.assign(new)) == updated
    assert updated[0] < 1


def test_saved_themes_are_assigned_to_new_documents(docs, tmp_path):
    themes = find(docs, 3)
    themes.save(tmp_path / "themes")
    loaded = CorpusThemes.load(tmp_path / "themes")
    new = loaded.assign(make_doc(["kings", "kings", "bees"], 9))
    assert labels_of(new) == ["kings", "kings", "bees"]
    assert [theme.number for theme in new._.thematic_clusters] == [3, 1]
    assert loaded.themes == themes.themes
    assert np.array_equal(loaded.centres, themes.centres)


def test_sentences_unlike_every_theme_belong_to_none(docs):
    themes = find(docs, 3)
    new = make_doc(["kings", "bees"], 4)
    new._.thematic_vectors[0] *= -1
    assert "outlier" not in labels_of(themes.assign(new))
    assert labels_of(themes.assign(new, min_similarity=0.4)) == ["outlier", "bees"]
    assert labels_of(themes.assign(new, min_similarity=1)) == ["outlier", "outlier"]
    for bad in (1.5, float("nan")):
        with pytest.raises(ValueError, match="from -1 to 1, found"):
            themes.assign(new, min_similarity=bad)


def test_themes_are_merged_by_their_numbers(docs, tmp_path):
    docs[0]._.thematic_date = "2024-05"
    themes = find(docs, 3)
    assert [(first_word(theme.label), theme.size) for theme in themes.themes] == [
        ("bees", 4),
        ("ships", 3),
        ("kings", 2),
    ]
    counted = {date: sum(sizes.values()) for date, sizes in themes.timeline.items()}
    centre = 3 * themes.centres[1] + 2 * themes.centres[2]
    for theme, parent in zip(themes.themes, ("Air", "Sea", "Sea")):
        theme.parent = parent
    merged = themes.merge([3, 2])
    assert merged.parent is None and themes.themes[0].parent == "Air"
    assert (merged.number, first_word(merged.label), merged.size) == (2, "ships", 5)
    assert [theme.number for theme in themes.themes] == [1, 2]
    assert np.allclose(themes.centres[1], centre / np.linalg.norm(centre))
    assert {date: sum(sizes.values()) for date, sizes in themes.timeline.items()} == counted
    assert not any(3 in sizes for sizes in themes.timeline.values())
    themes.save(tmp_path)
    new = CorpusThemes.load(tmp_path).assign(make_doc(["kings", "bees", "ships"], 9))
    assert labels_of(new) == ["ships", "bees", "ships"]
    for bad in ([1], [1, 1], [1, 3], []):
        with pytest.raises(ValueError, match=r"two or more numbers of themes, of \[1, 2\]"):
            themes.merge(bad)
    assert len(themes.themes) == len(themes.centres) == 2


def test_texts_of_the_themes_keep_theirs_under_new_names(docs, tmp_path, monkeypatch):
    monkeypatch.setattr(corpus_themes, "make_frame", lambda rows, columns=(): rows)
    themes = find(docs, 3)
    (digest, *_) = themes.texts
    themes.texts[digest] = [2, 2, 1, 0]  # Not the nearest.
    themes.save(tmp_path)
    themes = CorpusThemes.load(tmp_path)
    outlier = themes.assign(docs[0])
    themes.themes[0].rename("Honey")
    themes.merge([3, 2]).rename("Power")
    (row, *_), shares = themes.documents(docs), themes.shares(docs)
    assert (row["theme"], row["name"], row["share"]) == (2, "Power", 2 / 3)
    assert list(shares[1].values()) == [0, 1]
    themes.save(tmp_path)
    themes = CorpusThemes.load(tmp_path)
    themes.assign(outlier)
    assert [span.id for span in outlier.spans["thematic_clusters"]] == [2, 2, 1, 0]
    assert [theme.name for theme in outlier._.thematic_clusters] == ["Power", "Honey"]
    themes.assign(outlier, min_similarity=0)
    assert [span.id for span in outlier.spans["thematic_clusters"]] == [1, 2, 1, 1]


def test_a_new_theme_takes_no_number_of_one_that_was_merged(docs):
    themes = find(docs, 3)
    themes.merge([3, 2])
    themes.update([make_doc(["bees"] * 2)])
    new = make_doc(["kings"] * 30)
    new._.thematic_vectors = -new._.thematic_vectors
    assert themes.update([new]).born == [4]


def test_a_sentence_without_a_known_word_has_no_theme(docs):
    docs[1]._.thematic_vectors[1] = 0
    themes = find(docs, 3)
    assert labels_of(docs[1]) == ["ships", "outlier", "ships"]
    assert sum(theme.size for theme in themes.themes) == 8
    new = make_doc(["kings", "bees"], 4)
    new._.thematic_vectors[0] = 0
    themes.assign(new)
    assert labels_of(new) == ["outlier", "bees"]
    themes.update([new])
    assert labels_of(new) == ["outlier", "bees"]
    new._.thematic_vectors[1] = 0
    with pytest.raises(ValueError, match="knows no word of these documents"):
        find([new])


def test_levels_are_the_numbers_that_hold(docs, tmp_path):
    themes = find(docs, 3)
    assert themes.levels == []
    themes.k_scores = {3: 0.5, 5: 0.7, 8: 0.6, 12: 0.9, 20: 0.9, 30: 0.95}
    assert themes.levels == [5, 12, 30]
    themes.save(tmp_path)
    assert CorpusThemes.load(tmp_path).levels == [5, 12, 30]


def test_the_number_that_was_chosen_is_kept(docs, tmp_path):
    themes = find(docs, 3)
    assert themes.k_chosen is None
    themes.k_scores, themes.k_chosen = {3: 0.5, 5: 0.9}, 5
    themes.save(tmp_path)
    assert explain_k(CorpusThemes.load(tmp_path).assign(docs[0])).chosen == 5
    path = tmp_path / "themes.json"
    path.write_text(path.read_text().replace('"k_chosen": 5,', ""))  # As earlier versions wrote it.
    assert explain_k(CorpusThemes.load(tmp_path).assign(docs[0])).chosen == 3
    del docs[0].spans["thematic_clusters"].attrs["k_chosen"]
    assert explain_k(docs[0]) is None


def make_texts(kinds, seed=0):
    """Texts of two sentences on one theme."""
    return [make_doc([kind, kind], seed + number) for number, kind in enumerate(kinds)]


TWELVE = ["bees", "ships", "kings"] * 4


@pytest.mark.parametrize(
    ("title", "named"),
    [("Rivers of the Valley", True), ("notes 12", False), ("History of Rivers in Rome", False)],
)
def test_the_title_of_a_text_names_its_theme(title, named):
    nlp = spacy_thematic.load("en_thematic_sm")
    texts = (
        "The river floods the valley. Boats sail the river. Its water is cold. Rivers carry sand.",
        "The king fought two wars. His army lost the first battle. The queen ruled the kingdom.",
    )
    docs = [*nlp.pipe(texts)]
    docs[0]._.thematic_title = title
    themes = cluster_docs(docs, nlp=nlp, k=2, units="sentences").themes
    assert (title in [theme.name for theme in themes]) == named


def test_what_texts_repeat_belongs_to_no_theme_unless_it_is_all_that_they_say(tmp_path):
    kinds = ["bees", "ships"] * 3
    docs = [make_doc([kind, kind, "rules"], first=2 * n) for n, kind in enumerate(kinds)]
    find(docs[:4], k=3)
    assert [labels_of(doc)[2] for doc in docs[:4]] == ["rules"] * 4
    themes = find([*docs, make_doc(["rules"], 9)], k=3)
    assert [labels_of(doc) for doc in docs] == [[kind, kind, "outlier"] for kind in kinds]
    themes.save(tmp_path)
    themes = CorpusThemes.load(tmp_path)
    assert themes.boilerplate == {"rules are below"}
    new = make_doc(["ships", "rules"], first=40)
    assert labels_of(themes.assign(new)) == ["ships", "outlier"]
    themes.update([new])
    assert labels_of(new) == ["ships", "outlier"]


def test_short_texts_are_grouped_as_wholes(tmp_path):
    docs = make_texts(TWELVE)
    themes = find(docs)
    assert themes.units == "texts"
    assert [set(labels_of(doc)) for doc in docs] == [{kind} for kind in TWELVE]
    # A sentence on another theme goes with its text.
    mixed = make_doc(["bees", "bees", "bees", "kings"], 50)
    themes.save(tmp_path)
    assert set(labels_of(CorpusThemes.load(tmp_path).assign(mixed))) == {"bees"}
    themes.update([mixed])
    assert set(labels_of(mixed)) == {"bees"}
    assert sum(theme.size for theme in themes.themes) == 13
    assert themes.timeline == {"": {theme.number: theme.size for theme in themes.themes}}


def test_themes_of_texts_are_ordered_by_the_number_of_texts(monkeypatch):
    monkeypatch.setattr(corpus_themes, "make_frame", lambda rows, columns=(): rows)
    texts = [[kind] * (9 if kind == "ships" else 2) for kind in ["bees"] * 6 + ["ships"] * 4]
    docs = [make_doc(kinds, number) for number, kinds in enumerate(texts)]
    themes = find(docs, 2)
    assert [theme.size for theme in themes.themes] == [6, 4]
    rows = themes.to_frame(docs)
    assert [row["texts"] for row in rows] == [6, 4] and "sentences" not in rows[0]
    assert find_corpus_themes(docs, ThemeSettings(k=2), units="sentences").themes[0].size == 36


def test_units_can_be_said():
    docs = make_texts(TWELVE)
    docs[0] = make_doc(["bees", "kings"], 60, first=3)
    found = find_corpus_themes(docs, ThemeSettings(k=3), units="sentences")
    assert found.units == "sentences"
    assert labels_of(docs[0]) == ["bees", "kings"]


def test_texts_given_twice_have_the_same_themes():
    once, twice = make_texts(TWELVE), [*make_texts(TWELVE), *make_texts(TWELVE)]
    themes, again = find(once), find(twice)
    assert again.k_scores == themes.k_scores
    assert [theme.size for theme in again.themes] == [2 * theme.size for theme in themes.themes]
    assert [labels_of(doc) for doc in twice] == 2 * [labels_of(doc) for doc in once]


def test_texts_that_say_nothing_have_no_theme_unless_all_are_such():
    nlp = spacy_thematic.load("en_thematic_sm")
    nlp.disable_pipe("thematic_clusterer")
    said = ["Bees make honey.", "Ships cross the sea.", "Kings rule lands."] * 4
    said += ["Parking", "good", "Nan bread", "Null pointer", "很好", "None of the ships came."]
    nothing = ["N/A", "(n/a)", "None.", "-", "10/10", "👍👍", "No  comment", "It is what it is"]
    docs = [*nlp.pipe([*said, *nothing])]
    themes = cluster_docs(docs, nlp=nlp)
    numbers = [doc._.thematic_theme.number if doc._.thematic_theme else 0 for doc in docs]
    assert [number > 0 for number in numbers] == [True] * len(said) + [False] * len(nothing)
    assert labels_of(themes.assign(nlp("???"))) == ["outlier"]
    themes.update([nlp("nothing")], nlp)
    docs = [*nlp.pipe(["None", "nothing"])]
    cluster_docs(docs, nlp=nlp)
    assert all(doc._.thematic_clusters for doc in docs)


def test_the_order_of_texts_does_not_matter():
    docs = make_texts(TWELVE)
    themes = find(docs)
    assert explain_k(docs[0]).chosen == themes.k_chosen == len(themes.themes)
    found = [labels_of(doc) for doc in docs]
    again = find(docs[::-1])
    assert again.k_scores == themes.k_scores
    assert [labels_of(doc) for doc in docs] == found


def test_the_same_texts_give_the_same_bytes(tmp_path):
    for name in "ab":
        find(make_texts(TWELVE)).save(tmp_path / name)
    for file in ("themes.json", "centres.npz"):
        assert (tmp_path / "a" / file).read_bytes() == (tmp_path / "b" / file).read_bytes()


@pytest.mark.parametrize("limit", [{}, {"max_k": 4}, {"k": 4}])
def test_texts_like_no_seed_theme_have_themes_of_their_own(limit):
    kinds = ["bees", "ships", "kings", "rules"] * 6
    docs = make_texts(kinds)
    seed_themes = {"travel": ["sea"], "none": ["fish"]}
    themes = find(docs, encode=encoder(sea=1, fish=9), seed_themes=seed_themes, **limit)
    names = [labels_of(doc)[0] for doc in docs]
    assert len(themes.themes) == len(set(zip(kinds, names))) == 4
    assert set(names[1::4]) == {"travel"}


def test_seed_themes_take_whole_texts():
    docs = make_texts(TWELVE)
    themes = find(docs, 3, encoder(sea=1), seed_themes={"travel": ["sea"]})
    assert {set(labels_of(doc)).pop() for doc in docs[1::3]} == {"travel"}
    assert len(themes.themes) == 3


def test_docs_from_elsewhere_need_the_pipeline_for_topics():
    nlp = spacy_thematic.load("en_thematic_sm")
    texts = ["Bees make honey in the garden.", "Ships cross the stormy sea.", "Kings rule lands."]
    docs = list(nlp.pipe(texts * 4, disable=["thematic_clusterer"]))
    kept = pickle.loads(pickle.dumps(docs))
    for doc in kept:  # As of Docs whose embedder is in another process.
        doc.spans["thematic_sentences"].attrs["maker"] = "another"
    with pytest.warns(UserWarning, match="not known which model .* Pass nlp=nlp"):
        cluster_docs(kept)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        expected = [theme.size for theme in cluster_docs(docs).themes]
        assert [theme.size for theme in cluster_docs(kept, nlp=nlp).themes] == expected
    for doc in kept:
        doc._.thematic_vectors = doc._.thematic_vectors[:, :8]
    with pytest.raises(ValueError, match="found some of width .8,., and none of its embedders"):
        cluster_docs(kept, nlp=nlp)


def test_copies_of_docs_have_the_themes_of_the_docs():
    nlp = spacy_thematic.load("en_thematic_sm")
    texts = ["Bees make honey in the garden.", "Ships cross the stormy sea.", "Kings rule lands."]
    docs = list(nlp.pipe(texts * 4, disable=["thematic_clusterer"]))
    copies = [doc.copy() for doc in docs]
    expected = [theme.size for theme in cluster_docs(docs).themes]
    del docs
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert [theme.size for theme in cluster_docs(copies).themes] == expected


def test_files_hold_no_pickle(docs, tmp_path):
    find(docs, 3).save(tmp_path)
    assert json.loads((tmp_path / "themes.json").read_text())["format"] == 1
    with np.load(tmp_path / "centres.npz", allow_pickle=False) as arrays:
        assert sorted(arrays) == ["centres", "lengths", "numbers", "origin", "texts"]


def test_clear_errors(docs, tmp_path):
    with pytest.raises(ValueError, match="no sentences"):
        find([docs[2]])
    with pytest.raises(ValueError, match="list of Docs is empty"):
        cluster_docs([])
    with pytest.raises(TypeError, match=f"found NoneType as docs.{len(docs)}.: leave it out"):
        cluster_docs([*docs, None])
    with pytest.raises(ValueError, match="at least 0 and at most 4,294,967,295, found"):
        cluster_docs(docs, seed=2**32)
    with pytest.raises(ValueError, match=r"starts 'Bees hum'.*thematic_embedder"):
        find([spacy.blank("en")("Bees hum")])
    with pytest.raises(ValueError, match="width 16, found 8"):
        find(docs, 3).assign(make_doc(["bees"], width=8))
    themes = find(docs, 3)
    with pytest.raises(ValueError, match=r"shape \(n, width\), found .* \(16,\): .* vector.None"):
        themes.predict(np.ones(16))
    with pytest.raises(ValueError, match="call merge once for each"):
        themes.merge([[1, 2], [3, 1]])
    themes.model = "mine"
    with pytest.raises(ValueError, match="were found with mine"):
        themes.predict(np.ones((1, 8)))
    with pytest.raises(TypeError, match=r"found list: for Docs use themes.assign\(doc\)"):
        themes.predict(docs)
    with pytest.warns(UserWarning, match="not the 99 that were asked for"):
        cluster_docs(docs, 99)
    with pytest.raises(TypeError, match="no setting n_topics: expected k, max_k"):
        cluster_docs(docs, n_topics=3)
    with pytest.raises(TypeError, match="the pipeline that processed the Docs, found 'en_own'"):
        cluster_docs(docs, nlp="en_own")
    with pytest.raises(TypeError, match="found Token: pass a list"):
        find(docs[0])
    for bad in ({"k": 0}, {"k": "3"}, {"k": 2.5}, {"max_k": 0}):
        with pytest.raises(ValueError, match="at least 1, found"):
            find(docs, **bad)
    with pytest.raises(ValueError, match="pass nlp"):
        find(docs, seed_themes={"bees": ["bee"]})
    with pytest.raises(ValueError, match="no themes.json"):
        CorpusThemes.load(tmp_path)
    (tmp_path / "notes.txt").write_text("mine")
    for path in (tmp_path, tmp_path / "notes.txt"):
        with pytest.raises(FileExistsError, match="name a new folder"):
            find(docs, 3).save(path)
    (tmp_path / "themes.json").write_text('{"format": 9}')
    with pytest.raises(ValueError, match="format 9, expected 1"):
        CorpusThemes.load(tmp_path)


def test_damaged_themes_say_so(docs, tmp_path):
    find(docs, 3).save(tmp_path)
    whole = (tmp_path / "themes.json").read_text()
    centres = (tmp_path / "centres.npz").read_bytes()
    for broken in (
        "[]",
        "[" * 200_000,
        "{",
        '{"format": 1, "themes": []}',
        whole.replace("label", "lable"),
        whole.replace('"number": 1', '"number": "1"'),
        whole.replace('"outlier_threshold": null', '"outlier_threshold": 7'),
        whole.replace('"k_scores": []', '"k_scores": 3'),
    ):
        assert broken != whole
        (tmp_path / "themes.json").write_text(broken)
        with pytest.raises(ValueError, match="are damaged"):
            CorpusThemes.load(tmp_path)
    (tmp_path / "themes.json").write_text(whole)
    for broken in (b"", b"junk", centres[:-30]):
        (tmp_path / "centres.npz").write_bytes(broken)
        with pytest.raises(ValueError, match="are damaged"):
            CorpusThemes.load(tmp_path)


def claim_much(path, rows):
    """A small file whose header claims 9 TiB."""
    header = io.BytesIO()
    shape = {"descr": "<f4", "fortran_order": False, "shape": (3, 9 * 2**40 // 12)}
    np.lib.format.write_array_header_1_0(header, shape)
    with ZipFile(path, "w") as archive:
        archive.writestr("centres.npy", header.getvalue())
        archive.writestr("origin.npy", header.getvalue())


HARM = {
    "claims 9 TiB": claim_much,
    "compressed": lambda path, rows: np.savez_compressed(path, centres=rows, origin=rows[0]),
    "NaN": lambda path, rows: np.savez(path, centres=rows * np.nan, origin=rows[0]),
    "strings": lambda path, rows: np.savez(path, centres=rows.astype(str), origin=rows[0]),
    "objects": lambda path, rows: np.savez(path, centres=rows.astype(object), origin=rows[0]),
    "numbers": lambda path, rows: np.savez(path, centres=rows[0, 0], origin=rows[0, 0]),
}


@pytest.mark.parametrize("harm", HARM)
def test_harmful_arrays_are_refused(docs, tmp_path, harm):
    themes = find(docs, 3)
    themes.save(tmp_path)
    HARM[harm](tmp_path / "centres.npz", themes.centres)
    with pytest.raises(ValueError, match="are damaged"):
        CorpusThemes.load(tmp_path)


def test_documents_of_two_models_are_refused():
    with pytest.raises(ValueError, match=r"different widths, \[8, 16\]"):
        find([make_doc(["bees", "ships"]), make_doc(["kings", "bees"], width=8)], k=2)


@pytest.mark.parametrize("units", ["texts", "sentences"])
def test_representatives_are_nearest_to_the_centre_of_their_theme(units):
    nlp = spacy_thematic.load("en_thematic_sm")
    texts = [
        "The river floods the valley.",
        "A river rises in the hills.",
        "The king fought a war.",
    ]
    found = list(nlp.pipe([*texts, "The king won the war. The river was low."]))
    themes = cluster_docs(found, 2, nlp=nlp, units=units)
    numbers = {doc.text: [span.id for span in doc.spans["thematic_clusters"]] for doc in found}
    (river,) = numbers[texts[0]]
    shown = [span.text for span in themes.representatives(found, river, top=2)]
    assert len(shown) == 2 and all(river in numbers.get(text, [river]) for text in shown)
    everything = [span.text for span in themes.representatives(found, river, top=9)]
    assert everything[:2] == shown
    assert ("The river was low." in everything) == (units == "sentences")
    with pytest.raises(ValueError, match="number of a theme, of .*found 9"):
        themes.representatives(found, 9)


def test_a_seed_theme_of_no_known_word_is_warned_of():
    nlp = spacy_thematic.load("en_thematic_sm")
    found = list(nlp.pipe(["The river floods the valley.", "The king of Zorb fought a war."]))
    with pytest.warns(UserWarning, match="No word of the seed theme 'zz'"):
        cluster_docs(found, nlp=nlp, seed_themes={"zz": ["qwzxqq"], "war": ["king"]})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        cluster_docs(found, nlp=nlp, seed_themes={"zorb": ["Zorb"], "war": ["king"]})


def test_vectors_that_16_bits_cannot_hold():
    docs = [make_doc(["bees", "ships"], seed=seed) for seed in range(4)]
    for doc in docs:
        doc._.thematic_vectors *= np.float32(1e6)
    themes = find(docs, k=2)
    assert [theme.size for theme in themes.themes] == [4, 4]
    assert np.isfinite(themes.centres).all()
