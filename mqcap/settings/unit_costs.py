"""Settings of unit costs that are learnt from the site's own data (all ours)."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, Field


class UnitCostSettings(BaseModel, frozen=True, extra="forbid", hide_input_in_errors=True):
    """Samples of unit costs, and when they are used instead of the documents (all ours)."""

    look_back_days: Annotated[int, Field(ge=30, le=1_830)] = 400
    """Days of daily values that are looked at; records and console messages: ``record_days``."""
    record_days: Annotated[int, Field(ge=1, le=200)] = 35
    confidence: Annotated[float, Field(gt=0.5, lt=1)] = 0.8
    """Share of the resamples within the interval of a cost."""
    half_width_max_ratio: Annotated[float, Field(gt=0, le=1)] = 0.25
    """Half of the interval as a share of the cost, above which the document is used instead."""
    least_days: Annotated[int, Field(ge=14)] = 60
    least_four_week_peaks: Annotated[int, Field(ge=4)] = 6
    least_intervals: Annotated[int, Field(ge=10)] = 48
    least_archives: Annotated[int, Field(ge=2)] = 10
    least_transactions: Annotated[int, Field(ge=10)] = 1_000
