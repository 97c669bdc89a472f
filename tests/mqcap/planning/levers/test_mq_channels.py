"""MaxChannels of a distributed queue manager."""

from __future__ import annotations

from pathlib import Path

from mqcap.domain.resource import ResourceKind
from mqcap.planning.levers.mq_channels import MAX_CHANNELS_MAX, MQ_CHANNELS
from tests.mqcap.planning.levers.distributed import SiteDay, bad_results, plan_in

CHANNELS = ResourceKind.mq_channels


def test_max_channels_rises_in_round_numbers_to_its_end(site_day: SiteDay) -> None:
    context = site_day.context(CHANNELS)
    today = MQ_CHANNELS.today(context)
    assert today == {"max_channels": 400}
    values = MQ_CHANNELS.grids(context, today)["max_channels"]
    assert (values[1], values[-1]) == (410, MAX_CHANNELS_MAX)


def test_the_change_is_a_line_of_qm_ini_and_takes_a_restart(site_day: SiteDay) -> None:
    context = site_day.context(CHANNELS)
    before, after = {"max_channels": 400}, {"max_channels": 900}
    [change] = MQ_CHANNELS.changes(context, before, after)
    assert (change.subject, change.typed) == ("EAST/QM1", "MaxChannels=900")
    assert change.text == "Allow 900 current channels instead of 400."
    assert MQ_CHANNELS.cost(context, before, after).queue_manager_restarts == 1


def test_with_the_planned_number_what_if_finds_the_rule_kept(site_day: SiteDay) -> None:
    assert bad_results(site_day, CHANNELS) == ({"DST-CHANNELS"}, set())


def test_without_the_limit_there_is_no_such_plan(tmp_path: Path) -> None:
    plan = plan_in(tmp_path, CHANNELS, "mq_max_channels_count")
    assert (plan.changes, plan.missing) == ((), ("MaxChannels (qm.ini)",))
