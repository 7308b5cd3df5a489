"""The figures and findings of Ein Dor et al. (2018), to stand beside ours.

Rows are known by their names: `mean-vectors`, `skip-thoughts`, `rand-article`, `sen`, `titles` and
`sen-titles` are the paper's; `siamese` is the net of `sen` trained on pairs, `margin` that trained
with the margin loss on L1.
"""

from __future__ import annotations

from typing import NamedTuple

from spacy_thematic.evaluation.protocols import ALGORITHMS, ICLUST, KMEANS, PAPER
from spacy_thematic.measures import AGREEMENTS

# Table 3: accuracy of the thematic distance comparison. Skip-thoughts by cosine is the paper's
# skip-thoughts-CS, by predicted relatedness its skip-thoughts-SICK; triplets-sen is by L1.
DISTANCE = {
    "mean-vectors": {"cosine": 0.65},
    "skip-thoughts": {"cosine": 0.615, "relatedness": 0.547},
    "sen": {"L1": 0.74},
}

# Table 4: AMI, with the maximum of the entropies, and ARI.
CLUSTERING = {
    ("mean-vectors", ICLUST): {"ami_max": 0.222, "ari": 0.154},
    ("skip-thoughts", ICLUST): {"ami_max": 0.125, "ari": 0.087},
    ("rand-article", ICLUST): {"ami_max": 0.266, "ari": 0.192},
    ("sen", ICLUST): {"ami_max": 0.296, "ari": 0.224},
    ("titles", ICLUST): {"ami_max": 0.273, "ari": 0.206},
    ("sen-titles", ICLUST): {"ami_max": 0.303, "ari": 0.230},
    ("mean-vectors", KMEANS): {"ami_max": 0.153, "ari": 0.103},
    ("skip-thoughts", KMEANS): {"ami_max": 0.099, "ari": 0.067},
    ("rand-article", KMEANS): {"ami_max": 0.205, "ari": 0.145},
    ("sen", KMEANS): {"ami_max": 0.257, "ari": 0.195},
    ("titles", KMEANS): {"ami_max": 0.231, "ari": 0.172},
    ("sen-titles", KMEANS): {"ami_max": 0.258, "ari": 0.194},
}

# Table 5: SICK.
RELATEDNESS = {
    "mean-vectors": {"pearson": 0.757, "spearman": 0.673, "mse": 0.4557},
    "skip-thoughts": {"pearson": 0.858, "spearman": 0.791, "mse": 0.287},
    "sen": {"pearson": 0.797, "spearman": 0.704, "mse": 0.372},
    "titles": {"pearson": 0.786, "spearman": 0.685, "mse": 0.393},
    "sen-titles": {"pearson": 0.818, "spearman": 0.724, "mse": 0.339},
}

NOTES = {
    "3": "The paper's figures are of 222,957 triplets of its own test split, with GloVe 840B "
    "vectors of 300 dimensions and nets trained on 1.78 million triplets.",
    "4": "The paper's figures are of its released benchmark, 692 articles with 67 sentences on "
    "average, with GloVe 840B vectors of 300 dimensions; its MI and RI are not repeated here. It "
    "computed AMI with the maximum of the entropies, scikit-learn's default at that time (`AMI "
    "max`); `AMI` is with their arithmetic mean, today's default.",
    "5": "The same test pairs as in the paper, whose skip-thoughts were trained on 74 million "
    "sentences of books (Kiros et al. 2015) and whose other vectors are GloVe 840B.",
    "6": "The paper shows pairs of its own choice; these are spread evenly over the gold scores.",
}

ORDER = (
    "random", "tf-idf", "mean-vectors", "sif", "sib", "skip-thoughts", "siamese", "rand-article",
    "sen", "titles", "sen-titles", "margin", "en_thematic_sm", "en_thematic_md",
)  # fmt: skip


def find_place(row: str) -> tuple[int, str]:
    """The key by which rows are sorted: those of the paper in its order, then the others."""
    return (ORDER.index(row) if row in ORDER else len(ORDER), row)


class Finding(NamedTuple):
    """That one row is above another.

    Attributes:
        claim: In words.
        first: The row above.
        second: The row below.
        measures: That of the first row, and that of the second.
    """

    claim: str
    first: str
    second: str
    measures: tuple[str, str]


def _both(measure: str) -> tuple[str, str]:
    return measure, measure


_ICLUST, _KMEANS = (f"{AGREEMENTS[PAPER.ami]}, {ALGORITHMS[name]}" for name in (ICLUST, KMEANS))
_AMI = _both(_ICLUST)
_L1 = _both("accuracy, L1")
_PEARSON = _both("Pearson")

FINDINGS = (
    Finding("Triplets are above skip-thoughts", "sen", "skip-thoughts",
            ("accuracy, L1", "accuracy, cosine")),
    Finding("Triplets are above skip-thoughts", "sen", "skip-thoughts", _AMI),
    Finding("Triplets are above mean vectors", "sen", "mean-vectors",
            ("accuracy, L1", "accuracy, cosine")),
    Finding("Triplets are above mean vectors", "sen", "mean-vectors", _AMI),
    Finding("Triplets are above mean vectors", "sen", "mean-vectors", _PEARSON),
    Finding("Titles add to sentences", "sen-titles", "sen", _AMI),
    Finding("Titles add to sentences", "sen-titles", "sen", _PEARSON),
    Finding("Sentences add to titles", "sen-titles", "titles", _AMI),
    Finding("Negatives of the same article are above those of another", "sen", "rand-article", _L1),
    Finding("Negatives of the same article are above those of another", "sen", "rand-article",
            _AMI),
    Finding("Triplets are above pairs", "sen", "siamese", _L1),
    Finding("Triplets are above pairs", "sen", "siamese", _AMI),
    Finding("The ratio loss on L1 is above the margin loss", "sen", "margin", _L1),
    Finding("The ratio loss on L1 is above the margin loss", "sen", "margin", _AMI),
    *(
        Finding("Iclust is above k-means", row, row, (_ICLUST, _KMEANS))
        for row in ORDER
    ),
)  # fmt: skip
