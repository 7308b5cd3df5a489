"""The figures and findings of Ein Dor et al. (2018), to stand beside ours.

Rows are known by their names: `mean-vectors`, `skip-thoughts`, `rand-article`, `sen`, `titles` and
`sen-titles` are the paper's. Others are trained as `sen` is, but for one thing:

| row | what differs |
|---|---|
| `siamese` | trained on pairs |
| `margin`, `margin-cosine` | the margin loss, on L1 and on cosines |
| `cosine`, `L2` | the ratio loss on cosines and on L2 |
| `rand-section` | negatives of any other section of the article, not of an adjacent one |
| `capped`, `rand-article-capped` | at most three triplets of an article |
| `sen-drop-0.8` | a dropout rate of 0.8 |
| `sen-titles-plain` | `sen-titles` with vectors that are not scaled before they are joined |

A number after a name, as in `sen-64`, is the size of the net.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

from spacy_thematic.evaluation.protocols import KMEANS
from spacy_thematic.measures import AGREEMENTS
from spacy_thematic.papers.protocol import ICLUST, PAPER

# Table 3: accuracy of the thematic distance comparison. Skip-thoughts by cosine is the paper's
# skip-thoughts-CS, by predicted relatedness its skip-thoughts-SICK; triplets-sen is by L1.
DISTANCE = {
    "mean-vectors": {"cosine": 0.65},
    "skip-thoughts": {"cosine": 0.615, "relatedness": 0.547},
    "sen": {"L1": 0.74},
}

# Table 4: AMI and ARI. That its AMI is over the maximum of the entropies is our inference.
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

HEADINGS = {"ami_max": "paper AMI (max, we infer)", "ari": "paper ARI"}
"""The columns of the paper's figures in table 4."""

# Table 5: SICK.
RELATEDNESS = {
    "mean-vectors": {"pearson": 0.757, "spearman": 0.673, "mse": 0.4557},
    "skip-thoughts": {"pearson": 0.858, "spearman": 0.791, "mse": 0.287},
    "sen": {"pearson": 0.797, "spearman": 0.704, "mse": 0.372},
    "titles": {"pearson": 0.786, "spearman": 0.685, "mse": 0.393},
    "sen-titles": {"pearson": 0.818, "spearman": 0.724, "mse": 0.339},
}

# The paper does not say that it scales the vectors that it joins.
PLAIN, JOINED = "sen-titles-plain", "sen-titles"
CLUSTERING.update({(PLAIN, name): CLUSTERING[JOINED, name] for name in (ICLUST, KMEANS)})
RELATEDNESS[PLAIN] = RELATEDNESS[JOINED]

EXAMPLES = ("1126", "1127")
"""The pairs of SICK's test file that Table 6 of the paper shows: sea turtles."""

NOTES = {
    "3": "The paper's figures are of 222,957 triplets of its own test split, with GloVe 840B "
    "vectors of 300 dimensions and nets trained on 1.78 million triplets.",
    "4": "The paper's figures are of its released benchmark, 692 articles with 67 sentences on "
    "average, with GloVe 840B vectors of 300 dimensions. Its MI and RI are not beside ours: we "
    "could not look them up, nor what base its MI has (ours is in nats). That the paper's AMI is "
    "over the maximum of the entropies (`AMI max`) is our inference, from scikit-learn's default "
    "at that time; `AMI` is over their arithmetic mean, today's default. Its k-means on L1, of a "
    "footnote that we could not look up either, is taken to be k-means with the L1 distance and "
    "medians as centres, on rows as they are. Iclust on predicted relatedness takes as the "
    "similarity of two sentences the score that the regression of table 5 predicts for them, as in "
    "the paper's skip-thoughts-SICK.",
    "5": "The same test pairs as in the paper, whose skip-thoughts were trained on 74 million "
    "sentences of books (Kiros et al. 2015) and whose other vectors are GloVe 840B.",
    "6": "The pairs in the paper are those of the sea turtles; pairs that differ by a negation are "
    "spread evenly over the gold scores of all such pairs, the others over those of all test "
    "pairs. Of a row with several seeds of training, the mean prediction.",
    "negations": "Mean scores of the test pairs that SICK calls a contradiction and that differ by "
    "a negation only: the same words in the same order, but for `not` or `no` in one of the two, "
    "and for articles, `there` and forms of `be`.",
    "trained": "Articles and triplets of the training corpus, and updates of the weights up to the "
    "ones that are kept. A plus joins the encoders of one row, a slash those of its seeds; a "
    "question mark is what the pipeline does not say.",
}

BASELINES = ("random", "tf-idf", "mean-vectors", "sif", "sib", "skip-thoughts")
NETS = (
    "siamese", "rand-article", "rand-section", "sen", "sen-drop-0.8", "rand-article-capped",
    "capped", "titles", "sen-titles", PLAIN, "margin", "margin-cosine", "cosine", "L2",
)  # fmt: skip
ORDER = (*BASELINES, *NETS, "en_thematic_sm", "en_thematic_md", "en_thematic_lg")


