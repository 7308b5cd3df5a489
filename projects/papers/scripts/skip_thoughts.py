"""Skip-thoughts: predicting the sentences around a sentence (Kiros et al. 2015).

python -m spacy thematic train configs/skip_thoughts.cfg --code scripts/skip_thoughts.py -o OUT
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import torch
import torch.nn.functional as F
from spacy.training.batchers import minibatch_by_words
from spacy.util import registry
from thinc.api import PyTorchWrapper_v3, torch2xp, xp2torch
from torch import Tensor, nn

from gru_encoder import GRU
from spacy_thematic.models.spans import DocSpans
from spacy_thematic.models.torch_wrapper import load_state, save_state
from spacy_thematic.pipeline.batching import Forms
from spacy_thematic.training.objective import Objective, Order, Setting, Step, TrainingError
from spacy_thematic.triplets.compiled import CompiledCorpus

# Evaluation takes the softmax over the whole vocabulary, which is slow.
EVALUATED_SENTENCES = 512
# A mean of -log p that no training reaches which converges: a guess among all words has 10.
DIVERGED = 100
_AT_ONCE = 32  # paragraphs


class Decoder(nn.Module):
    """Conditional gated recurrent units that read a sentence one word late, after a learned row."""

    def __init__(self, word_width: int, width: int):
        super().__init__()
        self.start = nn.Parameter(torch.zeros(1, word_width))
        self.gru = GRU(word_width, width, condition_width=width)


class SkipThoughtsDecoders(nn.Module):
    """Two decoders: from the vector of a sentence, one predicts the words of the next sentence, the
    other those of the previous one. What is minimised is

        - sum_t log p(w_t of the next | words before it, vector)
        - sum_t log p(w_t of the previous | words before it, vector)

    Kiros et al. (2015), section 2.1. As there, the decoders share the matrix of the words' output
    vectors. In training the softmax is over the words of the batch, each with its logit lowered by
    the logarithm of the probability that it is in one (Jean et al. 2015, section 3); in evaluation
    it is over the whole vocabulary. `frequencies` are the share of each of its words among what is
    predicted, and last that of the end of a sentence, (vocabulary + 1,).
    """

    frequencies: Tensor

    def __init__(self, word_width: int, width: int, frequencies: Tensor):
        super().__init__()
        self.next = Decoder(word_width, width)
        self.previous = Decoder(word_width, width)
        self.output = nn.Linear(width, len(frequencies))
        self.register_buffer("frequencies", frequencies, persistent=False)

    def forward(
        self, vectors: Tensor, words: Tensor, lengths: Tensor, numbers: Tensor, firsts: Tensor
    ) -> tuple[Tensor, int]:
        """The sum of -log p of a batch, (), and the number of words that it is over.

        Args:
            vectors: Of the sentences, (sentences, width).
            words: Their words, one sentence after the other, (words, word_width).
            lengths: Number of words of each sentence, (sentences,).
            numbers: Of each word in the vocabulary, (words,); -1 for one that is not in it, and is
                read but not predicted.
            firsts: Sentences that are followed by the next sentence of the batch, (pairs,).
        """
        decoded = [
            self._decode(self.next, vectors[firsts], firsts + 1, words, lengths, numbers),
            self._decode(self.previous, vectors[firsts + 1], firsts, words, lengths, numbers),
        ]
        states, targets = (torch.cat(parts) for parts in zip(*decoded))
        states, targets = states[targets >= 0], targets[targets >= 0]
        logits, rows = self._score(states, targets)
        return F.cross_entropy(logits, rows, reduction="sum"), len(targets)

    def _score(self, states: Tensor, targets: Tensor) -> tuple[Tensor, Tensor]:
        """The logits of each state's next word, (n, candidates), and which candidate is the target,
        (n,)."""
        if not self.training:
            return self.output(states), targets
        candidates, rows = torch.unique(targets, return_inverse=True)
        weight = self.output.weight.index_select(0, candidates)
        bias = self.output.bias.index_select(0, candidates)
        # 1 - (1 - f)^n, the probability of being among n words.
        presence = -torch.expm1(len(targets) * torch.log1p(-self.frequencies[candidates]))
        return F.linear(states, weight, bias - presence.log()), rows

    def _decode(
        self,
        decoder: Decoder,
        vectors: Tensor,
        sentences: Tensor,
        words: Tensor,
        lengths: Tensor,
        numbers: Tensor,
    ) -> tuple[Tensor, Tensor]:
        """The decoder's states before each word and before the end of some sentences, (n, width),
        and the numbers of what comes next, (n,)."""
        steps = lengths[sentences] + 1
        row = torch.arange(len(sentences), device=steps.device).repeat_interleave(steps)
        position = (
            torch.arange(len(row), device=steps.device) - (torch.cumsum(steps, 0) - steps)[row]
        )
        word = (torch.cumsum(lengths, 0) - lengths)[sentences][row] + position
        before = torch.where(position > 0, word - 1, len(words))
        then = torch.where(position < steps[row] - 1, word, len(words))
        inputs = torch.cat([words, decoder.start]).index_select(0, before)
        end = numbers.new_full((1,), len(self.frequencies) - 1)
        return decoder.gru(inputs, steps, vectors), torch.cat([numbers, end])[then]


class Paragraphs:
    """The paragraphs of two sentences or more of articles of a corpus that was made with
    `--sentences all`, and the number of sentences of each, `sizes`, int64 (paragraphs). Raises
    TrainingError, which names the split, if there are none."""

    def __init__(self, corpus: CompiledCorpus, articles: Sequence[int], split: str):
        sections, paragraphs = corpus.read_columns("sections", "paragraphs")
        owners = corpus.article_of_rows()
        rows = np.flatnonzero((paragraphs >= 0) & np.isin(owners, articles))
        places = [column[rows] for column in (paragraphs, sections, owners)]
        # A stable order: an opener is before the others, which are in reading order.
        order = np.lexsort(places)
        is_first = np.any([np.diff(place[order], prepend=-1) != 0 for place in places], axis=0)
        starts = np.append(np.flatnonzero(is_first), len(order))
        kept = np.flatnonzero(np.diff(starts) > 1)
        if not len(kept):
            raise TrainingError(
                f"The {split} corpus holds no paragraph of two sentences, and skip-thoughts are "
                "learned from sentences that follow one another: build the corpus from whole "
                'paragraphs, with "python -m spacy thematic corpus SOURCE OUT --sentences all".'
            )
        self._rows = rows[order]
        self._starts = starts[kept]
        self.sizes = np.diff(starts)[kept]

    def take(self, numbers: Sequence[int] | np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Get some paragraphs. Returns the rows of their sentences in the corpus, one paragraph
        after the other; and which of these sentences are followed by another, as numbers among
        them."""
        starts, sizes = self._starts[numbers], self.sizes[numbers]
        rows = [self._rows[start : start + size] for start, size in zip(starts, sizes)]
        return np.concatenate(rows), np.delete(np.arange(sizes.sum()), np.cumsum(sizes) - 1)


