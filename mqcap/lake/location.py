"""Places in the lake, in a folder or in an object store; the one module that opens the lake.

A lake in a folder is a ``Path``. One in an object store has the same methods, as far as they are
used, so that readers and the layout know no difference; ``mqcap.lake.files`` reads and writes both.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol, Self, TypeVar, runtime_checkable

from mqcap.lake.objects import ObjectLocation

_SCHEME_END = "://"


class HasSize(Protocol):
    """What is known of a file."""

    @property
    def st_size(self) -> int:
        """Length in bytes."""


@runtime_checkable
class Location(Protocol):
    """A folder or file of the lake; methods are those of ``Path``."""

    @property
    def name(self) -> str:
        """Last part of the path."""

    @property
    def parent(self) -> Self:
        """The folder above."""

    def __truediv__(self, key: str, /) -> Self:
        """Return a place below this one; ``key`` may have several parts."""

    def __lt__(self, other: Any, /) -> bool:
        """Return whether this place comes first, part by part."""

    def with_name(self, name: str) -> Self:
        """Return the place of this name beside this one."""

    def absolute(self) -> Self:
        """Return the place whatever the working folder is."""

    def relative_to(self, other: Any, /) -> Path:
        """Return the path below another place."""

    def glob(self, pattern: str) -> Iterator[Self]:
        """Yield the places below this one whose names match."""

    def is_file(self) -> bool:
        """Return whether there is a file."""

    def is_dir(self) -> bool:
        """Return whether there is a folder; one without files may not exist."""

    def stat(self) -> HasSize:
        """Return the length of a file."""

    def read_bytes(self) -> bytes:
        """Return the content of a file."""

    def read_text(self, encoding: str | None = None) -> str:
        """Return the text of a file."""

    def unlink(self, missing_ok: bool = False) -> None:
        """Delete a file."""


Place = TypeVar("Place", bound=Location)
"""Kind of the places of one lake."""


def is_url(address: str) -> bool:
    """Return whether an address is no path."""
    return _SCHEME_END in address


def open_lake(address: str) -> Location:
    """Return the place of a path or URL: ``var/lake``, ``s3://bucket/folder``.

    Nothing is read or written. Raises ConfigurationError when the kind of URL is not known.
    """
    scheme, end, path = address.partition(_SCHEME_END)
    if not end:
        return Path(address)
    if scheme == "file":
        return Path(path)
    return ObjectLocation.at(scheme, path)
