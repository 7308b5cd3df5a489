"""The component `thematic_embedder`: a vector for each sentence, close where themes are close."""

import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import chain, islice, tee
from pathlib import Path
from threading import Lock
from typing import Any
from weakref import ReferenceType, WeakKeyDictionary, WeakValueDictionary, finalize, ref
from zlib import crc32

import numpy as np
from spacy.language import Language
from spacy.pipeline import TrainablePipe
from spacy.tokens import Doc, Span
from spacy.training import Example, validate_examples, validate_get_examples
from spacy.util import minibatch
from spacy.vocab import Vocab
from thinc.api import Model, Optimizer, set_dropout_rate
from thinc.loss import Loss
from thinc.types import Floats2d

from spacy_thematic.losses.targets import Targets
from spacy_thematic.models.encoder_and_net import TOPICS, find_net
from spacy_thematic.models.spans import DocSpans, make_doc_spans
from spacy_thematic.pipeline.batching import Forms, find_rows, make_batch
from spacy_thematic.pipeline.sentence_getters import SentenceGetter
from spacy_thematic.pretrained import (
    BLANK,
    Pretrained,
    build_architecture,
    find_pretrained,
    include_bases,
)
from spacy_thematic.rows import batch_by_size
from spacy_thematic.span_keys import SENTENCES_KEY, make_group
from spacy_thematic.triplets.corpus import Articles, compile_examples
from spacy_thematic.triplets.docbin import SENTENCES
from spacy_thematic.triplets.rules import is_other_language

BATCH_WORDS = 16_384
EMBEDDER = "thematic_embedder"
"""The usual name of the component."""

PRETRAINED = "en_thematic_sm"
"""The default of its setting."""

_MADE_WITH = {"pretrained", "loss", "get_sentences", "scorer"}

_FILLING = Lock()

_MAKERS: "WeakValueDictionary[int, ThematicEmbedder]" = WeakValueDictionary()
"""What made vectors, by their identity for as long as they live."""

_NAMED: "WeakValueDictionary[str, ThematicEmbedder]" = WeakValueDictionary()
"""The same by a name that stays in copies of a Doc, and in what is saved of it: that of the
component, and the state of its weights."""

_PIPELINES: "WeakKeyDictionary[ThematicEmbedder, ReferenceType[Language]]" = WeakKeyDictionary()
"""The pipelines that made embedders."""

_SAMPLE = 16
"""The values of an array of weights by which it is known again."""


@Language.factory(
    "thematic_embedder",
    assigns=["doc._.thematic_vectors", "doc.spans"],
    requires=["doc.sents"],
    default_config={
        "model": None,
        "pretrained": PRETRAINED,
        "loss": {"@losses": "spacy-thematic.SectionContrastive.v1"},
        "get_sentences": {"@misc": "spacy-thematic.Sentences.v1"},
        "scorer": {"@scorers": "spacy-thematic.thematic_distance_scorer.v1"},
    },
    default_score_weights={
        "thematic_accuracy": 1.0,
        "thematic_accuracy_l1": None,
        "thematic_spread": None,
    },
)
def make_thematic_embedder(
    nlp: Language,
    name: str,
    model: Model[DocSpans, Floats2d] | None,
    pretrained: str | None,
    loss: Loss,
    get_sentences: SentenceGetter,
    scorer: Callable | None,
) -> "ThematicEmbedder":
    """Make the component. Raises ValueError if there is no such encoder.

    Args:
        model: Docs and their sentences to one vector a sentence, to be trained; null for
            `pretrained`.
        pretrained: a trained encoder: "en_thematic_sm", "en_thematic_md" or "en_thematic_lg", which
            are bundled; a model file, written by `thematic export`; a folder with one, or of a
            saved pipeline, or an installed package of these. Where `model` is null too, null is a
            blank `WeightedMean.v1`.
        loss: of the vectors of a batch of articles, for training.
    """
    encoder = None
    # While a saved pipeline is loaded, its meta data name components that are yet to come.
    is_loaded = name in nlp._meta.get("components", ())
    if model is not None:
        pretrained = None
    elif pretrained is not None:
        # It brings the weights, whether or not the file is here that they first came from.
        ignored = (ValueError, OSError) if is_loaded else ()
        with suppress(*ignored):
            encoder = find_pretrained(pretrained)
            model = encoder.build()
            if not is_loaded:
                _warn_of_language(pretrained, encoder.lang, nlp.vocab)
    embedder = ThematicEmbedder(
        nlp.vocab,
        build_architecture(BLANK) if model is None else model,
        name,
        pretrained=pretrained,
        encoder=encoder,
        loss=loss,
        get_sentences=get_sentences,
        scorer=scorer,
    )
    _PIPELINES[embedder] = ref(nlp)
    return embedder


