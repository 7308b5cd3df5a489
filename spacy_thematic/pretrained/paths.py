"""Where the model is that a user names."""

from hashlib import blake2b
from pathlib import Path
from typing import Any

from spacy_thematic.packages import PREFIX, resolve_path

SUFFIX = ".safetensors"
CONFIG = "config.cfg"
_FOLDER = Path(__file__).parent
BUNDLED = tuple(sorted(path.stem for path in _FOLDER.glob(f"*{SUFFIX}")))
"""The names of the bundled models: those of the model files beside this module."""

SLOW = frozenset({"en_thematic_lg"})
"""Those that take minutes for a collection: they are measured only where they are named."""


def check_model_name(name: Any) -> str:
    """Return the name or path of a model as a string. Raises TypeError for anything else, such as a
    pipeline, ValueError if it is empty."""
    if not isinstance(name, str | Path):
        raise TypeError(
            f'Expected the name or path of a model, such as "en_thematic_sm", found {name!r:.60}.'
        )
    if not str(name).strip():
        raise ValueError(
            'Expected the name or path of a model, such as "en_thematic_sm", found an empty string.'
        )
    return str(name)


def find_path(name: str | Path) -> Path:
    """Find the file of a model: a bundled one; a model file; a folder with one, or of a saved
    pipeline; an installed package with one of these, in this order. Returns the absolute path of a
    model file, or of the config.cfg of a pipeline. Raises ValueError if there is none, TypeError if
    it is no name."""
    name = check_model_name(name)
    if name in BUNDLED:
        return _FOLDER / f"{name}{SUFFIX}"
    path = resolve_path(name).resolve()
    if path.is_dir():
        return _find_in(path)
    if path.exists():
        if not path.is_file():
            raise ValueError(f"{path} is a pipe or a device: name the file of a model.")
        return path
    if (file := path.with_name(f"{path.name}{SUFFIX}")).is_file():
        return file
    try:
        package = resolve_path(f"{PREFIX}{name.replace('-', '_')}/")
    except ValueError as error:
        raise ValueError(
            f'Cannot find the model "{name}": it is not a bundled model ({", ".join(BUNDLED)}); '
            f"there is no file and no folder {path}; and it is not installed as a package."
        ) from error
    # "spacy package" puts a pipeline into a folder PACKAGE-VERSION of the package.
    versions = [folder for folder in package.glob(f"{package.name}-*") if folder.is_dir()]
    return _find_in(versions[0] if len(versions) == 1 else package)


def digest_model(name: str) -> str:
    """A digest of the files of a model. Raises ValueError if there is no such model."""
    path = find_path(name)
    files = [path]
    if path.name == CONFIG:
        files = sorted(file for file in path.parent.rglob("*") if file.is_file())
    found = blake2b(digest_size=16)
    for file in files:
        found.update(str(file.relative_to(path.parent)).encode())
        with file.open("rb") as stream:
            while block := stream.read(1 << 20):
                found.update(block)
    return found.hexdigest()


def _find_in(folder: Path) -> Path:
    if (folder / CONFIG).is_file():
        return folder / CONFIG
    files = sorted(folder.glob(f"*{SUFFIX}"))
    if len(files) == 1:
        return files[0]
    found = ", ".join(file.name for file in files) or "neither"
    raise ValueError(
        f"Expected a saved pipeline, with its {CONFIG}, or one model file, *{SUFFIX}, in {folder}; "
        f"found {found}. Name the file, or the folder of the pipeline."
    )
