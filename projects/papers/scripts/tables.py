"""Tables 3 to 6 of Ein Dor et al. (2018) and its findings, from the scores of measure.py.

Rows are known by their names: `mean-vectors`, `skip-thoughts`, `rand-article`, `sen`, `titles` and
`sen-titles` are the paper's. Others are trained as `sen` is, but for one thing:

| row | what differs |
|---|---|
| `siamese` | trained on pairs |
| `margin`, `margin-cosine` | the margin loss, on L1 and on cosines |
| `cosine`, `L2` | the ratio loss on cosines and on L2 |
| `rand-section` | negatives of any other section of the article, not of an adjacent one |
| `sen-drop-0.8`, `titles-drop-0.8` | a dropout rate of 0.8 |
| `sen-titles-plain` | `sen-titles` with vectors that are not scaled before they are joined |

A number after a name, as in `sen-64`, is the size of the net; `-long` are nets that were trained
until dev stopped rising. All others had as many passes.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import srsly
from scipy.stats import rankdata
from scipy.stats import t as student
from thinc.api import Config

import claims
from baselines import correlate
from claims import ICLUST_RELATEDNESS, PLAIN, TITLES
from joining import read_records as read_training
from sick import Pair
from spacy_thematic.evaluation import results as evaluation
from spacy_thematic.evaluation.comparison import MIN_DOCUMENTS
from spacy_thematic.evaluation.results import draw, estimate_ratio, render
from spacy_thematic.files import write_bytes, write_json
from spacy_thematic.measures import AGREEMENTS, METRICS
from spacy_thematic.pretrained import find_path
from spacy_thematic.pretrained.paths import CONFIG
from spacy_thematic.pretrained.source import FACTORY

DISTANCE, CLUSTERING, RELATEDNESS = "distance", "clustering", "relatedness"
"""What rows are measured on."""

SCORES, TASKS = Path("scores", "paper"), "tasks.json"
"""Where measure.py keeps scores, and beside them what they were measured on."""

INTRODUCTION = (
    'Protocol "paper": thematic distance by cosine and L1, where a tie counts half; clustering by '
    "Iclust / k-means / k-means on cosines / k-means on L1, with 20 starts each, vectors not "
    "centred, into as many clusters as the article has sections; compared by AMI max (over the "
    "maximum of the entropies, scikit-learn's default when the paper was written). In parentheses "
    "95 per cent intervals by bootstrap over articles (SICK: over pairs); after ± the standard "
    "error over seeds. Rows measured on fewer articles say so."
)

NOTES = {
    "3": "The paper's figures are of 222,957 triplets of its own test split, with GloVe 840B "
    "vectors of 300 dimensions and nets trained on 1.78 million triplets.",
    "4": "The paper's figures are of its released benchmark, 692 articles with 67 sentences on "
    "average, with GloVe 840B vectors of 300 dimensions. MI is in nats: over the paper's rows it "
    "is .46 + 1.60 AMI. That the paper's AMI is over the maximum of the entropies (`AMI max`) is "
    "our inference; `AMI` is over their "
    "arithmetic mean, today's default. On unit rows Iclust and k-means optimise one objective. "
    "k-means on L1 has medians as centres, on rows as they are. Iclust on predicted relatedness "
    "takes as the similarity of two sentences the score that the regression of table 5 predicts "
    "for them, as in the paper's skip-thoughts-SICK.",
    "5": "The same test pairs as in the paper, whose skip-thoughts were trained on 74 million "
    "sentences of books (Kiros et al. 2015) and whose other vectors are GloVe 840B.",
    "6": "Of a row with several seeds of training, the mean prediction.",
    "trained": "Articles and triplets of the training corpus, and updates of the weights up to the "
    "ones that are kept. A plus joins the encoders of one row, a slash those of its seeds; a "
    "question mark is what the pipeline does not say.",
}
HEADINGS = {
    "3": "Table 3: thematic distance, accuracy",
    "4": "Table 4: clustering, against the sections",
    "5": "Table 5: relatedness of sentences (SICK)",
    "6": "Table 6: example pairs of SICK",
}
BASELINES = ("random", "tf-idf", "mean-vectors", "sif", "skip-thoughts")
NETS = (
    "siamese", "rand-article", "rand-section", "sen", "sen-drop-0.8", "titles", "titles-drop-0.8",
    "sen-titles", PLAIN, "margin", "margin-cosine", "cosine", "L2",
)  # fmt: skip
ORDER = (*BASELINES, *NETS, "en_thematic_sm", "en_thematic_md", "en_thematic_lg")
LONG = "long"


def split_size(row: str) -> tuple[str, str]:
    """The name of a row, and the size of its net, or `LONG`, if the name of a known net ends with
    one."""
    found = re.fullmatch(rf"(.+)-(\d+|{LONG})", row)
    if row in ORDER or found is None or found[1] not in NETS:
        return row, ""
    return found[1], found[2]


def name_row(row: str, size: str) -> str:
    """The row of a size, where there are sizes: baselines have none."""
    return f"{row}-{size}" if size and row in NETS else row


def find_place(row: str) -> tuple[int, int, int, str]:
    """The key by which rows are sorted: those known by name in their order, then those that were
    trained for longer, then nets of other sizes, then the others."""
    name, size = split_size(row)
    if name not in ORDER:
        return 2, 0, 0, row
    return int(size.isdigit()), int(size) if size.isdigit() else len(size), ORDER.index(name), row


class Estimate(NamedTuple):
    """A statistic of each seed of training, (seeds,), and on each resample of the n articles,
    (seeds, resamples). `str` has the interval of 95 per cent, if there is more than one article."""

    seeds: np.ndarray
    resampled: np.ndarray
    n: int

    @property
    def value(self) -> float:
        return float(self.seeds.mean())

    @property
    def interval(self) -> list[float]:
        return np.quantile(self.resampled.mean(axis=0), [0.025, 0.975]).tolist()

    @property
    def standard_error(self) -> float | None:
        n = len(self.seeds)
        return float(self.seeds.std(ddof=1) / np.sqrt(n)) if n > 1 else None

    def __str__(self) -> str:
        error = "" if self.standard_error is None else f" ± {self.standard_error:.3f}"
        return f"{self.value:.3f}{error}" + (
            "" if self.n == 1 else " ({:.3f} to {:.3f})".format(*self.interval)
        )

    def to_json(self) -> dict[str, Any]:
        values = {"value": round(self.value, 5), "interval": [round(x, 5) for x in self.interval]}
        if len(self.seeds) > 1:
            values["seeds"] = [round(x, 5) for x in self.seeds.tolist()]
            values["standard error"] = self.standard_error
        return values


class Spread(NamedTuple):
    """The variance of a mean over articles or seeds, and the degrees of freedom that it has."""

    variance: float
    freedom: float


class Difference(NamedTuple):
    """A row less another. The variance is that over articles, by bootstrap, plus those that seeds
    add; the interval is Student's, with the degrees of freedom of Welch and Satterthwaite. `fewest`
    are the seeds of the row that has fewer, of those that are trained; 0 if none is."""

    value: float
    articles: Spread
    seeds: tuple[Spread, ...]
    fewest: int

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        parts = self.articles, *self.seeds
        variance = sum(part.variance for part in parts)
        loss = sum(part.variance**2 / part.freedom for part in parts)
        freedom = variance**2 / loss if loss else np.inf
        half = float(student.ppf(0.5 + level / 2, freedom) * np.sqrt(variance))
        return self.value - half, self.value + half

    def __str__(self) -> str:
        return f"{self.value:+.3f} ± {self.interval()[1] - self.value:.3f}"


CORRELATIONS: dict[str, Callable[[np.ndarray, np.ndarray], float]] = {
    "Pearson": correlate,
    "Spearman": lambda predicted, scores: correlate(rankdata(predicted), rankdata(scores)),
    "MSE": lambda predicted, scores: float(np.mean((predicted - scores) ** 2)),
}
Records = list[dict[str, Any]]


class Results:
    """Estimates from the records that `measure_row` saved below a folder, rows in the paper's
    order. Records of other articles than `keys` has of each task are left out."""

    def __init__(self, folder: Path, keys: Mapping[str, str]):
        self.scores: dict[tuple[str, str], dict[int, Records]] = {}
        for path in sorted(folder.glob("*/*.jsonl")):
            task, _, seed = path.stem.rpartition("-")
            head, records = read_records(path)
            if records and head["key"] == keys.get(task):
                self.scores.setdefault((path.parent.name, task), {})[int(seed)] = records
            elif records and task in keys:
                print(f"Left out, as it has scores on other articles or triplets: {path}")
        self.rows = sorted({row for row, _ in self.scores}, key=find_place)
        self.trained: dict[str, list[dict[str, Any]]] = {}
        for path in sorted(folder.glob("*/trained-*.json")):
            self.trained.setdefault(path.parent.name, []).append(srsly.read_json(path))
        # Other scores, whose rows help to say what seeds do.
        self.others: Sequence[Results] = ()
        # Asked for again and again, for the differences of every two rows.
        self.estimate = cache(self._estimate)
        self.pool_spreads = cache(self._pool_spreads)

    def runs(self, row: str, task: str) -> list[Records]:
        """The records of each seed of training, as many articles of each."""
        runs = self.scores.get((row, task), {}).values()
        shortest = min(map(len, runs), default=0)
        return [run[:shortest] for run in runs]

    def longest(self, task: str) -> Records:
        """The records of the row that has most articles of a task."""
        runs = (run for (_, one), seeds in self.scores.items() if one == task
                for run in seeds.values())  # fmt: skip
        return max(runs, key=len, default=[])

    def _estimate(self, row: str, measure: str, n: int | None = None) -> Estimate | None:
        """A measure of a row on its first n articles, or on all; None if it has none."""
        task = find_task(measure)
        runs = [run[:n] for run in self.runs(row, task)]
        name, _, algorithm = measure.partition(", ")
        if measure in CORRELATIONS:
            return _correlate(runs, measure) if runs else None
        if name == "accuracy":
            found = [
                estimate_ratio([record.get(algorithm, np.nan) for record in run],
                               [record["triplets"] for record in run])
                for run in runs
            ]  # fmt: skip
        else:
            key = next(key for key, title in TITLES.items() if title == algorithm)
            part = next(part for part, heading in AGREEMENTS.items() if heading == name)
            found = [
                estimate_ratio([record.get(key, {}).get(part, np.nan) for record in run])
                for run in runs
            ]
        if not found or np.isnan([one.value for one in found]).any():
            return None
        return _join(found)

    def difference(
        self, first: str, second: str, measure: str, other: str = ""
    ) -> Difference | None:
        """The first row less the second, on the articles that both were measured on, if there are
        two."""
        pairs = (first, measure), (second, other or measure)
        n = min(
            (len(run) for row, one in pairs for run in self.runs(row, find_task(one))[:1]),
            default=0,
        )
        a, b = (self.estimate(row, one, n) for row, one in pairs)
        if a is None or b is None or min(a.n, b.n) < 2:
            return None
        resampled = a.resampled.mean(axis=0) - b.resampled.mean(axis=0)
        trained = [(row, one, found) for (row, one), found in zip(pairs, (a, b)) if is_trained(row)]
        seeds = [set(self.scores[row, find_task(one)]) for row, one, _ in trained]
        if len(seeds) == 2 and seeds[0] == seeds[1] and len(seeds[0]) > 1:
            spreads = [_seed_spread(a.seeds - b.seeds)]
        elif trained and first == second:
            spreads = [self.pool_spreads(measure, other)]
        else:
            # Of a row of one seed, what rows of several have on average.
            spreads = [
                _seed_spread(found.seeds) if len(found.seeds) > 1 else self.pool_spreads(one, "")
                for _, one, found in trained
            ]
        return Difference(
            a.value - b.value,
            Spread(float(resampled.var(ddof=1)), min(a.n, b.n) - 1),
            tuple(spread for spread in spreads if spread is not None),
            min(map(len, seeds), default=0),
        )

    def _pool_spreads(self, measure: str, other: str) -> Spread | None:
        """The mean variance over seeds of the rows that have several, of a measure, or of one less
        another; None without such rows."""
        values = []
        for results in (self, *self.others):
            for row in filter(is_trained, results.rows):
                found = [results.estimate(row, one) for one in (measure, other) if one]
                if all(one is not None and len(one.seeds) > 1 for one in found):
                    values.append(found[0].seeds - (found[1].seeds if other else 0))
        freedom = sum(len(seeds) - 1 for seeds in values)
        squares = sum(((seeds - seeds.mean()) ** 2).sum() for seeds in values)
        return Spread(float(squares / freedom), freedom) if freedom else None

    def speed(self, row: str) -> float | None:
        """Sentences encoded per CPU second."""
        records = [
            r for task in (DISTANCE, CLUSTERING) for run in self.runs(row, task) for r in run
        ]
        seconds = sum(record["seconds"] for record in records)
        return sum(record["sentences"] for record in records) / seconds if seconds > 0 else None


def is_trained(row: str) -> bool:
    """Whether another seed would change a row."""
    return split_size(row)[0] in NETS


def _seed_spread(seeds: np.ndarray) -> Spread:
    return Spread(float(seeds.var(ddof=1) / len(seeds)), len(seeds) - 1)


def find_task(measure: str) -> str:
    """What a measure is taken on."""
    if measure in CORRELATIONS:
        return RELATEDNESS
    return DISTANCE if measure.startswith("accuracy") else CLUSTERING


def _join(seeds: Sequence[evaluation.Estimate]) -> Estimate:
    """The estimates of the seeds of training, on the same articles."""
    values = np.array([seed.value for seed in seeds])
    return Estimate(values, np.array([seed.resampled for seed in seeds]), seeds[0].n)


def _correlate(runs: Sequence[Records], measure: str) -> Estimate:
    truth = np.array(runs[0][0]["scores"])
    rows = [np.array(run[0]["predicted"]) for run in runs]
    values = np.array([CORRELATIONS[measure](row, truth) for row in rows])
    if measure == "Spearman":
        truth, *rows = map(rankdata, (truth, *rows))
    resampled = [_resample(row, truth, measure) for row in rows]
    return Estimate(values, np.array(resampled), len(truth))


@cache
def _count_drawn(n: int) -> np.ndarray:
    """How often each of n pairs is in each resample, as shares of it, (resamples, n)."""
    return np.stack([np.bincount(some, minlength=n) for some in draw(n, resamples=1000)]) / n


def _resample(x: np.ndarray, y: np.ndarray, measure: str) -> np.ndarray:
    """The mean squared error, or the correlation, on each resample of pairs, (resamples,)."""
    share = _count_drawn(len(x))
    if measure == "MSE":
        return share @ (x - y) ** 2
    x, y = x - x.mean(), y - y.mean()
    a, b, aa, bb, ab = (share @ np.stack([x, y, x * x, y * y, x * y], axis=1)).T
    product = np.maximum((aa - a * a) * (bb - b * b), 0)
    return np.where(product > 0, (ab - a * b) / np.sqrt(np.maximum(product, 1e-300)), 0)


def read_records(path: Path) -> tuple[dict[str, Any], Records]:
    """The head of a file of scores and its whole records; both empty if there is none."""
    lines = path.read_text("utf8").splitlines(keepends=True) if path.exists() else []
    try:
        found = [json.loads(line) for line in lines if line.endswith("\n")]
    except ValueError as error:
        raise ValueError(f"{path} is damaged ({error}): remove it to measure again.") from error
    return (found[0], found[1:]) if found else ({}, [])


def write_tables(out: Path, results: Results, pairs: Sequence[Pair], introduction: str) -> None:
    """Write tables.md and tables.json, with an introduction that says what they were measured on,
    and SICK's test pairs for table 6."""
    made = make_tables(results, pairs)
    write_bytes(out / "tables.md", to_markdown(made, introduction).encode())
    write_json(out / "tables.json", {"data": introduction, **_to_json(made)})


