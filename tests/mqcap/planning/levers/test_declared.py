"""Plans that are declared whole, such as of archive logs and OUTBUFF, and schedules of backups."""

import pytest

from mqcap.domain.resource import ResourceKind
from mqcap.operands.declared import SETTINGS
from mqcap.planning.levers.declared import DECLARED
from mqcap.planning.levers.recovery import RECOVERY
from tests.mqcap.planning.levers.conftest import ContextOf

ARCHIVE = DECLARED["maxarch"]
LOG_WRITING = DECLARED["outbuff_kb"]


def test_outbuff_goes_to_its_maximum_at_once(context_of: ContextOf) -> None:
    context = context_of(ResourceKind.active_log)
    assert list(LOG_WRITING.grids(context, {"outbuff_kb": 3_999})["outbuff_kb"]) == [
        3_999, SETTINGS["outbuff_kb"].highest,
    ]  # fmt: skip
    assert list(LOG_WRITING.grids(context, {"outbuff_kb": 4_000})["outbuff_kb"]) == [4_000]


def test_it_takes_a_restart_of_the_queue_manager(context_of: ContextOf) -> None:
    context = context_of(ResourceKind.active_log)
    cost = LOG_WRITING.cost(context, {"outbuff_kb": 1_000}, {"outbuff_kb": 4_000})
    assert cost.queue_manager_restarts == 1
    [change] = LOG_WRITING.changes(context, {"outbuff_kb": 1_000}, {"outbuff_kb": 4_000})
    assert change.typed == "OUTBUFF=4000"


def test_without_a_configured_outbuff_nothing_is_planned(context_of: ContextOf) -> None:
    assert LOG_WRITING.today(context_of(ResourceKind.active_log)) is None
    assert LOG_WRITING.needs == ("outbuff_kb",)


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


@pytest.mark.parametrize("key", DECLARED)
def test_values_rise_from_todays_and_stay_in_the_range(key: str, context_of: ContextOf) -> None:
    setting = SETTINGS[key]
    context = context_of(ResourceKind.active_log)
    [first, *more] = DECLARED[key].grids(context, {key: setting.lowest})[key]
    assert first == setting.lowest
    assert more
    assert all(setting.lowest < int(value) <= setting.highest for value in more)
