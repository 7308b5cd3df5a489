"""The model file that en_thematic_sm starts from: public tables, mixed and reduced to its width.

python scripts/start_sm.py CONFIG CORPUS OUT
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
import spacy
import typer
from scipy.sparse import csr_matrix
from spacy.cli._util import parse_config_overrides
from spacy.strings import get_string_id
from spacy.util import load_config

from corpus_words import count_words, find_rows
from spacy_thematic.models.vector_tables import load_word_vectors
from spacy_thematic.models.word_tables import FEATURES, hash_subwords
from spacy_thematic.packages import resolve_path
from spacy_thematic.pretrained.architecture import build_architecture
from spacy_thematic.pretrained.model_file import write_model_file
from spacy_thematic.pretrained.state import take_state
from spacy_thematic.triplets.compiled import CompiledCorpus, open_compiled

SMOOTHING = 1e-3
FIRST_RARE_WORD = 3000
NOISE = 0.3
NORMS = (0.5, 0.4)  # of rows of whole words, and of prefixes and suffixes
UNKNOWN_WEIGHT = 0.0  # the logarithm of the weight of a word without a row

app = typer.Typer()


@app.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
def main(
    ctx: typer.Context,
    config: Path = typer.Argument(..., help="configs/start_sm.cfg"),
    corpus: Path = typer.Argument(..., help="Training split of a corpus: CORPUS/train"),
    out: Path = typer.Argument(..., help="Model file to write"),
):
    """Mix the tables twice, by other scales, add rows of subwords, and fold both into one."""
    settings = load_config(config, overrides=parse_config_overrides(ctx.args), interpolate=True)
    start, embed = settings["start"], settings["model"]["embed"]
    width, n_subwords = embed["width"], embed["unknown_rows"]
    compiled = open_compiled(corpus, spacy.blank("en").vocab)
    words, counts = count_words(compiled)
    words, counts = words[: start["n_words"]], counts[: start["n_words"]]
    shares = counts / counts.sum()
    tables = {
        name: _prepare(table, words, shares)
        for name, table in start["tables"].items()
        if table["path"]
    }
    weights = np.append(SMOOTHING / (SMOOTHING + shares), np.ones(n_subwords))
    rng = np.random.default_rng(settings["system"]["seed"])
    mixtures = []
    for number, mixture in enumerate(start["mixtures"].values()):
        scaled = [rows * start["tables"][name]["scales"][number] for name, rows in tables.items()]
        rows = reduce(np.concatenate(scaled, axis=1), shares, width, mixture["soften"])
        subwords = make_subwords(rows, words, n_subwords, rng)
        mixtures.append((np.concatenate([rows, subwords]) * weights[:, None], mixture["weight"]))
    n_rows = len(words) + n_subwords
    sample = sample_sentences(compiled, words, n_subwords, start["n_sentences"], rng, n_rows)
    _write(out, settings["model"], words, fold(mixtures, sample, width))


def _write(path: Path, architecture: dict, words: list[str], table: np.ndarray) -> None:
    """A weighted mean of unit rows with their lengths as weights. The model takes the mean of the
    rows of an unknown word's parts, with weight 1; in the table they are to be summed."""
    n_words = len(words)
    keys = np.array([get_string_id(word) for word in words], dtype="uint64")
    order = np.argsort(keys)
    lengths = np.maximum(np.linalg.norm(table[:n_words], axis=1, keepdims=True), 1e-9)
    model = build_architecture(architecture)
    embed, word_weights = model.layers
    embed.attrs["keys"] = word_weights.attrs["keys"] = keys[order]
    rows = np.concatenate([(table[:n_words] / lengths)[order], table[n_words:] * FEATURES])
    embed.set_param("E", rows.astype("f"))
    log_weights = np.append(np.log(lengths)[order], [[UNKNOWN_WEIGHT]], axis=0)
    word_weights.set_param("E", log_weights.astype("f"))
    model.initialize()
    write_model_file(path, "en", architecture, take_state(model), exact=True)


def sample_sentences(
    corpus: CompiledCorpus,
    words: list[str],
    n_subwords: int,
    n_sentences: int,
    rng: np.random.Generator,
    n_rows: int,
) -> csr_matrix:
    """How often each row of a table is in each of some random sentences, (sentences, rows)."""
    rows = np.sort(rng.permutation(corpus.n_rows)[:n_sentences])
    forms, _, lengths = corpus.read_rows(rows)
    parts, sizes = find_rows(words, [form.lower() for form in corpus.forms], n_subwords)
    starts = np.cumsum(sizes) - sizes
    taken = sizes[forms]
    index = np.repeat(starts[forms] - (np.cumsum(taken) - taken), taken) + np.arange(taken.sum())
    sentences = np.repeat(np.repeat(np.arange(len(rows)), lengths), taken)
    ones = np.ones(len(index), "f")
    return csr_matrix((ones, (sentences, parts[index])), (len(rows), n_rows))


Rows = tuple[np.ndarray, np.ndarray]
"""The rows of words, float32 (words, width), zeros where there is none; and which have one."""


def read_word_vectors(path: Path, words: Sequence[str]) -> Rows:
    """One of these: a spaCy pipeline, .npz, GloVe or word2vec text."""
    vectors = load_word_vectors(path).vectors
    rows = {key: row for key, row in vectors.key2row.items() if row >= 0}
    return _look_up({w: rows.get(get_string_id(w), -1) for w in _forms(words)}, vectors.data, words)