def split_size(row: str) -> tuple[str, int | None]:
    """The name of a row, and the size of its net, if the name of a known net ends with one."""
    found = re.fullmatch(r"(.+)-(\d+)", row)
    if row in ORDER or found is None or found[1] not in NETS:
        return row, None
    return found[1], int(found[2])


def find_place(row: str) -> tuple[int, int, int, str]:
    """The key by which rows are sorted: those known by name in their order, then nets of other
    sizes, then the others."""
    name, size = split_size(row)
    if name not in ORDER:
        return 2, 0, 0, row
    return int(size is not None), size or 0, ORDER.index(name), row


class Finding(NamedTuple):
    """That one row is above another.

    Attributes:
        claim: In words.
        first: The row above.
        second: The row below.
        measures: That of the first row, and that of the second.
        source: Who claims it; "us": it is not known to be a claim of the paper.
    """

    claim: str
    first: str
    second: str
    measures: tuple[str, str]
    source: Literal["the paper", "us"] = "the paper"

    def at_size(self, size: int) -> Finding:
        """The same of nets of a size. Baselines have none."""
        first, second = (f"{r}-{size}" if r in NETS else r for r in (self.first, self.second))
        return self._replace(first=first, second=second)


def _both(measure: str) -> tuple[str, str]:
    return measure, measure


_ICLUST, _KMEANS = (f"{AGREEMENTS[PAPER.ami]}, {one.title}" for one in (ICLUST, KMEANS))
_AMI = _both(_ICLUST)
_L1 = _both("accuracy, L1")
_PEARSON = _both("Pearson")
_L1_COSINE = "accuracy, L1", "accuracy, cosine"

_FINDINGS = (
    Finding("Triplets are above skip-thoughts", "sen", "skip-thoughts", _L1_COSINE),
    Finding("Triplets are above skip-thoughts", "sen", "skip-thoughts", _AMI),
    Finding("Triplets are above mean vectors", "sen", "mean-vectors", _L1_COSINE),
    Finding("Triplets are above mean vectors", "sen", "mean-vectors", _AMI),
    Finding("Triplets are above mean vectors", "sen", "mean-vectors", _PEARSON),
    Finding("Titles are above mean vectors", "titles", "mean-vectors", _AMI),
    Finding("Sentences and titles are above mean vectors", "sen-titles", "mean-vectors", _AMI),
    Finding("Triplets are above SIF", "sen", "sif", _L1_COSINE, "us"),
    Finding("Triplets are above SIF", "sen", "sif", _AMI, "us"),
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
    Finding("Negatives of adjacent sections are above those of any other section", "sen",
            "rand-section", _L1, "us"),
    Finding("Negatives of adjacent sections are above those of any other section", "sen",
            "rand-section", _AMI, "us"),
    Finding("The ratio loss is better on L1 than on cosines", "sen", "cosine", _L1_COSINE, "us"),
    Finding("The ratio loss is better on L1 than on cosines", "sen", "cosine", _AMI, "us"),
    Finding("The ratio loss is better on L1 than on L2", "sen", "L2", _L1, "us"),
    Finding("The ratio loss is better on L1 than on L2", "sen", "L2", _AMI, "us"),
    Finding("The ratio loss on L1 is above the margin loss on cosines", "sen", "margin-cosine",
            _L1_COSINE, "us"),
    Finding("The ratio loss on L1 is above the margin loss on cosines", "sen", "margin-cosine",
            _AMI, "us"),
    Finding("All triplets of an article are above three at most", "sen", "capped", _L1, "us"),
    Finding("All triplets of an article are above three at most", "sen", "capped", _AMI, "us"),
    Finding("Of three at most, negatives of the same article are above those of another", "capped",
            "rand-article-capped", _L1, "us"),
    Finding("Of three at most, negatives of the same article are above those of another", "capped",
            "rand-article-capped", _AMI, "us"),
    Finding("Less dropout is above a rate of 0.8", "sen", "sen-drop-0.8", _L1, "us"),
    Finding("Less dropout is above a rate of 0.8", "sen", "sen-drop-0.8", _AMI, "us"),
    Finding("Joined vectors of unit length are above plain ones", JOINED, PLAIN, _AMI, "us"),
    Finding("Joined vectors of unit length are above plain ones", JOINED, PLAIN, _PEARSON, "us"),
    *(
        Finding("Iclust is above k-means", row, row, (_ICLUST, _KMEANS),
                "the paper" if (row, ICLUST) in CLUSTERING else "us")
        for row in ORDER if row != "random"
    ),
)  # fmt: skip


def list_findings(rows: Iterable[str]) -> Iterator[Finding]:
    """The findings that may be looked for in some rows, for nets without a size in their name, then
    for those of each size."""
    yield from _FINDINGS
    for size in sorted({size for _, size in map(split_size, rows) if size is not None}):
        for finding in _FINDINGS:
            if finding.first in NETS:
                yield finding.at_size(size)
