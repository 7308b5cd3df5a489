"""The component `thematic_segmenter`, which cuts a Doc where its theme changes."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict
from functools import partial
from typing import Any

from spacy.language import Language
from spacy.tokens import Doc
from spacy.vocab import Vocab

from spacy_thematic.clustering.headings import HeadingScorer
from spacy_thematic.clustering.themes import get_sentences
from spacy_thematic.pipeline.gap_scorer import score_gaps
from spacy_thematic.pipeline.heading_scorer import score_headings
from spacy_thematic.pipeline.settings_pipe import SettingsPipe, name_of
from spacy_thematic.pipeline.short_names import SEGMENTERS, resolve_name
from spacy_thematic.segmentation.finding import find_segments
from spacy_thematic.segmentation.gaps import GapScorer
from spacy_thematic.segmentation.levels import NestedCuts
from spacy_thematic.segmentation.passage import Segmenter
from spacy_thematic.segmentation.segments import write_segments
from spacy_thematic.segmentation.settings import SegmentSettings, Unit


@Language.factory(
    "thematic_segmenter",
    assigns=["doc.spans", "doc._.thematic_segments"],
    requires=["doc._.thematic_vectors"],
    default_config={
        "algorithm": {"@misc": "spacy-thematic.KernelChangePoints.v1"},
        **asdict(SegmentSettings()),
        "scorer": {"@scorers": "spacy-thematic.segmentation_scorer.v1"},
    },
    # No weights: segments are not trained.
    default_score_weights={
        "thematic_pk": None,
        "thematic_window_diff": None,
        "thematic_boundary_similarity": None,
    },
)
def make_thematic_segmenter(
    nlp: Language,
    name: str,
    algorithm: Any,
    n: Any,
    min_size: int,
    max_size: int | None,
    unit: Unit,
    levels: int,
    seed: int,
    n_keywords: int,
    headings: bool,
    scorer: Callable | None,
) -> "ThematicSegmenter":
    """Make the component from its configuration, which has the fields of `SegmentSettings`.

    Raises:
        ValueError: If a setting is out of its range. What is Any here is checked with a message
            that says what is allowed.
    """
    settings = SegmentSettings(
        n=n,
        min_size=min_size,
        max_size=max_size,
        unit=unit,
        levels=levels,
        seed=seed,
        n_keywords=n_keywords,
        headings=headings,
    )
    return ThematicSegmenter(
        nlp.vocab,
        resolve_name(algorithm, SEGMENTERS, "algorithm"),
        partial(score_gaps, nlp),
        partial(score_headings, nlp),
        settings,
        name=name,
        scorer=scorer,
    )


class ThematicSegmenter(SettingsPipe):
    """Cuts a Doc into segments that are each about one thing.

    Reads `doc._.thematic_vectors` and `doc.spans["thematic_sentences"]`; writes
    `doc.spans["thematic_segments"]`, which `doc._.thematic_segments` shows.

    Args:
        vocab: Of the pipeline.
        algorithm: Cuts passages.
        score_gaps: Says what the encoder has learned of the gaps between sentences.
        score_headings: Says what the encoder has learned of headings.
        settings: Of the segments. Replace them to change them later.
        name: Of the component.
        scorer: Of segments against those that people made, for `nlp.evaluate`.
    """

    def __init__(
        self,
        vocab: Vocab,
        algorithm: Segmenter,
        score_gaps: GapScorer,
        score_headings: HeadingScorer,
        settings: SegmentSettings,
        *,
        name: str = "thematic_segmenter",
        scorer: Callable | None = None,
    ) -> None:
        super().__init__(vocab, settings, name=name, scorer=scorer)
        self.algorithm = algorithm
        self.score_gaps = score_gaps
        self.score_headings = score_headings

    def __call__(self, doc: Doc) -> Doc:
        """Cut one Doc, in place.

        Raises:
            ValueError: If the Doc has no thematic vectors, or not one for each sentence, or its
                sentences do not begin one after the other.
        """
        self.set_annotations(doc, self.predict(doc))
        return doc

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = 128) -> Iterator[Doc]:
        """Cut each Doc."""
        error_handler = self.get_error_handler()
        for doc in stream:
            try:
                yield self(doc)
            except Exception as error:
                error_handler(self.name, self, [doc], error)

    def predict(self, doc: Doc) -> NestedCuts:
        """Return where to cut between the sentences of a Doc, which does not change."""
        return find_segments(
            doc, *get_sentences(doc), self.algorithm, self.settings, self.score_gaps
        )

    def set_annotations(self, doc: Doc, cuts: NestedCuts) -> None:
        """Write `doc.spans["thematic_segments"]` for cuts as `predict` returns them."""
        write_segments(
            doc,
            *get_sentences(doc),
            cuts,
            method=name_of(self.algorithm),
            n_keywords=self.settings.n_keywords,
            score_headings=self.score_headings if self.settings.headings else None,
        )
