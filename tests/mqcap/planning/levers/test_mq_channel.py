"""Limits of a server-connection channel of a distributed queue manager."""

from __future__ import annotations

from mqcap.domain.resource import ResourceKind
from mqcap.planning.levers.mq_channel import MQ_CHANNEL
from tests.mqcap.judging.observations import with_days
from tests.mqcap.planning.levers.distributed import SiteDay, bad_results
from tests.mqcap.whatif.distributed import CHANNEL

KIND = ResourceKind.mq_channel
TODAY = {"max_instances": 100, "max_client_instances": 20}


def test_both_limits_rise_in_round_numbers_to_their_ends(site_day: SiteDay) -> None:
    context = site_day.context(KIND)
    assert MQ_CHANNEL.today(context) == TODAY
    grids = MQ_CHANNEL.grids(context, TODAY)
    assert (grids["max_instances"][1], grids["max_instances"][-1]) == (110, 999_999_999)
    assert grids["max_client_instances"][1] == 21


def test_each_limit_that_changes_is_one_command(site_day: SiteDay) -> None:
    context = site_day.context(KIND)
    after = {"max_instances": 160, "max_client_instances": 30}
    changes = MQ_CHANNEL.changes(context, TODAY, after)
    assert [change.typed for change in changes] == ["MAXINST(160)", "MAXINSTC(30)"]
    assert {change.subject for change in changes} == {CHANNEL}
    assert changes[0].text == "Allow 160 instances of the channel instead of 100."
    hours = context.facts.settings.plan.change_hours
    assert MQ_CHANNEL.cost(context, TODAY, after).work_hours == 2 * hours
    assert MQ_CHANNEL.cost(context, TODAY, TODAY).work_hours == 0


def test_a_channel_without_limits_has_nothing_to_change(site_day: SiteDay) -> None:
    context = site_day.context(KIND)
    days = [d for d in context.facts.observed.every_day() if not d.metric.endswith("max_count")]
    observed = with_days(context.facts.observed, days)
    facts = context.facts._replace(observed=observed)
    assert MQ_CHANNEL.today(context._replace(facts=facts)) is None


def test_the_plan_raises_the_limit_that_is_passed_and_begins_with_who_connects(
    site_day: SiteDay,
) -> None:
    [plan] = [each for each in site_day.plans if each.kind == KIND]
    assert [list(change.settings) for change in plan.changes] == [["max_instances"]]
    assert plan.cause.startswith("look who connects so often")
    assert bad_results(site_day, KIND) == ({"DST-CHANNEL-INSTANCES"}, set())
