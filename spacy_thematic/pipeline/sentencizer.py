"""The component `thematic_sentencizer`: spaCy's sentencizer, less its plain mistakes."""

import re
from collections.abc import Callable, Iterable

import numpy as np
from spacy.language import Language
from spacy.pipeline import Sentencizer
from spacy.tokens import Doc

from spacy_thematic.sentences.mending import mend_starts

_BLANK_LINES = re.compile(r"\n\s*\n\s*")


@Language.factory(
    "thematic_sentencizer",
    assigns=["token.is_sent_start", "doc.sents"],
    default_config={
        "punct_chars": None,
        "overwrite": False,
        "scorer": {"@scorers": "spacy.senter_scorer.v1"},
    },
    default_score_weights={"sents_f": 1.0, "sents_p": 0.0, "sents_r": 0.0},
)
def make_thematic_sentencizer(
    nlp: Language,
    name: str,
    punct_chars: list[str] | None,
    overwrite: bool,
    scorer: Callable | None,
) -> "ThematicSentencizer":
    """Make the component from its configuration."""
    return ThematicSentencizer(name, punct_chars=punct_chars, overwrite=overwrite, scorer=scorer)


class ThematicSentencizer(Sentencizer):
    """Sets where sentences start, by punctuation, and as sentences were found for training: not
    after abbreviations and the numbers of items, an opening quotation mark goes with what it opens,
    and a blank line ends a sentence. What was set before stays.

    The arguments are those of `spacy.pipeline.Sentencizer`.
    """

    def predict(self, docs: Iterable[Doc]) -> list[list[bool]]:
        """Tell of each token of some Docs whether a sentence starts there. They do not change."""
        docs = list(docs)
        return [self._mend(doc, guesses) for doc, guesses in zip(docs, super().predict(docs))]

    def _mend(self, doc: Doc, guesses: list[bool]) -> list[bool]:
        if not len(doc):
            return []
        known = np.zeros(len(doc)) if self.overwrite else doc.to_array("SENT_START")
        is_space = doc.to_array("IS_SPACE") != 0
        # From each token the first that is no space; len(doc) if there is none.
        words = np.append(np.flatnonzero(~is_space), len(doc))
        following = words[np.searchsorted(words, np.arange(len(doc)))]
        given = {0, *np.flatnonzero(known == 1).tolist()}
        ends = [blank.end() for blank in _BLANK_LINES.finditer(doc.text)]
        after = np.append(following, len(doc))[np.searchsorted(doc.to_array("IDX"), ends)]
        given |= set(after.tolist())
        guessed = following[np.flatnonzero(guesses)]
        starts = {int(start) for start in guessed if start < len(doc) and known[start] != -1}
        found = np.zeros(len(doc), bool)
        found[mend_starts(doc, starts, given - {len(doc)})] = True
        return found.tolist()
