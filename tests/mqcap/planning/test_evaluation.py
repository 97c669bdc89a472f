from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from mqcap.domain.finding import Severity
from mqcap.judging.evaluate import DayFacts
from mqcap.planning.context import PlanContext, RuleOfSubject
from mqcap.planning.evaluation import facts_with, finding_with, kept
from tests.mqcap.planning.builders import DAY, QUEUE_MANAGER, active_log_of, facts_of, planned

FILL_LIMIT_MIB_PER_S = 2_048 / 1_800


def fill(context: PlanContext) -> RuleOfSubject:
    return next(pair for pair in context.pairs if pair.rule.id == "LOG-FILL-30MIN")


def filled(folder: Path, peak: float, growth: float = 0.0) -> tuple[PlanContext, DayFacts]:
    facts = facts_of(folder, peak, growth_per_day=growth)
    context = active_log_of(facts)
    return context, context.facts


def test_kept_is_the_first_day_on_which_the_bound_fails(tmp_path: Path) -> None:
    context, facts = filled(tmp_path, 0.8, growth=0.004)
    keeps = kept(context, fill(context), facts)
    assert keeps.is_forecast
    days = (keeps.fails_from - DAY).days if keeps.fails_from else 0
    limit = FILL_LIMIT_MIB_PER_S
    assert 0.8 * (1 + 0.004 * (days - 1)) + 0.001 <= limit < 0.8 * (1 + 0.004 * days) + 0.001


def test_a_rule_that_the_forecast_never_fails_is_kept_as_far_as_it_reaches(
    tmp_path: Path,
) -> None:
    context, facts = filled(tmp_path, 0.5)
    assert kept(context, fill(context), facts) == (None, True)


def test_settings_of_a_scenario_part_change_the_result(tmp_path: Path) -> None:
    context, facts = filled(tmp_path, 1.2)
    pair = fill(context)
    before = finding_with(pair, facts)
    changed = facts_with(context, [{"subject": QUEUE_MANAGER, "active_log_size_mib": 4_095.7}])
    after = finding_with(pair, changed)
    assert before is not None
    assert after is not None
    assert (before.severity, after.severity) == (Severity.act, Severity.ok)
    assert facts_with(context, []) == context.facts


def test_a_planned_change_of_the_estate_counts_from_its_day_on(tmp_path: Path) -> None:
    coming = planned(60, active_log_size_mib=1_024)
    facts = facts_of(tmp_path, 0.8, planned=coming)
    context = active_log_of(facts)
    keeps = kept(context, fill(context), context.facts)
    assert keeps.fails_from == DAY + timedelta(days=60)
