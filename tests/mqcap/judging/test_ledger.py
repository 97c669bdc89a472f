from datetime import date, timedelta

import pytest
from sqlalchemy import Engine

from mqcap.domain.console.ledger import Foreseen, Ledger
from mqcap.domain.crossing import SINCE_DATA_BEGINS, Crossing, CrossingState
from mqcap.domain.forecast import ForecastBasis
from mqcap.domain.metric import Statistic
from mqcap.judging.ledger import (
    days_in_breach,
    episode_start,
    read_ledger,
    read_limit_records,
    with_first_day,
)
from mqcap.settings import load_settings
from mqcap.store.console_states import replace_states
from mqcap.store.crossings import replace_crossings, replace_hold_out
from mqcap.store.observations import replace_observations
from mqcap.store.scores import save_scores
from mqcap.store.series import upsert_series
from mqcap.store.step_runs import save_step_run
from tests.factories import (
    DAY,
    NOON,
    console_state,
    crossing,
    crossing_score,
    observation,
    series_facts,
    step_run,
)

SETTINGS = load_settings()
LOG = "PLEX1/CSQ1/active_log"
BEGIN = DAY - timedelta(days=90)


def state(engine: Engine, days: int, subject: str = "PLEX1/CSQ1") -> None:
    day = DAY + timedelta(days=days)
    instant = NOON + timedelta(days=days)
    full = console_state(subject=subject, site_date=day, last_date=day, first_utc=instant)
    replace_states(engine, [], [full])


def stated(engine: Engine, days: int, expected: int | None, limit: float = 100) -> None:
    cutoff = DAY + timedelta(days=days)
    kind = CrossingState.breached if expected is None else CrossingState.will_cross
    on = None if expected is None else DAY + timedelta(days=expected)
    made = crossing(
        rule_id="LOG-RUNWAY-12H",
        cutoff_date=cutoff,
        state=kind,
        expected_date=on,
        limit_value=limit,
        statistic=Statistic.peak,
    )
    replace_crossings(engine, cutoff, [made, made.model_copy(update={"rule_id": "OLD-RULE"})])


def test_an_event_is_compared_with_the_last_day_fourteen_days_before(engine: Engine) -> None:
    state(engine, 0)
    stated(engine, -15, 0)
    stated(engine, -14, 100)
    assert read_ledger(SETTINGS, engine, BEGIN, DAY).where(Foreseen.forecast) == ()
    stated(engine, -14, None)
    [event] = read_ledger(SETTINGS, engine, BEGIN, DAY).where(Foreseen.over_already)
    assert (event.resource, event.stated_on) == (LOG, DAY - timedelta(days=14))


def test_a_due_forecast_without_an_event_did_not_come(engine: Engine) -> None:
    stated(engine, -60, -20)
    state(engine, -20, "PLEX1/CSQ2")
    ledger = read_ledger(SETTINGS, engine, BEGIN, DAY)
    assert [one.resource for one in ledger.unfulfilled] == [LOG]
    state(engine, -20)
    assert read_ledger(SETTINGS, engine, BEGIN, DAY).unfulfilled == ()


def test_events_and_forecasts_before_the_time_are_left_out(engine: Engine) -> None:
    stated(engine, -92, -80)
    state(engine, -91)
    assert read_ledger(SETTINGS, engine, BEGIN, DAY) == Ledger()


def measured(engine: Engine, days: int, peak: float) -> None:
    day = DAY + timedelta(days=days)
    upsert_series(engine, [series_facts()])
    replace_observations(engine, [day], [observation(site_date=day, peak=peak)], {})


@pytest.mark.parametrize(
    ("days", "peak", "came"),
    [(-21, 101, True), (-21, 100, False), (-21, 99, False), (-6, 101, True), (-5, 101, False)],
)
def test_a_due_forecast_comes_when_the_measured_figure_passes_its_limit(
    engine: Engine, days: int, peak: float, came: bool
) -> None:
    stated(engine, -60, -20)
    measured(engine, days, peak)
    [forecast] = read_ledger(SETTINGS, engine, BEGIN, DAY).forecasts
    assert forecast.measured_on == (DAY + timedelta(days=days) if came else None)
    assert (forecast.rule_id, forecast.label) == ("LOG-RUNWAY-12H", "CSQ1 active logs")