class ThematicEmbedder(TrainablePipe):
    """Sets `doc._.thematic_vectors`, float32 (sentences, width), and the sentences these belong
    to, `doc.spans["thematic_sentences"]`. Trained on Docs of a triplet corpus.

    Source: Ein Dor et al. (2018), "Learning Thematic Similarity Metric Using Triplet Networks".
    """

    def __init__(
        self,
        vocab: Vocab,
        model: Model[DocSpans, Floats2d],
        name: str = "thematic_embedder",
        *,
        pretrained: str | None = None,
        encoder: Pretrained | None = None,
        loss: Loss,
        get_sentences: SentenceGetter,
        scorer: Callable | None = None,
    ):
        super().__init__(vocab, model, name)
        self.pretrained = pretrained
        self._encoder = encoder
        self._is_filled = False
        if encoder is not None:
            self.cfg["architecture"] = encoder.architecture
            self.cfg["lang"] = encoder.lang
            self.cfg["pretrained"] = pretrained
        self.loss = loss
        self.scorer = scorer
        self.get_sentences = get_sentences  # The last: see `__setattr__`.

    def __setattr__(self, name: str, value: Any) -> None:
        # What is set here would be lost on saving: the weights belong to these, and the config says
        # what they are.
        if name in _MADE_WITH and "get_sentences" in self.__dict__:
            raise AttributeError(
                f"{name} of {self.name} is set when it is made: remove the component, and add it "
                f'again with nlp.add_pipe("thematic_embedder", config={{"{name}": ...}}).'
            )
        super().__setattr__(name, value)

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = 128) -> Iterator[Doc]:
        """Process Docs in batches. Those of a batch that fails are processed one by one, so that
        only those that fail themselves go to the error handler."""
        for docs in minibatch(stream, size=batch_size):
            try:
                self.set_annotations(docs, self.predict(docs))
            except Exception:
                yield from (doc for doc in map(self, docs) if doc is not None)
            else:
                yield from docs

    def predict(self, docs: Iterable[Doc]) -> list[tuple[list[Span], np.ndarray]]:
        """For each Doc its sentences and their vectors, float32 (sentences, width). Raises
        ValueError if a Doc has no sentence boundaries, or the model is not trained."""
        docs = list(docs)
        sentences = [list(self.get_sentences(doc)) for doc in docs]
        return list(zip(sentences, self.encode(docs, sentences)))

    def set_annotations(
        self, docs: Iterable[Doc], scores: Sequence[tuple[list[Span], np.ndarray]]
    ) -> None:
        """Write sentences and vectors to the Docs."""
        if not scores:
            return
        maker = f"{self.name} {find_state(self.model).hex()}"
        _NAMED[maker] = self
        for doc, (sentences, vectors) in zip(docs, scores):
            group = doc.spans[SENTENCES_KEY] = make_group(doc, SENTENCES_KEY, sentences)
            group.attrs.update(maker=maker, checksum=crc32(vectors.tobytes()))
            doc._.thematic_vectors = vectors
            _MAKERS[id(vectors)] = self
            finalize(vectors, _MAKERS.pop, id(vectors), None)

    def update(
        self,
        examples: Iterable[Example],
        *,
        drop: float = 0.0,
        sgd: Optimizer | None = None,
        losses: dict[str, float] | None = None,
    ) -> dict[str, float]:
        """Learn from a batch of articles: each of their sentences is encoded once, and the loss is
        taken over all triplets (or sections) of the batch. Examples of no triplet corpus, such as
        those of other components, teach nothing. Without `sgd`, gradients are added up for a later
        `finish_update`."""
        losses = {} if losses is None else losses
        losses.setdefault(self.name, 0.0)
        examples = list(examples)
        validate_examples(examples, "ThematicEmbedder.update")
        examples = list(_find_articles(examples))
        if not any(len(example.predicted) for example in examples):
            return losses
        inputs, targets = make_batch(self.model.ops, examples)
        losses[self.name] += self.learn(inputs, targets, drop=drop)
        if sgd is not None:
            self.finish_update(sgd)
        return losses

    def learn(
        self,
        inputs: DocSpans,
        targets: Targets,
        *,
        loss: Loss | None = None,
        drop: float = 0.0,
        weight: float = 1.0,
    ) -> float:
        """Add the gradient of a loss, None for the component's own, over encoded rows to the
        model's, times `weight`. Returns the loss without it. Raises ValueError if the loss is not
        finite."""
        vectors, backprop = self.begin_update(inputs, drop)
        d_vectors, value = (loss or self.loss)(vectors, targets)
        if not np.isfinite(value):
            raise ValueError(
                f"The loss of {self.name!r} is {value}. Look for NaN in the word vectors, or lower "
                "the learning rate."
            )
        backprop(d_vectors if weight == 1.0 else d_vectors * weight)
        return value

    def begin_update(
        self, inputs: DocSpans, drop: float = 0.0
    ) -> tuple[Floats2d, Callable[[Floats2d], DocSpans]]:
        """Encode rows for training: vectors, (rows, width), and the callback for their gradient."""
        self.fill()
        set_dropout_rate(self.model, drop)
        return self.model.begin_update(inputs)

    def initialize(
        self, get_examples: Callable[[], Iterable[Example]], *, nlp: Language | None = None
    ) -> None:
        """Size the model, and give its word tables the words of the training corpus. The weights
        of a pretrained model are kept: to train one of your own, set `pretrained` to null. From
        here on it counts as a model for the language of the pipeline.

        Where no Example is of a triplet corpus, the model stays as it is, with a warning."""
        if self.pretrained is not None:
            self.cfg["lang"] = self.vocab.lang
            return
        examples = get_examples() if callable(get_examples) else None
        if not isinstance(examples, Articles):
            # This reads all of them.
            validate_get_examples(get_examples, "ThematicEmbedder.initialize")
        articles = list(islice(_find_articles(get_examples()), 100))
        if not articles:
            warnings.warn(
                f"{self.name!r} finds no article of a triplet corpus in the Examples, and learns "
                "nothing from them: its weights stay as they are. If it has none yet, it stays "
                'untrained: name a trained encoder in its setting "pretrained", or train it with '
                '"python -m spacy thematic train".',
                stacklevel=2,
            )
            return
        sample = make_batch(self.model.ops, articles)[0]
        tables = [node for node in self.model.walk() if "set_vocabulary" in node.attrs]
        if tables:
            found = get_examples()
            corpus = found if isinstance(found, Articles) else _find_articles(found)
            compiled, numbers = compile_examples(corpus)
            forms = Forms(compiled.forms, self.vocab)
            words, counts = forms.count_words(compiled.count_words(numbers))
        for table in tables:
            table.attrs["set_vocabulary"](table, self.vocab, words, counts)
        self.model.initialize(X=sample)
        if nlp is not None and nlp.has_pipe(self.name):
            # With the architectures of pretrained bases, it loads where their files are not.
            model = nlp.config.interpolate()["components"][self.name]["model"]
            included = include_bases(model)
            if included != model:
                nlp.get_pipe_config(self.name)["model"] = included

    def score(self, examples: Iterable[Example], **kwargs: Any) -> dict[str, Any]:
        """Scores over the triplets of a corpus, from the vectors of its own sentences. Examples are
        taken one batch at a time; those that are not of a corpus are passed over. No scores where
        all are."""
        articles = _find_articles(examples)
        first = next(articles, None)
        if self.scorer is None or first is None:
            return {}
        examples, encoded = tee(chain([first], articles))
        vectors = (
            rows
            for batch in minibatch(encoded, size=32)
            for rows in self.encode(
                [example.predicted for example in batch], [*map(find_rows, batch)]
            )
        )
        return self.scorer(examples, vectors=vectors, **kwargs)

    def encode(self, docs: list[Doc], spans: list[list[Span]]) -> list[np.ndarray]:
        """The vectors of given spans of each Doc, float32 (spans, width)."""
        self.fill()
        vectors: list[np.ndarray] = []
        pairs = zip(docs, spans)
        for batch in batch_by_size(pairs, lambda pair: sum(map(len, pair[1])), BATCH_WORDS):
            groups = [group for _, group in batch]
            inputs = make_doc_spans(self.model.ops, [doc for doc, _ in batch], groups)
            rows = self.model.predict(inputs)
            rows = np.asarray(rows.get() if hasattr(rows, "get") else rows, dtype="f")
            ends = np.cumsum([*map(len, groups)])
            vectors += [part.copy() for part in np.split(rows, ends[:-1])]
        return vectors

    def to_bytes(self, *, exclude: Iterable[str] = ()) -> bytes:
        """Write the component with all of its weights."""
        self.fill()
        return super().to_bytes(exclude=exclude)

    def from_bytes(self, bytes_data: bytes, *, exclude: Iterable[str] = ()) -> "ThematicEmbedder":
        """Take weights and settings from `to_bytes`."""
        return self._load(partial(super().from_bytes, bytes_data), exclude)

    def to_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> None:
        """Write the component with all of its weights: it needs no file of `pretrained`."""
        self.fill()
        super().to_disk(path, exclude=exclude)

    def from_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> "ThematicEmbedder":
        """Take weights and settings from `to_disk`."""
        return self._load(partial(super().from_disk, path), exclude)

    def _load(self, read: Callable, exclude: Iterable[str]) -> "ThematicEmbedder":
        """Read the settings first: they say what the weights of a pretrained encoder belong to."""
        if "model" in exclude:
            return read(exclude=[*exclude, "cfg"])
        former = self.cfg.get("architecture")
        read(exclude=[*exclude, "model"])
        saved = self.cfg.get("pretrained", self.pretrained)
        if self.pretrained is not None and saved != self.pretrained:
            warnings.warn(
                f'The pipeline was saved with the weights of "{saved}", which are used; the config '
                f'of {self.name!r} names "{self.pretrained}". To change the encoder, load the '
                f'pipeline with exclude=["{self.name}"], and add the component again.',
                stacklevel=2,
            )
        if self.cfg.get("architecture") != former:
            self.model = build_architecture(self.cfg["architecture"])
        try:
            read(exclude=["vocab", "cfg"])
        except ValueError as error:
            if self.pretrained is None or "mismatched structure" not in str(error):
                raise
            raise ValueError(
                f'The weights of {self.name!r} do not fit the model "{self.pretrained}": version '
                f'0.1.0 saved them. Load the pipeline with exclude=["{self.name}"], and add the '
                "component again."
            ) from error
        self._encoder, self._is_filled = None, True
        if self.pretrained is not None:
            _warn_of_language(self.pretrained, self.cfg.get("lang", ""), self.vocab)
        return self

    def fill(self) -> None:
        """Read the weights of `pretrained`, unless they are here. Other threads wait meanwhile."""
        if self._is_filled or self.pretrained is None:
            return
        with _FILLING:
            if self._is_filled:
                return
            encoder = self._encoder
            if encoder is None:
                encoder = find_pretrained(self.pretrained)
                self.model = encoder.build()
            encoder.fill(self.model)
            self._encoder, self._is_filled = None, True

    def find_topics(self, width: int) -> np.ndarray | None:
        """Return the map from vectors of a width, scaled to length one, to topics, (width, width of
        topics); None if the model has not learned it."""
        self.fill()
        net = find_net(TOPICS, self.model, width)
        return None if net is None else np.asarray(net.get_param("W"))


