"""Evaluations of scenarios are cached until a step has run."""

from __future__ import annotations

from datetime import timedelta

import pytest

from mq_capacity_page.pages.whatif.evaluation_cache import CACHED_SCENARIOS, evaluate_scenario
from mq_capacity_page.pages.whatif.form import scenario_from
from mq_capacity_page.web.context import PageContext
from mqcap.domain.errors import ConfigurationError
from mqcap.domain.metric import SubjectKind
from mqcap.judging.evaluate import DayFacts, Verdict, judge_facts
from mqcap.store.step_runs import save_step_run
from mqcap.whatif import comparison
from mqcap.whatif.scenario import Scenario
from tests import factories
from tests.plugins import builder


@pytest.fixture
def evaluated(monkeypatch: pytest.MonkeyPatch) -> list[DayFacts]:
    """The facts of each evaluation that is made, cached ones not among them."""
    made: list[DayFacts] = []

    def counted(known: DayFacts) -> list[Verdict]:
        made.append(known)
        return judge_facts(known)

    monkeypatch.setattr(comparison, "judge_facts", counted)
    return made


def scenario(logs: int = 7, growth: str = "20-60") -> Scenario:
    given = {"logs": str(logs), "growth": growth}
    return scenario_from("PLEX1/CSQ1", SubjectKind.queue_manager, "2026-02-15", given)


def test_a_day_is_evaluated_once_for_all_its_scenarios(
    context: PageContext, evaluated: list[DayFacts]
) -> None:
    first = evaluate_scenario(context, builder.DAY, scenario(7))
    assert len(evaluated) == 3  # as it is, and both ends of the growth
    assert evaluate_scenario(context, builder.DAY, scenario(7)) is first
    assert len(evaluated) == 3
    evaluate_scenario(context, builder.DAY, scenario(8))
    assert len(evaluated) == 5


def test_after_a_step_has_run_the_day_is_evaluated_again(
    context: PageContext, evaluated: list[DayFacts]
) -> None:
    run = factories.step_run()
    save_step_run(context.engine, run)
    before = evaluate_scenario(context, builder.DAY, scenario())
    later = run.model_copy(update={"ended_at_utc": run.ended_at_utc + timedelta(seconds=1)})
    save_step_run(context.engine, later)
    assert evaluate_scenario(context, builder.DAY, scenario()) is not before
    assert len(evaluated) == 6


def test_the_scenario_that_was_not_asked_for_the_longest_is_evaluated_again(
    context: PageContext, evaluated: list[DayFacts]
) -> None:
    for logs in range(2, 3 + CACHED_SCENARIOS):
        evaluate_scenario(context, builder.DAY, scenario(logs, growth="20"))
    assert len(evaluated) == 2 + CACHED_SCENARIOS
    evaluate_scenario(context, builder.DAY, scenario(3, growth="20"))
    assert len(evaluated) == 2 + CACHED_SCENARIOS
    evaluate_scenario(context, builder.DAY, scenario(2, growth="20"))
    assert len(evaluated) == 3 + CACHED_SCENARIOS


def test_a_scenario_that_does_not_fit_the_day_is_an_error_each_time(context: PageContext) -> None:
    unknown = Scenario.model_validate({"hardware": [{"subject": "PLEX9/CF09", "engines": 2}]})
    for _ in range(2):
        with pytest.raises(ConfigurationError, match="PLEX9/CF09"):
            evaluate_scenario(context, builder.DAY, unknown)
