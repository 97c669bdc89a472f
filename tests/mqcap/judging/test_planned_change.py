from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from mqcap.domain.busiest_hours import BusiestHours
from mqcap.domain.crossing import CrossingState
from mqcap.domain.estate import Estate
from mqcap.domain.finding import Finding, InputValue, Severity
from mqcap.domain.metric import Statistic, SubjectKind
from mqcap.judging.inputs import values_of
from mqcap.judging.planned_change import inputs_at, limit_steps, planned_limits, with_planned_change
from mqcap.judging.todays_limits import in_todays_limits, window_in_todays_limits
from mqcap.presentation.dates import short_day
from mqcap.settings import Settings
from mqcap.store.database import Store
from mqcap.store.models import TrainingRow, WindowDay
from sizing.rulebook.judge import judge
from sizing.rulebook.registry import all_rules
from tests import factories
from tests.mqcap.judging.observations import DAY as LAST
from tests.mqcap.judging.observations import SUBJECT, findings_of, measured, observed
from tests.mqcap.rulebook import builders
from tests.mqcap.rulebook.builders import DAY as TODAY
from tests.mqcap.rulebook.builders import new_store, observe, settings_of
from tests.sizing.builders import DAY, Policy, finding

SOON = DAY + timedelta(days=9)


def planned(
    result: Finding, expected: float, state: CrossingState = CrossingState.will_cross
) -> Finding:
    passed = factories.crossing(result, state=state, earliest_date=SOON, breached_since=DAY)
    level = [(expected - 1, expected, expected + 1)] * 30
    ahead = factories.forecast(lines=level, cutoff_date=DAY)
    if state is CrossingState.will_cross:
        passed = passed.model_copy(update={"expected_date": SOON + timedelta(days=5)})
    return with_planned_change(all_rules()[result.rule_id], result, passed, ahead)


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
def test_a_breach_is_sized_for_the_forecast_at_least_today(forecast: float, memlimit: int) -> None:
    today = watched("CHI-80-64BIT", used_pct=88, used_mib=1_802)
    revised = planned(today, forecast, CrossingState.breached)
    assert revised.changes[0].typed == f"MEMLIMIT={memlimit}G"
    assert revised.severity is today.severity
    assert (revised == today) is (forecast <= 88)


def test_a_breach_without_a_figure_keeps_its_words() -> None:
    today = watched("CHI-SCAV-75", used_pct=78)
    assert planned(today, 90, CrossingState.breached) == today


CURVE = BusiestHours(volumes_mib=(3_600, 5_400))


def at(value: float, watched: str, **inputs: float | BusiestHours) -> dict[str, InputValue]:
    entries = [InputValue(name=name, value=figure) for name, figure in inputs.items()]
    rule = all_rules()["CHI-80-64BIT"]
    return {entry.name: entry for entry in inputs_at(rule, entries, watched, value, SOON)}


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


QUEUE, QMGR = "EAST/QM1/APP.IN", "EAST/QM1"
DEPTH = f"mq_queue_depth_used_pct/{QUEUE}"
MAX_DEPTH = ("mq_queue_depth_max_count", QUEUE)


def day(number: int) -> date:
    return date(2026, 7, number)


def shares(series_id: str, *values: float) -> list[TrainingRow]:
    return [
        TrainingRow(series_id, Statistic.peak, day(number), value, None)
        for number, value in enumerate(values, start=1)
    ]


@pytest.mark.parametrize(
    ("limits", "used", "expected"),
    [((5_000, 5_000, 10_000), (80, 90, 50), [40, 45, 50]), ((10_000, 5_000), (40, 90), [80, 90])],
)
def test_a_raised_limit_is_no_fall_of_the_load_and_a_lowered_one_no_rise(
    limits: tuple[float, ...], used: tuple[float, ...], expected: list[float]
) -> None:
    known = {day(number): limit for number, limit in enumerate(limits, start=1)}
    made = in_todays_limits(shares(DEPTH, *used), {MAX_DEPTH: known})
    assert [row.value for row in made] == expected


