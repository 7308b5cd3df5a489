"""Adapter for LangChain."""

from collections.abc import Iterable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

from spacy.language import Language

from spacy_thematic.chunking.chunker import Chunk, Chunker
from spacy_thematic.chunking.source import Markup

try:
    from langchain_core.documents import Document
    from langchain_text_splitters import TextSplitter
except ImportError as error:
    raise ImportError(
        "ThematicTextSplitter needs langchain-text-splitters: "
        'pip install "spacy-thematic[langchain]".'
    ) from error


class ThematicTextSplitter(TextSplitter):
    """Splits texts into thematic chunks, with sizes in tokens.

    Unlike those of other splitters, the chunks of a text are the whole text after front matter:
    nothing else is stripped, but of HTML what `Chunker` leaves out. A blank text has none. The
    documents that it makes have "heading" and "path", the headings above, in their metadata, where
    the text's own does not have these.

    Args:
        max_tokens: As all others, that of `Chunker`, which raises errors of them.
        add_start_index: Whether documents also get "start_index", their place in the text.
        chunk_size: Another name of `max_tokens`, as other splitters have it.
        chunk_overlap: The `overlap` of `Chunker`.

    Raises:
        TypeError: For an unknown setting.
    """

    def __init__(
        self,
        max_tokens: int = 256,
        tokenizer: Any = None,
        min_tokens: int | None = None,
        model: str | Path | Language = "en_thematic_sm",
        markup: Markup = "auto",
        add_start_index: bool = False,
        *,
        chunk_size: int | None = None,
        chunk_overlap: int = 0,
        **unknown: Any,
    ) -> None:
        if unknown:
            counts = "length_function" in unknown
            advice = ": give what counts tokens as tokenizer=" if counts else ""
            raise TypeError(f"ThematicTextSplitter has no setting {', '.join(unknown)}{advice}.")
        size = max_tokens if chunk_size is None else chunk_size
        self._chunker = Chunker(size, tokenizer, min_tokens, model, markup, overlap=chunk_overlap)
        super().__init__(
            chunk_size=size,
            chunk_overlap=chunk_overlap,
            length_function=self._chunker.limits.count,
            add_start_index=add_start_index,
            strip_whitespace=False,
        )

    @classmethod
    def from_huggingface_tokenizer(cls, tokenizer: Any, **kwargs: Any) -> "ThematicTextSplitter":
        """Make one that counts the tokens of a tokenizer, with other settings by name."""
        return cls(tokenizer=tokenizer, **kwargs)

    def split_text(self, text: str) -> list[str]:
        """Return the texts of the chunks."""
        return [chunk.text for chunk in self._cut(text)]

    def create_documents(
        self, texts: Iterable[str], metadatas: list[dict[Any, Any]] | None = None
    ) -> list[Document]:
        """Make a document of each chunk of some texts, with the metadata of its text."""
        texts = list(texts)
        documents = []
        for text, metadata in zip(texts, metadatas or [{}] * len(texts), strict=True):
            for chunk in self._cut(text):
                found = {"heading": chunk.heading, "path": chunk.path, **deepcopy(metadata)}
                if self._add_start_index:
                    found["start_index"] = chunk.start
                documents.append(Document(page_content=chunk.text, metadata=found))
        return documents

    def _cut(self, text: str) -> Iterator[Chunk]:
        return (chunk for chunk in self._chunker(text) if chunk.text.strip())
