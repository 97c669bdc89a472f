"""Metrics, limits and trends of series."""

import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from sizing.rulebook.entry import Rule, value_sources_of
from sizing.rulebook.input_sources import FromMetric, Over
from sizing.rulebook.registry import all_rules
from spark_apps.registry import all_metrics
from tests.many_values import for_each
from tests.sizing.builders import finding


@given(
    busy=st.floats(0, 100),
    lost=st.floats(0, 100),
    engines=st.integers(1, 8),
    others=st.integers(1, 8),
)
def test_a_survivor_breaches_where_its_own_load_passes_the_limit_of_its_series(
    busy: float, lost: float, engines: int, others: int
) -> None:
    inputs = {"busy_pct": busy, "engines": engines, "lost_busy_pct": lost, "lost_engines": others}
    agrees("CF-SURVIVOR", busy, inputs)


@given(busy=st.floats(0, 100), engines=st.integers(1, 8), rate=st.floats(0, 100_000))
def test_a_move_breaches_where_present_load_passes_the_limit_of_its_series(
    busy: float, engines: int, rate: float
) -> None:
    agrees("SYS-CF-CHECK", busy, {"busy_pct": busy, "engines": engines, "transactions_per_s": rate})


@given(age=st.floats(0, 1e6), size=st.floats(1, 4_096), rate=st.floats(0.001, 500))
def test_a_unit_of_work_is_too_old_where_the_log_rate_passes_the_limit_of_its_series(
    age: float, size: float, rate: float
) -> None:
    assume(age == 0 or age > 1)
    inputs = {"oldest_uow_s": age, "log_size_mib": size, "log_rate_mib_per_s": rate}
    assume(age or rate < 2 * size)
    agrees("REC-UOW-LONG", rate, inputs)


@given(
    channels=st.floats(1, 9_999), allowed=st.floats(0.1, 60), syncq=st.none() | st.floats(0, 9_999)
)
def test_channels_are_late_where_their_number_passes_the_limit_of_its_series(
    channels: float, allowed: float, syncq: float | None
) -> None:
    given_ = {} if syncq is None else {"syncq_channels": syncq}
    agrees("CH-START-STOP", channels, {"channels": channels, "restart_max_s": allowed, **given_})


def agrees(rule_id: str, value: float, inputs: dict[str, float]) -> None:
    """The finding is a breach exactly where the series is beyond its own limit."""
    judged = finding(rule_id, **inputs)
    assert judged.series_limit is not None
    assume(not math.isclose(value, judged.series_limit, rel_tol=1e-6, abs_tol=1e-6))
    assert judged.breach is (value > judged.series_limit)


@pytest.mark.parametrize(
    ("values", "applies"),
    [
        ({"recent": 1.0, "usual": 1.0}, True),
        ({"recent": 1.0}, False),
        ({"usual": 1.0}, False),
        ({"recent": 0.0, "usual": 0.0}, True),
    ],
)
def test_without_both_figures_there_is_no_finding(values: dict[str, object], applies: bool) -> None:
    assert all_rules()["LOG-RATE-MBH"].applies_to(values) is applies


METRICS = {metric.name: metric for metric in all_metrics()}
ASKED = [
    (rule, name, mark)
    for rule in all_rules().values()
    for name, marks in value_sources_of(rule.inputs).items()
    for mark in marks
    if isinstance(mark, FromMetric)
]
UNITS = {
    "pct": "%",
    "mib": "MiB",
    "mib_per_s": "MiB/s",
    "per_h": "count/h",
    "per_s": "count/s",
    "bytes": "bytes",
    "min": "min",
    "s": "s",
    "per_day": "count/day",
    "mib_per_day": "MiB/day",
    "gigabits": "Gbit/s",
    "minutes": "min",
}
"""Longest ending first wins; names that say no unit (``recent``) take that of the metric."""


@for_each("rule, name, mark", ASKED, ids=lambda asked: f"{asked[0].id} {asked[1]}")
def test_a_metric_is_declared_of_the_same_subject_and_unit(
    rule: Rule, name: str, mark: FromMetric
) -> None:
    metric = METRICS[mark.metric]
    assert metric.subject_kind in {rule.traits.subject_kind, *rule.traits.also_of}
    units = [
        UNITS[suffix]
        for suffix in sorted(UNITS, key=len, reverse=True)
        if f"_{name}".endswith(f"_{suffix}")
    ][:1]
    assert all(metric.unit == unit for unit in units)
    assert units or metric.unit == "count" or name in {"recent", "usual"} or mark.over is Over.days


@for_each(
    "rule",
    [rule for rule in all_rules().values() if rule.forecast_series],
    ids=lambda rule: rule.id,
)
def test_a_watched_metric_is_forecast(rule: Rule) -> None:
    assert rule.series is not None
    assert METRICS[rule.series.metric].forecast
