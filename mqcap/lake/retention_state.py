"""What retention has removed from the lake: delivered files, and decoded records up to a date.

Dates of which decoded records are gone are frozen: their hours cannot be made again.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from pydantic import BaseModel, ValidationError

from mqcap.domain.errors import InputError
from mqcap.lake.files import FileSizes, write_text
from mqcap.lake.layout import retention_state_path, rows_path
from mqcap.lake.location import Location
from mqcap.lake.manifest import Manifest


class RetentionState(BaseModel, frozen=True):
    """What the removals so far have left; the default before the first one."""

    interval_from: date = date.min
    """First date of which no decoded records were removed."""
    removed: dict[str, str] = {}
    """Removed delivered files: the former path in the lake by content hash."""

    @classmethod
    def load(cls, lake: Location) -> RetentionState:
        """Return the state that the last removal has left; the default before the first one."""
        path = retention_state_path(lake)
        if not path.is_file():
            return cls()
        try:
            return cls.model_validate_json(path.read_bytes())
        except ValidationError as error:
            raise InputError(
                "what retention has removed from the lake cannot be read",
                file=str(path),
                found=f"{error.error_count()} missing or wrong keys",
                remedy="Put it back from a backup. Without one remove it: files that retention has "
                "removed are then landed again if they are still in the inbox.",
            ) from error

    def save(self, lake: Location) -> None:
        """Write the state atomically; before anything is removed."""
        write_text(retention_state_path(lake), self.model_dump_json(indent=1))


def frozen_dates(lake: Location, sources: Iterable[Manifest]) -> set[date]:
    """Return the UTC dates of the files whose decoded records retention has removed."""
    sizes, interval_from = FileSizes(lake), RetentionState.load(lake).interval_from
    return {
        day
        for source in sources
        if newest_date(source) < interval_from
        and any(
            sizes.of(rows_path(lake, dataset, source.received_date, source.sha256)) is None
            for dataset in source.rows
        )
        for day in source.hour_dates
    }


def newest_date(source: Manifest) -> date:
    """Return the last day with data of a file; without any, the day it was received."""
    return max(source.hour_dates, default=source.received_date)
