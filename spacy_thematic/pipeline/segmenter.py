"""The component `thematic_segmenter`, which cuts a Doc where its theme changes."""

from dataclasses import asdict, dataclass, replace
from typing import Any, ClassVar

import numpy as np
from spacy.language import Language
from spacy.tokens import Doc

from spacy_thematic.boundary_measures import ERRORS
from spacy_thematic.pipeline.embedder import EMBEDDER
from spacy_thematic.pipeline.reading import read_doc
from spacy_thematic.pipeline.segments import find_extents, measure_sizes, write_segments
from spacy_thematic.pipeline.settings_pipe import SettingsPipe, check_name, name_of, take_settings
from spacy_thematic.pipeline.text_encoder import find_encoder
from spacy_thematic.segmentation.passage import Cuts, Segmenter, cut_nested
from spacy_thematic.segmentation.settings import SegmentSettings

SEGMENTERS = {"kernel_change_points": "spacy-thematic.KernelChangePoints.v1"}
"""Short names of the functions that the setting `algorithm` may be."""


@dataclass(frozen=True)
class SegmenterSettings(SegmentSettings):
    """The settings of the component, see docs/reference/components.md: those of segments, and who
    finds them. `algorithm` is a `Segmenter`."""

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
        "algorithm": {"@misc": SEGMENTERS["kernel_change_points"]},
        "embedder": EMBEDDER,
        **asdict(SegmentSettings()),
        "scorer": {"@scorers": "spacy-thematic.segmentation_scorer.v1"},
    },
    # No weights: segments are not trained.
    default_score_weights={f"thematic_{measure}": None for measure in ERRORS},
)
@take_settings(SegmenterSettings)
def make_thematic_segmenter(nlp: Language, name: str, **settings: Any) -> "ThematicSegmenter":
    """Make the component from its configuration, which has the fields of `SegmenterSettings`.
    Raises ValueError if a setting is out of its range."""
    return ThematicSegmenter(nlp, SegmenterSettings(**settings), name=name)


class ThematicSegmenter(SettingsPipe):
    """Cuts a Doc into segments that are each about one thing.

    Reads `doc._.thematic_vectors` and `doc.spans["thematic_sentences"]`; writes
    `doc.spans["thematic_segments"]`, which `doc._.thematic_segments` shows."""

    functions: ClassVar = {"algorithm": SEGMENTERS, "namer": {}, "scorer": {}}

    def __call__(self, doc: Doc) -> Doc:
        """Cut one Doc, in place. Raises ValueError if the Doc has no thematic vectors, or not one
        for each sentence, or its sentences do not begin one after the other."""
        settings = replace(self.settings, namer=self.namer)
        reading = read_doc(doc, find_encoder(self.nlp, doc, self.embedder), self.name)
        passage = reading.make_passage(
            sizes=measure_sizes(find_extents(doc, reading.sentences), settings.unit),
            smallest=settings.min_size,
            largest=np.inf if settings.max_size is None else settings.max_size,
        )
        n = None if settings.n == "auto" else settings.n
        algorithm = _check_cuts(self.algorithm)
        cuts = cut_nested(passage, algorithm, n, settings.seed, settings.levels)
        write_segments(reading, cuts, settings, name_of(self.algorithm))
        return doc


def _check_cuts(algorithm: Segmenter) -> Segmenter:
    """The same algorithm; ValueError if it does not return `Cuts`."""

    def cut(*args: Any) -> Cuts:
        found = algorithm(*args)
        if not isinstance(found, Cuts) or np.shape(found.starts) != np.shape(found.gains):
            raise ValueError(
                f'The algorithm "{name_of(algorithm)}" returned {found!r:.80}: expected '
                "spacy_thematic.segmentation.passage.Cuts(starts, gains), the first sentence of "
                "each segment, and what the cut before it gained."
            )
        starts, gains = np.asarray(found.starts, np.int64), np.asarray(found.gains, np.float64)
        return Cuts(starts, gains, found.penalty)

    return cut
