"""Every metric that a rule asks for is one that the lake holds."""

from __future__ import annotations

from sizing.rulebook.entry import Rule, value_sources_of
from sizing.rulebook.input_sources import FromMetric, Over
from sizing.rulebook.registry import all_rules
from spark_apps.registry import all_metrics
from tests.many_values import for_each

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