def make_tables(results: Results, pairs: Sequence[Pair] = ()) -> dict[str, Any]:
    """The tables, each as a list of dicts from column to value; the findings and whether they hold;
    and the differences between every two rows."""
    seen = [row for row in results.rows if may_have_seen(results.trained.get(row, ()))]
    compared = [f"accuracy, {metric}" for metric in METRICS]
    compared += [f"AMI max, {TITLES[name]}" for name in TITLES if name != ICLUST_RELATEDNESS]
    return {
        "tables": {
            "3": list(_distance_table(results)),
            "4": list(_clustering_table(results)),
            "5": list(_relatedness_table(results)),
            "6": _example_table(results, pairs),
        },
        "trained": list(_training_table(results)),
        "may have seen": seen,
        "few": warn_of_few(results),
        "differences": [
            {"first": a, "second": b, "measure": measure, "value": round(found.value, 5),
             "interval": [round(x, 5) for x in found.interval()]}
            for measure in (*compared, "Pearson")
            for a, b in combinations(results.rows, 2)
            if (found := results.difference(a, b, measure)) is not None
        ],
    }  # fmt: skip


def _distance_table(results: Results) -> Iterator[dict[str, Any]]:
    for row in results.rows:
        if runs := results.runs(row, DISTANCE):
            metrics = (*METRICS, RELATEDNESS)
            figures = claims.DISTANCE.get(row, {}).items()
            speed = results.speed(row)
            yield {
                "row": row,
                **{metric: results.estimate(row, f"accuracy, {metric}") for metric in metrics},
                "sentences per CPU s": None if speed is None else round(speed),
                "articles": len(runs[0]),
                "paper": " ".join(f"{value} ({metric})" for metric, value in figures) or None,
            }


