"""What the paper says: its tables, its claims, and where it contradicts itself; what we do
otherwise; and the verdicts on claims.

The paper is Ein Dor et al. (2018), "Learning Thematic Similarity Metric from Article Sections Using
Triplet Networks". Its rows are known by their names (see `tables.py`).
"""

from collections.abc import Sequence
from typing import NamedTuple

ICLUST, ICLUST_RELATEDNESS, KMEANS = "iclust", "iclust_relatedness", "kmeans"
TITLES = {
    ICLUST: "Iclust",
    ICLUST_RELATEDNESS: "Iclust, predicted relatedness",
    KMEANS: "k-means",
    "kmeans_cosines": "k-means on cosines",
    "kmeans_raw": "k-means, raw rows",
    "kmedians": "k-means on L1",
}
"""The algorithms, in the order of the tables."""

PLAIN = "sen-titles-plain"
AGREEMENTS = ("MI", "AMI max", "RI", "ARI")

# Table 3: skip-thoughts by cosine is skip-thoughts-CS, by relatedness skip-thoughts-SICK; triplets
# are by L1.
DISTANCE = {
    "mean-vectors": {"cosine": 0.65},
    "skip-thoughts": {"cosine": 0.615, "relatedness": 0.547},
    "sen": {"L1": 0.74},
}
# Table 4: MI, AMI, RI, ARI by Iclust, then by k-means.
CLUSTERING = {
    row: dict(zip((ICLUST, KMEANS), both))
    for row, both in {
        "mean-vectors": ((0.811, 0.222, 0.774, 0.154), (0.706, 0.153, 0.776, 0.103)),
        "skip-thoughts": ((0.656, 0.125, 0.747, 0.087), (0.624, 0.099, 0.745, 0.067)),
        "rand-article": ((0.885, 0.266, 0.787, 0.192), (0.793, 0.205, 0.775, 0.145)),
        "sen": ((0.935, 0.296, 0.801, 0.224), (0.873, 0.257, 0.791, 0.195)),
        "titles": ((0.904, 0.273, 0.799, 0.206), (0.836, 0.231, 0.786, 0.172)),
        PLAIN: ((0.945, 0.303, 0.803, 0.230), (0.873, 0.258, 0.791, 0.194)),
    }.items()
}
# Table 5: Pearson, Spearman, MSE; skip-thoughts is skip-thoughts-SICK.
CORRELATIONS = ("Pearson", "Spearman", "MSE")
RELATEDNESS = {
    "mean-vectors": (0.757, 0.673, 0.4557),
    "skip-thoughts": (0.858, 0.791, 0.287),
    "sen": (0.797, 0.704, 0.372),
    "titles": (0.786, 0.685, 0.393),
    PLAIN: (0.818, 0.724, 0.339),
}
# Table 6: pairs of SICK by number, with gold score, the net's and that of skip-thoughts.
EXAMPLES = {"1126": (4.5, 4.2, 4.5), "1127": (3.4, 4.1, 3.8)}
EXAMPLE_CLAIMS = {
    "1126": "The pair of equal meaning has a high score",
    "1127": "The negated pair has a high score",
}
HIGH = 4.0
"""A score (1 to 5) is high above this, or above a lower gold score: our bound."""
BENCHMARK = 692, 67
"""Articles that are clustered, and their sentences on average (section 3.3)."""
ARTICLES = 809_000
SENTENCE_TRIPLETS = 1_780_000, 220_000, 223_000
TITLE_TRIPLETS = 1_380_000, 172_000, 173_000
"""Of training, validation and test (sections 3.1 and 3.2)."""
NET = {"hidden width": 300, "dropout": 0.8, "attention width": 200, "learn rate": 0.001,
       "embedding width": 600}  # fmt: skip
"""Section 4."""

ABOVE, SAME = "above", "same"
MARGIN = 0.015
"""Two rows are the same if the 90 per cent interval of their difference is within this: half of
what table 4 has between `sen` and `rand-article`, which the paper calls inferior."""

