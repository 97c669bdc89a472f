"""First date that the lake still has of each dataset, once old days have been removed.

Dates of which the intervals are gone are frozen: their hourly values stay as they are, for they
could only be made again from a part of their records.
"""

from __future__ import annotations

from datetime import date

from pydantic import BaseModel, ConfigDict

from mqcap.lake.files import write_text
from mqcap.lake.layout import retention_state_path
from mqcap.lake.location import Location


class RetentionState(BaseModel):
    """First complete dates; ``date.min`` where nothing was ever removed."""

    model_config = ConfigDict(frozen=True)

    raw_from: date = date.min
    """Files as delivered."""
    interval_from: date = date.min
    """Decoded sections and console messages; earlier hourly values are frozen."""
    hourly_from: date = date.min
    """Hourly metrics and arrivals of feeds."""
    removed: dict[str, str] = {}
    """Removed delivered files: the former path in the lake by content hash."""

    @classmethod
    def load(cls, lake: Location) -> RetentionState:
        """Return the state that the last removal has left; the default before the first one."""
        path = retention_state_path(lake)
        return cls.model_validate_json(path.read_bytes()) if path.is_file() else cls()

    def save(self, lake: Location) -> None:
        """Write the state atomically; before anything is removed."""
        write_text(retention_state_path(lake), self.model_dump_json(indent=1))