class _Batch(NamedTuple):
    """What the encoder reads, and what the decoders do: see `SkipThoughtsDecoders.forward`."""

    sentences: DocSpans
    decoded: list[Any]


@registry.misc("papers.SkipThoughts.v1")
@dataclass
class SkipThoughts(Objective):
    """Skip-thoughts (Kiros et al. 2015), from a corpus made with `--sentences all`: two decoders
    predict the sentences before and after from a sentence's vector. The dev corpus must be made so
    too, since `perplexity` is measured on it.

    Args:
        vocabulary_size: Lower-case words, the most frequent, that are predicted; all are read.
        batch_size: About as many sentences a step.
        max_length: Words of a sentence that are read.
    """

    vocabulary_size: int = 20_000
    batch_size: int = 128
    max_length: int = 40

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("vocabulary_size", "batch_size", "max_length"):
            if (value := getattr(self, name)) < 1:
                raise ValueError(
                    f"Expected {name} of SkipThoughts to be at least 1, found {value}."
                )

    def start(self, setting: Setting) -> Order:
        """Find the paragraphs and the vocabulary, and make the decoders. Raises TrainingError if
        the encoder learns word vectors, or if there are no paragraphs."""
        self.setting = setting
        self.embedder = setting.embedder
        model = self.embedder.model
        if not model.layers or not model.layers[0].attrs.get("frozen"):
            raise TrainingError(
                "Skip-thoughts need an encoder over word vectors that are not learned, such as "
                "papers.GRUEncoder.v1 over spacy-thematic.StaticVectors.v1, but the model "
                f'of the thematic_embedder is "{model.name}". '
                "projects/papers/configs/skip_thoughts.cfg has one."
            )
        self.paragraphs = Paragraphs(setting.corpus, setting.articles, "training")
        self._choose_vocabulary()
        decoders = SkipThoughtsDecoders(
            model.layers[0].get_dim("nO"), model.get_dim("nO"), torch.from_numpy(self.frequencies)
        )
        self.models = {
            "decoders": PyTorchWrapper_v3(
                decoders, serialize_model=save_state, deserialize_model=load_state
            )
        }
        batcher = partial(minibatch_by_words, size=self.batch_size)
        numbers = range(len(self.paragraphs.sizes))
        return Order(numbers, self.paragraphs.sizes, batcher, f"{setting.seed}-paragraphs")

    def step(self, step: Step) -> dict[str, float]:
        """Add the gradient of -log p of the words of the sentences around, of their mean. Raises
        TrainingError if the loss diverges."""
        corpus, forms = self.setting.corpus, self.setting.forms
        batch = self._make_batch(corpus, forms, *self.paragraphs.take(step.batch))
        vectors, backprop = self.embedder.begin_update(batch.sentences, step.dropout)
        decoders = self.models["decoders"].shims[0]
        encoded = xp2torch(vectors, requires_grad=True, device=decoders.device)
        total, n_words = decoders._model.train()(encoded, *batch.decoded)
        loss = total / n_words
        value = _check_converges(loss.item())
        (loss * self.weight).backward()
        backprop(torch2xp(encoded.grad, ops=self.embedder.model.ops))
        name = self.embedder.name
        step.losses[name] = step.losses.get(name, 0.0) + value
        return {"loss": value}

    def evaluate(self, dev: CompiledCorpus, articles: Sequence[int]) -> dict[str, float]:
        """Measure `perplexity`, exp of the mean of -log p among the whole vocabulary, on about 512
        sentences. Raises TrainingError if the articles have no paragraph of two sentences, or the
        loss diverges."""
        paragraphs = Paragraphs(dev, articles, "dev")
        order = np.random.default_rng(0).permutation(len(paragraphs.sizes))
        sizes = paragraphs.sizes[order]
        chosen = order[np.cumsum(sizes) - sizes < EVALUATED_SENTENCES]
        forms = Forms(dev.forms, self.setting.nlp.vocab)
        decoders = self.models["decoders"].shims[0]
        total, n_words = 0.0, 0
        for start in range(0, len(chosen), _AT_ONCE):
            some = paragraphs.take(chosen[start : start + _AT_ONCE])
            batch = self._make_batch(dev, forms, *some)
            vectors = self.embedder.model.predict(batch.sentences)
            with torch.no_grad():
                encoded = xp2torch(vectors, device=decoders.device)
                part, n = decoders._model.eval()(encoded, *batch.decoded)
            total += part.item()
            n_words += n
        return {"perplexity": float(np.exp(_check_converges(total / n_words)))}

    def _choose_vocabulary(self) -> None:
        """The most frequent lower-case words, as sorted lexeme hashes, and their shares."""
        corpus, forms = self.setting.corpus, self.setting.forms
        words, counts = forms.count_words(corpus.count_words(self.setting.articles, others=True))
        kept = np.sort(np.argsort(-counts, kind="stable")[: self.vocabulary_size])
        self.vocabulary = words[kept]
        known = np.append(counts[kept], self.paragraphs.sizes.sum())
        self.frequencies = (known / known.sum()).astype("f")

    def _make_batch(
        self, corpus: CompiledCorpus, forms: Forms, rows: np.ndarray, firsts: np.ndarray
    ) -> _Batch:
        words, _, lengths = corpus.read_rows(rows)
        ends = np.cumsum(lengths)
        position = np.arange(len(words)) - np.repeat(ends - lengths, lengths)
        words, lengths = words[position < self.max_length], np.minimum(lengths, self.max_length)
        model = self.embedder.model
        sentences = forms.to_doc_spans(model.ops, words, lengths)
        lower = sentences.words.lower
        places = np.minimum(np.searchsorted(self.vocabulary, lower), len(self.vocabulary) - 1)
        numbers = np.where(self.vocabulary[places] == lower, places, -1)
        vectors = model.layers[0].predict(sentences).dataXd
        arrays = (vectors, sentences.words.lengths.astype("int64"), numbers, firsts)
        device = self.models["decoders"].shims[0].device
        return _Batch(sentences, [xp2torch(array, device=device) for array in arrays])


def _check_converges(loss: float) -> float:
    # Neither does NaN.
    if not loss < DIVERGED:
        raise TrainingError(
            f"The loss of skip-thoughts is {loss:.3g}: lower the learning rate, "
            "--training.optimizer.learn_rate."
        )
    return loss
