"""The component `thematic_sentencizer`: spaCy's sentencizer, less its plain mistakes."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

import numpy as np
from spacy.language import Language
from spacy.pipeline import Sentencizer
from spacy.tokens import Doc

from spacy_thematic.checks import check_flags, make_plain
from spacy_thematic.layout.lines import BLANK_LINES
from spacy_thematic.pipeline.settings_pipe import SettingsPipe, take_settings
from spacy_thematic.sentences.mending import mend_starts
from spacy_thematic.span_keys import get_text


@dataclass(frozen=True)
class SentencizerSettings:
    """The settings of the component, as of `spacy.pipeline.Sentencizer`."""

    punct_chars: Sequence[str] | None = None
    overwrite: bool = False
    scorer: Any = None

    def __post_init__(self) -> None:
        make_plain(self)
        if self.punct_chars is not None:
            chars = self.punct_chars
            is_list = isinstance(chars, (set, frozenset, tuple, list))
            if not is_list or not all(isinstance(char, str) for char in chars):
                raise ValueError(
                    f"Expected punct_chars to be None or a list of strings, found {chars!r}."
                )
            object.__setattr__(self, "punct_chars", sorted(set(chars)) or None)
        check_flags(self, "overwrite")


@Language.factory(
    "thematic_sentencizer",
    assigns=["token.is_sent_start", "doc.sents"],
    default_config={
        **asdict(SentencizerSettings()),
        "scorer": {"@scorers": "spacy.senter_scorer.v1"},
    },
    default_score_weights={"sents_f": None, "sents_p": None, "sents_r": None},
)
@take_settings(SentencizerSettings)
def make_thematic_sentencizer(nlp: Language, name: str, **settings: Any) -> "ThematicSentencizer":
    """Make the component from its configuration. Raises ValueError if a setting is of another
    kind."""
    return ThematicSentencizer(nlp, SentencizerSettings(**settings), name=name)


class ThematicSentencizer(SettingsPipe, Sentencizer):
    """Sets where sentences start, by punctuation, and as sentences were found for training: not
    after abbreviations and the numbers of items, an opening quotation mark goes with what it opens,
    and a blank line ends a sentence. What was set before stays."""

    functions: ClassVar = {"scorer": {}}

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
        text = get_text(doc)
        blanks = [blank.span() for blank in BLANK_LINES.finditer(text)]
        begins, ends = np.array(blanks, np.uint64).reshape(-1, 2).T
        token_begins = doc.to_array("IDX")
        # Some tokens begin with the blank line before them.
        after = np.maximum(
            np.searchsorted(token_begins, begins),
            np.searchsorted(token_begins + doc.to_array("LENGTH"), ends, side="right"),
        )
        after = np.append(following, len(doc))[after]
        given |= set(after.tolist())
        guessed = following[np.flatnonzero(guesses)]
        starts = {int(start) for start in guessed if start < len(doc) and known[start] != -1}
        found = np.zeros(len(doc), bool)
        found[mend_starts(doc, starts, given - {len(doc)}, text)] = True
        return found.tolist()

    def _resolve(self, name: str, value: Any) -> Any:
        if name == "punct_chars":
            return frozenset(value or self.default_punct_chars)
        return super()._resolve(name, value)
