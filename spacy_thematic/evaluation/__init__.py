"""Models and corpora in, tables of results with intervals out."""