_MEASURES = {
    "accuracy": ("accuracy, L1", "accuracy, L1"),
    "accuracy-to-cosine": ("accuracy, L1", "accuracy, cosine"),
    "cosine-accuracy": ("accuracy, cosine", "accuracy, cosine"),
    "cosine-to-relatedness": ("accuracy, cosine", "accuracy, relatedness"),
    "Iclust-to-relatedness": ("AMI max, Iclust", "AMI max, Iclust, predicted relatedness"),
    "Iclust-to-k-means": ("AMI max, Iclust", "AMI max, k-means"),
    "Iclust-to-cosines": ("AMI max, Iclust", "AMI max, k-means on cosines"),
    "L1-to-k-means": ("AMI max, k-means on L1", "AMI max, k-means"),
    "AMI": ("AMI max, Iclust", "AMI max, Iclust"),
    "k-means": ("AMI max, k-means", "AMI max, k-means"),
    **{name: (f"{name}, Iclust", f"{name}, Iclust") for name in ("MI", "RI", "ARI")},
    **{name: (name, name) for name in CORRELATIONS},
}
ASIDE = {"AMI max, k-means", "MI, Iclust", "RI, Iclust", "ARI, Iclust", "Spearman", "MSE"}
"""Measures whose effects stand in the long tables only."""
_SICK = "Pearson Spearman MSE"
_TABLE_4 = "AMI k-means MI RI ARI"
_CLAIMS = f"""
Triplets are above mean vectors | 5.1, tables 3 and 4 | sen | mean-vectors | \
accuracy-to-cosine {_TABLE_4}
Triplets are above skip-thoughts | 5.1, tables 3 and 4 | sen | skip-thoughts | \
accuracy-to-cosine {_TABLE_4}
Titles are above skip-thoughts | 5.1, table 4 | titles | skip-thoughts | {_TABLE_4}
Joined vectors are above skip-thoughts | 5.1, table 4 | {PLAIN} | skip-thoughts | {_TABLE_4}
Foreign negatives are above skip-thoughts | 5.1, table 4 | rand-article | skip-thoughts | \
{_TABLE_4}
Mean vectors are above skip-thoughts | 5.1, tables 3 and 4 | mean-vectors | skip-thoughts | \
cosine-accuracy {_TABLE_4}
Cosines are above the similarity learned from SICK | 5.1, table 3 | skip-thoughts | \
skip-thoughts | cosine-to-relatedness Iclust-to-relatedness
Titles are above mean vectors | 5.1, table 4 | titles | mean-vectors | {_TABLE_4}
Sentences are above titles | 5.1, table 4 | sen | titles | {_TABLE_4}
Joined vectors are above mean vectors | 5.1, table 4 | {PLAIN} | mean-vectors | {_TABLE_4}
Titles add to sentences | 5.1, table 4 | {PLAIN} | sen | {_TABLE_4}
Sentences add to titles | 5.1, table 4 | {PLAIN} | titles | {_TABLE_4}
Foreign negatives are above mean vectors | table 4 | rand-article | mean-vectors | {_TABLE_4}
Negatives of the same article are above foreign ones | 5.1, table 4 | sen | rand-article | \
{_TABLE_4}
Titles are above foreign negatives | table 4, not said | titles | rand-article | {_TABLE_4}
Joined vectors are above foreign negatives | table 4, not said | {PLAIN} | rand-article | {_TABLE_4}
Negatives of any other section do as well | 5.1 | sen | rand-section | AMI= k-means=
Iclust is above k-means | table 4, not said | sen | sen | Iclust-to-k-means Iclust-to-cosines
Iclust is above k-means on mean vectors | table 4, not said | mean-vectors | mean-vectors | \
Iclust-to-k-means Iclust-to-cosines
k-means with L1 does as well | footnote 4 | sen | sen | L1-to-k-means=
L1 is better than L2 | 4 | sen | L2 | accuracy AMI
L1 is better than cosines | 4 | sen | cosine | accuracy-to-cosine AMI
The ratio loss is above Schroff's | 4 | sen | margin-cosine | accuracy-to-cosine AMI
Triplets are above pairs | 2, of Hoffer & Ailon | sen | siamese | accuracy AMI
SICK: triplets are above mean vectors | 5.2, table 5 | sen | mean-vectors | {_SICK}
SICK: titles are above mean vectors | 5.2, table 5 | titles | mean-vectors | {_SICK}
SICK: joined vectors are above mean vectors | 5.2 | {PLAIN} | mean-vectors | {_SICK}
SICK: sentences are above titles | 5.2, table 5 | sen | titles | {_SICK}
SICK: joined vectors are above sentences, and titles | 5.2, table 5 | {PLAIN} | sen | {_SICK}
SICK: joined vectors are above sentences, and titles | 5.2, table 5 | {PLAIN} | titles | {_SICK}
SICK: skip-thoughts are above mean vectors | table 5, not said | skip-thoughts | mean-vectors | \
{_SICK}
SICK: skip-thoughts are above joined vectors | 5.2, table 5 | skip-thoughts | {PLAIN} | {_SICK}
"""
_OURS = f"""
Cosines of triplets are above a similarity learned from SICK | ours | sen | sen | \
cosine-to-relatedness Iclust-to-relatedness
Triplets are above SIF | ours | sen | sif | accuracy-to-cosine AMI
SICK: joined vectors are above foreign negatives | ours | {PLAIN} | rand-article | {_SICK}
Dropout .2 is above .8 | ours | sen | sen-drop-0.8 | accuracy AMI
Triplets with dropout .8 are above mean vectors | ours | sen-drop-0.8 | mean-vectors | \
accuracy-to-cosine AMI
Titles with dropout .8 are above mean vectors | ours | titles-drop-0.8 | mean-vectors | \
AMI Pearson
Triplets with dropout .8 are above SIF | ours | sen-drop-0.8 | sif | accuracy-to-cosine AMI
The ratio loss is above Schroff's by L1 of both nets | ours | sen | margin-cosine | accuracy
Negatives of the same article are above foreign ones in accuracy | ours | sen | rand-article | \
accuracy
Unit length before joining is above plain joining | ours | sen-titles | {PLAIN} | AMI Pearson
"""


