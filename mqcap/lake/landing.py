"""Delivered files as they are located in the lake."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime

from pydantic import BaseModel

from mqcap.lake.deliveries import Deliveries
from mqcap.lake.landed_places import LandedPlaces
from mqcap.lake.layout import landed_file_paths, landed_received_date, landed_sha256
from mqcap.lake.location import Location


class LandedFile(BaseModel, frozen=True, arbitrary_types_allowed=True):
    """A file as delivered: ``landing/source=S/received_date=D/<sha256><suffix>``."""

    path: Location
    sha256: str
    received_date: date
    bytes_count: int
    received_utc: datetime | None = None
    root: str = ""
    """Sysplex or site of the input that it came from; empty: none is configured."""


def landed_files(lake: Location) -> Iterator[LandedFile]:
    """Yield every delivered file that is not withdrawn, in order of its path."""
    places, deliveries = LandedPlaces.load(lake), Deliveries.load(lake)
    for path in landed_file_paths(lake):
        sha256 = landed_sha256(path)
        if deliveries.is_withdrawn(sha256):
            continue
        yield LandedFile(
            path=path,
            sha256=sha256,
            received_date=landed_received_date(path),
            bytes_count=path.stat().st_size,
            received_utc=deliveries.received_utc(sha256),
            root=places.root(sha256),
        )
