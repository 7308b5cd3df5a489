"""What components whose only state is their settings have in common."""

from collections.abc import Callable, Iterable
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any

import srsly
from spacy.pipeline import Pipe
from spacy.vocab import Vocab


class SettingsPipe(Pipe):
    """A component with settings, a frozen dataclass, each of which is an attribute too: to set
    `pipe.seed` replaces `pipe.settings`.

    Args:
        vocab: Of the pipeline.
        settings: Of the component.
        name: Of the component.
        scorer: For `nlp.evaluate`.
    """

    def __init__(
        self, vocab: Vocab, settings: Any, *, name: str, scorer: Callable | None = None
    ) -> None:
        self.vocab = vocab
        self.settings = self._configured = settings
        self.name = name
        self.scorer = scorer

    def __getattr__(self, name: str) -> Any:
        settings = self.__dict__.get("settings")
        if settings is None or name not in settings.__dataclass_fields__:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        return getattr(settings, name)

    def __setattr__(self, name: str, value: Any) -> None:
        settings = self.__dict__.get("settings")
        if settings is not None and name in settings.__dataclass_fields__:
            name, value = "settings", replace(settings, **{name: value})
        super().__setattr__(name, value)

    def to_bytes(self, *, exclude: Iterable[str] = ()) -> bytes:
        """Return the settings that were changed after the component was made. The others, and the
        algorithms, are in the pipeline's config."""
        return srsly.msgpack_dumps(self._changed_settings())

    def from_bytes(self, data: bytes, *, exclude: Iterable[str] = ()) -> "SettingsPipe":
        """Load what `to_bytes` returned."""
        return self._change_settings(_check_settings(srsly.msgpack_loads(data)))

    def to_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> None:
        """Write to the folder `path` what `to_bytes` returns, as JSON."""
        path = Path(path)
        path.mkdir(parents=True, exist_ok=True)
        srsly.write_json(path / "settings.json", self._changed_settings())

    def from_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> "SettingsPipe":
        """Load what `to_disk` wrote.

        Raises:
            ValueError: If the file is damaged, or has settings that there are not.
        """
        file = Path(path) / "settings.json"
        try:
            return self._change_settings(_check_settings(srsly.read_json(file)))
        except ValueError as error:
            raise ValueError(f"{file}: {error}") from error

    def _changed_settings(self) -> dict[str, Any]:
        configured, settings = asdict(self._configured), asdict(self.settings)
        names = (field.name for field in fields(self.settings))
        return {name: settings[name] for name in names if settings[name] != configured[name]}

    def _change_settings(self, settings: dict[str, Any]) -> "SettingsPipe":
        if unknown := settings.keys() - {field.name for field in fields(self.settings)}:
            raise ValueError(f"Expected settings of {self.name}, found {sorted(unknown)}.")
        self.settings = replace(self.settings, **settings)
        return self


def _check_settings(found: Any) -> dict[str, Any]:
    if not isinstance(found, dict) or not all(isinstance(name, str) for name in found):
        raise ValueError(f"Expected settings by their names, found {found!r:.50}.")
    return found


def name_of(algorithm: Any) -> str:
    """Return the name of a function, or of the function in a partial: what the user can look up."""
    return getattr(getattr(algorithm, "func", algorithm), "__name__", type(algorithm).__name__)
