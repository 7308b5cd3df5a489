"""The one form that sectioned text takes inside the package."""

from __future__ import annotations

import unicodedata
from dataclasses import asdict, dataclass, field
from typing import Any

from pydantic import StrictInt, StrictStr

from spacy_thematic.schemas import Schema


@dataclass
class Section:
    """A heading and the paragraphs directly below it.

    Attributes:
        title: The heading, empty for the lead.
        level: The depth of the heading, as in MediaWiki and HTML: 1 for the lead, 2 for a top
            section, 3 for a subsection, and so on.
        kinds: What those are that are no plain paragraphs, by their numbers: "aside", "item" or
            "quote", as the markup of the source says. Records do not have it.
    """

    title: str
    level: int = 2
    paragraphs: list[str] = field(default_factory=list)
    kinds: dict[int, str] = field(default_factory=dict, compare=False, repr=False)


class SectionRecord(Schema, extra="ignore"):
    title: StrictStr
    level: StrictInt = 2
    paragraphs: list[StrictStr]


class ArticleRecord(Schema, extra="ignore"):
    title: StrictStr
    source: StrictStr = ""
    sections: list[SectionRecord]


@dataclass
class Article:
    """A titled text with its sections in reading order. The lead, if any, comes first.
    `settings` are those of the front matter that stand on one line, as they are written, by their
    names in lower case; `is_plain` says that lines may look like headings, for markup says nothing.
    Records have neither."""

    title: str
    source: str = ""
    sections: list[Section] = field(default_factory=list)
    settings: dict[str, str] = field(default_factory=dict, compare=False, repr=False)
    is_plain: bool = field(default=False, compare=False, repr=False)

    @classmethod
    def from_dict(cls, record: Any) -> Article:
        """Build an article from a JSON record.

        Args:
            record: `{"title": str, "source": str, "sections": [{"title": str, "level": int,
                "paragraphs": [str, ...]}, ...]}`; `source` and `level` are optional.

        Raises:
            ValueError: If the record has another form; names the field.
        """
        found = ArticleRecord.check(record)
        sections = [Section(one.title, one.level, one.paragraphs) for one in found.sections]
        return cls(found.title, found.source, sections)

    def text(self) -> str:
        """Return its paragraphs, without titles, each on a line of its own."""
        return "\n".join(paragraph for section in self.sections for paragraph in section.paragraphs)

    def to_dict(self) -> dict[str, Any]:
        """The inverse of `from_dict`."""
        record = asdict(self)
        del record["settings"], record["is_plain"]
        for section in record["sections"]:
            del section["kinds"]
        return record


def normalize_title(title: str) -> str:
    """The form of a title that all its spellings share.

    It is in NFKC and case folded, with underscores as spaces, and runs of whitespace as one space.
    """
    folded = unicodedata.normalize("NFKC", title).casefold().replace("_", " ")
    return " ".join(folded.split())
