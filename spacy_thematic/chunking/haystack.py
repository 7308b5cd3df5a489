"""Adapter for Haystack."""

from copy import deepcopy
from typing import Any

from spacy_thematic.chunking.chunker import Chunk, Chunker
from spacy_thematic.chunking.source import Markup

try:
    from haystack import Document, component, default_from_dict, default_to_dict
    from haystack.utils import deserialize_callable, serialize_callable
except ImportError as error:
    raise ImportError(
        'ThematicDocumentSplitter needs haystack-ai: pip install "spacy-thematic[haystack]".'
    ) from error


@component
class ThematicDocumentSplitter:
    """Splits documents into thematic chunks.

    Documents that it makes have in their meta "source_id", "split_id", "split_idx_start", as those
    of Haystack's own splitters, "page_number", which form feeds count, and "heading" and "path",
    the headings above, where the document's own meta does not have these. None is blank.

    Args:
        max_tokens: As all others, that of `Chunker`.
        tokenizer: To save a pipeline, it needs to be a function of a module.
        model: The name of a model.
    """

    def __init__(
        self,
        max_tokens: int = 256,
        tokenizer: Any = None,
        min_tokens: int | None = None,
        model: str = "en_thematic_sm",
        markup: Markup = "auto",
        overlap: int = 0,
    ) -> None:
        self.max_tokens, self.tokenizer, self.min_tokens = max_tokens, tokenizer, min_tokens
        self.model, self.markup, self.overlap = model, markup, overlap
        self._chunker = Chunker(max_tokens, tokenizer, min_tokens, model, markup, overlap=overlap)

    @component.output_types(documents=list[Document])
    def run(self, documents: list[Document]) -> dict[str, list[Document]]:
        """Split documents. Raises ValueError if one has no text."""
        return {"documents": [part for document in documents for part in self._split(document)]}

    def _split(self, document: Document) -> list[Document]:
        if document.content is None:
            raise ValueError(
                f"The document {document.id} has no content: ThematicDocumentSplitter splits text."
            )
        first_page = document.meta.get("page_number", 1)
        chunks = (chunk for chunk in self._chunker(document.content) if chunk.text.strip())
        return [
            Document(
                content=chunk.text,
                meta={
                    "heading": chunk.heading,
                    "path": chunk.path,
                    **deepcopy(document.meta),
                    "source_id": document.id,
                    "split_id": number,
                    "split_idx_start": chunk.start,
                    "page_number": first_page + _count_pages(document.content, chunk),
                },
            )
            for number, chunk in enumerate(chunks)
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values."""
        return default_to_dict(
            self,
            max_tokens=self.max_tokens,
            tokenizer=serialize_callable(self.tokenizer) if self.tokenizer else None,
            min_tokens=self.min_tokens,
            model=self.model,
            markup=self.markup,
            overlap=self.overlap,
        )

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "ThematicDocumentSplitter":
        """Make one of what `to_dict` returned."""
        settings = data["init_parameters"]
        if name := settings.get("tokenizer"):
            settings = {**settings, "tokenizer": deserialize_callable(name)}
        return default_from_dict(cls, {**data, "init_parameters": settings})


def _count_pages(text: str, chunk: Chunk) -> int:
    """The number of form feeds before the first word of a chunk."""
    space = len(chunk.text) - len(chunk.text.lstrip())
    return text.count("\f", 0, chunk.start + space)
