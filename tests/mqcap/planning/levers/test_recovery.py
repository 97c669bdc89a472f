from __future__ import annotations

import pytest

from mqcap.domain.resource import ResourceKind
from mqcap.planning.levers.recovery import RECOVERY, schedule_text
from tests.mqcap.planning.levers.conftest import ContextOf


@pytest.mark.parametrize(
    ("hours", "text"),
    [(168, "every 7 days"), (24, "every day"), (23, "every 23 h"), (36, "every 36 h"),
     (48, "every 2 days"), (1, "every 1 h")],
)  # fmt: skip
def test_schedules_are_said_in_days_where_they_are_whole(hours: float, text: str) -> None:
    assert schedule_text(hours) == text


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


def test_a_plan_states_that_the_log_is_taken_to_be_read_at_the_rate_of_mp16(
    context_of: ContextOf,
) -> None:
    [note] = RECOVERY.notes(context_of(ResourceKind.recovery))
    assert note.startswith("60 MiB/s is the rate of MP16's examples, conservative by 6 to 13 times")
    assert note.endswith("set log_read_mib_per_s to what a test of the site gives")