def _clustering_table(results: Results) -> Iterator[dict[str, Any]]:
    for algorithm, title in TITLES.items():
        for row in results.rows:
            found = {m: results.estimate(row, f"{m}, {title}") for m in AGREEMENTS.values()}
            if found["AMI max"] is not None:
                # Intervals of all five measures would not fit on a page.
                short = {m: e if m == "AMI max" else e and e.value for m, e in found.items()}
                figures = claims.CLUSTERING.get(row, {}).get(algorithm, ())
                yield {
                    "row": row,
                    "algorithm": title,
                    **short,
                    "articles": len(results.runs(row, CLUSTERING)[0]),
                    "paper: MI / AMI / RI / ARI": " / ".join(map(str, figures)) or None,
                }


def _relatedness_table(results: Results) -> Iterator[dict[str, Any]]:
    for row in results.rows:
        if results.runs(row, RELATEDNESS):
            figures = claims.RELATEDNESS.get(row, (None, None, None))
            yield {
                "row": row,
                **{name: results.estimate(row, name) for name in CORRELATIONS},
                **{f"paper {name}": figure for name, figure in zip(CORRELATIONS, figures)},
            }


def _example_table(results: Results, pairs: Sequence[Pair]) -> list[dict[str, Any]]:
    """The pairs that the paper shows, with the mean prediction of each row."""
    runs = {row: results.runs(row, RELATEDNESS) for row in results.rows if row != "random"}
    return [
        {
            "pair": pair.number,
            "first": pair.first,
            "second": pair.second,
            "gold": pair.score,
            **{row: float(np.mean([run[0]["predicted"][place] for run in some]))
               for row, some in runs.items() if some},
        }
        for place, pair in enumerate(pairs) if pair.number in claims.EXAMPLES
    ]  # fmt: skip


