"""Advice of a finding whose limit is passed in the forecast only."""

from __future__ import annotations

from datetime import timedelta

import pytest

from mqcap.domain.busiest_hours import BusiestHours
from mqcap.domain.crossing import Crossing, CrossingState
from mqcap.domain.finding import Finding, InputValue, Severity
from mqcap.domain.forecast import Forecast, ForecastPoint
from mqcap.domain.metric import Direction, Statistic
from mqcap.judging.planned_change import inputs_at, with_planned_change
from mqcap.presentation.dates import short_day
from sizing.rulebook.registry import all_rules
from tests.sizing.builders import DAY, finding

SERIES = "chinit_31bit_used_pct/PLEX1/CSQ1"
SOON = DAY + timedelta(days=9)


def planned(
    result: Finding, expected: float, state: CrossingState = CrossingState.will_cross
) -> Finding:
    """The finding with a forecast that stays at one level."""
    dates = (
        {"earliest_date": SOON, "expected_date": SOON + timedelta(days=5)}
        if state is CrossingState.will_cross
        else {"breached_since": DAY}
    )
    points = tuple(
        ForecastPoint(
            site_date=DAY + timedelta(days=ahead),
            lower=expected - 1,
            expected=expected,
            upper=expected + 1,
        )
        for ahead in range(1, 31)
    )
    forecast = Forecast(
        series_id=SERIES,
        statistic=Statistic.peak,
        cutoff_date=DAY,
        model="prophet",
        trained_days=90,
        horizon_days=30,
        interval_width=0.8,
        points=points,
    )
    crossing = Crossing(
        rule_id=result.rule_id,
        subject=result.subject,
        cutoff_date=DAY,
        series_id=SERIES,
        statistic=Statistic.peak,
        limit_value=75,
        unit="%",
        direction=Direction.upward,
        state=state,
    ).model_copy(update=dates)
    return with_planned_change(all_rules()[result.rule_id], result, crossing, forecast)


def watched(rule_id: str, **inputs: float) -> Finding:
    return finding(rule_id, **inputs).model_copy(update={"severity": Severity.watch})


def test_a_rule_without_a_figure_says_in_words_what_to_do_before_the_day() -> None:
    revised = planned(watched("CHI-SCAV-75", used_pct=60), 78)
    assert revised.advice.startswith(f"To be done before {SOON}")
    assert "evaluated for 78" in revised.advice
    assert "Count CSQX068I" in revised.advice
    assert "Nothing to change" not in revised.advice
    assert revised.changes == ()


def test_a_rule_with_a_figure_sizes_it_for_the_forecast() -> None:
    revised = planned(watched("CHI-80-64BIT", used_pct=60, used_mib=1_229), 90)
    assert "sized for 90" in revised.advice
    assert revised.changes[0].typed == "MEMLIMIT=3G"


def test_where_only_single_days_can_pass_the_limit_nothing_is_sized() -> None:
    revised = planned(watched("CHI-SCAV-75", used_pct=60), 70)
    assert revised.advice == (
        "Nothing to change yet: the forecast stays clear of the limit, and only single days are "
        f"likely to pass it, from {short_day(SOON)} on."
    )


def test_what_is_in_order_keeps_its_words() -> None:
    fine = finding("CHI-SCAV-75", used_pct=60)
    assert planned(fine, 70) == fine


def test_a_use_above_100_percent_is_sized_and_what_there_is_stays() -> None:
    revised = planned(watched("CFS-FULL", used_pct=60, size_mib=4_096), 177)
    assert "70 %" in revised.changes[0].action
    assert revised.changes[0].typed == "SIZE(10606592K)"
    assert 10_606_592 / 1_024 == 177 * 4_096 // 70 + 1


def test_the_amount_of_a_use_scales_with_it_above_100_percent_too() -> None:
    revised = planned(watched("CHI-80-64BIT", used_pct=50, used_mib=1_024), 150)
    assert revised.changes[0].typed == "MEMLIMIT=4G"
    assert "available = 100 x 3,072 MiB / 150 % = 2,048 MiB" in revised.arithmetic


@pytest.mark.parametrize(("forecast", "memlimit"), [(85, 3), (88, 3), (95, 3), (130, 4)])
def test_a_breach_is_sized_for_the_highest_forecast_and_never_for_less_than_today(
    forecast: float, memlimit: int
) -> None:
    today = watched("CHI-80-64BIT", used_pct=88, used_mib=1_802)
    revised = planned(today, forecast, CrossingState.breached)
    assert revised.changes[0].typed == f"MEMLIMIT={memlimit}G"
    assert revised.severity is today.severity
    assert (revised == today) is (forecast <= 88)


def test_a_breach_without_a_figure_keeps_its_words() -> None:
    today = watched("CHI-SCAV-75", used_pct=78)
    assert planned(today, 90, CrossingState.breached) == today


CURVE = BusiestHours(volumes_mib=(3_600, 5_400))
POINT = ForecastPoint(site_date=SOON, lower=0, expected=1, upper=2)


def at(value: float, watched: str, **inputs: float | BusiestHours) -> dict[str, InputValue]:
    entries = [InputValue(name=name, value=figure) for name, figure in inputs.items()]
    rule = all_rules()["CHI-80-64BIT"]
    return {
        entry.name: entry for entry in inputs_at(rule, entries, watched, value, POINT.site_date)
    }


@pytest.mark.parametrize("ratio", [0.5, 1, 3])
def test_the_busiest_hours_grow_with_the_rate(ratio: float) -> None:
    moved = at(0.8 * ratio, "rate_mib_per_s", rate_mib_per_s=0.8, busiest_hours=CURVE)
    curve = moved["busiest_hours"].value
    assert isinstance(curve, BusiestHours)
    assert curve.volumes_mib == pytest.approx(CURVE.grown(ratio).volumes_mib)
    assert moved["busiest_hours"].source == moved["rate_mib_per_s"].source == f"forecast for {SOON}"


def test_amounts_grow_with_their_percentage_and_settings_do_not() -> None:
    moved = at(75, "used_pct", used_pct=50, used_mib=100, engines=2)
    assert (moved["used_mib"].value, moved["engines"].value) == (150, 2)
    assert moved["engines"].origin is None


def test_nothing_can_grow_in_step_with_nothing() -> None:
    moved = at(1, "rate_mib_per_s", rate_mib_per_s=0, busiest_hours=CURVE)
    assert (moved["rate_mib_per_s"].value, moved["busiest_hours"].value) == (1, CURVE)
