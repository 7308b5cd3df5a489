"""Records of files that may come from others, checked field by field."""

from typing import Any, Self

from pydantic import BaseModel, ValidationError


class Schema(BaseModel, extra="forbid"):
    """The fields of a record, and their types."""

    @classmethod
    def check(cls, found: Any) -> Self:
        """Check a record that was read, and return it. Raises ValueError if it has other fields, or
        of other types. It names the first."""
        if not isinstance(found, dict):
            raise ValueError(f"expected an object with names, found {found!r:.50}")
        try:
            return cls(**found)
        except ValidationError as error:
            first = error.errors()[0]
            place = ".".join(map(str, first["loc"]))
            raise ValueError(f'"{place}": {first["msg"]}') from error