def read_word2vec(path: Path, words: Sequence[str]) -> Rows:
    """Of a binary word2vec file, by gensim."""
    from gensim.models import KeyedVectors

    table = KeyedVectors.load_word2vec_format(str(path), binary=True)
    return _look_up(table.key_to_index, table.vectors, words)


def read_token_vectors(path: Path, words: Sequence[str]) -> Rows:
    """Of a table of tokens, such as WordLlama's: the sum of the rows of a word's tokens.

    path: a package's folder with weights/*_256.safetensors and tokenizers/*.json.
    """
    from safetensors.numpy import load_file
    from tokenizers import Tokenizer

    (weights,) = path.glob("weights/*_256.safetensors")
    (definition,) = path.glob("tokenizers/*.json")
    (table,) = load_file(weights).values()
    table = table.astype("f")
    tokenizer = Tokenizer.from_file(str(definition))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    cut = tokenizer.encode_batch(list(words), add_special_tokens=False)
    return np.stack([table[word.ids].sum(axis=0) for word in cut]), np.ones(len(words), bool)


READERS: dict[str, Callable[[Path, Sequence[str]], Rows]] = {
    "word_vectors": read_word_vectors,
    "word2vec": read_word2vec,
    "token_vectors": read_token_vectors,
}


def _forms(words: Sequence[str]) -> list[str]:
    return [form for word in words for form in (word, word.capitalize(), word.upper())]


def _look_up(rows: Mapping[str, int], table: np.ndarray, words: Sequence[str]) -> Rows:
    """The row of each word, or of it capitalised, or in upper case."""
    found = np.array(
        [
            next((rows[form] for form in _forms([word]) if rows.get(form, -1) >= 0), -1)
            for word in words
        ]
    )
    known = found >= 0
    taken = np.zeros((len(words), table.shape[1]), "f")
    taken[known] = table[found[known]]
    return taken, known


def _prepare(table: dict, words: list[str], shares: np.ndarray) -> np.ndarray:
    """The rows of a table, centred, of mean length one."""
    rows, known = READERS[table["format"]](resolve_path(table["path"]), words)
    if not known.any():
        raise ValueError(f"{table['path']} has none of the words of the corpus.")
    by_type = table["center"] == "types"
    rows = rows - np.average(rows[known], axis=0, weights=None if by_type else shares[known])
    if table["unit"]:
        rows = _unit(rows)
    rows[~known] = 0
    return (rows / np.linalg.norm(rows[known], axis=1).mean()).astype("f")


def reduce(rows: np.ndarray, shares: np.ndarray, width: int, soften: float) -> np.ndarray:
    """The leading `width` directions of rows by the square roots of the shares of their words, of
    mean length one. soften: 1 gives all directions the same variance, 0 changes nothing."""
    weights = np.sqrt(shares).astype("f")
    covariance = (rows * weights[:, None]).T @ rows / weights.sum()
    variances, directions = _leading(covariance, width)
    reduced = rows @ directions / np.maximum(variances, 1e-12) ** (soften / 2)
    return reduced / np.linalg.norm(reduced, axis=1).mean()


def make_subwords(
    rows: np.ndarray, words: list[str], n_subwords: int, rng: np.random.Generator
) -> np.ndarray:
    """Rows of parts of words: of prefixes and suffixes the mean of the rarer words that have
    them, of whole words noise."""
    width = rows.shape[1]
    rare = [n for n, word in enumerate(words) if n >= FIRST_RARE_WORD and word.isalpha()]
    parts = hash_subwords([words[n] for n in rare], n_subwords).astype("int64")
    sums = np.zeros((n_subwords, width))
    np.add.at(sums, parts.ravel(), np.repeat(rows[rare], FEATURES, axis=0))
    means = sums / np.maximum(np.bincount(parts.ravel(), minlength=n_subwords), 1)[:, None]
    means[: n_subwords // 4] = 0
    noise = rng.standard_normal(means.shape) * NOISE / np.sqrt(width)
    norms = np.repeat(NORMS, [n_subwords // 4, n_subwords - n_subwords // 4])
    return _unit(means + noise) * norms[:, None]


def fold(mixtures: list[tuple[np.ndarray, float]], sentences: csr_matrix, width: int) -> np.ndarray:
    """Tables side by side, each weighted, reduced to the leading `width` directions of the sums
    of their rows over sentences."""
    sums, tables = [], []
    for table, weight in mixtures:
        of_sentences = sentences @ table.astype("f")
        scale = weight / np.sqrt((of_sentences**2).sum(axis=1).mean())
        sums.append(of_sentences * scale)
        tables.append(table * scale)
    side_by_side = np.concatenate(sums, axis=1)
    _, directions = _leading(side_by_side.T @ side_by_side / len(side_by_side), width)
    return np.concatenate(tables, axis=1) @ directions


def _leading(matrix: np.ndarray, n: int) -> tuple[np.ndarray, np.ndarray]:
    values, vectors = np.linalg.eigh(matrix)
    return values[::-1][:n], vectors[:, ::-1][:, :n]


def _unit(rows: np.ndarray) -> np.ndarray:
    return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)


if __name__ == "__main__":
    app()
