"""Make installable packages of the bundled models, as whole pipelines.

python -m scripts.package_pipelines OUT [--build wheel]

Each has sentencizer, thematic_embedder, thematic_segmenter and thematic_clusterer, the model's card
as README and the licence. After `pip install`, `spacy.load("en_thematic_sm")` loads it. Building
needs the package build; with `--build none` only the source of the packages is written.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import typer

from spacy_thematic import about
from spacy_thematic.files import check_is_replaceable
from spacy_thematic.pipeline.loading import load_pipeline
from spacy_thematic.pretrained import BUNDLED, find_path

LICENSE = Path(__file__).parents[1] / "LICENSE"


def main(
    out: Path = typer.Argument(..., help="Folder for the packages"),
    build: str = typer.Option("wheel", help="What to build: wheel, sdist or none"),
) -> None:
    """Make a package of each bundled model."""
    out.mkdir(parents=True, exist_ok=True)
    for name in sorted(BUNDLED):
        make_package(name, out, build)


def make_package(name: str, out: Path, build: str) -> Path:
    """Package one bundled model, and return the folder of the package."""
    _, _, short = name.partition("_")
    package = out / f"{name}-{about.__version__}"
    check_is_replaceable(package, "setup.py", "a package")
    with tempfile.TemporaryDirectory() as folder:
        write_pipeline(name, Path(folder))
        command = [sys.executable, "-m", "spacy", "package", folder, str(out), "--force"]
        command += ["--name", short, "--version", about.__version__, "--build", build]
        subprocess.run(command, check=True)
    return package


def write_pipeline(name: str, folder: Path) -> None:
    nlp = load_pipeline(name)
    nlp.add_pipe("thematic_segmenter")
    nlp.add_pipe("thematic_clusterer")
    nlp.meta.update(
        description="Thematic sentence vectors, segments and themes",
        license="MIT",
        author=about.__title__,
    )
    nlp.to_disk(folder)
    shutil.copy(find_path(name).with_suffix(".md"), folder / "README.md")
    shutil.copy(LICENSE, folder / "LICENSE")


if __name__ == "__main__":
    typer.run(main)
