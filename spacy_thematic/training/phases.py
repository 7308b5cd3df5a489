"""The settings of a run, phase by phase."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from spacy.schemas import ConfigSchemaTraining
from spacy.util import registry
from thinc.api import Config

from spacy_thematic.training.errors import TrainingError
from spacy_thematic.training.objective import Objective
from spacy_thematic.training.objectives.section_structure import SectionStructure


@dataclass
class Phase:
    """A part of a run with settings of its own.

    Attributes:
        training: the resolved [training] block.
        objectives: by name; without an [objectives] block the embedder's own loss.
        averages: settings of `Averages`, none for no averages.
    """

    training: dict[str, Any]
    objectives: dict[str, Objective]
    averages: dict[str, Any]


def resolve_phases(config: Config) -> list[Phase]:
    """The phases of a run, in order.

    A block [phases.NAME] changes settings of the config by their dotted names, as the command line
    does: `training.max_steps = 500`. Without [phases] there is one, with the config as it is.

    Raises:
        TrainingError: If a phase changes a setting that is not there.
    """
    phases = config.get("phases") or {"": {}}
    return [_resolve(name, config, changes) for name, changes in phases.items()]


def _resolve(name: str, config: Config, changes: dict[str, Any]) -> Phase:
    own = Config({key: value for key, value in config.items() if key != "phases"})
    text = own.to_str(interpolate=False)
    try:
        changed = Config().from_str(text, overrides=changes)
    except ValueError as error:
        raise TrainingError(
            f"The block [phases.{name}] changes a setting that is not in the config: {error}"
        ) from error
    training = registry.resolve(changed["training"], schema=ConfigSchemaTraining)
    objectives = registry.resolve(changed.get("objectives", {}))
    for key, objective in objectives.items():
        if not isinstance(objective, Objective):
            raise TrainingError(
                f"The block [objectives.{key}] is no objective of a registered function, but "
                f'{objective!r}: give it @misc = "spacy-thematic.SectionStructure.v1", say.'
            )
    return Phase(
        training, objectives or {"structure": SectionStructure()}, {**changed.get("averages", {})}
    )


def check_training_settings(config: Config) -> None:
    """Raise TrainingError if the [training] block has a setting that does not exist: spaCy drops
    it in silence, and a misspelt one would train with the default. Or if there is no such block."""
    if "training" not in config:
        raise TrainingError("The config has no [training] block: is it a recipe for training?")
    known = set(ConfigSchemaTraining.model_fields)
    unknown = set(config["training"]) - known
    if unknown:
        raise TrainingError(
            f"The [training] block has no setting {', '.join(sorted(unknown))}; there are "
            f"{', '.join(sorted(known))}."
        )
