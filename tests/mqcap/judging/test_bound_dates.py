"""Days for which rules are kept on the bound of the forecast."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from mqcap.judging.bound_dates import (
    Standard,
    fails_standard,
    forecast_of,
    judged_on,
    kept_on_bound,
    segments,
)
from mqcap.judging.evaluate import DayFacts
from sizing.rulebook.registry import all_rules
from tests.factories import finding
from tests.mqcap.planning.builders import DAY, QUEUE_MANAGER, facts_of, planned

PAIR = (all_rules()["LOG-RUNWAY-12H"], QUEUE_MANAGER)
FIRST = DAY + timedelta(days=14)


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> DayFacts:
    return facts_of(Path(tmp_path_factory.mktemp("bound")), 0.2, growth_per_day=0.004)


def test_a_rule_is_at_watch_before_its_limit_is_passed(facts: DayFacts) -> None:
    watch, limit = (
        kept_on_bound(PAIR, facts, standard, FIRST, FIRST).fails_from
        for standard in (Standard.ok, Standard.limit)
    )
    assert watch is not None
    assert limit is not None
    assert FIRST < watch < limit


def test_without_a_forecast_the_measured_figure_counts_from_the_first_day(facts: DayFacts) -> None:
    bare = facts._replace(forecasts={})
    assert forecast_of(PAIR, bare) is None
    kept = kept_on_bound(PAIR, bare, Standard.limit, FIRST, FIRST)
    measured = judged_on(PAIR, bare, None)
    assert measured is not None
    assert kept == (FIRST if measured.breach else None, False)


def test_days_are_divided_where_a_planned_change_begins(tmp_path: Path) -> None:
    changing = facts_of(tmp_path, 0.2, planned=planned(30, active_logs=9))
    first, second = segments(changing, FIRST, DAY + timedelta(days=60))
    assert (first.first, second.first) == (FIRST, DAY + timedelta(days=30))
    assert first.last == second.first - timedelta(days=1)


@pytest.mark.parametrize(
    ("severity", "breach", "fails"),
    [
        ("ok", False, (False, False)),
        ("watch", False, (True, False)),
        ("watch", True, (True, True)),
        ("unknown", None, (False, False)),
    ],
)
def test_watch_fails_one_standard_and_a_breach_both(
    severity: str, breach: bool | None, fails: tuple[bool, bool]
) -> None:
    found = finding(severity=severity, breach=breach)
    assert (
        fails_standard(found, Standard.ok),
        fails_standard(found, Standard.limit),
    ) == fails
