"""Sentence encoders of other packages, which are optional extras."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from spacy_thematic.clustering.vectors import TextEncoder

WORDLLAMA = "wordllama"


def load_peer(name: str) -> TextEncoder:
    """Load a model of sentence-transformers by its folder or name, or "wordllama".

    Raises:
        ImportError: If the package is not installed.
        OSError, ValueError: From that package, if it does not find the model.
    """
    return load_wordllama() if name.lower() == WORDLLAMA else load_sentence_transformer(name)


def load_sentence_transformer(name: str) -> TextEncoder:
    """A model of sentence-transformers. A name that is not a folder is fetched from its hub."""
    try:
        from sentence_transformers import SentenceTransformer
    except ImportError as error:
        raise _missing(name, "sentence-transformers") from error
    model = SentenceTransformer(name, device=None, local_files_only=Path(name).is_dir())
    return partial(model.encode, batch_size=32, show_progress_bar=False)


def load_wordllama(width: int = 256) -> TextEncoder:
    """WordLlama's static embeddings, those inside its package."""
    try:
        import wordllama
    except ImportError as error:
        raise _missing(WORDLLAMA, "wordllama") from error
    folder = Path(wordllama.__file__).parent
    model = wordllama.WordLlama.load(dim=width, cache_dir=folder, disable_download=True)
    return model.embed


def _missing(name: str, package: str) -> ImportError:
    return ImportError(
        f'The row "{name}" needs the package {package}: pip install "spacy-thematic[tables]".'
    )
