"""The time that a rule states, for other values of the rate that shortens it."""

from __future__ import annotations

from typing import Any

import pytest

from mqcap.domain.finding import Finding, InputValue
from mqcap.domain.input_source import MeasuredDaySource
from mqcap.domain.metric import Direction, Statistic
from mqcap.domain.stated_figure import stated_figure
from tests import factories


def lasting(measured: float | None = None, **changed: Any) -> Finding:
    """Logs that last 6 h of 12 h; at 2 MiB/s it would be 12 h."""
    values: dict[str, Any] = {
        "observed": 6.0,
        "limit_value": 12.0,
        "unit": "h",
        "direction": Direction.downward,
        "series_direction": Direction.upward,
        "series_id": "log_growth_mib_per_s/PLEX1/CSQ1",
        "series_limit": 2.0,
    }
    source = MeasuredDaySource(
        metric="log_growth_mib_per_s",
        subject="PLEX1/CSQ1",
        statistic=Statistic.p95,
        site_date=factories.DAY,
    )
    inputs = () if measured is None else (InputValue(name="rate", value=measured, origin=source),)
    return factories.finding(**values | {"inputs": inputs} | changed)


@pytest.mark.parametrize(("rate", "hours"), [(2.0, 12.0), (4.0, 6.0), (1.0, 24.0)])
def test_twice_the_rate_lasts_half_as_long(rate: float, hours: float) -> None:
    stated = stated_figure(lasting())
    assert stated is not None
    assert stated.of(rate) == pytest.approx(hours)


@pytest.mark.parametrize("measured", [3.0, 4.0, 5.0])
def test_the_measured_rate_gives_the_figure_of_the_finding_and_the_limit_its_limit(
    measured: float,
) -> None:
    stated = stated_figure(lasting(measured))
    assert stated is not None
    assert stated.of(measured) == pytest.approx(6.0)
    assert stated.of(2.0) == pytest.approx(12.0)


@pytest.mark.parametrize("measured", [2.0, 2.1, 1.0])
def test_points_that_no_load_explains_are_not_bent_to(measured: float) -> None:
    stated = stated_figure(lasting(measured))
    assert stated is not None
    assert stated.power == 1.0


@pytest.mark.parametrize("value", [None, 0.0, -1.0])
def test_without_a_load_there_is_no_time(value: float | None) -> None:
    stated = stated_figure(lasting())
    assert stated is not None
    assert stated.of(value) is None


@pytest.mark.parametrize(
    "changed",
    [
        {"series_limit": None},
        {"limit_value": None},
        {"direction": Direction.upward, "series_direction": None},
        {"series_direction": Direction.downward},
    ],
    ids=["own-unit", "no-limit", "upward", "both-downward"],
)
def test_other_rules_state_no_such_time(changed: dict[str, Any]) -> None:
    assert stated_figure(lasting(**changed)) is None
