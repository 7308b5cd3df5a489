"""What components whose only state is their settings have in common."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from configparser import InterpolationError
from dataclasses import fields, is_dataclass, replace
from inspect import Parameter, Signature
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import srsly
from spacy.language import Language
from spacy.pipeline import Pipe
from spacy.util import registry
from thinc.api import Config

from spacy_thematic.checks import is_text

_OTHERS = {"name", "vocab", "nlp", "settings", "error_handler"}
"""What may be set on a component and is no setting."""


class SettingsPipe(Pipe):
    """A component with settings, a frozen dataclass that checks them. Each is an attribute, too: to
    set `pipe.seed` replaces `pipe.settings`, and changes `nlp.config`.

    The config of the pipeline that made the component says what its settings are. spaCy lets no
    component see the config of another pipeline, into which it was sourced: so those that were
    changed since it was made are also saved beside the config."""

    functions: ClassVar[Mapping[str, Mapping[str, str]]] = {}
    """Settings that are functions, and their short names. Such a setting is a short name, a block
    of the config, or a function; the attribute is the function."""

    former: ClassVar[frozenset[str]] = frozenset()
    """Settings of earlier versions, which the config of a pipeline may have."""

    def __init__(self, nlp: Language, settings: Any, *, name: str) -> None:
        self.nlp = nlp
        self.vocab = nlp.vocab
        self.name = name
        self._configured = settings
        self.settings = settings

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...

    def __setattr__(self, name: str, value: Any) -> None:
        known = vars(self.settings) if "settings" in vars(self) else {}
        if name in known:
            self.settings = replace(self.settings, **{name: value})
        elif name == "settings":
            self._replace_settings(value)
        elif name in _OTHERS or name.startswith("_"):
            super().__setattr__(name, value)
            if name == "name":
                # spaCy names a component again once its config is in its place.
                self._mend_config()
        else:
            raise AttributeError(
                f"Expected a setting of {self.name}, one of {', '.join(known)}, found {name!r}."
            )

    def to_bytes(self, *, exclude: Iterable[str] = ()) -> bytes:
        """Return the settings, but for functions that are as the pipeline's config says. Raises
        ValueError if one was changed to a function that has no name."""
        values = vars(self.settings)
        plain = {name: values[name] for name in values if name not in self.functions}
        return srsly.msgpack_dumps({**plain, **self._find_changes()})

    def from_bytes(self, data: bytes, *, exclude: Iterable[str] = ()) -> "SettingsPipe":
        """Load what `to_bytes` returned."""
        return self._take_saved(srsly.msgpack_loads(data))

    def to_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> None:
        """Write the settings to the folder `path`, as JSON: within the folder of a pipeline only
        those that were changed after the component was made, since the others are in its config;
        else all that `to_bytes` returns. Raises ValueError as `to_bytes` does."""
        settings = self._find_changes()
        if _read_beside(Path(path)) is None:
            settings = srsly.msgpack_loads(self.to_bytes())
        Path(path).mkdir(parents=True, exist_ok=True)
        srsly.write_json(Path(path) / "settings.json", settings)

    def from_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> "SettingsPipe":
        """Load what `to_disk` wrote, and within the folder of a pipeline what its config says, with
        the user's overrides. Raises ValueError if the file is damaged, or has unknown settings."""
        path = Path(path)
        # The sentencizer of versions to 0.1 saved a file, as spaCy's does.
        file = path / "settings.json" if path.is_dir() else path.with_suffix(".json")
        self._take_config(path)
        try:
            return self._take_saved(srsly.read_json(file), path)
        except ValueError as error:
            raise ValueError(f"{file}: {error}") from error

    def _resolve(self, name: str, value: Any) -> Any:
        """The attribute for a setting: of a name or a block, the function, with its own settings at
        their defaults. Raises ValueError, which says what is allowed, for what makes none."""
        names = self.functions.get(name, {})
        if name not in self.functions or callable(value) or (value is None and not names):
            return value
        if isinstance(value, str) and value in names:
            return registry.get("misc", names[value])()
        if isinstance(value, Mapping) and any(key.startswith("@") for key in value):
            # What is wrong with a block, spaCy says in several lines.
            found = registry.resolve({name: dict(value)})[name]
            if callable(found):
                return found
        example = next(iter(names.values()), "name")
        short = f"one of {', '.join(map(repr, names))}" if names else "None"
        raise ValueError(
            f'Expected {name} to be {short}, or a block such as {{"@misc": "{example}"}} with its '
            f"own settings, found {value!r}."
        )

    def _rename_former(self, found: dict[str, Any]) -> dict[str, Any]:
        """Settings that were saved by any version, as those of this one."""
        return found

    def _replace_settings(self, settings: Any) -> None:
        if not is_dataclass(settings) or not isinstance(self._configured, type(settings)):
            raise ValueError(
                f"Expected settings to be {type(self._configured).__name__}, found {settings!r}: "
                "take dataclasses.replace(pipe.settings, ...)."
            )
        # Those that a lower layer knows, such as `SegmentSettings`, leave the others as they are.
        present: Any = vars(self).get("settings")
        whole: Any = present or self._configured
        settings = replace(whole, **vars(settings))
        former = vars(present) if present else {}
        changed = {
            name: value
            for name, value in vars(settings).items()
            if name not in former or value is not former[name]
        }
        vars(self).update({name: self._resolve(name, value) for name, value in changed.items()})
        super().__setattr__("settings", settings)
        if former:
            self._write_config(changed)

    def _find_changes(self) -> dict[str, Any]:
        configured, values = vars(self._configured), vars(self.settings)
        changes = {name: value for name, value in values.items() if value != configured[name]}
        for name, value in changes.items():
            if callable(value):
                raise ValueError(
                    f"{name} of {self.name} is {value!r:.100}, which cannot be saved: register a "
                    f'function that makes it, and set {name} to a block such as {{"@misc": "name"}}'
                    " with its name."
                )
        return changes

    def _take_saved(self, found: Any, path: Path | None = None) -> "SettingsPipe":
        """Change settings to those that were saved, in bytes or in a folder, but for those that are
        overridden."""
        if not isinstance(found, dict) or not all(isinstance(name, str) for name in found):
            raise ValueError(f"Expected settings by their names, found {found!r:.50}.")
        found = self._rename_former(found)
        overridden = self._find_overridden(path) if found and path else set()
        kept = {name: value for name, value in found.items() if name not in overridden}
        if unknown := kept.keys() - vars(self.settings).keys():
            raise ValueError(f"Expected settings of {self.name}, found {sorted(unknown)}.")
        if kept:
            self.settings = replace(self.settings, **kept)
        return self

    def _find_overridden(self, path: Path) -> set[str]:
        """The settings that differ between the pipeline's config and the one that was saved beside
        the folder of the component."""
        saved, name = _read_beside(path), self._find_name()
        if name is None or saved is None:
            return set()
        now, defaults = self._read_config(name), self.nlp.get_pipe_meta(name).default_config or {}
        return {key for key in now if now[key] != saved.get(key, defaults.get(key))}

    def _take_config(self, path: Path) -> None:
        """Change settings to those of the pipeline's config that the component was not made with,
        where it is loaded from a folder within that of a pipeline."""
        name = self._find_name()
        if name is None or _read_beside(path) is None:
            return
        now, made = self._read_config(name), dict(self.nlp.get_pipe_config(name))
        changed = {key: now[key] for key in made if key in now and now[key] != made[key]}
        if changed:
            values = self._rename_former(changed)
            self._configured = replace(self._configured, **values)
            self.settings = replace(self.settings, **values)

    def _read_config(self, name: str) -> Mapping[str, Any]:
        """The component's config. While the pipeline is loaded from disk, `_config` holds what was
        saved and the user's overrides; to read `config` would put in its place what the component
        was made with."""
        return self.nlp._config.interpolate().get("components", {}).get(name, {})

    def _find_name(self) -> str | None:
        """The name in the pipeline that made it, if it is still there."""
        return next((name for name, pipe in self.nlp.components if pipe is self), None)

    def _write_config(self, values: Mapping[str, Any]) -> None:
        name = self._find_name()
        if name is None:
            return
        config = self.nlp.get_pipe_config(name)
        for key, value in values.items():
            if callable(value):
                continue
            text = srsly.json_dumps(value)
            if key in self.functions or _fits_config(value):
                config[key] = srsly.json_loads(text)  # A copy.
            else:
                config[key] = text.replace("$", "\\u0024")  # A config replaces nothing in it.

    def _mend_config(self) -> None:
        """Change what `add_pipe` was given, where a config cannot hold it or has former names."""
        name = self._find_name()
        if name is None:
            return
        config, values = self.nlp.get_pipe_config(name), vars(self.settings)
        former = [key for key in self.former if config.get(key) is not None]
        for key in former:
            del config[key]
        unfit = {
            key: value
            for key, value in values.items()
            if isinstance(value, Mapping) and config.get(key) == value and not _fits_config(value)
        }
        self._write_config(values if former else unfit)


