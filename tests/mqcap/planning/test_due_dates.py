"""A change is due on the day on which a limit breaks, less its lead time."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pytest

from mqcap.planning.due_dates import Due, due_of
from mqcap.planning.evaluation import breaks_on
from mqcap.settings import ChangeFreeze
from tests.mqcap.planning.builders import DAY, active_log_of, facts_of

RULE = "LOG-FILL-30MIN"
PEAK, GROWTH = 0.9, 0.003


def due(
    folder: Path, lead_days: int, peak: float = PEAK, freezes: tuple[ChangeFreeze, ...] = ()
) -> tuple[Due, date | None]:
    alerts = {"lead_time_days": {"default": lead_days}, "change_freezes": freezes}
    context = active_log_of(facts_of(folder, peak, growth_per_day=GROWTH, alerts=alerts))
    [pair] = [pair for pair in context.pairs if pair.rule.id == RULE]
    return due_of(context, [pair], RULE), breaks_on(context, pair, context.facts)


@pytest.mark.parametrize("lead_days", [0, 14, 60])
def test_it_is_the_first_day_over_the_limit_less_the_lead_time(
    tmp_path: Path, lead_days: int
) -> None:
    found, breaks = due(tmp_path, lead_days)
    assert breaks is not None
    assert DAY + timedelta(days=60) < breaks <= DAY + timedelta(days=180)
    assert found == (breaks - timedelta(days=lead_days), breaks, RULE)


def test_where_that_is_over_it_is_the_day_itself(tmp_path: Path) -> None:
    late, breaks = due(tmp_path / "late", 170)
    assert breaks is not None
    assert (late.due_date, late.breaks_on) == (DAY, breaks)
    over, _ = due(tmp_path / "over", 14, peak=1.3)
    assert over == (DAY, DAY, RULE)


def test_a_change_freeze_makes_it_earlier(tmp_path: Path) -> None:
    free, _ = due(tmp_path / "free", 14)
    freeze = ChangeFreeze(first=free.due_date - timedelta(days=9), last=free.due_date)
    frozen, _ = due(tmp_path / "frozen", 14, freezes=(freeze,))
    assert frozen.due_date == freeze.first - timedelta(days=1)


def test_without_a_limit_that_breaks_it_is_the_horizon(tmp_path: Path) -> None:
    found, breaks = due(tmp_path, 14, peak=0.2)
    assert breaks is None
    assert found == (DAY + timedelta(days=180), None, "")