def describe_pipeline(name: str) -> dict[str, Any]:
    """What is known of the training of a pipeline, without loading it: "bundled", whether it is one
    of this package's trained models or holds one, and of each of its "encoders" net, articles,
    triplets, updates, hidden width, dropout and seed."""
    path, ours = find_path(name), r"en_thematic_(sm|md|lg)\b"
    if path.name != CONFIG:
        return {"bundled": bool(re.fullmatch(ours, path.stem)), "encoders": []}
    config = Config().from_disk(path, interpolate=True)
    meta = srsly.read_json(path.with_name("meta.json"))
    components = config["components"].values()
    embedder: dict = next((c for c in components if c.get("factory") == FACTORY), {})
    model, records = embedder.get("model") or {}, read_training(meta)
    names = [f"{meta['lang']}_{meta['name']}", model or embedder.get("pretrained"), records]
    joined = model.get("@architectures") == "spacy-thematic.Concatenate.v1"
    blocks = list(model["*"].values()) if joined else [model]
    records = records if len(records) == len(blocks) else [{}] * len(blocks)
    return {
        "bundled": bool(re.search(ours, json.dumps(names))),
        "encoders": [
            {
                "net": ([*block.get("@architectures", "").split("."), None])[1],
                "hidden width": block.get("hidden_width"),
                "dropout": block.get("dropout"),
                **record,
            }
            for block, record in zip(blocks, records)
        ],
    }


