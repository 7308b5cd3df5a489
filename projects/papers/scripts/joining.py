"""Trained encoders joined into one pipeline, side by side."""

from collections.abc import Mapping
from itertools import chain
from typing import Any

import spacy
from spacy.language import Language
from spacy.vocab import Vocab

from spacy_thematic.models.tok2vec_attention import is_listener
from spacy_thematic.pipeline.embedder import ThematicEmbedder, find_embedder
from spacy_thematic.pipeline.loading import check_names
from spacy_thematic.pretrained.source import find_architecture
from spacy_thematic.pretrained.state import IN_VOCABULARY


def join_encoders(pipelines: Mapping[str, Language], normalize: bool = True) -> Language:
    """A pipeline whose thematic embedder concatenates those of several trained pipelines by name,
    as the paper's sen-titles does (Ein Dor et al. 2018, section 5), normalised as `Concatenate.v1`
    says; the rest is that of the first. Raises ValueError if one has no thematic embedder, or
    listens to a component that is not of the first; if they are of different languages, or read
    different word vectors."""
    embedders = {name: find_embedder(nlp) for name, nlp in pipelines.items()}
    first = next(iter(pipelines.values()))
    for nlp in pipelines.values():
        check_names(nlp.component_names)
    _check_languages(pipelines)
    _check_listeners(embedders)
    vocab = _choose_vocab(pipelines, embedders)
    config = first.config.copy()
    component = config["components"][embedders[next(iter(embedders))].name]
    component["pretrained"] = None
    component["model"] = {
        "@architectures": "spacy-thematic.Concatenate.v1",
        "*": {
            name: find_architecture(
                pipelines[name].config.interpolate()["components"][embedder.name], embedder.cfg
            )
            for name, embedder in embedders.items()
        },
        "normalize": normalize,
    }
    joined = spacy.blank(first.lang or "en", vocab=vocab).from_config(config, vocab=vocab)
    pipe: Any
    for name, pipe in joined.pipeline:
        if not isinstance(pipe, ThematicEmbedder) and hasattr(pipe, "from_bytes"):
            former: Any = first.get_pipe(name)
            pipe.from_bytes(former.to_bytes(exclude=["vocab"]), exclude=["vocab"])
    model = find_embedder(joined).model
    for layer, embedder in zip(model.layers, embedders.values()):
        embedder.fill()
        layer.from_bytes(embedder.model.to_bytes())
    model.set_dim("nO", sum(layer.get_dim("nO") for layer in model.layers))
    joined.meta["thematic"] = [*chain(*map(_find_records, pipelines.values()))]
    return joined


def _check_languages(pipelines: Mapping[str, Language]) -> None:
    languages = {name: nlp.lang for name, nlp in pipelines.items()}
    if len(set(languages.values())) > 1:
        found = ", ".join(f'{name} "{lang}"' for name, lang in languages.items())
        raise ValueError(
            f"The pipelines are for different languages: {found}. One pipeline has one tokenizer: "
            "join pipelines of the same language."
        )


def _check_listeners(embedders: Mapping[str, ThematicEmbedder]) -> None:
    for name, embedder in list(embedders.items())[1:]:
        if any(map(is_listener, embedder.model.walk())):
            raise ValueError(
                f"The encoder of {name} listens to another component of its pipeline, and the "
                "joined pipeline has those of the first pipeline alone: name it first."
            )


def _choose_vocab(
    pipelines: Mapping[str, Language], embedders: Mapping[str, ThematicEmbedder]
) -> Vocab:
    """The vocabulary with the word vectors that encoders read; that of the first pipeline if none
    does."""
    first, *others = pipelines
    vocab = pipelines[first].vocab
    candidates = [vocab] if vocab.vectors.size else []
    candidates += [
        pipelines[name].vocab
        for name in others
        if any(node.name in IN_VOCABULARY for node in embedders[name].model.walk())
    ]
    for other in candidates[1:]:
        if not _have_same_vectors(candidates[0], other):
            raise ValueError(
                "The encoders read different word vectors, and one pipeline has one table of "
                "them: train the encoders with the same --paths.vectors."
            )
    return candidates[0] if candidates else vocab


def _have_same_vectors(first: Vocab, second: Vocab) -> bool:
    # Vectors compare themselves as bytes, which takes their memory twice more.
    ours, theirs = first.vectors, second.vectors
    same_words = ours.shape == theirs.shape and ours.key2row == theirs.key2row
    return same_words and bool((ours.data == theirs.data).all())


def _find_records(nlp: Language) -> list[dict[str, Any]]:
    """What a pipeline says of its training, with the bundled model or file that it began with,
    which the config of the joined pipeline does not name."""
    component = nlp.config["components"][find_embedder(nlp).name]
    base = None if component.get("model") else component.get("pretrained")
    return [{**record, "pretrained": base} if base else record for record in read_records(nlp.meta)]


def read_records(meta: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What the meta data of a pipeline say of its training, a record for each encoder: "articles"
    and "triplets", "updates" of the weights, the "seed", and "pretrained", the encoder that it
    began with, as far as they are known. One empty record if there are none."""
    return meta.get("thematic") or [{}]