def test_days_without_a_limit_have_that_of_the_day_before_or_the_first() -> None:
    limits = {MAX_DEPTH: {day(2): 5_000.0, day(4): 10_000.0}}
    made = in_todays_limits(shares(DEPTH, 10.0, 10.0, 10.0, 10.0, 10.0), limits)
    assert [row.value for row in made] == [5.0, 5.0, 5.0, 10.0, 10.0]


@pytest.mark.parametrize(("before", "value"), [(3.0, 62.5), (6.0, 100.0)])
def test_the_limit_of_all_log_files_is_their_sum(before: float, value: float) -> None:
    limits = {
        ("mq_log_primary_files_count", QMGR): {day(1): before, day(2): 6.0},
        ("mq_log_secondary_files_count", QMGR): {day(1): 2.0, day(2): 2.0},
    }
    rows = shares(f"mq_log_total_used_pct/{QMGR}", 100.0, 70.0)
    assert [row.value for row in in_todays_limits(rows, limits)] == [value, 70.0]


def test_other_series_and_unknown_limits_stay_as_they_are() -> None:
    limits = {MAX_DEPTH: {day(1): 5_000.0, day(2): 10_000.0}}
    others = [
        *shares("mq_queue_depth_used_pct/EAST/QM1/OTHER", 1.0, 2.0),
        *shares(f"mq_queue_depth_count/{QUEUE}", 1.0, 2.0),
        *shares(f"mq_log_total_used_pct/{QMGR}", 1.0, 2.0),
    ]
    half = {("mq_log_primary_files_count", QMGR): {day(1): 3.0, day(2): 6.0}}
    assert in_todays_limits(others, limits | half) == others


def window(metric: str, subject: str, *values: float) -> list[WindowDay]:
    kind = SubjectKind.distributed_queue
    return [
        WindowDay(metric, subject, kind, "", day(number), value / 4, value / 2, value)
        for number, value in enumerate(values, start=1)
    ]


def steady(metric: str, subject: str, *values: float) -> list[WindowDay]:
    return [day._replace(mean=day.peak) for day in window(metric, subject, *values)]


def test_days_of_a_finding_are_shares_of_the_newest_limit_and_say_so() -> None:
    limits = steady("mq_queue_depth_max_count", QUEUE, 5_000.0, 5_000.0, 10_000.0)
    measured = window("mq_queue_depth_used_pct", QUEUE, 80.0, 100.0, 50.0)
    *_, first, second, third = window_in_todays_limits([*limits, *measured])
    assert (first.mean, first.p95, first.peak, first.limit_ratio) == (10, 20, 40, 0.5)
    assert (second.peak, second.limit_ratio) == (50, 0.5)
    assert third == measured[2]


def test_days_of_a_limit_that_stays_are_as_measured() -> None:
    days = [
        *steady("mq_queue_depth_max_count", QUEUE, 5_000.0, 5_000.0),
        *window("mq_queue_depth_used_pct", QUEUE, 80.0, 100.0),
        *window("mq_queue_depth_used_pct", "EAST/QM1/OTHER", 80.0, 100.0),
    ]
    assert window_in_todays_limits(days) == days


@pytest.mark.parametrize(
    ("limits", "mean", "ratios"),
    [
        ((20_000.0, 20_000.0, 800.0), 7_000.0, (25.0, None, None)),
        ((800.0, 20_000.0, 20_000.0), 7_000.0, (0.04, 0.04, None)),
        ((800.0, 20_000.0, 20_000.0), 20_000.0, (0.04, None, None)),
    ],
)
def test_a_day_within_which_the_limit_changed_makes_no_share_that_was_never_there(
    limits: tuple[float, ...], mean: float, ratios: tuple[float | None, ...]
) -> None:
    first, second, third = steady("mq_queue_depth_max_count", QUEUE, *limits)
    days = window("mq_queue_depth_used_pct", QUEUE, 50.0, 90.0, 50.0)
    made = window_in_todays_limits([first, second._replace(mean=mean), third, *days])
    assert tuple(day.limit_ratio for day in made[3:]) == ratios