def may_have_seen(pipelines: Iterable[Mapping[str, Any]]) -> bool:
    """Whether a row may have been trained on the articles that it is measured on, as the bundled
    models were."""
    return any(pipeline["bundled"] for pipeline in pipelines)


def _training_table(results: Results) -> Iterator[dict[str, Any]]:
    """A line for each row that is a pipeline. Joined encoders stand with a plus between them; other
    seeds follow if they differ."""

    def merge(seeds: Sequence[Sequence[dict[str, Any]]], name: str, separator: str) -> str:
        values = [[encoder.get(name) for encoder in encoders] for encoders in seeds]
        shown = [" + ".join("?" if v is None else f"{v:,}" if isinstance(v, int) else str(v)
                            for v in some) for some in values]  # fmt: skip
        return separator.join(dict.fromkeys(shown))

    columns = ("net", "articles", "triplets", "updates", "hidden width", "dropout")
    for row in results.rows:
        pipelines = results.trained.get(row, [])
        if found := [pipeline["encoders"] for pipeline in pipelines if pipeline["encoders"]]:
            line = {name: merge(found, name, " / ") for name in columns}
            yield {"row": row, **line, "seeds": merge(found, "seed", ", ")}
        elif pipelines:
            kind = "bundled model" if may_have_seen(pipelines) else "model file"
            yield {"row": row, "net": kind}


