"""Rules for which MP16 gives no level: chart the figure, and report when it has changed.

The days of the last week are compared with what was usual before. The level is ours, and such
a rule is never graded above ``watch``.
"""

from typing import Any, Final

from mqcap.domain.finding import Severity
from mqcap.domain.metric import Statistic
from mqcap.domain.numbers import figure
from sizing.rulebook.assessment import Assessment
from sizing.rulebook.entry import ValuesByName
from sizing.rulebook.input_sources import FromMetric, Over

TREND_RATIO: Final = 1.5
"""Ours: so many times what was usual is a change."""
RECENT_DAYS: Final = 7
"""Ours: the week that is compared with the days before it."""

UNDATED: Final = (
    "it is compared with its own past; the day on which it next passes that is the next busy day, "
    "not the end of the headroom"
)
EVENT: Final = "a single event is a breach; what has not happened has no trend to forecast"
NO_LEVEL: Final = (
    f"MP16 gives no level: {TREND_RATIO} times what was usual is ours, and a step that has "
    "a known cause (a release, a migration) is not growth."
)


def recent(metric: str, record: str = "", statistic: Statistic = Statistic.peak) -> FromMetric:
    """Return the source: the highest day of the last week."""
    return FromMetric(metric, statistic, days=RECENT_DAYS, record=record)


def usual(metric: str, record: str = "", statistic: Statistic = Statistic.peak) -> FromMetric:
    """Return the source: the median of the days of the window before that week."""
    return FromMetric(metric, statistic, record=record, over=Over.usual, but_last=RECENT_DAYS)


def measured_lately(values: ValuesByName) -> bool:
    """Return whether there is a figure of the last week and days to compare it with."""
    return values.get("recent") is not None and values.get("usual") is not None


TREND_TRAITS: Final[dict[str, Any]] = {
    "watches": "recent",
    "undated": UNDATED,
    "breach_severity": Severity.watch,
    "graded": False,
    "limit_is_own_past": True,
    "applies": measured_lately,
}
"""Traits of rules about a metric that only some subjects have."""


def configured_or_measured(values: ValuesByName) -> bool:
    """Return whether the site configured the figure, or it was measured lately.

    A configured figure without one to compare it with is asked for that one.
    """
    return values.get("configured") is not None or measured_lately(values)


def trend(  # noqa: PLR0913 - independent facts, most keyword-only
    recent_value: float,
    usual_value: float,
    unit: str,
    *,
    what: str,
    wrong: str,
    arithmetic: tuple[str, ...] = (),
    least_step: float = 0.0,
) -> Assessment:
    """Return the figure of the last week against so many times what was usual.

    ``least_step`` is the rise in ``unit`` that is no change yet, however small the usual figure:
    of small integers a half more is the next number.
    """
    by_ratio = TREND_RATIO * usual_value
    limit = max(by_ratio, usual_value + least_step)
    line = (
        f"limit = {TREND_RATIO} x {figure(usual_value)} {unit} = {figure(limit)} {unit}"
        if limit == by_ratio
        else f"limit = {figure(usual_value)} + {figure(least_step)} {unit} = {figure(limit)} {unit}"
    )
    return Assessment(
        observed=recent_value,
        limit=limit,
        unit=unit,
        summary=f"{what}: {figure(recent_value)} {unit} in the last week, "
        f"{figure(usual_value)} before.",
        arithmetic=(line, *arithmetic),
        advice="Nothing to change: it is as it was.",
        caveats=NO_LEVEL,
    ).past_limit(wrong)
