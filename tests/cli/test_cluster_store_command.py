import srsly

from tests.cli.conftest import run, run_process
from tests.scale.conftest import make_records


def test_from_texts_to_themes_of_new_texts(tmp_path):
    texts, store, themes = (tmp_path / name for name in ("texts.jsonl", "store", "themes"))
    srsly.write_jsonl(texts, make_records(12))
    run("embed", texts, "--out", store, "--processes", 1)
    assert "cluster-store" in run("cluster", store, status=1)
    output = run_process("cluster-store", store, "--out", themes, "--k", 5, "--processes", 1)
    assert "Keywords Texts" in output
    assert "--max-k" not in output
    assert "belong to no theme" not in output
    few = run("cluster-store", store, "--out", tmp_path / "few", "--max-k", 2, "--processes", 1)
    assert "as many themes as --max-k allows, 2" in few
    out = tmp_path / "out.jsonl"
    run("cluster", texts, "--themes", themes, "--out", out)
    found = {theme["label"] for record in srsly.read_jsonl(out) for theme in record["themes"]}
    assert found == {theme["label"] for theme in srsly.read_json(themes / "themes.json")["themes"]}


def test_bad_options_are_named(tmp_path):
    options = ["cluster-store", tmp_path, "--out", tmp_path / "out"]
    assert "holds no _store.json: expected a store" in run(*options, status=1)
    (tmp_path / "store").mkdir()
    inside = ["cluster-store", tmp_path / "store", "--out", tmp_path]
    assert "would be replaced" in run(*inside, status=1)
    assert "found 'many'" in run(*options, "--k", "many", status=1)
