"""Dates of crossings on hand-made forecasts."""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forecasting.crossing import KEPT_DAYS, is_in_breach
from mqcap.domain.crossing import PROBABILITY_DAYS, Crossing, CrossingState
from mqcap.domain.forecast import Forecast
from mqcap.domain.metric import Direction, Statistic
from tests import factories
from tests.factories import Line
from tests.forecasting.builders import CUTOFF, dated


def made(lines: list[Line], refusal: str | None = None) -> Forecast:
    return factories.forecast(
        lines=lines, series_id="cf_busy_pct/PLEX1/CF01", cutoff_date=CUTOFF, refusal=refusal
    )


def crossing(
    forecast: Forecast,
    recent: Sequence[tuple[date, float]] = (),
    limit: float = 60.0,
    **changed: Any,
) -> Crossing:
    return dated(forecast, limit, recent, **changed)


def ramp(count: int = 30, half: float = 5.0) -> Forecast:
    middles = [50.0 + ahead for ahead in range(1, count + 1)]
    return made([(middle - half, middle, middle + half) for middle in middles])


def day(ahead: int) -> date:
    return CUTOFF + timedelta(days=ahead)


def test_the_dates_lie_in_order_and_not_behind_the_lines_of_their_names() -> None:
    found = crossing(ramp())
    assert found.state is CrossingState.will_cross
    dates = [known for known in found.dates if known is not None]
    assert all(known <= day(line) for known, line in zip(dates, (6, 11, 16), strict=True))
    assert dates == sorted({*dates})
    assert found.subject == "PLEX1/CF01"


def test_without_doubt_all_dates_are_those_of_the_line() -> None:
    found = crossing(ramp(half=0.0))
    assert found.earliest_date == found.expected_date == found.latest_date == day(11)


def test_a_limit_that_may_be_touched_is_crossed_one_step_later() -> None:
    assert crossing(ramp(half=0.0), strict=False).expected_date == day(10)


def test_an_unlikely_crossing_has_no_expected_date() -> None:
    assert crossing(ramp(2)).state is CrossingState.not_within_horizon
    found = crossing(ramp(5))
    assert (found.state, found.dates[1:]) == (CrossingState.will_cross, (None, None))
    assert found.earliest_date is not None


def test_one_noisy_day_of_many_passes_a_limit_that_the_middle_line_never_reaches() -> None:
    for count, passes in ((120, True), (3, False)):
        found = crossing(made([(45.0, 50.0, 55.0)] * count), limit=56.0)
        assert (found.expected_date is not None) is passes


def test_a_limit_out_of_reach_is_not_crossed_within_the_horizon() -> None:
    found = crossing(ramp(), limit=100.0)
    assert found.state is CrossingState.not_within_horizon
    assert found.earliest_date is None


def test_a_downward_limit_is_the_mirror_image() -> None:
    falling = made([(50.0 - d - 5, 50.0 - d, 50.0 - d + 5) for d in range(1, 31)])
    down = crossing(falling, limit=40.0, direction=Direction.downward)
    up = crossing(ramp(), limit=60.0)
    for name in ("earliest_date", "expected_date", "latest_date"):
        first, second = getattr(down, name), getattr(up, name)
        assert abs((first - second).days) <= 2


def test_a_single_month_end_peak_is_dated_on_its_day() -> None:
    points = [(40.0, 45.0, 50.0)] * 30
    points[23] = (58.0, 63.0, 68.0)
    found = crossing(made(points))
    assert found.expected_date == found.earliest_date == day(24)
    assert found.latest_date is None
    assert found.probability_30_days == pytest.approx(0.779, abs=0.02)


def test_a_measured_breach_outranks_the_forecast() -> None:
    recent = [(day(-3), 65.0), (day(-9), 61.0), (day(0), 40.0)]
    found = crossing(ramp(), recent)
    assert found.state is CrossingState.breached
    assert found.breached_since == day(-9)
    assert [getattr(found, f"probability_{days}_days") for days in PROBABILITY_DAYS] == [1.0] * 5
    assert found.expected_date is None


def test_values_after_the_cutoff_are_not_known() -> None:
    assert crossing(ramp(5), [(day(1), 99.0)]).breached_since is None


