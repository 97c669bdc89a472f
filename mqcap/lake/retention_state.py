"""From which date on the lake still has what, once old days have been removed.

Dates of which the intervals are gone are frozen: their hourly values stay as they are, for they
could only be made again from a part of their records.
"""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Final

from pydantic import BaseModel, ConfigDict

from mqcap.lake.layout import write_text

FILE_NAME: Final = "kept.json"


class Kept(BaseModel):
    """First dates that are whole; ``date.min`` where nothing was ever removed."""

    model_config = ConfigDict(frozen=True)

    raw_from: date = date.min
    """Files as delivered."""
    interval_from: date = date.min
    """Decoded sections and console messages; earlier hourly values are frozen."""
    hourly_from: date = date.min
    """Hourly metrics and arrivals of feeds."""
    removed: dict[str, str] = {}
    """Files as delivered that are gone: where each stood in the lake, by content hash."""

    @classmethod
    def load(cls, lake: Path) -> Kept:
        """What the last removal has left behind."""
        path = lake / FILE_NAME
        return cls.model_validate_json(path.read_bytes()) if path.is_file() else cls()

    def save(self, lake: Path) -> None:
        """Remember it; before anything is removed."""
        write_text(lake / FILE_NAME, self.model_dump_json(indent=1))