class Effect(NamedTuple):
    """Two rows by a measure of each, and a claim about them: the first is `ABOVE`, or the `SAME`.
    Of errors (MSE) the first is below."""

    claim: str
    section: str
    first: str
    second: str
    measures: tuple[str, str]
    kind: str

    @property
    def sign(self) -> int:
        return -1 if self.measures[0] == "MSE" else 1

    def find_in_paper(self) -> float | None:
        """The difference in the paper's tables; None if they have it not."""
        a, b = map(look_up, (self.first, self.second), self.measures)
        return None if a is None or b is None else a - b


def _read(lines: str) -> tuple[Effect, ...]:
    return tuple(
        Effect(claim, section, first, second, _MEASURES[measure.rstrip("=")],
               SAME if measure.endswith("=") else ABOVE)
        for line in lines.strip().splitlines()
        for claim, section, first, second, measures in [line.split(" | ", 4)]
        for measure in measures.split()
    )  # fmt: skip


def look_up(row: str, measure: str) -> float | None:
    """A figure of the paper, by the names of our tables."""
    name, _, algorithm = measure.partition(", ")
    if measure in CORRELATIONS:
        return dict(zip(CORRELATIONS, RELATEDNESS.get(row, ()))).get(measure)
    if name == "accuracy":
        return DISTANCE.get(row, {}).get(algorithm)
    found = {TITLES[key]: values for key, values in CLUSTERING.get(row, {}).items()}
    # The paper computes a matrix of cosines, and does not say which rows its k-means has.
    values = found.get(algorithm.removesuffix(" on cosines"), ())
    return dict(zip(AGREEMENTS, values)).get(name)


CLAIMS, OURS = _read(_CLAIMS), _read(_OURS)
"""Of the paper, and what we compare besides."""
MAIN_OURS = (
    "Triplets are above SIF", "Dropout .2 is above .8",
    "Titles with dropout .8 are above mean vectors",
)  # fmt: skip
"""Those that stand in FINDINGS.md, too."""