def test_a_refusal_gives_unknown_with_its_reason_unless_a_limit_is_passed_already() -> None:
    refused = made([], refusal="12 days of data, 60 needed")
    found = crossing(refused)
    assert (found.state, found.reason) == (CrossingState.unknown, refused.refusal)
    assert found.probability_365_days is None
    assert crossing(refused, [(day(-1), 75.0)]).state is CrossingState.breached


@pytest.mark.parametrize("direction", list(Direction))
def test_a_missing_value_breaches_nothing(direction: Direction) -> None:
    assert not is_in_breach(float("nan"), 1.0, direction=direction, strict=False)


level = st.floats(0, 100, allow_nan=False)


@pytest.mark.thorough
@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.tuples(level, level, level).map(sorted).map(tuple), max_size=40),
    level,
    st.sampled_from(Direction),
    st.booleans(),
)
def test_dates_are_ordered_and_lie_inside_the_horizon(
    points: list[Line], limit: float, direction: Direction, strict: bool
) -> None:
    found = crossing(made(points), limit=limit, direction=direction, strict=strict)
    dates = [*found.dates]
    known = [value for value in dates if value is not None]
    assert known == sorted(known)
    assert dates[: len(known)] == known
    assert all(CUTOFF < value <= day(len(points)) for value in known)
    assert (found.state is CrossingState.will_cross) == bool(known)


def peaks(first: float, second: float) -> Forecast:
    """Two busy days, 10 and 17 days ahead, with the given values; the limit is 60."""
    middles = [{10: first, 17: second}.get(ahead, 30.0) for ahead in range(1, 31)]
    return made([(middle - 4, middle, middle + 4) for middle in middles])


def night_before(expected: date | None, **changed: Any) -> Crossing:
    found = crossing(peaks(60.3, 70.0)).model_copy(update={"cutoff_date": day(-1)})
    return found.model_copy(update={"expected_date": expected, **changed})


@pytest.mark.parametrize(
    ("first", "plain", "before", "kept"),
    [
        (57.6, 17, 10, False), (57.8, 17, 10, True), (59.6, 17, 10, True),
        (60.5, 10, 17, True), (62.2, 10, 17, True), (62.4, 10, 17, False),
    ],
)  # fmt: skip
def test_a_date_is_kept_while_it_has_happened_by_then_with_25_to_75_percent(
    first: float, plain: int, before: int, kept: bool
) -> None:
    forecast = peaks(first, 70.0)
    assert crossing(forecast).expected_date == day(plain)
    found = crossing(forecast, before=night_before(day(before)))
    assert found.expected_date == day(before if kept else plain)


def test_a_kept_date_changes_nothing_else() -> None:
    plain = crossing(peaks(59.9, 70.0))
    kept = crossing(peaks(59.9, 70.0), before=night_before(day(10)))
    assert kept == plain.model_copy(update={"expected_date": day(10)})


def test_a_date_stays_where_the_middle_just_leaves_the_horizon() -> None:
    rare = peaks(30.0, 59.4)
    assert crossing(rare).expected_date is None
    assert crossing(rare, before=night_before(day(17))).expected_date == day(17)


@pytest.mark.parametrize(
    "changed",
    [
        {"limit_value": 61.0},
        {"series_id": "cf_busy_pct/PLEX1/CF02"},
        {"statistic": Statistic.mean},
        {"direction": Direction.downward},
        {"cutoff_date": day(-KEPT_DAYS - 1)},
        {"cutoff_date": CUTOFF},
        {"expected_date": None},
        {"expected_date": CUTOFF},
        {"expected_date": day(31)},
    ],
)
def test_a_date_of_something_else_or_of_long_ago_is_not_kept(changed: dict[str, Any]) -> None:
    before = night_before(day(10)).model_copy(update=changed)
    found = crossing(peaks(59.9, 70.0), before=before)
    assert found.expected_date == day(17)


@pytest.mark.parametrize("age_days", [1, KEPT_DAYS])
def test_a_date_of_an_evaluated_day_up_to_a_week_ago_is_kept(age_days: int) -> None:
    before = night_before(day(10), cutoff_date=day(-age_days))
    assert crossing(peaks(59.9, 70.0), before=before).expected_date == day(10)
