"""Changes that the site has planned: from a day on, a key of a queue manager has another value."""

from __future__ import annotations

from datetime import date
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field


class PlannedChange(BaseModel):
    """Values that are configured from ``first_day`` (``from`` in the file) on; unset keys stay.

    The keys mean what they mean for a queue manager.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    first_day: date = Field(alias="from")
    active_log_size_mib: Annotated[float, Field(gt=0, le=4_096)] | None = None
    active_logs: Annotated[int, Field(ge=2, le=310)] | None = None
    dual_logging: bool | None = None
    archive_minutes: Annotated[float, Field(gt=0)] | None = None
    chinit_31bit_limit_mib: Annotated[float, Field(gt=0)] | None = None
    note: str = ""
    """Why, or under which change number."""

    def values(self) -> dict[str, object]:
        """Return the keys that change, with their new values."""
        return self.model_dump(exclude={"first_day", "note"}, exclude_none=True)