def take_settings(settings: type, *former: str) -> Callable[[Callable], Callable]:
    """Give a factory the fields of settings as arguments, and former ones, which are None if they
    are not given. All are Any here, so that the errors are the same wherever a setting comes from:
    those of the settings themselves."""
    kinds = dict.fromkeys((field.name for field in fields(settings)), Parameter.empty)
    arguments = [
        Parameter("nlp", Parameter.KEYWORD_ONLY, annotation=Language),
        Parameter("name", Parameter.KEYWORD_ONLY, annotation=str),
        *(
            Parameter(name, Parameter.KEYWORD_ONLY, annotation=Any, default=default)
            for name, default in {**kinds, **dict.fromkeys(former)}.items()
        ),
    ]

    def take(make: Callable) -> Callable:
        vars(make)["__signature__"] = Signature(arguments)
        return make

    return take


def _read_beside(path: Path) -> Mapping[str, Any] | None:
    """The config of the component whose folder this is, if it is within that of a pipeline."""
    file = path.parent / "config.cfg"
    return Config().from_disk(file).get("components", {}).get(path.name) if file.exists() else None


def _fits_config(value: Any) -> bool:
    """Whether a config file holds a value as it is: a name that begins with "#" is a comment
    there, "@" calls functions, and ${...} is replaced."""
    if isinstance(value, Mapping) and any(name[:1] in "@*" for name in value):
        return False
    config = Config({"component": {"setting": value}})
    try:
        return Config().from_str(config.to_str()) == config
    except (ValueError, InterpolationError):
        return False


def check_name(setting: str, value: Any, allowed: Sequence[str] = ()) -> None:
    """Check that a setting is a string, and one of the `allowed` ones, if any are given.
    Raises ValueError if it is not."""
    if not is_text(value) or not value or (allowed and value not in allowed):
        expected = "one of " + ", ".join(map(repr, allowed)) if allowed else "a name"
        raise ValueError(f"Expected {setting} to be {expected}, found {value!r}.")


def name_of(algorithm: Callable) -> str:
    """Return the name of a function, or of the function in a partial: what the user can look up."""
    return getattr(getattr(algorithm, "func", algorithm), "__name__", type(algorithm).__name__)
