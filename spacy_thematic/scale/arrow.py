"""pyarrow, which stores of embedded sentences need and nothing else does."""

try:
    import pyarrow
    from pyarrow import parquet
except ImportError as error:
    raise ImportError(
        'Searches and stores need pyarrow: pip install "spacy-thematic[parquet]".'
    ) from error

__all__ = ["parquet", "pyarrow"]