@pytest.mark.parametrize(("days", "count"), [(-95, 1), (-94, 0), (-60, 0), (-59, 1)])
def test_of_a_limit_passed_nothing_is_forecast(engine: Engine, days: int, count: int) -> None:
    """The window of the rules is 35 days, the day itself included."""
    stated(engine, -60, -20)
    measured(engine, days, 101)
    assert len(read_ledger(SETTINGS, engine, BEGIN, DAY).forecasts) == count


@pytest.mark.parametrize(("limit", "days"), [(110, [-40]), (112, [-40, -12])])
def test_a_limit_that_only_moved_is_passed_on_one_day_whatever_forecast_it_is_of(
    engine: Engine, limit: float, days: list[int]
) -> None:
    """101 MiB/s pass the first limit; a log that is enlarged has another limit."""
    stated(engine, -60, -20)
    stated(engine, -30, -15, limit=limit)
    measured(engine, -40, 101)
    measured(engine, -12, 120)
    forecasts = read_ledger(SETTINGS, engine, BEGIN, DAY).forecasts
    assert [forecast.measured_on for forecast in forecasts] == [
        DAY + timedelta(days=d) for d in days
    ]


def over_since(engine: Engine, days: int | None) -> None:
    """Store that on the last day in time the limit was passed since a day."""
    cutoff = DAY - timedelta(days=14)
    since = None if days is None else DAY + timedelta(days=days)
    over = crossing(
        rule_id="LOG-RUNWAY-12H", cutoff_date=cutoff, state=CrossingState.breached,
        expected_date=None, breached_since=since,
    )  # fmt: skip
    replace_crossings(engine, cutoff, [over])


def test_events_of_one_day_are_compared_each_with_its_own_resource(engine: Engine) -> None:
    state(engine, 0)
    state(engine, 0, "PLEX1/CSQ2")
    over_since(engine, -30)
    ledger = read_ledger(SETTINGS, engine, BEGIN, DAY)
    assert [event.resource for event in ledger.where(Foreseen.over_already)] == [LOG]
    assert [event.resource for event in ledger.where(Foreseen.missed)] == ["PLEX1/CSQ2/active_log"]


@pytest.mark.parametrize(
    ("since", "expected", "foreseen"),
    [
        (-30, -44, Foreseen.forecast),
        (-30, -45, Foreseen.over_already),
        (-30, 14, Foreseen.forecast),
        (-30, 15, Foreseen.over_already),
        (-60, -44, Foreseen.over_already),
        (None, -30, Foreseen.over_already),
    ],
)
def test_a_limit_that_was_passed_in_time_counts_as_forecast_where_an_earlier_day_expected_it(
    engine: Engine, since: int | None, expected: int, foreseen: Foreseen
) -> None:
    state(engine, 0)
    stated(engine, -60, expected)
    over_since(engine, since)
    [event] = read_ledger(SETTINGS, engine, BEGIN, DAY).events
    assert event.foreseen is foreseen


@pytest.mark.parametrize(("late", "basis"), [(3, ForecastBasis.live), (4, ForecastBasis.hold_out)])
def test_a_day_evaluated_late_is_hold_out(engine: Engine, late: int, basis: ForecastBasis) -> None:
    state(engine, 0)
    stated(engine, -14, None)
    cutoff = DAY - timedelta(days=14)
    for days in (late + 5, late):
        ended = NOON - timedelta(days=14 - days)
        save_step_run(engine, step_run(step="size", site_date=cutoff, ended_at_utc=ended))
    [event] = read_ledger(SETTINGS, engine, BEGIN, DAY).events
    assert event.basis is basis


@pytest.mark.parametrize(("lead", "basis"), [(21, ForecastBasis.live), (22, ForecastBasis.none)])
def test_a_day_long_before_is_no_basis(engine: Engine, lead: int, basis: ForecastBasis) -> None:
    state(engine, 0)
    stated(engine, -lead, 0)
    [event] = read_ledger(SETTINGS, engine, BEGIN, DAY).events
    assert event.basis is basis


@pytest.mark.parametrize(
    ("lead", "basis"), [(44, ForecastBasis.hold_out), (45, ForecastBasis.none)]
)
def test_without_an_evaluated_day_a_rolling_origin_is_compared(
    engine: Engine, lead: int, basis: ForecastBasis
) -> None:
    state(engine, 0)
    origin = DAY - timedelta(days=lead)
    over = crossing(
        rule_id="LOG-RUNWAY-12H", cutoff_date=origin, state=CrossingState.breached,
        expected_date=None,
    )  # fmt: skip
    replace_hold_out(engine, origin, [over])
    [event] = read_ledger(SETTINGS, engine, BEGIN, DAY).events
    assert event.basis is basis
    assert (event.stated_on is not None) is (basis is ForecastBasis.hold_out)


