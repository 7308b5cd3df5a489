"""Pipelines by name, and the encoder of a pipeline as a model file."""

import random
from collections.abc import Iterable
from pathlib import Path
from string import ascii_lowercase

import numpy as np
import spacy
from catalogue import RegistryError
from spacy.language import Language
from spacy.tokens import Doc
from spacy.util import is_package
from thinc.api import Config

from spacy_thematic.losses.targets import normalize_rows
from spacy_thematic.models.torch_wrapper import limit_modules
from spacy_thematic.pipeline.embedder import ThematicEmbedder, find_embedder
from spacy_thematic.pretrained import find_path, find_pretrained
from spacy_thematic.pretrained.architecture import check_depths
from spacy_thematic.pretrained.model_file import write_model_file
from spacy_thematic.pretrained.paths import CONFIG, check_model_name
from spacy_thematic.pretrained.source import check_pipeline_files, find_architecture
from spacy_thematic.pretrained.state import check_encodes, check_holds_all, check_shapes, take_state
from spacy_thematic.sentences.tokenizing import split_glued

N_SENTENCES, N_WORDS = 300, 12


def load(name: str | Path) -> Language:
    """Load a pipeline that finds the themes of a text.

    The name is what `pretrained` of `thematic_embedder` takes: a bundled model, a model file, a
    folder or an installed package. A saved pipeline keeps its components, and gets a
    `thematic_clusterer` if it has none; an encoder also comes with what finds sentences. Raises
    ValueError if there is none, TypeError if it is no name, such as a pipeline.
    """
    nlp = load_pipeline(name)
    if "thematic_clusterer" not in (nlp.get_pipe_meta(pipe).factory for pipe in nlp.pipe_names):
        nlp.add_pipe("thematic_clusterer")
    return nlp


def load_pipeline(name: str | Path) -> Language:
    """Load a saved pipeline as it is, or an encoder in a pipeline of `thematic_layout`,
    `thematic_sentencizer` and `thematic_embedder`, by a name as for `load`. Raises ValueError if
    there is none, or it is damaged, TypeError if it is no name."""
    name = check_model_name(name)
    path = find_path(name)
    if path.name == CONFIG:
        # A package is imported, for it may register what its pipeline is made of.
        is_installed = is_package(name) and not Path(name).exists()
        n_bytes = check_pipeline_files(path.parent)
        try:
            config = Config().from_disk(path, interpolate=False)
            check_depths(config, n_bytes)
            check_names([*config.get("components", ()), *config["nlp"].get("pipeline", ())])
            with limit_modules(n_bytes):
                nlp = spacy.load(name if is_installed else path.parent)
            for _, pipe in nlp.pipeline:
                if isinstance(pipe, ThematicEmbedder):
                    check_shapes(pipe.model)
                    check_encodes(pipe.model)
            return nlp
        except OSError:
            raise
        except RegistryError as error:
            said = str(error).partition(" If you")[0].removeprefix("[E893] ")
            raise ValueError(
                f"The pipeline {name} cannot be loaded: {said} Install and name a package that has "
                'it: "python -m spacy package MODEL OUT --code FILE" makes one of the pipeline and '
                "your file. In Python, import your file first."
            ) from error
        except Exception as error:
            # Damaged files give errors of regular expressions, of numpy's headers and others.
            raise ValueError(
                f"The pipeline {name} cannot be loaded: {type(error).__name__}: {error}"
            ) from error
    lang = find_pretrained(name).lang
    try:
        nlp = add_sentences(spacy.blank(lang))
    except ImportError as error:
        raise ValueError(f'{path} is for "{lang}", which spaCy does not support.') from error
    nlp.add_pipe("thematic_embedder", config={"pretrained": name})
    return nlp


def add_sentences(nlp: Language) -> Language:
    """Add what finds sentences in any text to a pipeline, and return it."""
    split_glued(nlp)
    nlp.add_pipe("thematic_layout")
    nlp.add_pipe("thematic_sentencizer")
    return nlp


def check_names(names: Iterable[str]) -> None:
    """Check the names of components, which are saved to folders of these names.
    Raises ValueError if one is no plain name, but leads elsewhere."""
    for name in names:
        if name in ("", "..") or name != Path(name).name or "\\" in name or "\0" in name:
            raise ValueError(
                f"The pipeline has a component called {name!r}: expected a name without slashes, "
                "since a component is saved in a folder of its name."
            )


def export_encoder(nlp: Language, path: Path, *, int8: bool = False) -> float:
    """Write the encoder of a pipeline, of several the first, to a model file for `pretrained` of
    `thematic_embedder`, with int8 rows and 16-bit nets, or with `int8` nets of 8 bits too. Returns
    the most that rounding changes the cosine of two sentences, of 300 random ones. Raises
    ValueError if the encoder is not trained, or works only within its pipeline."""
    embedder = find_embedder(nlp)
    check_holds_all(embedder.model)
    words = sorted(filter(str.isalpha, nlp.vocab.strings)) or list(ascii_lowercase)
    rng = random.Random(0)
    sentences = [Doc(nlp.vocab, words=rng.choices(words, k=N_WORDS)) for _ in range(N_SENTENCES)]
    before = _find_cosines(embedder, sentences)
    name = next(name for name, pipe in nlp.pipeline if pipe is embedder)
    architecture = find_architecture(nlp.config.interpolate()["components"][name], embedder.cfg)
    write_model_file(path, nlp.lang or "xx", architecture, take_state(embedder.model), int8=int8)
    after = _find_cosines(find_embedder(load_pipeline(path)), sentences)
    return float(np.abs(after - before).max())


def _find_cosines(embedder: ThematicEmbedder, sentences: list[Doc]) -> np.ndarray:
    vectors = np.concatenate(embedder.encode(sentences, [[doc[:]] for doc in sentences]))
    unit, _ = normalize_rows(vectors)
    return unit @ unit.T
