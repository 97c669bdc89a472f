"""Settings of attribution have bounds."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from mqcap.settings.analysis import AttributionSettings


@pytest.mark.parametrize(
    ("key", "value", "accepted"),
    [
        ("parts_per_day", 0, False),
        ("parts_per_day", 1, True),
        ("parts_per_day", 1_000, True),
        ("parts_per_day", 1_001, False),
        ("window_days", 0, False),
        ("window_days", 1, True),
        ("window_days", 60, True),
        ("window_days", 61, False),
        ("least_growth_pct", -0.1, False),
        ("least_growth_pct", 0, True),
        ("least_growth_pct", 100, True),
        ("least_growth_pct", 100.1, False),
        ("source_tolerance_pct", 0, False),
        ("source_tolerance_pct", 0.1, True),
        ("top", 5, False),
    ],
)
def test_values_outside_their_range_are_errors(key: str, value: float, accepted: bool) -> None:
    if accepted:
        assert getattr(AttributionSettings(**{key: value}), key) == value
        return
    with pytest.raises(ValidationError):
        AttributionSettings(**{key: value})
