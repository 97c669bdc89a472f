"""Which driver a series has."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from pydantic import ValidationError

from mqcap.domain.forecast import DriverPlan
from mqcap.settings.analysis import DriverSettings

LOG = "log_growth_mib_per_s/PLEX1/CSQ1"
SERIES = {LOG: "payments", "log_growth_mib_per_s/PLEX1/*": "orders"}


def test_the_first_pattern_that_fits_names_the_driver() -> None:
    drivers = DriverSettings(file=Path("drivers.csv"), series=SERIES)
    assert drivers.driver_of(LOG) == "payments"
    assert drivers.driver_of("log_growth_mib_per_s/PLEX1/CSQ2") == "orders"
    assert drivers.driver_of("log_growth_mib_per_s/PLEX2/CSQ1") is None


def test_without_a_file_no_series_has_a_driver() -> None:
    assert DriverSettings(series=SERIES).driver_of(LOG) is None


def test_plans_are_read_from_settings() -> None:
    document = {"plans": {"payments": [{"first": "2027-03-01", "pct": 30}]}}
    plan = DriverSettings.model_validate(document).plans["payments"]
    assert plan == (DriverPlan(first=date(2027, 3, 1), pct=30),)


@pytest.mark.parametrize(
    ("ratio", "accepted"), [(-0.01, False), (0, True), (0.99, True), (1, False)]
)
def test_the_least_gain_is_a_share(ratio: float, accepted: bool) -> None:
    if accepted:
        assert DriverSettings(gain_min_ratio=ratio).gain_min_ratio == ratio
        return
    with pytest.raises(ValidationError):
        DriverSettings(gain_min_ratio=ratio)


@pytest.mark.parametrize(
    ("pct", "accepted"),
    [(-100.1, False), (-100, False), (-99.9, True), (0, True), (500, True), (float("nan"), False)],
)
def test_a_plan_leaves_some_of_its_driver(pct: float, accepted: bool) -> None:
    document = {"plans": {"payments": [{"first": "2027-03-01", "pct": pct}]}}
    if accepted:
        assert DriverSettings.model_validate(document).plans["payments"][0].pct == pct
        return
    with pytest.raises(ValidationError):
        DriverSettings.model_validate(document)
