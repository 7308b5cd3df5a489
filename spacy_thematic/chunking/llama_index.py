"""Adapter for LlamaIndex."""

import sys
from collections.abc import Callable, Sequence
from functools import reduce
from hashlib import blake2b
from pathlib import Path
from typing import Any
from uuid import uuid4

from pydantic import AliasChoices
from spacy.language import Language

from spacy_thematic.chunking.chunker import Chunk, Chunker
from spacy_thematic.chunking.source import Markup

try:
    from llama_index.core.bridge.pydantic import ConfigDict, Field, PrivateAttr, field_serializer
    from llama_index.core.node_parser import NodeParser
    from llama_index.core.node_parser.node_utils import build_nodes_from_splits
    from llama_index.core.schema import BaseNode, Document, MetadataMode
    from llama_index.core.utils import get_tqdm_iterable
except ImportError as error:
    raise ImportError(
        'ThematicNodeParser needs llama-index-core: pip install "spacy-thematic[llama-index]".'
    ) from error


class ThematicNodeParser(NodeParser):
    """Parses documents into nodes, one for each thematic chunk.

    Nodes have exact `start_char_idx` and `end_char_idx`, and "heading" and "path", the headings
    above in a line, in their metadata, where the document's own does not have these. They are not
    embedded. What is embedded of the document's own counts in the size. No node is blank. The
    settings are those of `Chunker`; `chunk_size` and `chunk_overlap` are other names of
    `max_tokens` and `overlap`, as other parsers have them.

    `to_dict` has a name of the tokenizer and of the model, by which the cache of an
    `IngestionPipeline` knows whether they are the same. A tokenizer that is neither a function of a
    module nor one of `tokenizers`, and a pipeline, have a name that no other parser has. Give a
    pipeline, any tokenizer and, as for LlamaIndex's own parsers, `id_func` to `from_dict` again:
    `from_dict(data, tokenizer=..., id_func=...)`.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True, extra="forbid")

    max_tokens: int = Field(
        default=256,
        validation_alias=AliasChoices("max_tokens", "chunk_size"),
        description="The largest size of a chunk.",
    )
    tokenizer: Any = Field(default=None, description="Counts tokens.")
    min_tokens: int | None = Field(default=None, description="The least size of a chunk.")
    model: str | Path | Language = Field(default="en_thematic_sm", description="Encodes texts.")
    markup: Markup = Field(default="auto", description="What texts are written in.")
    overlap: int = Field(
        default=0,
        validation_alias=AliasChoices("overlap", "chunk_overlap"),
        description="Tokens before a chunk that it begins with.",
    )
    _chunker: Chunker = PrivateAttr()
    _number: str = PrivateAttr(default_factory=lambda: uuid4().hex)

    def model_post_init(self, context: Any) -> None:
        """Make the chunker."""
        self._chunker = self._make_chunker(self.max_tokens, self.min_tokens)

    @classmethod
    def from_defaults(cls, **settings: Any) -> "ThematicNodeParser":
        """Make a parser; settings that are None have their defaults."""
        return cls(**{name: value for name, value in settings.items() if value is not None})

    @field_serializer("tokenizer")
    def _name_tokenizer(self, tokenizer: Any) -> str | None:
        if tokenizer is None:
            return None
        if callable(to_str := getattr(tokenizer, "to_str", None)):
            return f"tokenizer {blake2b(to_str().encode(), digest_size=16).hexdigest()}"
        return _find_name(tokenizer) or f"tokenizer of parser {self._number}"

    @field_serializer("model")
    def _name_model(self, model: str | Path | Language) -> str:
        return f"pipeline of parser {self._number}" if isinstance(model, Language) else str(model)

    def _make_chunker(self, largest: int, smallest: int | None) -> Chunker:
        settings = self.tokenizer, smallest, self.model, self.markup
        return Chunker(largest, *settings, overlap=self.overlap)

    def _cut(self, node: BaseNode) -> list[Chunk]:
        """The chunks of a node's text, small enough for its metadata before each."""
        chunker, metadata = self._chunker, node.get_metadata_str(MetadataMode.EMBED).strip()
        if metadata:
            n_tokens = chunker.limits.count(f"{metadata}\n\n")
            room = self.max_tokens - n_tokens - self.overlap
            if room < 1:
                raise ValueError(
                    f"The embedded metadata of {node.node_id} has {n_tokens} tokens, which leaves "
                    f"no room for text in max_tokens, {self.max_tokens}: exclude some of its keys "
                    "in excluded_embed_metadata_keys, or give larger max_tokens."
                )
            smallest = self.min_tokens and min(self.min_tokens, room)
            chunker = self._make_chunker(room + self.overlap, smallest)
        chunks = chunker(node.get_content(metadata_mode=MetadataMode.NONE))
        return [chunk for chunk in chunks if chunk.text.strip()]

    @classmethod
    def class_name(cls) -> str:
        """Return the name by which it is serialised."""
        return "ThematicNodeParser"

    def _parse_nodes(
        self, nodes: Sequence[BaseNode], show_progress: bool = False, **kwargs: Any
    ) -> list[BaseNode]:
        parsed: list[BaseNode] = []
        for node in get_tqdm_iterable(nodes, show_progress, "Parsing nodes"):
            chunks = self._cut(node)
            texts = [chunk.text for chunk in chunks]
            made = build_nodes_from_splits(texts, node, id_func=self.id_func)
            for chunk, new in zip(chunks, made):
                new.start_char_idx, new.end_char_idx = chunk.start, chunk.end
                place = {"heading": chunk.heading, "path": chunk.context}
                new.metadata = {**place, **node.metadata}
                new.excluded_embed_metadata_keys = [*node.excluded_embed_metadata_keys, *place]
            parsed += made
        return parsed

    def _postprocess_parsed_nodes(
        self, nodes: list[BaseNode], parent_doc_map: dict[str, Document]
    ) -> list[BaseNode]:
        # It searches for the places by the texts, and takes the wrong one where texts repeat.
        places = [(node.start_char_idx, node.end_char_idx) for node in nodes]
        nodes = super()._postprocess_parsed_nodes(nodes, parent_doc_map)
        for node, (start, end) in zip(nodes, places):
            node.start_char_idx, node.end_char_idx = start, end
        return nodes


def _find_name(tokenizer: Callable) -> str:
    """The name by which a function can be imported, "" if there is none."""
    module, name = (getattr(tokenizer, key, "") for key in ("__module__", "__qualname__"))
    try:
        found = reduce(getattr, name.split("."), sys.modules[module])
    except (AttributeError, KeyError):
        return ""
    return f"{module}.{name}" if found is tokenizer else ""
