"""The catalogue of console messages: which are kept, what they say, and how sure that is.

``catalogue.json`` has a row per message (``CatalogueEntry``): adding one is a row and a test.
Of those of certainty C the number alone is relied on; they have no pattern.
"""

from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from types import MappingProxyType
from typing import Final

from pydantic import TypeAdapter

from mqcap.domain.console.states import CatalogueEntry, MessageKind

_ROWS: Final = TypeAdapter(tuple[CatalogueEntry, ...])


@lru_cache(maxsize=1)
def catalogue() -> Mapping[str, CatalogueEntry]:
    """Return every message of the catalogue by its id."""
    return entries_of(__package__)


def entries_of(package: str) -> Mapping[str, CatalogueEntry]:
    """Return the rows of a package's ``catalogue.json`` by their id."""
    text = files(package).joinpath("catalogue.json").read_text(encoding="utf-8")
    return MappingProxyType({entry.id: entry for entry in _ROWS.validate_json(text)})


@lru_cache(maxsize=1)
def kept_messages() -> frozenset[str]:
    """Return the ids that a reader keeps: those of configuration only with figures or as ends."""
    entries = catalogue().values()
    ends = {other for entry in entries for other in entry.ended_by}
    return frozenset(
        entry.id
        for entry in entries
        if entry.kind is not MessageKind.configuration or entry.reader or entry.id in ends
    )
