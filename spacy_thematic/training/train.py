"""A pipeline trained as a config says."""

from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import spacy
from spacy.language import Language
from spacy.training.initialize import init_nlp
from spacy.util import CONFIG_SECTION_ORDER
from thinc.api import Config

from spacy_thematic.engines import take_gpu
from spacy_thematic.models.vector_tables import load_word_vectors
from spacy_thematic.packages import PREFIX, resolve_path
from spacy_thematic.pipeline.embedder import PRETRAINED
from spacy_thematic.training import runner
from spacy_thematic.training.checkpoints import CHECKPOINT
from spacy_thematic.training.runner import Outcome
from spacy_thematic.training.settings import check_training_settings


def train(
    config: str | Path | Config,
    output: str | Path,
    *,
    overrides: Mapping[str, Any] | None = None,
    resume: bool = False,
    use_gpu: int = -1,
) -> Outcome:
    """Train a pipeline that has a `thematic_embedder`.

    Writes `output/model-best`, `output/model-last` and `output/log.jsonl`. Ctrl-C saves and ends in
    order; the run can be resumed.

    Args:
        config: Of the pipeline and its training: a file, or what `read_config` returns. Its
            `[initialize] vectors` may also be a table of word vectors, such as GloVe's text.
        output: Folder to write to.
        overrides: Settings that replace those of the config, {"training.max_steps": 500}.
        resume: Whether to start from the checkpoint in the folder, if there is one.
        use_gpu: ID of a GPU, or -1 for the processor.

    Raises:
        ValueError: If a setting does not exist or cannot be used.
        TrainingError: Without data, or when the vectors collapse to one point.
    """
    output = Path(output)
    settings = read_config(config, overrides)
    if use_gpu >= 0:
        from spacy.cli._util import setup_gpu

        take_gpu(use_gpu)
        setup_gpu(use_gpu, silent=False)
    if resume and (output / CHECKPOINT).exists():
        nlp = runner.load_last(output, settings)
    else:
        nlp = _initialize(settings, use_gpu)
    return runner.train(nlp, output, resume=resume)


def read_config(config: str | Path | Config, overrides: Mapping[str, Any] | None = None) -> Config:
    """Read the config of a pipeline and its training. Overrides are settings that replace others,
    by their dotted names. Raises ValueError if it is not a config, or has a setting that does not
    exist or has no effect."""
    overrides = dict(overrides or {})
    if isinstance(config, Config):
        text = config.to_str(interpolate=False)
        settings = Config(section_order=CONFIG_SECTION_ORDER).from_str(
            text, interpolate=False, overrides=overrides
        )
    elif not (path := Path(config)).is_file():
        raise ValueError(
            f"There is no config at {path}. The project's are in configs/, such as "
            "configs/fast.cfg."
        )
    else:
        try:
            settings = spacy.util.load_config(path, overrides=overrides)
        except UnicodeDecodeError as error:
            raise ValueError(f"{path} is not UTF-8 text: {error}. Is it a config?") from error
    check_training_settings(settings)
    for name, block in settings.get("components", {}).items():
        start = block.get("pretrained")
        # The default is what `init fill-config` writes beside a model.
        is_meant = f"components.{name}.pretrained" in overrides or start != PRETRAINED
        if start and is_meant and block.get("model"):
            raise ValueError(
                f"[components.{name}] has a model, to be trained from the beginning, and "
                f"pretrained = {start}, a trained one: take the block "
                f"[components.{name}.model] out of the config to go on from {start}, as in "
                "configs/finetune.cfg."
            )
    return settings


def _initialize(settings: Config, use_gpu: int) -> Language:
    """A pipeline with its word vectors. They may be a table, where spaCy wants a folder."""
    known = settings.interpolate()
    name = known.get("initialize", {}).get("vectors")
    if not name or not (name.startswith(PREFIX) or Path(name).is_file()):
        return init_nlp(settings, use_gpu=use_gpu)
    with TemporaryDirectory() as folder:
        vocab = load_word_vectors(resolve_path(name))
        spacy.blank(known["nlp"]["lang"], vocab=vocab).to_disk(folder)
        with_folder = settings.copy()
        with_folder["initialize"]["vectors"] = folder
        nlp = init_nlp(with_folder, use_gpu=use_gpu)
    nlp.config["initialize"]["vectors"] = settings["initialize"]["vectors"]
    return nlp