def test_a_due_forecast_of_an_origin_counts_unless_its_day_was_evaluated(engine: Engine) -> None:
    origin = DAY - timedelta(days=60)
    due = DAY - timedelta(days=20)
    made = crossing(cutoff_date=origin, state=CrossingState.will_cross, expected_date=due)
    replace_hold_out(engine, origin, [made])
    [forecast] = read_ledger(SETTINGS, engine, BEGIN, DAY).forecasts
    assert (forecast.basis, forecast.came_on) == (ForecastBasis.hold_out, None)
    stated(engine, -60, -20)
    [forecast] = read_ledger(SETTINGS, engine, BEGIN, DAY).forecasts
    assert forecast.basis is ForecastBasis.live


@pytest.mark.parametrize(("breach", "rule_id"), [("act", "LOG-RUNWAY-12H"), ("watch", "LOG-DAY")])
def test_of_two_forecasts_that_of_the_rule_which_the_site_holds_mandatory_counts(
    engine: Engine, breach: str, rule_id: str
) -> None:
    state(engine, 0)
    early, late = DAY - timedelta(days=4), DAY - timedelta(days=2)
    made = [
        crossing(rule_id=each, cutoff_date=DAY - timedelta(days=20), expected_date=expected)
        for each, expected in (("LOG-RUNWAY-12H", late), ("LOG-DAY-ACTIVE", early))
    ]
    replace_crossings(engine, DAY - timedelta(days=20), made)
    settings = load_settings(grading={"LOG-RUNWAY-12H": {"breach": breach}})
    [event] = read_ledger(settings, engine, BEGIN, DAY).events
    assert event.rule_id.startswith(rule_id)


def test_probabilities_of_the_store_are_in_the_record_of_their_rule(engine: Engine) -> None:
    save_scores(engine, [], [crossing_score(probability=0.7)])
    [record] = read_limit_records(engine, Ledger(), DAY, DAY + timedelta(days=30))
    assert (record.rule_id, record.stated_ratio, record.due_count) == ("LOG-FILL-30MIN", 0.7, 0)


PASSED = crossing(cutoff_date=DAY, limit_value=2.0)


def back(*days: int) -> list[date]:
    return [DAY - timedelta(days=number) for number in days]


def begun(engine: Engine, peaks: dict[int, float], *, strict: bool = True) -> Crossing:
    for number, peak in peaks.items():
        measured(engine, -number, peak)
    return with_first_day(engine, PASSED, strict, SETTINGS)


@pytest.mark.parametrize(
    ("days", "start"), [((), 0), ((0, 5, 10), 10), ((3, 8), 8), ((6,), 0), ((0, 5, 11, 12), 5)]
)
def test_an_episode_reaches_back_by_steps_up_to_the_gap(days: tuple[int, ...], start: int) -> None:
    assert episode_start(back(*days), DAY, gap_days=5) == DAY - timedelta(days=start)


@pytest.mark.parametrize(("strict", "start"), [(True, 10), (False, 30)])
def test_a_day_at_the_limit_counts_by_the_rule(engine: Engine, strict: bool, start: int) -> None:
    made = begun(engine, {0: 3.0, 10: 3.0, 30: 2.0, 200: 9.0}, strict=strict)
    assert made.breached_since == DAY - timedelta(days=start)


@pytest.mark.parametrize(("before", "reason"), [(3.0, SINCE_DATA_BEGINS), (1.0, None)])
def test_a_breach_on_the_first_measured_day_is_one_since_the_data_begins(
    engine: Engine, before: float, reason: str | None
) -> None:
    assert begun(engine, {**dict.fromkeys(range(5), 3.0), 5: before}).reason == reason


def test_days_in_breach_are_those_whose_value_passed_the_limit(engine: Engine) -> None:
    begun(engine, {0: 3.0, 1: 2.0, 2: 1.9, 3: 2.1, 9: 9.0})
    assert days_in_breach(engine, PASSED, DAY - timedelta(days=8), DAY) == [*back(3), DAY]
