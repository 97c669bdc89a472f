"""Settings of transports: the days looked at, and the traffic to which SYS-COST is applied."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import BaseModel, Field, model_validator


class TransportSettings(BaseModel, frozen=True, extra="forbid", hide_input_in_errors=True):
    """Validity of the table of transports, which is of 2 KB and not persistent (all ours)."""

    days: Annotated[int, Field(ge=1, le=35)] = 7
    """Days of channel accounting that are looked at; seven hold every weekday once."""
    least_message_kib: Annotated[float, Field(gt=0)] = 1.0
    largest_message_kib: Annotated[float, Field(gt=0)] = 4.0
    persistent_pct: Annotated[float, Field(ge=0, lt=100)] = 5.0
    """Largest share of persistent messages."""

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.largest_message_kib < self.least_message_kib:
            raise ValueError("largest_message_kib is below least_message_kib")
        return self
