"""What training has changed, as a small file."""

import numpy as np
from typer.testing import CliRunner

from spacy_thematic.pretrained import find_pretrained
from spacy_thematic.pretrained.model_file import write_model_file
from spacy_thematic.pretrained.state import ModelState
from tests.projects.test_start_transformer import CONFIG, run, write_bert
from weight_changes import app


def test_changes_of_low_rank_are_brought_back(tmp_path):
    start, trained, changes, out = (
        tmp_path / name for name in ("a.safetensors", "b.safetensors", "c.npz", "d.safetensors")
    )
    (tmp_path / "start.cfg").write_text(CONFIG)
    run(tmp_path / "start.cfg", write_bert(tmp_path / "bert"), start)
    encoder = find_pretrained(str(start))
    rng = np.random.default_rng(0)
    arrays = dict(encoder.state.arrays)
    matrices = [name for name, array in arrays.items() if array.ndim == 2 and min(array.shape) > 2]
    rows = [name for name, array in arrays.items() if array.ndim == 1 and array.size]
    assert matrices and rows
    for name in matrices:
        shape = arrays[name].shape
        change = rng.normal(size=(shape[0], 2)) @ rng.normal(size=(2, shape[1]))
        arrays[name] = arrays[name] + change.astype("f")
    arrays[rows[0]] = arrays[rows[0]] + np.float32(0.5)
    state = ModelState(arrays, encoder.state.dims)
    write_model_file(trained, "en", encoder.architecture, state, exact=True)

    for command in (["save", start, trained, changes, "--rank", 2], ["add", start, changes, out]):
        done = CliRunner().invoke(app, list(map(str, command)))
        assert done.exit_code == 0, done.output
    found = find_pretrained(str(out)).state.arrays
    for name, array in arrays.items():
        if array.dtype == "f":
            np.testing.assert_allclose(found[name], array, atol=2e-2)
    with np.load(changes) as saved:
        assert len(saved.files) == 2 * len(matrices) + 1
