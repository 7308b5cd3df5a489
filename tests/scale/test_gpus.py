import subprocess
import sys

import numpy as np
import pytest
from thinc.util import has_gpu

from spacy_thematic.engines import make_engine
from spacy_thematic.scale.store import SentenceStore, get_vectors, iter_blocks

needs_no_gpu = pytest.mark.skipif(has_gpu, reason="needs a machine without a GPU")
needs_gpu = pytest.mark.skipif(not has_gpu, reason="needs a GPU")


def run(*arguments):
    command = [sys.executable, "-m", "spacy", "thematic", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("engine", ["local", "ray"])
def test_processes_do_not_share_a_gpu(engine):
    with pytest.raises(ValueError, match="A GPU is used by one process: leave out"):
        make_engine(engine, processes=2, gpu_id=0)


@needs_no_gpu
def test_a_gpu_that_is_not_there_is_an_error_that_says_what_it_needs():
    with pytest.raises(ValueError, match="GPU 3 cannot be used .* or leave out --gpu-id"):
        make_engine("local", gpu_id=3)


@needs_no_gpu
@pytest.mark.slow
@pytest.mark.parametrize("command", [("embed", "a.txt"), ("train", "configs/fast.cfg")])
def test_the_commands_say_it(tmp_path, command):
    name, source = command
    out = tmp_path / "out"
    (tmp_path / "a.txt").write_text("The river rises in the mountains.")
    done = run(name, tmp_path / source if name == "embed" else source, "-o", out, "-g", 0)
    assert done.returncode == 1
    assert "GPU 0 cannot be used" in done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    assert not out.exists()


@needs_gpu
@pytest.mark.slow
@pytest.mark.parametrize("model", ["en_thematic_sm", "en_thematic_md", "en_thematic_lg"])
def test_a_gpu_gives_the_vectors_of_the_processor(collection, embed, tmp_path, model):
    expected = embed(collection, tmp_path / "cpu", model=model)
    done = run("embed", collection, "-o", tmp_path / "gpu", "-m", model, "-g", 0)
    assert done.returncode == 0, done.stdout + done.stderr
    rows, others = (
        np.concatenate([get_vectors(block) for block in iter_blocks(store.part(0), ["vector"])])
        for store in (expected, SentenceStore.open(tmp_path / "gpu"))
    )
    assert np.abs(rows - others).max() < 2e-3 * np.abs(rows).max()
