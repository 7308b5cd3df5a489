"""Skip-thoughts: the sentences around a sentence are predicted (Kiros et al. 2015)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from spacy.util import registry
from thinc.api import Model, PyTorchWrapper_v3, to_numpy, torch2xp, xp2torch

from spacy_thematic.models.spans import DocSpans
from spacy_thematic.models.torch_wrapper import load_state, save_state
from spacy_thematic.pipeline.batching import Forms
from spacy_thematic.training.errors import TrainingError
from spacy_thematic.training.objective import Objective, Setting, Step
from spacy_thematic.training.order import Order
from spacy_thematic.triplets.compiled import CompiledCorpus

# The softmax over the whole vocabulary is slow.
EVALUATED_SENTENCES = 512
_AT_ONCE = 32  # paragraphs


class Paragraphs:
    """The paragraphs of two sentences or more of a corpus that was made with `--sentences all`.

    Attributes:
        sizes: the sentences of each, int64 (paragraphs).
    """

    def __init__(self, corpus: CompiledCorpus, articles: Sequence[int]):
        sections, paragraphs, kinds = corpus.read_columns("sections", "paragraphs", "kinds")
        owners = corpus.article_of_rows()
        rows = np.flatnonzero((paragraphs >= 0) & np.isin(owners, articles))
        places = np.stack([owners[rows], sections[rows], paragraphs[rows]])
        # The opener comes first, and then the others as they were read.
        order = np.lexsort((rows, kinds[rows], *places[::-1]))
        is_first = np.append(True, (np.diff(places[:, order]) != 0).any(axis=0))[: len(order)]
        starts = np.append(np.flatnonzero(is_first), len(order))
        kept = np.flatnonzero(np.diff(starts) > 1)
        self._rows = rows[order]
        self._starts = starts[kept]
        self.sizes = np.diff(starts)[kept]

    def take(self, numbers: Sequence[int] | np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Some paragraphs.

        Returns:
            The rows of their sentences in the corpus, one paragraph after the other; and the
            numbers, among these, of the sentences that another follows.
        """
        numbers = np.asarray(numbers)
        sizes = self.sizes[numbers]
        ranges = [
            self._rows[start : start + size]
            for start, size in zip(self._starts[numbers].tolist(), sizes.tolist())
        ]
        rows = np.concatenate(ranges)
        return rows, np.delete(np.arange(len(rows)), np.cumsum(sizes) - 1)


class _Batch(NamedTuple):
    """What the decoders read: see `SkipThoughts.forward`."""

    inputs: DocSpans
    words: Any
    lengths: np.ndarray
    numbers: np.ndarray
    firsts: np.ndarray


