"""Limits of a queue of a distributed queue manager."""

from __future__ import annotations

from pathlib import Path

from mqcap.domain.resource import ResourceKind
from mqcap.planning.levers.mq_queue import MQ_QUEUE
from tests.mqcap.planning.levers.distributed import SiteDay, bad_results, plan_in

QUEUE = ResourceKind.mq_queue
TODAY = {"max_depth": 5_000, "max_file_mib": 100}


def test_both_limits_rise_in_round_numbers_to_their_ends(site_day: SiteDay) -> None:
    context = site_day.context(QUEUE)
    assert MQ_QUEUE.today(context) == TODAY
    grids = MQ_QUEUE.grids(context, TODAY)
    assert (grids["max_depth"][1], grids["max_depth"][-1]) == (5_100, 999_999_999)
    assert (grids["max_file_mib"][1], grids["max_file_mib"][-1]) == (110, 267_386_880)


def test_each_limit_that_changes_is_one_command(site_day: SiteDay) -> None:
    context = site_day.context(QUEUE)
    after = {"max_depth": 9_000, "max_file_mib": 200}
    changes = MQ_QUEUE.changes(context, TODAY, after)
    assert [change.typed for change in changes] == ["MAXDEPTH(9000)", "MAXFSIZE(200)"]
    assert {change.subject for change in changes} == {"EAST/QM1/APP.IN"}
    [alone] = MQ_QUEUE.changes(context, TODAY, {**TODAY, "max_depth": 9_000})
    assert alone.text == "Let 9,000 messages wait on the queue instead of 5,000."
    hours = context.facts.settings.plan.change_hours
    assert MQ_QUEUE.cost(context, TODAY, after).work_hours == 2 * hours
    assert MQ_QUEUE.cost(context, TODAY, TODAY).work_hours == 0


def test_with_the_planned_limit_what_if_finds_the_rule_kept(site_day: SiteDay) -> None:
    before, after = bad_results(site_day, QUEUE)
    assert {"DST-DEPTH", "DST-SURVIVE"} <= before
    assert after == set()


def test_a_limit_that_is_not_known_is_left_alone(tmp_path: Path) -> None:
    plan = plan_in(tmp_path, QUEUE, "mq_queue_file_max_mib", "mq_queue_file_used_pct")
    assert [change.settings.keys() for change in plan.changes] == [{"max_depth"}]


def test_without_any_limit_the_plan_asks_for_it(tmp_path: Path) -> None:
    plan = plan_in(tmp_path, QUEUE, "mq_queue_file_max_mib", "mq_queue_depth_max_count")
    assert plan.missing == ("MAXDEPTH of the queue (DISPLAY QLOCAL)",)