def _find_articles(examples: Iterable[Example]) -> Iterator[Example]:
    """The Examples of a triplet corpus: the others are for other components."""
    return (example for example in examples if SENTENCES in example.reference.spans)


def _warn_of_language(pretrained: str, lang: str, vocab: Vocab) -> None:
    if is_other_language(lang, vocab.lang):
        warnings.warn(
            f'The model "{pretrained}" is for the language "{lang}", and this pipeline for '
            f'"{vocab.lang}": its vectors say little of such text before "python -m spacy thematic '
            'adapt" has adapted it; from thousands of articles "python -m spacy thematic train" '
            "makes a better one.",
            stacklevel=2,
        )


def find_maker(doc: Doc) -> ThematicEmbedder | None:
    """The embedder in this process that wrote the vectors of a Doc, or of what it is a copy of;
    None if it is not known, or no more."""
    vectors = doc._.thematic_vectors
    maker = _MAKERS.get(id(vectors))
    if maker is not None or vectors is None or SENTENCES_KEY not in doc.spans:
        return maker
    said = doc.spans[SENTENCES_KEY].attrs
    is_own = said.get("checksum") == crc32(np.asarray(vectors).tobytes())
    return _NAMED.get(said.get("maker", "")) if is_own else None


def find_pipeline(doc: Doc) -> Language | None:
    """The pipeline that made the embedder of a Doc; None if that is not known, or no more."""
    maker = find_maker(doc)
    pipeline = _PIPELINES.get(maker) if maker else None
    return pipeline() if pipeline else None