def test_a_first_day_within_which_the_limit_changed_is_left_out() -> None:
    first, second = steady("mq_queue_depth_max_count", QUEUE, 20_000.0, 800.0)
    days = window("mq_queue_depth_used_pct", QUEUE, 14.0, 50.0)
    others = window("mq_queue_depth_used_pct", "EAST/QM1/OTHER", 14.0)
    made = window_in_todays_limits([first._replace(mean=9_000.0), second, *days, *others])
    assert made[2:] == [days[1], *others]
    limits = {MAX_DEPTH: {day(1): None, day(2): 800.0}}
    assert in_todays_limits(shares(DEPTH, 14.0, 50.0), limits) == shares(DEPTH, 14.0, 50.0)[1:]


RULE = all_rules()["LOG-FILL-30MIN"]


def limits(*planned: dict[str, Any]) -> list[tuple[date, float]]:
    qmgr = {"name": "CSQ1", "active_log_size_mib": 1_800, "planned": list(planned)}
    estate = Estate.model_validate({"sysplexes": [{"sysplex": "PLEX1", "qmgrs": [qmgr]}]})
    load = observed(measured(0, 0.5))
    made = judge(RULE, SUBJECT, LAST, values_of(RULE, SUBJECT, load, estate), Policy())
    assert made.crossing_limit == 1.0
    return planned_limits(RULE, made, load, estate, Policy(), estate.changes_after(LAST))


def change(days: int, **values: object) -> dict[str, Any]:
    return {"from": LAST + timedelta(days=days), **values}


def test_a_planned_log_size_steps_the_limit_from_its_day_on() -> None:
    assert limits(change(10, active_log_size_mib=3_600)) == [(LAST + timedelta(days=10), 2.0)]


def test_steps_are_in_the_order_of_their_days() -> None:
    later = change(20, active_log_size_mib=900)
    sooner = change(10, active_log_size_mib=3_600)
    assert limits(later, sooner) == [
        (LAST + timedelta(days=10), 2.0),
        (LAST + timedelta(days=20), 0.5),
    ]


def test_a_planned_change_that_leaves_the_limit_as_it_is_is_no_step() -> None:
    assert limits(change(10, active_logs=12)) == []
    assert limits(change(10, active_log_size_mib=1_800)) == []
    assert limits(change(0, active_log_size_mib=3_600)) == []


def evaluated(folder: Path, *planned: dict[str, Any]) -> tuple[Settings, Store, Finding]:
    engine = new_store(folder)
    observe(engine, "log_growth_mib_per_s", SUBJECT, builders.days(5, 0.5))
    settings = settings_of(folder, active_log_size_mib=1_800, planned=list(planned))
    return settings, engine, findings_of(settings, engine, TODAY)[RULE.id, SUBJECT]


def test_a_planned_change_gives_the_first_day_and_value_of_the_later_limit(tmp_path: Path) -> None:
    day = TODAY + timedelta(days=30)
    site = evaluated(tmp_path, {"from": day, "active_log_size_mib": 3_600})
    assert limit_steps(*site) == [(day, 2.0)]


@pytest.mark.parametrize("unknown", [{"rule_id": "NO-SUCH-RULE"}, {"subject": "PLEX1/CSQ9"}])
def test_unknown_rules_and_subjects_have_no_steps(tmp_path: Path, unknown: dict[str, str]) -> None:
    changed = {"from": TODAY + timedelta(days=30), "active_log_size_mib": 3_600}
    settings, engine, made = evaluated(tmp_path, changed)
    assert limit_steps(settings, engine, made.model_copy(update=unknown)) == []
