from spacy import displacy

from spacy_thematic.report.page import displacy_options


def test_displacy_shows_every_theme_in_its_colour(make_doc):
    doc = make_doc(["Bees hum.", "<b> Ships.", "Bees make wax."], [0, 1, 0])
    options = displacy_options(doc)
    html = displacy.render(doc, style="span", options=options, jupyter=False)
    for theme in doc._.thematic_clusters:
        assert theme.label in html
        assert options["colors"][theme.label] in html
    assert "<b>" not in html
