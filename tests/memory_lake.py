"""A lake in an object store that is in the memory of this process."""

from collections.abc import Mapping
from itertools import count
from typing import Final

from mqcap.lake.objects import ObjectLocation

_NUMBERS: Final = count()


def memory_lake() -> ObjectLocation:
    """Return a lake of its own."""
    return ObjectLocation.at("memory", f"lake-{next(_NUMBERS)}")


def filled(lake: ObjectLocation, contents: Mapping[str, bytes]) -> ObjectLocation:
    """Put objects into a lake, and return it."""
    for key, content in contents.items():
        (lake / key).write_bytes(content)
    return lake