def find_state(model: Model) -> float:
    """A number that changes when the weights do."""
    arrays = [node.get_param(name) for node in model.walk() for name in node.param_names]
    for node in model.walk():
        for shim in node.shims:
            if shim._model is not None:
                arrays += [values.detach() for values in shim._model.parameters()]
    flat = (array.reshape(-1) for array in arrays)
    return sum((float(values[:: 1 + len(values) // _SAMPLE].sum()) for values in flat), 0.0)


def find_embedder(nlp: Language) -> ThematicEmbedder:
    """The thematic embedder of a pipeline that has the usual name, or else the only one. Raises
    ValueError if the pipeline has none, or several with other names."""
    found = {name: pipe for name, pipe in nlp.pipeline if isinstance(pipe, ThematicEmbedder)}
    if EMBEDDER in found:
        return found[EMBEDDER]
    if len(found) == 1:
        return next(iter(found.values()))
    if found:
        raise ValueError(
            f'Expected a thematic_embedder called "{EMBEDDER}", or only one, found {list(found)}: '
            "rename one with nlp.rename_pipe, or name it where there is a setting `embedder`."
        )
    raise ValueError(
        f"The pipeline has no thematic_embedder, only {nlp.pipe_names}. Add one with "
        'nlp.add_pipe("thematic_embedder").'
    )