@dataclass
class SkipThoughtsObjective(Objective):
    """Two decoders predict the sentences before and after from a sentence's vector.

    The settings are those of `create_skip_thoughts`.
    """

    vocabulary_size: int = 20_000
    batch_size: int = 128
    max_length: int = 40

    def start(self, setting: Setting) -> Order:
        import torch

        from spacy_thematic.models.torch.skip_thoughts import SkipThoughts

        self.setting = setting
        (self.embedder,) = setting.embedders
        layers = self.embedder.model.layers
        if not layers or not layers[0].attrs.get("frozen"):
            raise TrainingError(
                "Skip-thoughts need an encoder over vectors that are not learned, such as "
                "spacy-thematic.GRUEncoder.v1 over spacy-thematic.StaticVectors.v1; the "
                f"thematic_embedder is a {self.embedder.model.name}. configs/skip_thoughts.cfg "
                "has one."
            )
        self.paragraphs = Paragraphs(setting.corpus, setting.articles)
        if not len(self.paragraphs.sizes):
            raise TrainingError(
                "The training corpus holds no paragraph of two sentences, and skip-thoughts are "
                "learned from sentences that follow one another: build the corpus with "
                '"python -m spacy thematic corpus SOURCE OUT --sentences all", from whole '
                "paragraphs."
            )
        self._choose_vocabulary()
        sample = self._find_words(setting.corpus, setting.forms, *self.paragraphs.take([0]))
        module = SkipThoughts(
            sample.words.shape[1],
            self.embedder.model.get_dim("nO"),
            torch.from_numpy(self.frequencies),
        )
        wrapped: Model = PyTorchWrapper_v3(
            module, serialize_model=save_state, deserialize_model=load_state
        )
        self.models = {"decoders": wrapped}
        numbers = range(len(self.paragraphs.sizes))
        seed = f"{setting.seed}-paragraphs"
        return Order(numbers, self.paragraphs.sizes, self._batch, seed)

    def step(self, step: Step) -> dict[str, float]:
        rows, firsts = self.paragraphs.take(step.batch)
        batch = self._find_words(self.setting.corpus, self.setting.forms, rows, firsts)
        vectors, backprop = self.embedder.begin_update(batch.inputs, step.dropout)
        sentences = xp2torch(vectors, requires_grad=True)
        module = self.models["decoders"].shims[0]._model
        module.train()
        total, n_words = module(sentences, *self._to_torch(batch))
        loss = total / n_words
        if not np.isfinite(loss.item()):
            raise TrainingError(
                f"The loss of skip-thoughts is {loss.item()}: lower the learning rate, "
                "--training.optimizer.learn_rate."
            )
        (loss * self.weight).backward()
        backprop(torch2xp(sentences.grad))
        name = self.embedder.name
        step.losses[name] = step.losses.get(name, 0.0) + loss.item()
        return {"loss": loss.item()}

    def evaluate(self, dev: CompiledCorpus, articles: Sequence[int]) -> dict[str, float]:
        """`perplexity`: exp of the mean of -log p over about 512 sentences, among the whole
        vocabulary."""
        import torch

        paragraphs = Paragraphs(dev, articles)
        order = np.random.default_rng(0).permutation(len(paragraphs.sizes))
        chosen = order[np.cumsum(paragraphs.sizes[order]) <= EVALUATED_SENTENCES]
        forms = Forms(dev.forms, self.setting.nlp.vocab)
        module = self.models["decoders"].shims[0]._model.eval()
        total, n_words = 0.0, 0
        for start in range(0, len(chosen), _AT_ONCE):
            taken = paragraphs.take(chosen[start : start + _AT_ONCE])
            batch = self._find_words(dev, forms, *taken)
            vectors = self.embedder.model.predict(batch.inputs)
            with torch.no_grad():
                some, n = module(xp2torch(vectors), *self._to_torch(batch))
            total += some.item()
            n_words += n
        return {"perplexity": float(np.exp(total / n_words))} if n_words else {}

    def _batch(self, items: Any) -> Any:
        """Paragraphs of about `batch_size` sentences together."""
        batch: list[Any] = []
        size = 0
        for item in items:
            batch.append(item)
            size += len(item)
            if size >= self.batch_size:
                yield batch
                batch, size = [], 0
        if batch:
            yield batch

    def _choose_vocabulary(self) -> None:
        """The most frequent lower-case words, as sorted lexeme hashes, and their shares."""
        corpus, forms = self.setting.corpus, self.setting.forms
        words, counts = forms.count_words(corpus.count_words(self.setting.articles, others=True))
        kept = np.sort(np.argsort(-counts, kind="stable")[: self.vocabulary_size])
        self.vocabulary = words[kept]
        known = np.append(counts[kept], self.paragraphs.sizes.sum())
        self.frequencies = (known / known.sum()).astype("f")

    def _find_words(
        self, corpus: CompiledCorpus, forms: Forms, rows: np.ndarray, firsts: np.ndarray
    ) -> _Batch:
        words, lengths = corpus.take_rows(rows)
        ends = np.cumsum(lengths)
        position = np.arange(len(words)) - np.repeat(ends - lengths, lengths)
        words, lengths = words[position < self.max_length], np.minimum(lengths, self.max_length)
        inputs = forms.to_doc_spans(self.embedder.model.ops, words, lengths)
        lower = inputs.words.lower
        places = np.minimum(np.searchsorted(self.vocabulary, lower), len(self.vocabulary) - 1)
        numbers = np.where(self.vocabulary[places] == lower, places, -1)
        vectors = self.embedder.model.layers[0].predict(inputs).dataXd
        return _Batch(inputs, vectors, inputs.words.lengths.astype("int64"), numbers, firsts)

    def _to_torch(self, batch: _Batch) -> list[Any]:
        import torch

        device = next(self.models["decoders"].shims[0]._model.parameters()).device
        arrays = (to_numpy(batch.words), batch.lengths, batch.numbers, batch.firsts)
        return [torch.from_numpy(np.ascontiguousarray(array)).to(device) for array in arrays]


@registry.misc("spacy-thematic.SkipThoughts.v1")
def create_skip_thoughts(
    weight: float = 1.0,
    from_step: int = 0,
    vocabulary_size: int = 20_000,
    batch_size: int = 128,
    max_length: int = 40,
) -> Objective:
    """Skip-thoughts (Kiros et al. 2015), on a corpus made with `--sentences all`.

    Args:
        weight: factor of the gradient beside that of other objectives.
        from_step: the step from which on it counts.
        vocabulary_size: the most frequent lower-case words, which are predicted; all are read.
        batch_size: sentences, about.
        max_length: words of a sentence that are read.
    """
    for name, value in {"vocabulary_size": vocabulary_size, "batch_size": batch_size}.items():
        if value < 1:
            raise ValueError(f"Expected {name} of skip-thoughts to be at least 1, found {value}.")
    return SkipThoughtsObjective(weight, from_step, vocabulary_size, batch_size, max_length)
