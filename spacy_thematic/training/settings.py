"""The settings of a training run, checked."""

from difflib import get_close_matches
from typing import Any

from pydantic import Field
from spacy.schemas import ConfigSchema, ConfigSchemaTraining
from spacy.util import registry
from thinc.api import Config

from spacy_thematic.schemas import Schema
from spacy_thematic.training.objective import Objective, SectionStructure, TrainingError


class Passes(Schema):
    """Settings of [training] in passes over what the first objective learns from; of `patience`
    those without a better score, after which training ends, 0 for none."""

    evaluations: float = Field(default=1.0, gt=0)
    patience: float = Field(default=0.0, ge=0)

    def in_steps(self, steps: int) -> dict[str, int]:
        """The settings of [training], given the steps of a pass."""
        return {
            "eval_frequency": max(1, round(steps / self.evaluations)),
            "patience": round(steps * self.patience),
        }


BLOCKS = ("objectives", "passes")
"""The blocks of a config that only our training reads."""


def resolve_settings(config: Config) -> tuple[dict[str, Any], dict[str, Objective], Passes | None]:
    """What the config of a pipeline says of a run: [training], the objectives by name, without an
    [objectives] block the embedder's own loss, and [passes]. Raises TrainingError if a block has a
    setting that does not exist, or would learn nothing."""
    config = config.interpolate()
    check_training_settings(config)
    training = registry.resolve(config["training"], schema=ConfigSchemaTraining)
    objectives = registry.resolve(config.get("objectives", {}))
    for key, objective in objectives.items():
        _check_objective(key, objective, training["max_steps"])
    try:
        passes = Passes.check(config["passes"]) if "passes" in config else None
    except ValueError as error:
        raise TrainingError(
            f"The [passes] block cannot be used: {error}. Its settings are "
            f"{', '.join(Passes.model_fields)}."
        ) from error
    return training, objectives or {"structure": SectionStructure()}, passes


def _check_objective(name: str, objective: Any, max_steps: int) -> None:
    if not isinstance(objective, Objective):
        raise TrainingError(
            f"The block [objectives.{name}] does not make an objective, but {objective!r}: name a "
            'registered one, such as @misc = "spacy-thematic.SectionStructure.v1".'
        )
    if max_steps and objective.from_step >= max_steps:
        raise TrainingError(
            f"The objective {name} starts at step {objective.from_step}, and training ends after "
            f"step {max_steps}: lower its from_step, or leave it out."
        )


def check_training_settings(config: Config) -> None:
    """Check the blocks that training reads. spaCy drops settings that do not exist in silence, and
    a misspelt one would train with the default. Raises TrainingError if [training] is missing or
    has an unknown setting, or if a block is called almost as one that is read."""
    if "training" not in config:
        raise TrainingError("The config has no [training] block: is it a recipe for training?")
    known = _find_fields(ConfigSchemaTraining)
    unknown = set(config["training"]) - known
    if unknown:
        raise TrainingError(
            f"The [training] block has no setting {', '.join(sorted(unknown))}; there are "
            f"{', '.join(sorted(known))}."
        )
    if (n_parts := config["training"].get("accumulate_gradient", 1)) != 1:
        raise TrainingError(
            f"[training] accumulate_gradient is {n_parts}, and batches are no longer divided: set "
            "it to 1, and lower the size of [training.batcher]."
        )
    for block in set(config) - {*BLOCKS, *_find_fields(ConfigSchema)}:
        if near := get_close_matches(block, BLOCKS, 1, 0.8):
            raise TrainingError(f"The config has a block [{block}]: is it meant to be [{near[0]}]?")


def _find_fields(schema: Any) -> set[str]:
    """The fields of a schema, which older versions of spaCy make by version 1 of pydantic."""
    return set(schema.model_fields if hasattr(schema, "model_fields") else schema.__fields__)
