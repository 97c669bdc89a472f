"""Advice of a finding whose limit is passed in the forecast only."""

from __future__ import annotations

from datetime import timedelta

from mqcap.domain.crossing import Crossing, CrossingState
from mqcap.domain.finding import Finding, Severity
from mqcap.domain.forecast import Forecast, ForecastPoint
from mqcap.domain.metric import Direction, Statistic
from mqcap.judging.planned_change import with_planned_change
from sizing.rulebook.registry import all_rules
from tests.sizing.builders import DAY, finding

SERIES = "chinit_31bit_used_pct/PLEX1/CSQ1"
SOON = DAY + timedelta(days=9)


def planned(found: Finding, expected: float) -> Finding:
    """The finding with a forecast that stays at one level."""
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
        rule_id=found.rule_id,
        subject=found.subject,
        cutoff_date=DAY,
        series_id=SERIES,
        statistic=Statistic.peak,
        limit_value=75,
        unit="%",
        direction=Direction.upward,
        state=CrossingState.will_cross,
        earliest_date=SOON,
        expected_date=SOON + timedelta(days=5),
    )
    return with_planned_change(all_rules()[found.rule_id], found, crossing, forecast)


def watched(rule_id: str, **inputs: float) -> Finding:
    return finding(rule_id, **inputs).model_copy(update={"severity": Severity.watch})


def test_a_rule_without_a_figure_says_in_words_what_to_do_before_the_day() -> None:
    told = planned(watched("CHI-SCAV-75", used_pct=60), 78)
    assert told.advice.startswith(f"To be done before {SOON}")
    assert "evaluated for 78" in told.advice
    assert "Count CSQX068I" in told.advice
    assert "Nothing to change" not in told.advice
    assert told.changes == ()


def test_a_rule_with_a_figure_sizes_it_for_the_forecast() -> None:
    told = planned(watched("CHI-80-64BIT", used_pct=60, used_mib=1_229), 90)
    assert "sized for 90" in told.advice
    assert told.changes[0].typed == "MEMLIMIT=3G"


def test_where_only_single_days_can_pass_the_limit_nothing_is_sized() -> None:
    told = planned(watched("CHI-SCAV-75", used_pct=60), 70)
    assert told.advice == (
        "No change is sized: the forecast stays clear of the limit, and only single days are "
        f"likely to pass it, from {SOON} on."
    )


def test_what_is_in_order_keeps_its_words() -> None:
    fine = finding("CHI-SCAV-75", used_pct=60)
    assert planned(fine, 70) == fine
