"""Files inside installed packages, named `package:NAME/path/inside`."""

from importlib.util import find_spec
from pathlib import Path

PREFIX = "package:"


def resolve_path(name: str) -> Path:
    """Turn a name into a path: one, or `package:NAME/path` for a file or folder inside an installed
    package, which is found without importing it. Raises ValueError if the package is not installed
    or holds no such file."""
    if not name.startswith(PREFIX):
        return Path(name)
    package, _, inside = name[len(PREFIX) :].partition("/")
    spec = find_spec(package) if package.isidentifier() else None
    if spec is None or not spec.submodule_search_locations:
        raise ValueError(
            f'"{name}" names a file of the package "{package}", which is not installed: install it '
            f"with pip, or give the path of a file."
        )
    path = Path(spec.submodule_search_locations[0]) / inside
    if not path.exists():
        raise ValueError(
            f'The installed package "{package}" has no "{inside}": install another version.'
        )
    return path
