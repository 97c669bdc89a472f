from __future__ import annotations

import pytest

from mqcap.domain.finding import Severity
from mqcap.domain.metric import Statistic, SubjectKind
from mqcap.domain.resource import ResourceKind
from sizing.rulebook.input_sources import Over
from sizing.trend import RECENT_DAYS, TREND_RATIO, recent, trend, trend_traits, usual


@pytest.mark.parametrize(
    ("recent_value", "breach"), [(14.9, False), (15.0, False), (15.1, True), (0.0, False)]
)
def test_half_as_much_again_as_usual_is_a_change(recent_value: float, breach: bool) -> None:
    made = trend(recent_value, 10.0, "MiB/s", what="log", wrong="Look at it.")
    assert made.breach is breach
    assert made.limit == TREND_RATIO * 10
    assert made.advice == ("Look at it." if breach else "Nothing to change: it is as it was.")


def test_the_sentence_names_both_figures() -> None:
    made = trend(12.0, 10.0, "MiB/s", what="log of a day", wrong="Look at it.")
    assert made.summary == "log of a day: 12 MiB/s in the last week, 10 before."
    assert made.arithmetic == ("limit = 1.5 x 10 MiB/s = 15 MiB/s",)


def test_the_last_week_is_compared_with_the_days_before_it() -> None:
    week, before = recent("log_growth_mib_per_s"), usual("log_growth_mib_per_s")
    assert (week.days, week.over, week.but_last) == (RECENT_DAYS, Over.worst, 0)
    assert (before.days, before.over, before.but_last) == (None, Over.usual, RECENT_DAYS)
    assert usual("log_growth_mib_per_s", statistic=Statistic.mean).statistic is Statistic.mean


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
    traits = trend_traits(SubjectKind.queue_manager, ResourceKind.active_log)
    assert traits.applies(values) is applies


def test_a_trend_is_never_graded_above_watch_and_has_no_date() -> None:
    traits = trend_traits(SubjectKind.structure, ResourceKind.structure, superseded_by="CFS-FULL")
    assert traits.breach_severity is Severity.watch
    assert not traits.graded
    assert traits.undated
    assert traits.superseded_by == "CFS-FULL"
