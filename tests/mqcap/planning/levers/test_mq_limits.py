"""Limits of a queue, of all channels and of one channel of a distributed queue manager."""

from pathlib import Path

import pytest

from mqcap.domain.plan import ChangePlan
from mqcap.domain.resource import ResourceKind
from mqcap.planning.context import PlanContext
from mqcap.planning.levers.mq_limits import MQ_CHANNEL, MQ_CHANNELS, MQ_QUEUE
from tests.factories import console_state
from tests.mqcap.judging.observations import with_days, with_series
from tests.mqcap.planning.levers.distributed import SiteDay, bad_results, plan_in
from tests.mqcap.whatif.distributed import QMGR

QUEUE = ResourceKind.mq_queue
TODAY = {"max_depth": 5_000, "max_file_mib": 100}


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


def test_more_messages_take_as_much_of_the_file_system_as_those_that_are_put(
    site_day: SiteDay,
) -> None:
    context = site_day.context(QUEUE)  # 0.01 MiB/s in 10 puts/s: a thousandth of a MiB each
    after = {**TODAY, "max_depth": 9_500}
    assert MQ_QUEUE.cost(context, TODAY, after).file_system_mib == 5
    assert MQ_QUEUE.cost(context, TODAY, {**TODAY, "max_file_mib": 200}).file_system_mib == 0
    assert MQ_QUEUE.notes(context, {}) == ()
    unknown = replaced(context, {})
    assert MQ_QUEUE.cost(unknown, TODAY, after).file_system_mib == 0
    [note] = MQ_QUEUE.notes(unknown, {})
    assert note.startswith("The disk for more messages is not known")
    of_all = {("mq_put_mib_per_s", QMGR): 0.02, ("mq_put_per_s", QMGR): 10.0}
    assert MQ_QUEUE.cost(replaced(context, of_all), TODAY, after).file_system_mib == 9


@pytest.mark.parametrize(("used_pct", "is_full"), [(99.9, False), (100.0, True), (100.1, True)])
def test_a_queue_that_was_full_has_a_size_that_is_a_lower_bound(
    site_day: SiteDay, used_pct: float, is_full: bool
) -> None:
    context = site_day.context(QUEUE)
    observed = context.facts.observed
    key = ("mq_queue_depth_used_pct", "EAST/QM1/APP.IN")
    days = observed.whole_series(*key)
    days = [*days[:-1], days[-1]._replace(peak=used_pct)]
    facts = context.facts._replace(observed=with_series(observed, {key: days}))
    notes = MQ_QUEUE.notes(context._replace(facts=facts), {})
    assert [note.partition(",")[0] for note in notes] == (
        [f"The queue was full on 1 of {len(days)} days"] if is_full else []
    )


def test_what_should_get_the_messages_is_looked_for_before_the_depth_is_raised(
    site_day: SiteDay,
) -> None:
    context = site_day.context(QUEUE)
    [plan] = [plan for plan in site_day.plans if plan.about.kind == QUEUE]
    assert isinstance(plan, ChangePlan)
    assert plan.cause.startswith("look for what should get the messages")
    others = [v for v in context.verdicts if v.finding.rule_id != "DST-DEPTH"]
    assert MQ_QUEUE.cause(context._replace(verdicts=tuple(others))) == ""


def replaced(context: PlanContext, puts: dict[tuple[str, str], float]) -> PlanContext:
    """The context with other puts than those of the queue."""
    observed = context.facts.observed
    kept = [day for day in observed.every_day() if not day.metric.startswith("mq_queue_put")]
    more = [
        kept[-1]._replace(metric=metric, subject=subject, mean=value)
        for (metric, subject), value in puts.items()
    ]
    changed = with_days(observed, [*kept, *more])
    return context._replace(facts=context.facts._replace(observed=changed))


def test_with_the_planned_limit_what_if_finds_the_rule_kept(site_day: SiteDay) -> None:
    before, after = bad_results(site_day, QUEUE)
    assert {"DST-DEPTH", "DST-SURVIVE"} <= before
    assert "DST-DEPTH" not in after


@pytest.mark.thorough
def test_a_limit_that_is_not_known_is_left_alone_and_without_any_the_plan_asks(
    tmp_path: Path,
) -> None:
    file = ("mq_queue_file_max_mib", "mq_queue_file_used_pct")
    plan = plan_in(tmp_path / "one", QUEUE, *file)
    assert [change.settings.keys() for change in plan.changes] == [{"max_depth"}]
    plan = plan_in(tmp_path / "none", QUEUE, file[0], "mq_queue_depth_max_count")
    assert plan.missing == ("MAXDEPTH of the queue (DISPLAY QLOCAL)",)


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


def test_where_nothing_was_refused_or_sampled_nothing_is_contradicted(site_day: SiteDay) -> None:
    context, unsampled = site_day.context(CHANNELS), refused(site_day, None)
    assert (MQ_CHANNELS.cause(context), MQ_CHANNELS.notes(context, {})) == ("", ())
    assert MQ_CHANNELS.cause(unsampled)
    assert MQ_CHANNELS.notes(unsampled, {}) == ()


def refused(site_day: SiteDay, peak: float | None) -> PlanContext:
    """The context of a day on which channels were refused, with this most of connections."""
    context = site_day.context(CHANNELS)
    observed = context.facts.observed
    key = ("mq_connection_count", QMGR)
    *days, last = observed.whole_series(*key)
    if peak is not None:
        days.append(last._replace(peak=peak))
    changed = with_series(observed, {key: days})
    about = {"subject": QMGR, "resource_kind": CHANNELS}
    dates = dict.fromkeys(("site_date", "last_date"), last.site_date)
    changed.states = [console_state("AMQ9513", **about, **dates)]
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
    [plan] = [plan for plan in site_day.plans if plan.about.kind == KIND]
    assert [list(change.settings) for change in plan.changes] == [["max_instances"]]
    assert isinstance(plan, ChangePlan)
    assert plan.cause.startswith("look who connects so often")
