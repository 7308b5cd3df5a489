"""What the two papers say: their tables, what they claim, where they contradict themselves, and
what we do otherwise; and the verdicts on claims.

Ein Dor et al. (2018), "Learning Thematic Similarity Metric from Article Sections Using Triplet
Networks", is the text paper; Zamorski & Zieba (2019), "Semi-supervised learning with Bidirectional
GANs", is the image paper. Rows of the text paper are known by their names (see `tables.py`).
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

# The image paper's tables 1 to 8, by set, measure, and what varies: m at the most labels (500 of
# CIFAR10, 200 of SVHN), or n at m = 64. Triplet, BiGAN, Triplet BiGAN; accuracies as shares.
MODELS = ("Triplet", "BiGAN", "Triplet BiGAN")
ACCURACY, MAP = "accuracy", "mAP"
IMAGES: dict[tuple[str, str, str], dict[int, tuple[float, float, float]]] = {
    ("CIFAR10", ACCURACY, "m"): {
        16: (0.4442, 0.4130, 0.6108), 32: (0.4556, 0.4381, 0.6240),
        64: (0.5232, 0.4850, 0.6314), 128: (0.4615, 0.4913, 0.5392),
    },
    ("SVHN", ACCURACY, "m"): {
        16: (0.6612, 0.4465, 0.7143), 32: (0.6996, 0.5380, 0.7565),
        64: (0.7111, 0.6235, 0.7912), 256: (0.7154, 0.1748, 0.7886),
    },
    ("CIFAR10", ACCURACY, "n"): {
        100: (0.2880, 0.4273, 0.5315), 200: (0.3481, 0.4506, 0.5202),
        400: (0.4012, 0.4767, 0.5745), 500: (0.5232, 0.4130, 0.6314),
    },
    ("SVHN", ACCURACY, "n"): {
        100: (0.6648, 0.6116, 0.7240), 200: (0.7111, 0.6235, 0.7912), 400: (0.7376, 0.5894, 0.8221),
    },
    ("CIFAR10", MAP, "m"): {
        16: (0.4993, 0.1458, 0.6292), 32: (0.5134, 0.1433, 0.6457),
        64: (0.5235, 0.1634, 0.6528), 128: (0.5197, 0.1620, 0.3748),
    },
    ("SVHN", MAP, "m"): {
        16: (0.6855, 0.1492, 0.7201), 32: (0.7224, 0.1582, 0.7633),
        64: (0.7474, 0.1748, 0.8002), 256: (0.6989, 0.1633, 0.7931),
    },
    ("CIFAR10", MAP, "n"): {
        100: (0.3732, 0.1681, 0.5628), 200: (0.4027, 0.1666, 0.5487),
        400: (0.4778, 0.1645, 0.5966), 500: (0.5235, 0.1634, 0.6528),
    },
    ("SVHN", MAP, "n"): {
        100: (0.6323, 0.1737, 0.7300), 200: (0.7474, 0.1748, 0.8002), 400: (0.7490, 0.1655, 0.8198),
    },
}  # fmt: skip

ABOVE, SAME = "above", "same"
MARGIN = 0.015
"""Two rows are the same if the 90 per cent interval of their difference is within this: half of
what table 4 has between `sen` and `rand-article`, which the text paper calls inferior."""

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
    """A figure of the text paper, by the names of our tables."""
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
"""Of the text paper, and what we compare besides."""
MAIN_OURS = (
    "Triplets are above SIF", "Dropout .2 is above .8",
    "Titles with dropout .8 are above mean vectors",
)  # fmt: skip
"""Those that stand in FINDINGS.md, too."""


class ImageClaim(NamedTuple):
    """Two rows of the image paper; or one, by m or n, at two of its values."""

    claim: str
    section: str
    first: str
    second: str
    measures: tuple[str, ...]


IMAGE_CLAIMS = (
    ImageClaim("Triplet BiGAN is above Triplet", "4.1, tables 1 to 8", MODELS[2], MODELS[0],
               (ACCURACY, MAP)),
    ImageClaim("Triplet BiGAN is above BiGAN", "4.1, tables 1 to 8", MODELS[2], MODELS[1],
               (ACCURACY, MAP)),
    ImageClaim("Triplet is above BiGAN in retrieval", "4.1, tables 5 to 8", MODELS[0], MODELS[1],
               (MAP,)),
    ImageClaim("Triplet is above BiGAN, on CIFAR10 only with n = 500 and m below 128",
               "tables 1 to 4, not said", MODELS[0], MODELS[1], (ACCURACY,)),
)  # fmt: skip
IMAGE_ENDS = {
    "m": ("Triplet BiGAN: the largest m is above the smallest, on SVHN only",
          "tables 1, 2, 5, 6, not said"),
    "n": ("Triplet BiGAN: the largest n is above the smallest", "tables 3, 4, 7, 8, not said"),
}  # fmt: skip
"""By what varies: a claim, and where it is seen."""
GAIN = 0.05, 0.15
"""In mAP, of Triplet BiGAN over Triplet (section 4.1)."""
NEAR_CHANCE = 0.2
"""Near the mAP of a random order of ten classes, .1 (section 4.1): the paper's BiGAN has up to
.175."""


def compare_ends(measure: str, kind: str) -> dict[str, float]:
    """By set, what Triplet BiGAN has more with the largest m, or n, than with the smallest."""
    return {
        images: table[max(table)][2] - table[min(table)][2]
        for (images, one, varied), table in IMAGES.items()
        if (one, varied) == (measure, kind)
    }


def gains_in_map() -> list[float]:
    """Triplet BiGAN less Triplet in mAP, of each different cell of tables 5 to 8."""
    cells = {
        (images, *((64, key) if kind == "n" else (key, {"CIFAR10": 500, "SVHN": 200}[images]))): row
        for (images, measure, kind), table in IMAGES.items()
        for key, row in table.items()
        if measure == MAP
    }
    return [row[2] - row[0] for row in cells.values()]


def list_contradictions() -> list[str]:
    """Where the papers say two things, with their numbers."""
    kmeans = {row: values[KMEANS] for row, values in CLUSTERING.items()}
    gains = sorted(gains_in_map())
    within = sum(GAIN[0] <= gain <= GAIN[1] for gain in gains)
    by_n, by_m = (IMAGES["CIFAR10", ACCURACY, kind] for kind in "nm")
    svhn = IMAGES["SVHN", ACCURACY, "m"]
    return [
        "Text, 5.1: joined vectors are the best by both algorithms; in table 4 "
        f"their k-means ARI ({kmeans[PLAIN][3]:.3f}) is below that of sentences "
        f"({kmeans['sen'][3]:.3f}), MI and RI equal.",
        "Text, table 4: foreign negatives are above mean vectors by every measure but k-means RI "
        f"({kmeans['rand-article'][2]:.3f}, {kmeans['mean-vectors'][2]:.3f}).",
        "Text, 5.2: table 6 shows triplets-sen-titles; its caption says triplets-sen.",
        f"Text, 5.2: a high score of the negated pair, {EXAMPLES['1127'][1]}, speaks for the net; "
        f"its gold score is {EXAMPLES['1127'][0]}, so it is an error.",
        "Text, 3: five sections with an opener each give at least 8 triplets of titles an article; "
        f"the paper has {sum(TITLE_TRIPLETS):,} of {ARTICLES:,} articles, "
        f"{sum(TITLE_TRIPLETS) / ARTICLES:.2f}.",
        "Image, 3: p_T is called the triplet loss of equation 7; it is the probability of "
        "equation 6.",
        "Image, 3: E descends L_EG + L_T, in equation 8 L_EG + lambda L_T; lambda has no value.",
        "Image, algorithm 1 descends L_D and L_EG, which equations 2 to 5 ascend, and adds L_T, "
        "which has to be descended.",
        f"Image, table 3: BiGAN at n = 500, m = 64 has {by_n[500][1]:.4f}, the value of m = 16 in "
        f"table 1, which has {by_m[64][1]:.4f} for m = 64.",
        f"Image, table 2: BiGAN at m = 256 has {svhn[256][1]:.4f}, far below m = 16 "
        f"({svhn[16][1]:.4f}): its mAP at m = 64 in table 6.",
        f"Image, 4.1: a gain of .05 to .15 in mAP in all but one experiment; tables 5 to 8 have "
        f"{gains[1]:.3f} to {gains[-1]:.3f}, {len(gains) - within - 1} of {len(gains)} outside "
        f"besides the one ({gains[0]:.3f}).",
        "Image, 4.1: in the ideal order images of the same class are first, and last again; the "
        "caption of table 4, which varies n, explains m.",
        "Image, 4: E has seven convolutions, but z is drawn after the penultimate; here, as in "
        "ALI, after the last.",
        "Image, 4: models have 300 labels a class, too; no table does.",
        "Image, 4.1: each m has 500 labels a class; the captions of tables 2 and 6 say 200.",
    ]  # fmt: skip


DIFFERENCES = [
    ("Text: the pivot of a title is the section's first sentence",
     "its first opener that is kept, at times of a later paragraph"),
    ("Text: dropout .8", "read as the share that is kept: a rate of .2"),
    ("Text: Schroff's loss: margin .2, squared L2 of unit rows",
     "`margin-cosine`: the same, .1 on 1 - cosine"),
    ("Text: k-means after a matrix of cosines is computed",
     "k-means on unit rows; `on cosines`: on the rows of that matrix"),
    ("Text, not said: updates; scale of the cosine loss, pairs' loss; AMI; starts; ties; k-means "
     "with L1; short sections",
     "as many for each net; 10, .1; over the larger entropy; 20 (on unit rows Iclust and k-means "
     "optimise one objective); half right; medians as centres; left out below three sentences"),
]  # fmt: skip
"""What the text paper has, and what we have on any data."""
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

IMAGE_DIFFERENCES = [
    ("Image: CIFAR10, SVHN, 32 x 32, n = 100 to 500",
     "scikit-learn's digits, 8 x 8, n = 10 to 100; 5,000 of MNIST, 32 x 32, n = 100"),
    ("Image, not said: steps of Triplet",
     "the best of every 500 to 6,000 on held-out items, as of no other row"),
    ("Image: ALI's nets and schedules", "[smaller, shorter]({pictures})"),
]  # fmt: skip
"""What the image paper has, and the committed rows of images."""

IMAGE_OURS = (
    ImageClaim("The game helps after pretraining", "ours", MODELS[2],
               "BiGAN, then triplets alone", (ACCURACY, MAP)),
)  # fmt: skip
IMAGE_OPEN = (
    "Triplets separate classes of training items, not of test items, and BiGAN neither (figure "
    "3): on digits triplets separate both, BiGAN neither ([pictures]({pictures})). Open: Triplet "
    "BiGAN is below Triplet GAN (not trained), and finds frogs where Triplet fails (figure 2); all "
    "claims on CIFAR10 and SVHN, which were not to be had."
)
"""Of the committed rows of images: what no number says."""


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


def count_up(verdicts: Sequence[str]) -> str:
    """One verdict if all agree, else how many of each."""
    if not verdicts:
        return UNMEASURED
    if len(set(verdicts)) == 1:
        return verdicts[0]
    counts = [(verdicts.count(kind), kind) for kind in (HELD, OPEN, NOT_HELD)]
    return ", ".join(f"{n} {kind}" for n, kind in counts if n)
