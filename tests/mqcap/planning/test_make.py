"""The plan of a resource: kept until its horizon, the cheapest of its grid, and stable."""

from datetime import timedelta
from pathlib import Path

import pytest

from mqcap.domain.finding import Severity
from mqcap.domain.plan import Incident, NotKept, Plan
from mqcap.domain.resource import ResourceKind
from mqcap.domain.urgency import is_material_change
from mqcap.judging.evaluate import DayFacts, judge_facts
from mqcap.planning import make
from mqcap.planning.evaluation import facts_with, kept
from mqcap.planning.make import plans_of_day
from mqcap.settings.analysis import PlanSettings
from mqcap.store.console_states import replace_states
from mqcap.whatif.comparison import Baseline
from mqcap.whatif.scenario import Scenario
from tests.factories import console_state
from tests.mqcap.planning.builders import (
    DAY,
    QUEUE_MANAGER,
    active_log_of,
    facts_of,
    fill,
    plan_of_active_log,
    planned,
)
from tests.mqcap.rulebook.builders import new_store
from tests.plan_factories import plan_change, with_base


def made(facts: DayFacts, previous: Plan | None = None) -> Plan:
    plan = plan_of_active_log(facts, previous)
    assert plan is not None
    return plan


def unkept(plan: Plan) -> list[NotKept]:
    """What an infeasible plan does not keep of the time in which a log fills."""
    assert not plan.is_feasible
    return [rule for rule in plan.evidence.not_kept if rule.rule_id == "LOG-FILL-30MIN"]


def test_a_resource_in_order_has_no_plan(tmp_path: Path) -> None:
    assert plan_of_active_log(facts_of(tmp_path, 0.05)) is None


@pytest.mark.thorough
def test_a_shorter_horizon_or_less_confidence_never_costs_more(tmp_path: Path) -> None:
    facts = facts_of(tmp_path, 0.9, growth_per_day=0.004)
    full = made(facts)
    for changed in ({"horizon_days": 60}, {"confidence": 0.6}):
        settings = facts.settings.model_copy(update={"plan": PlanSettings.model_validate(changed)})
        assert (
            made(facts._replace(settings=settings)).base.cost.cylinders <= full.base.cost.cylinders
        )


@pytest.mark.thorough
def test_a_planned_change_that_mends_the_resource_leaves_nothing_to_do(tmp_path: Path) -> None:
    coming = planned(10, active_log_size_mib=4_095, active_logs=60)
    facts = facts_of(tmp_path, 0.6, planned=coming)
    without = made(facts_of(tmp_path / "without", 0.6))
    assert without.changes
    assert plan_of_active_log(facts) is None


def test_logs_that_are_not_configured_are_named_in_place_of_a_plan(tmp_path: Path) -> None:
    facts = facts_of(tmp_path, 0.9, active_logs=None)
    plan = made(facts)
    assert not plan.is_feasible
    assert plan.changes == ()
    assert plan.missing[0].startswith("active_logs: set active_logs of this subject in the estate")
    assert not any("log_size_mib" in one for one in plan.missing)


@pytest.mark.thorough
def test_a_plan_that_is_carried_out_is_only_replaced_where_it_lasts_less_than_half_the_horizon(
    tmp_path: Path,
) -> None:
    facts = facts_of(tmp_path, 0.9, growth_per_day=0.002)
    first = made(facts)
    key = (first.changes[0].subject, "active_logs")
    logs = int(first.settings[key])
    larger, short = (
        first.changes[0].model_copy(
            update={"settings": {**first.changes[0].settings, "active_logs": count}}
        )
        for count in (logs + 1, 7)
    )
    assert made(facts, with_base(first, changes=(short,))).settings == first.settings
    previous = with_base(first, changes=(larger,)).dated(made_on=DAY - timedelta(days=20))
    kept = made(facts, previous)
    assert kept.settings[key] == logs + 1
    assert kept.dates.made_on == previous.dates.made_on
    assert not is_material_change(previous, kept)


