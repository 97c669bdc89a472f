"""Settings of attribution: how many parts of a figure are kept, and what they are compared with."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, Field


class SourceFloor(BaseModel, frozen=True, extra="forbid", hide_input_in_errors=True):
    """What one of two sources has to show on a day for both to be compared (all ours).

    Below it a few records at the ends of intervals are per cents of the figure.
    """

    log_mib_per_s: Annotated[float, Field(ge=0)] = 0.01
    """Log write rate; 0.01 MiB/s are 864 MiB a day."""
    requests_per_s: Annotated[float, Field(ge=0)] = 1.0
    """Requests to a structure."""


class AttributionSettings(BaseModel, frozen=True, extra="forbid", hide_input_in_errors=True):
    """Parts of figures (queues, applications, channels, structures) and their growth (all ours)."""

    parts_per_day: Annotated[int, Field(ge=1, le=1_000)] = 20
    """Largest parts of a figure that are kept of each day; the others are added up to one."""
    window_days: Annotated[int, Field(ge=1, le=60)] = 7
    """Days at each end of a span of which the mean is taken; seven hold every weekday once."""
    least_growth_pct: Annotated[float, Field(ge=0, le=100)] = 5.0
    """Change of a figure, in per cent, below which it is not explained and parts have no share."""
    source_tolerance_pct: Annotated[float, Field(gt=0)] = 10.0
    """Largest accepted difference between two sources of the same figure."""
    source_floor: SourceFloor = SourceFloor()
    """Figures below which two sources are not compared."""