def _to_json(value: Any) -> Any:
    if isinstance(value, Estimate):
        return value.to_json()
    if isinstance(value, dict):
        return {key: _to_json(item) for key, item in value.items() if item is not None}
    return [_to_json(item) for item in value] if isinstance(value, list) else value


def to_markdown(made: dict[str, Any], introduction: str) -> str:
    """All tables as Markdown. A star marks rows that may have seen the articles."""
    seen, mark = set(made["may have seen"]), "(\\*)"

    def star(table: list[dict[str, Any]]) -> str:
        return render(
            [{**e, "row": f"{e['row']} {mark}"} if e["row"] in seen else e for e in table]
        )

    parts = [introduction, *filter(None, [made["few"]])]
    for number, table in made["tables"].items():
        if table:
            # Tables 5 and 6 are measured on SICK.
            shown = star(table) if number in "34" else render(table)
            parts += [f"## {HEADINGS[number]}", shown, NOTES[number]]
    if made["trained"]:
        parts += ["## What the rows were trained on", star(made["trained"]), NOTES["trained"]]
    if seen:
        parts.append(
            f"{mark} A bundled model, or built on one: trained on Wikipedia, it may have seen the "
            "articles that it is measured on."
        )
    return "\n\n".join(parts) + "\n"


def warn_of_few(results: Results) -> str:
    """A warning, if a row was measured on too few articles to say which is better."""
    runs = (run for task in (DISTANCE, CLUSTERING) for row in results.rows
            for run in results.runs(row, task))  # fmt: skip
    fewest = min(map(len, runs), default=MIN_DOCUMENTS)
    if fewest >= MIN_DOCUMENTS:
        return ""
    return f"**Too few to say what holds**: some rows were measured on {fewest} articles only."
