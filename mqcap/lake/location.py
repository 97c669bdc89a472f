"""Places in the lake: paths, or places of an object store with the same methods."""

from pathlib import Path
from typing import TypeVar

from mqcap.lake.objects import ObjectLocation

_SCHEME_END = "://"


Location = Path | ObjectLocation
"""A folder or file of the lake."""
Place = TypeVar("Place", Path, ObjectLocation, Path | ObjectLocation)
"""Kind of the places of one lake."""


def below(place: Location, lake: Location) -> Path:
    """Return the path of a place below another one; raises ValueError when it is not below it."""
    return Path(str(place)).relative_to(str(lake))


def is_url(address: str) -> bool:
    """Return whether an address is no path."""
    return _SCHEME_END in address


def open_lake(address: str) -> Location:
    """Return the place of a path or ``s3://bucket/folder``; ConfigurationError for another kind."""
    scheme, end, path = address.partition(_SCHEME_END)
    if not end:
        return Path(address)
    if scheme == "file":
        return Path(path)
    return ObjectLocation.at(scheme, path)
