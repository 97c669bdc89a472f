"""Ranges of numbers that settings and rules share."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

Amount = Annotated[float, Field(ge=0)]
Positive = Annotated[float, Field(gt=0)]
Count = Annotated[int, Field(ge=0)]
PositiveCount = Annotated[int, Field(gt=0)]
Percent = Annotated[float, Field(ge=0, le=100)]
UsedPercent = Annotated[float, Field(ge=0)]
"""Use of a capacity: above 100 where a forecast or a scenario needs more than there is."""
Share = Annotated[float, Field(ge=0, le=1)]
Rba = Annotated[str, Field(pattern=r"^[0-9A-Fa-f]{1,16}$")]
"""A log RBA as messages print it: hexadecimal, no prefix."""
