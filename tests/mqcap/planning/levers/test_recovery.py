from __future__ import annotations

import pytest

from mqcap.domain.resource import ResourceKind
from mqcap.planning.levers.recovery import RECOVERY
from tests.mqcap.planning.levers.conftest import ContextOf


def test_only_shorter_intervals_that_people_keep_are_tried(context_of: ContextOf) -> None:
    context = context_of(ResourceKind.recovery)
    today = RECOVERY.today(context)
    assert today == {"structure_backup_hours": 24, "page_set_backup_hours": 168}
    grids = RECOVERY.grids(context, today)
    assert list(grids["page_set_backup_hours"][:4]) == [168, 120, 96, 72]
    assert list(grids["structure_backup_hours"][:2]) == [24, 12]


def test_each_further_backup_of_a_week_counts_as_work(context_of: ContextOf) -> None:
    context = context_of(ResourceKind.recovery)
    plan = context.facts.settings.plan
    cost = RECOVERY.cost(context, {"page_set_backup_hours": 168.0}, {"page_set_backup_hours": 24})
    assert cost.work_hours == pytest.approx(plan.change_hours + 6 * plan.backup_hours)


def test_only_the_schedule_that_changes_is_named(context_of: ContextOf) -> None:
    context = context_of(ResourceKind.recovery)
    today = {"structure_backup_hours": 24, "page_set_backup_hours": 168}
    [change] = RECOVERY.changes(context, today, {**today, "page_set_backup_hours": 72})
    assert change.text == "Back up the page sets every 3 days instead of every 7 days."
    assert change.typed == "every 72 h"
