"""Settings of business drivers: their file, the series that they drive, and their plans."""

from __future__ import annotations

from fnmatch import fnmatchcase
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, Field

from mqcap.domain.forecast import DriverPlan


class DriverSettings(BaseModel, frozen=True, extra="forbid", hide_input_in_errors=True):
    """Business drivers of forecasts; without a file there are none."""

    file: Path | None = None
    """CSV with the columns ``driver,time,value``, a value above zero for each day."""
    series: dict[str, str] = {}
    """Driver by series, or pattern of series: ``log_growth_mib_per_s/PLEX1/*: payments``."""
    plans: dict[str, tuple[DriverPlan, ...]] = {}
    """Changes that the business plans, by driver."""
    gain_min_ratio: Annotated[float, Field(ge=0, lt=1)] = 0.05
    """Share by which the error at rolling origins must fall for a driver to be used (ours)."""

    def driver_of(self, identity: str) -> str | None:
        """Return the driver of a series, by the first pattern that fits; ``None`` without one."""
        fitting = (name for pattern, name in self.series.items() if fnmatchcase(identity, pattern))
        return next(fitting, None) if self.file is not None else None
