"""A model beside those that could be used in its place, in a table and in words."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np

from spacy_thematic.evaluation.encoders import RANDOM
from spacy_thematic.evaluation.results import AMI, Results

# Fewer tell little, and their intervals are too narrow.
MIN_DOCUMENTS = 20
ADAPT = "python -m spacy thematic adapt"

ACCURACY, BY_COSINE = "accuracy", "cosine"
COLUMNS = {BY_COSINE: ACCURACY, AMI: "AMI"}
"""What models are compared by: accuracy by cosines, which is how vectors are compared in use, and
AMI."""

Level = Literal["good", "info", "warn"]


class Verdict(NamedTuple):
    """What a comparison says, by its level: "good", the model is shown to be better than all it was
    compared with; "info", no model is shown to be better; "warn", it is worse, or nothing can be
    told. Why it is not to be trusted, a sentence each, and what to use, in a sentence."""

    level: Level
    faults: list[str]
    advice: str


@dataclass(frozen=True)
class Comparison:
    """A model beside others that can be used in its place, and baselines that a model should be
    above, at least one, on the same documents. `names` has what rows are called, if not by their
    own name; `start` is the row that the model was adapted from, if it was."""

    results: Results
    model: str
    others: Sequence[str]
    baselines: Sequence[str]
    names: Mapping[str, str] = field(default_factory=dict)
    start: str = ""

    @cached_property
    def measures(self) -> dict[str, str]:
        """The columns of the table, by the measures that they show; those that were not measured
        are left out."""
        return {
            measure: column
            for measure, column in COLUMNS.items()
            if self.results.estimate(self.model, measure) is not None
        }

    @cached_property
    def n_documents(self) -> int:
        """Documents with triplets; where there are none, documents that were clustered."""
        return len(self.results.ordered[self.model] or self.results.clustered[self.model])

    @cached_property
    def is_small(self) -> bool:
        """Whether there are too few documents to say anything."""
        return self.n_documents < MIN_DOCUMENTS

    @cached_property
    def _telling(self) -> dict[str, str]:
        """The measures that can decide, and their columns."""
        if self.is_small:
            return {}
        few_clustered = len(self.results.clustered[self.model]) < MIN_DOCUMENTS
        return {m: c for m, c in self.measures.items() if not (few_clustered and m != BY_COSINE)}

    def make_table(self) -> list[dict[str, str]]:
        """A line for each row, with 95 per cent intervals by bootstrap over documents."""
        return [
            {
                "": self._name(row),
                **{
                    column: str(self.results.estimate(row, measure))
                    for measure, column in self.measures.items()
                },
            }
            for row in (self.model, *self.others, *self.baselines)
        ]

    def judge(self) -> Verdict:
        """Say whether the model is any good, and what to use. A model counts as better if the
        interval of the paired difference is above zero for accuracy or AMI, and below zero for
        neither."""
        faults = [fault for row in self.baselines if (fault := self._find_fault(row))]
        if self.is_small:
            found = f"{self._size}, {MIN_DOCUMENTS} are needed"
            return Verdict("warn", faults, f"Too few to say which model to use: {found}.")
        if self.others and not self._is_any_above_chance():
            advice = f"No model is clearly better than chance {self._place}"
            return Verdict("warn", faults, f"{advice}: test on more documents.")
        if self.others:
            level, advice = self._advise(bool(faults))
            return Verdict("warn" if faults else level, faults, advice)
        if faults:
            advice = f'Train on more documents, or adapt a bundled model with "{ADAPT}".'
            return Verdict("warn", faults, advice)
        baselines = " and ".join(map(self._name, self.baselines))
        advice = f"{self._name(self.model)} scores better than {baselines} {self._place}."
        return Verdict("good", faults, advice)

    def _is_any_above_chance(self) -> bool:
        """Whether the interval of the best model is above that of chance, for any measure; True if
        chance was not measured."""
        if RANDOM not in self.baselines:
            return True
        best = max((self.model, *self.others), key=self._find_mean)
        for measure in self._telling:
            found, chance = (self.results.estimate(row, measure) for row in (best, RANDOM))
            if found and chance and found.interval[0] > chance.interval[1]:
                return True
        return False

    def _advise(self, is_faulty: bool) -> tuple[Level, str]:
        best = max(self.others, key=self._find_mean)
        model, other, place = self._name(self.model), self._name(best), self._place
        above, below = self._compare(best)
        if above and below:
            ours, theirs = above[0], below[0]
            first, second = (model, other) if ours == ACCURACY else (other, model)
            return "info", (
                f"{model} has the higher {ours}, {other} the higher {theirs} {place}: use {first} "
                f"to compare sentences, {second} to cluster them."
            )
        if above:
            return "good", f"{model} scores better than {other} {place}: use {model}."
        if below:
            adapt = "" if best == self.start else f', or adapt it with "{ADAPT} --from {best}"'
            return "warn", f"{other} scores better than {model} {place}: use {other}{adapt}."
        use = "test on more documents" if is_faulty else "use either, or test on more documents"
        advice = f"The difference between {model} and {other} is within chance {place}: {use}."
        return "info", advice

    def _find_fault(self, baseline: str) -> str:
        """What is wrong with a model that is not above a baseline; "" for one that is."""
        model, name = self._name(self.model), self._name(baseline)
        above, below = self._compare(baseline)
        if above and below:
            return f"{model} scores higher than {name} by {above[0]}, but lower by {below[0]}."
        first = self.results.difference(self.model, baseline, next(iter(self.measures)))
        if below or (not above and first is not None and first.value <= 0):
            return f"{model} scores no better than {name}."
        if above or self.is_small:
            return ""
        return f"{model} cannot be told apart from {name} {self._place}."

    def _compare(self, other: str) -> tuple[list[str], list[str]]:
        """The columns in which the model is shown to be above another row, and below it."""
        above, below = [], []
        for measure, column in self._telling.items():
            if difference := self.results.difference(self.model, other, measure):
                low, high = difference.interval
                above += [column] * (low > 0)
                below += [column] * (high < 0)
        return above, below

    def _find_mean(self, row: str) -> float:
        found = [self.results.estimate(row, measure) for measure in self.measures]
        return float(np.mean([estimate.value for estimate in found if estimate is not None]))

    def _name(self, row: str) -> str:
        return self.names.get(row, row)

    @property
    def _size(self) -> str:
        return f"{self.n_documents:,} document" + "s" * (self.n_documents != 1)

    @property
    def _place(self) -> str:
        return f"on these {self._size}"


@dataclass(frozen=True, kw_only=True)
class Measured:
    """What was found on documents.

    Attributes:
        comparison: As a table, and as a verdict.
        n_sentences: That were encoded.
        left_out: Bundled models that are too slow for this many sentences.
        warnings: Why the scores may say little, a sentence each.
        counts: How many documents were dropped for each reason.
    """

    comparison: Comparison
    n_sentences: int
    left_out: Sequence[str]
    warnings: Sequence[str]
    counts: Counter[str]
