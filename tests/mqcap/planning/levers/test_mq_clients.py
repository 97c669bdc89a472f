"""MaxChannels, and instances of one channel."""

from pathlib import Path

import pytest

from mqcap.domain.plan import ChangePlan
from mqcap.domain.resource import ResourceKind
from mqcap.planning.context import PlanContext
from mqcap.planning.levers.mq_clients import MQ_CHANNEL, MQ_CHANNELS
from tests.factories import console_state
from tests.mqcap.judging.observations import with_days, with_series
from tests.mqcap.planning.levers.distributed import SiteDay, plan_in
from tests.mqcap.whatif.distributed import QMGR

CHANNELS = ResourceKind.mq_channels


@pytest.mark.parametrize(("peak", "contradicts"), [(399.0, True), (400.0, False), (401.0, False)])
def test_a_limit_that_no_sample_reached_was_reached_between_samples(
    site_day: SiteDay, peak: float, contradicts: bool
) -> None:
    context = refused(site_day, peak)
    assert MQ_CHANNELS.cause(context).startswith("find who connects so often")
    notes = MQ_CHANNELS.notes(context, {})
    assert bool(notes) is contradicts
    if contradicts:
        assert notes[0].startswith(
            "AMQ9513 says that all 400 were in use, and the highest sample of that day (one every "
            "60 s) is 399: a burst or a leak"
        )


def test_where_nothing_was_refused_there_is_no_cause_to_find(site_day: SiteDay) -> None:
    context = site_day.context(CHANNELS)
    assert (MQ_CHANNELS.cause(context), MQ_CHANNELS.notes(context, {})) == ("", ())


def test_a_day_without_samples_contradicts_nothing(site_day: SiteDay) -> None:
    context = refused(site_day, None)
    assert MQ_CHANNELS.cause(context)
    assert MQ_CHANNELS.notes(context, {}) == ()


def refused(site_day: SiteDay, peak: float | None) -> PlanContext:
    """The context of a day on which channels were refused, with this most of connections."""
    context = site_day.context(CHANNELS)
    observed = context.facts.observed
    key = ("mq_connection_count", QMGR)
    *days, last = observed.whole_series(*key)
    if peak is not None:
        days.append(last._replace(peak=peak))
    changed = with_series(observed, {key: days})
    changed.states = [
        console_state(
            "AMQ9513",
            subject=QMGR,
            resource_kind=CHANNELS,
            site_date=last.site_date,
            last_date=last.site_date,
        )
    ]
    return context._replace(facts=context.facts._replace(observed=changed))


def test_without_the_limit_there_is_no_such_plan(tmp_path: Path) -> None:
    plan = plan_in(tmp_path, CHANNELS, "mq_max_channels_count")
    assert (plan.changes, plan.missing) == ((), ("MaxChannels (qm.ini)",))


KIND = ResourceKind.mq_channel


def test_a_channel_without_limits_has_nothing_to_change(site_day: SiteDay) -> None:
    context = site_day.context(KIND)
    days = [d for d in context.facts.observed.every_day() if not d.metric.endswith("max_count")]
    observed = with_days(context.facts.observed, days)
    facts = context.facts._replace(observed=observed)
    assert MQ_CHANNEL.today(context._replace(facts=facts)) is None


def test_the_plan_raises_the_limit_that_is_passed_and_begins_with_who_connects(
    site_day: SiteDay,
) -> None:
    [plan] = [each for each in site_day.plans if each.about.kind == KIND]
    assert [list(change.settings) for change in plan.changes] == [["max_instances"]]
    assert isinstance(plan, ChangePlan)
    assert plan.cause.startswith("look who connects so often")
