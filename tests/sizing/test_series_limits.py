"""Metrics, limits and trends of series."""

import math
from typing import Any, Final

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from sizing.rulebook.entry import Rule, value_sources_of
from sizing.rulebook.input_sources import FromMetric, Over
from sizing.rulebook.registry import all_rules
from spark_apps.registry import all_metrics
from tests.many_values import for_each
from tests.sizing.builders import finding
from tests.sizing.test_following_advice import MEASURED

LIMITED: Final[dict[str, dict[str, SearchStrategy[Any]]]] = {
    **{name: MEASURED[name] for name in ("CF-SURVIVOR", "SYS-CF-CHECK", "CH-START-STOP")},
    "REC-UOW-LONG": {
        "log_rate_mib_per_s": st.floats(0.001, 500),
        "log_size_mib": st.floats(1, 4_096),
        "oldest_uow_s": st.just(0.0) | st.floats(1, 1e6, exclude_min=True),
    },
}
"""Inputs of rules whose figure is made of more than their series."""


@pytest.mark.parametrize("rule_id", LIMITED)
@given(data=st.data())
def test_a_finding_is_a_breach_exactly_where_its_series_is_beyond_its_own_limit(
    rule_id: str, data: st.DataObject
) -> None:
    inputs = data.draw(st.fixed_dictionaries(LIMITED[rule_id]))
    if rule_id == "REC-UOW-LONG" and not inputs["oldest_uow_s"]:
        assume(inputs["log_rate_mib_per_s"] < 2 * inputs["log_size_mib"])
    judged, value = finding(rule_id, **inputs), inputs[str(all_rules()[rule_id].traits.watches)]
    assert judged.series_limit is not None
    assume(not math.isclose(value, judged.series_limit, rel_tol=1e-6, abs_tol=1e-6))
    assert judged.breach is (value > judged.series_limit)


@pytest.mark.parametrize(
    ("values", "applies"),
    [({"recent": 1}, False), ({"usual": 1}, False), ({"recent": 0, "usual": 0}, True)],
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
    metric = rule.series.metric
    assert METRICS[metric].forecast, f"{rule.id}: write forecast=yes for {metric} in catalogue.csv"
