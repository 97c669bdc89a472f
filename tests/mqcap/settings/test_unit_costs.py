"""Limits of the settings of unit costs."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from mqcap.settings.analysis import UnitCostSettings


@pytest.mark.parametrize(
    ("key", "refused", "accepted"),
    [
        ("look_back_days", 29, 30),
        ("record_days", 201, 200),
        ("confidence", 0.5, 0.51),
        ("half_width_max_ratio", 0.0, 0.01),
        ("half_width_max_ratio", 1.01, 1.0),
        ("least_days", 13, 14),
        ("least_four_week_peaks", 3, 4),
    ],
)
def test_limits_are_checked_when_settings_are_read(
    key: str, refused: float, accepted: float
) -> None:
    assert getattr(UnitCostSettings.model_validate({key: accepted}), key) == accepted
    with pytest.raises(ValidationError):
        UnitCostSettings.model_validate({key: refused})