@pytest.mark.thorough
def test_a_previous_plan_takes_back_no_log_that_was_defined_since(tmp_path: Path) -> None:
    facts = facts_of(
        tmp_path, 0.2, active_log_size_mib=4_095.7, active_logs=19, archive_minutes=10_000.0
    )
    first = made(facts)
    assert not first.is_feasible
    change = plan_change(settings={"active_logs": 18}, before={"active_logs": 8})
    result = made(facts, with_base(first, changes=(change,)))
    assert result.changes == ()


@pytest.mark.thorough
def test_an_infeasible_plan_reaches_the_day_to_which_the_rule_can_be_kept_and_has_ways_out(
    tmp_path: Path,
) -> None:
    at_once = made(facts_of(tmp_path / "at once", 9.0))
    [failing] = unkept(at_once)
    assert failing.fails_from == at_once.dates.earliest_date
    assert "compress" in failing.why
    facts = facts_of(tmp_path, 1.0, growth_per_day=0.012)
    plan = made(facts)
    [failing] = unkept(plan)
    context = active_log_of(facts)
    settings = {"active_log_size_mib": 4_095.7, "active_logs": 310}
    most = facts_with(context, [{"subject": QUEUE_MANAGER, **settings}])
    latest = kept(context, fill(context), most).fails_from
    assert failing.fails_from == latest
    assert latest is not None
    assert plan.dates.earliest_date < latest <= plan.dates.horizon_date


def test_a_rise_alone_makes_no_plan(tmp_path: Path) -> None:
    facts = facts_of(tmp_path, 0.05)
    verdicts = judge_facts(facts)
    [rise] = [verdict for verdict in verdicts if verdict.finding.rule_id == "LOG-RATE-MBH"]
    watch = rise.finding.model_copy(update={"severity": Severity.watch})
    changed = [rise._replace(finding=watch) if verdict is rise else verdict for verdict in verdicts]
    assert plans_of_day(facts, changed) == []


def test_what_happened_without_a_rule_in_breach_is_due_on_its_day_with_the_advice_of_its_rule(
    tmp_path: Path,
) -> None:
    about = {"resource_kind": ResourceKind.archive, "subject": QUEUE_MANAGER}
    failed = console_state("CSQJ115E", **about, site_date=DAY, last_date=DAY)
    replace_states(new_store(tmp_path), [], [failed])
    facts = facts_of(tmp_path, 0.05)
    [archive] = [p for p in plans_of_day(facts, judge_facts(facts)) if p.about.kind == "archive"]
    assert isinstance(archive, Incident)
    assert (archive.is_cause_alone, archive.is_over, archive.changes) == (True, False, ())
    assert archive.due_date == archive.dates.earliest_date == DAY
    assert archive.advice.startswith("Find out why archiving failed")
    assert not is_material_change(archive, archive)


@pytest.mark.thorough
def test_what_if_from_the_day_in_force_has_the_day_after_a_plan_ends(tmp_path: Path) -> None:
    settings = PlanSettings(horizon_days=60)
    facts = facts_of(tmp_path, 0.9, growth_per_day=0.004, plan=settings)
    plan = made(facts)
    assert plan.base.lasts_until is not None
    scenario = {"configuration": plan.scenario_parts, "start": plan.dates.earliest_date}
    result = Baseline(facts).compare(Scenario.model_validate(scenario))
    assert result.confidence == settings.confidence
    [end, *_] = plan.base.ended_by
    days = [
        after.bound.limit_from
        for difference in {*result.differences, *result.still}
        for after in difference.after
        if difference.rule_id == end.rule_id and after is not None and after.bound is not None
    ]
    assert days == [plan.base.lasts_until + timedelta(days=1)]


def test_a_figure_that_mq_does_not_have_is_the_reason_why_there_is_no_plan(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    facts = facts_of(tmp_path, 1.2)

    def refused(*_: object) -> Plan:
        scenario = {"configuration": [{"subject": "PLEX1/CSQ1/BP01", "buffers": 93}]}
        raise AssertionError(f"not refused: {Scenario.model_validate(scenario)}")

    monkeypatch.setattr(make, "plan_of", refused)
    plans = plans_of_day(facts, judge_facts(facts))
    assert plans
    for plan in plans:
        assert not plan.changes
        assert any("found 93, expected whole number, 100 to" in text for text in plan.missing)
