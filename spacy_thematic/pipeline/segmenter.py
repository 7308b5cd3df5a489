"""The component `thematic_segmenter`, which cuts a Doc where its theme changes."""

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

import numpy as np
from spacy.language import Language
from spacy.tokens import Doc

from spacy_thematic.pipeline.embedder import EMBEDDER
from spacy_thematic.pipeline.reading import Reading, read_doc
from spacy_thematic.pipeline.segments import find_extents, measure_sizes, write_segments
from spacy_thematic.pipeline.settings_pipe import SettingsPipe, check_name, name_of
from spacy_thematic.pipeline.short_names import SEGMENTERS
from spacy_thematic.pipeline.text_encoder import find_encoder
from spacy_thematic.segmentation.levels import NestedCuts, cut_nested
from spacy_thematic.segmentation.settings import SegmentSettings


@dataclass(frozen=True)
class SegmenterSettings(SegmentSettings):
    """The settings of the component: those of segments, and who finds them.

    Attributes:
        algorithm: Cuts passages: a `Segmenter`, a short name, or a block of a config.
        embedder: The name of the component that encodes; see `find_encoder`.
        scorer: Of segments against those that people made, for `nlp.evaluate`.
    """

    algorithm: Any = "kernel_change_points"
    embedder: str = EMBEDDER
    scorer: Any = None

    def __post_init__(self) -> None:
        super().__post_init__()
        check_name("embedder", self.embedder)


@Language.factory(
    "thematic_segmenter",
    assigns=["doc.spans", "doc._.thematic_segments"],
    requires=["doc._.thematic_vectors"],
    default_config={
        "algorithm": {"@misc": "spacy-thematic.KernelChangePoints.v1"},
        "embedder": EMBEDDER,
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
    embedder: Any,
    n: Any,
    min_size: Any,
    max_size: Any,
    unit: Any,
    levels: Any,
    seed: Any,
    n_keywords: Any,
    headings: Any,
    scorer: Any,
) -> "ThematicSegmenter":
    """Make the component from its configuration, which has the fields of `SegmenterSettings`. These
    check it: all is Any here, so that the errors are the same wherever a setting comes from. Raises
    ValueError if a setting is out of its range."""
    settings = SegmenterSettings(
        algorithm=algorithm,
        embedder=embedder,
        n=n,
        min_size=min_size,
        max_size=max_size,
        unit=unit,
        levels=levels,
        seed=seed,
        n_keywords=n_keywords,
        headings=headings,
        scorer=scorer,
    )
    return ThematicSegmenter(nlp, settings, name=name)


class ThematicSegmenter(SettingsPipe):
    """Cuts a Doc into segments that are each about one thing.

    Reads `doc._.thematic_vectors` and `doc.spans["thematic_sentences"]`; writes
    `doc.spans["thematic_segments"]`, which `doc._.thematic_segments` shows."""

    functions: ClassVar = {"algorithm": SEGMENTERS, "scorer": {}}

    def __init__(
        self, nlp: Language, settings: SegmenterSettings, *, name: str = "thematic_segmenter"
    ) -> None:
        super().__init__(nlp, settings, name=name)

    def __call__(self, doc: Doc) -> Doc:
        """Cut one Doc, in place. Raises ValueError if the Doc has no thematic vectors, or not one
        for each sentence, or its sentences do not begin one after the other."""
        reading = self._read(doc)
        write_segments(reading, self._cut(reading), self.settings, name_of(self.algorithm))
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
        return self._cut(self._read(doc))

    def set_annotations(self, doc: Doc, cuts: NestedCuts) -> None:
        """Write `doc.spans["thematic_segments"]` for cuts as `predict` returns them."""
        write_segments(self._read(doc), cuts, self.settings, name_of(self.algorithm))

    def _read(self, doc: Doc) -> Reading:
        return read_doc(doc, find_encoder(self.nlp, doc, self.embedder), self.name)

    def _cut(self, reading: Reading) -> NestedCuts:
        settings = self.settings
        passage = reading.make_passage(
            sizes=measure_sizes(find_extents(reading.doc, reading.sentences), settings.unit),
            smallest=settings.min_size,
            largest=np.inf if settings.max_size is None else settings.max_size,
        )
        n = None if settings.n == "auto" else settings.n
        return cut_nested(passage, self.algorithm, n, settings.seed, settings.levels)
