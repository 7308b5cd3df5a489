"""The settings of themes, for a Doc and for a collection."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Literal

from spacy_thematic.checks import check_flags, check_namer, check_numbers, is_text, make_plain

OUTLIER_LABEL = "outlier"
"""The label of a span of a sentence without a theme."""


@dataclass(frozen=True)
class ThemeSettings:
    """Settings: which themes to find, and how to describe them.

    Attributes:
        k: The number of themes, or "auto". There are fewer where fewer sentences differ.
        max_k: The most themes that "auto" tries, or "auto": in a text in order of n sentences the
            smaller of 1.06 sqrt(n) and 3.3 n^0.2, at least 3, in another text 12, or the latter if
            that is more; in a collection as many as hold.
        seed: Of the random numbers: the same seed gives the same themes.
        n_broader: The number of broader themes to group the themes into, 0 for none; "auto": in a
            collection as many as the coarser level has that holds best, in a text none.
        outlier_threshold: Sentences with a lower confidence, 0 to 1, belong to no theme, but for
            the representatives of a Doc that is clustered by itself. None: all sentences belong to
            one.
        set_aside: Whether sentences that say nothing of a theme belong to none, and are not
            clustered: headers and quoted lines of mails, signatures; and single words, where
            each sentence is clustered by itself.
        headings: Whether a theme gets a heading, if the encoder has learned headings. Seed themes
            keep their name.
        namer: A function that names themes, `(sentences, keywords, names) -> name`: by their most
            typical sentences, at most 20, their keywords, and names that were found, best first
            each. None instead of a name keeps the one that was found. In the config of a component
            it is a block, such as `{"@misc": "my.namer.v1"}`.
        seed_themes: Themes to look for, a name and some example words or sentences for each. A
            sentence goes to the nearest one. Sentences that are like none of them form further
            themes, unless k is the number of seed themes.

    Raises:
        ValueError: If a setting is out of its range.
    """

    k: int | Literal["auto"] = "auto"
    max_k: int | Literal["auto"] = "auto"
    seed: int = 0
    n_keywords: int = 8
    n_broader: int | Literal["auto"] = "auto"
    outlier_threshold: float | None = None
    set_aside: bool = True
    headings: bool = True
    namer: Any = None
    seed_themes: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        make_plain(self)
        check_numbers(self, {"k": 1, "max_k": 1, "n_broader": 0}, or_auto=True)
        check_numbers(self, {"seed": 0, "n_keywords": 0})
        check_flags(self, "set_aside", "headings")
        check_namer(self.namer)
        threshold: Any = self.outlier_threshold
        is_number = type(threshold) in (int, float)
        if threshold is not None and not (is_number and 0 <= threshold <= 1):
            raise ValueError(
                f"Expected outlier_threshold to be None or 0 to 1, found {threshold!r}."
            )
        if not _is_names_with_examples(self.seed_themes):
            raise ValueError(
                'Expected seed_themes to be {"name": ["example", ...], ...}, with an example that '
                "is not blank for each, found "
                f"{self.seed_themes!r:.200}. In a config, names that hold ':', '=' or '$' stand in "
                "JSON text."
            )
        # A copy: what was checked must not change.
        seed_themes = {name: list(examples) for name, examples in self.seed_themes.items()}
        if OUTLIER_LABEL in seed_themes:
            raise ValueError(
                f'Expected another name for the seed theme "{OUTLIER_LABEL}": this is the label of '
                "sentences without a theme."
            )
        object.__setattr__(self, "seed_themes", seed_themes)
        for name, value in (("k", self.k), ("max_k", self.max_k)):
            if value != "auto" and value < len(self.seed_themes):
                raise ValueError(
                    f"Expected {name} to be at least the number of seed themes, "
                    f"{len(self.seed_themes)}, found {value}: raise {name}, or leave out seed "
                    "themes."
                )


def make_settings(**values: Any) -> ThemeSettings:
    """Return the settings with these values. Raises TypeError for a name that none has, ValueError
    for a value that is out of its range."""
    known = [one.name for one in fields(ThemeSettings)]
    if unknown := [name for name in values if name not in known]:
        raise TypeError(f"There is no setting {', '.join(unknown)}: expected {', '.join(known)}.")
    if isinstance(values.get("namer"), Mapping):
        raise ValueError(
            "Expected namer to be a function, found a block of a config, which only components "
            f"take: {values['namer']!r:.80}."
        )
    return ThemeSettings(**values)


def _is_names_with_examples(value: object) -> bool:
    return isinstance(value, Mapping) and all(
        is_text(name)
        and name.strip()
        and isinstance(examples, (list, tuple))
        and all(map(is_text, examples))
        and any(map(str.strip, examples))
        for name, examples in value.items()
    )