def list_contradictions() -> list[str]:
    """Where the paper says two things, with its numbers."""
    kmeans = {row: values[KMEANS] for row, values in CLUSTERING.items()}
    return [
        "5.1: joined vectors are the best by both algorithms; in table 4 "
        f"their k-means ARI ({kmeans[PLAIN][3]:.3f}) is below that of sentences "
        f"({kmeans['sen'][3]:.3f}), MI and RI equal.",
        "Table 4: foreign negatives are above mean vectors by every measure but k-means RI "
        f"({kmeans['rand-article'][2]:.3f}, {kmeans['mean-vectors'][2]:.3f}).",
        "5.2: table 6 shows triplets-sen-titles; its caption says triplets-sen.",
        f"5.2: a high score of the negated pair, {EXAMPLES['1127'][1]}, speaks for the net; "
        f"its gold score is {EXAMPLES['1127'][0]}, so it is an error.",
        "3: five sections with an opener each give at least 8 triplets of titles an article; "
        f"the paper has {sum(TITLE_TRIPLETS):,} of {ARTICLES:,} articles, "
        f"{sum(TITLE_TRIPLETS) / ARTICLES:.2f}.",
    ]


DIFFERENCES = [
    ("The pivot of a title is the section's first sentence",
     "its first opener that is kept, at times of a later paragraph"),
    ("Dropout .8", "read as the share that is kept: a rate of .2"),
    ("Schroff's loss: margin .2, squared L2 of unit rows",
     "`margin-cosine`: the same, .1 on 1 - cosine"),
    ("k-means after a matrix of cosines is computed",
     "k-means on unit rows; `on cosines`: on the rows of that matrix"),
    ("Not said: updates; scale of the cosine loss, pairs' loss; AMI; starts; ties; k-means "
     "with L1; short sections",
     "as many for each net; 10, .1; over the larger entropy; 20 (on unit rows Iclust and k-means "
     "optimise one objective); half right; medians as centres; left out below three sentences"),
]  # fmt: skip
"""What the paper has, and what we have on any data."""
NOTES = {
    "c2fb138a754fc6e0": "English Wikipedia of 2006 to 2022, sentences of 5 to 50 tokens; vectors "
    "of en_core_web_md 3.7.1 (300 dimensions, 20,000 for 514,157 words), scaled to length 40; 388 "
    "updates a net (two passes), and the best of four steps on 300 dev articles, still rising for "
    "L2 and pairs. GloVe 840B and skip-thoughts were not to be had.",
    "4d2995c33f37a0fa": "English Wikipedia of 2006 to 2022, 1,054 articles for test, sentences of "
    "2 to 273 tokens; vectors of GloVe 6B (100 dimensions, the 120,000 most frequent words); a tie "
    "counts as wrong; 20 starts of Iclust, 10 of k-means.",
}
"""What no score says of the data that those in `results` were measured on, by the key of their
triplets."""

HELD, NOT_HELD, OPEN = "held", "not held", "open"
UNMEASURED = "not measured"


def is_above(low: float, high: float) -> str:
    """The verdict on a difference that is claimed to be above zero, by its interval."""
    return HELD if low > 0 else NOT_HELD if high < 0 else OPEN


def sum_up(verdicts: Sequence[tuple[str, str]], in_full: bool = False) -> str:
    """Verdicts of measures: one if all agree, else, or in full, each with its measures."""
    by_verdict: dict[str, list[str]] = {}
    for measure, verdict in verdicts:
        by_verdict.setdefault(verdict, []).append(measure)
    if len(by_verdict) == 1 and not in_full:
        return next(iter(by_verdict))
    found = sorted(
        by_verdict.items(), key=lambda item: (HELD, NOT_HELD, OPEN, UNMEASURED).index(item[0])
    )
    return "; ".join(f"{verdict} ({'; '.join(names)})" for verdict, names in found)
