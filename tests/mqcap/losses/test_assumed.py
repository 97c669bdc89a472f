"""The plans of the day that a loss assumes to be done."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from mqcap.domain.plan import Plan
from mqcap.judging.evaluate import DayFacts
from mqcap.losses.assumed import with_assumed, with_plans_in_force
from mqcap.whatif.overlay import overlay
from mqcap.whatif.scenario import Scenario
from tests import plan_factories
from tests.mqcap.planning.estates import CHINIT, Load, facts_under
from tests.mqcap.rulebook.builders import new_store
from tests.mqcap.whatif.sharing_group import CSQ1, CSQ2, LOG, facts_of, hours, peak_of

CHANNELS = "channels_current_count"


def plan_of(subject: str, label: str, **settings: Any) -> Plan:
    """The plan of a label with these settings of one subject."""
    change = plan_factories.plan_change(subject=subject, settings=settings)
    return plan_factories.plan(resource=f"{subject}/{label}", label=label, changes=(change,))


MOVING = plan_of(f"{CSQ2}/CHINIT", "CSQ2 31-bit storage", channels_moved=4_000)
TOO_MANY = plan_of(f"{CSQ1}/CHINIT", "CSQ1 31-bit storage", channels_moved=99_000)


@pytest.fixture(name="facts")
def given_facts(tmp_path: Path) -> DayFacts:
    """A day on which the logs of the survivor fail with the load."""
    return facts_of(
        tmp_path,
        changed={(LOG, CSQ1): 0.5, (LOG, CSQ2): 6.3},
        by_hour={(LOG, CSQ1): hours((0.5, 0.5)), (LOG, CSQ2): hours((6.3, 6.3))},
    )


def test_channels_that_another_queue_manager_takes_have_left(facts: DayFacts) -> None:
    done = with_plans_in_force(facts, [MOVING])
    assert peak_of(done.facts, CHANNELS, f"{CSQ2}/CHINIT") == pytest.approx(2_000)
    assert (done.plans, done.left_out) == ((MOVING,), ())


def test_a_plan_that_what_if_refuses_is_left_out_and_named(facts: DayFacts) -> None:
    done = with_plans_in_force(facts, [TOO_MANY, MOVING])
    assert peak_of(done.facts, CHANNELS, f"{CSQ1}/CHINIT") == 3_000
    assert (done.plans, done.left_out) == ((MOVING,), (TOO_MANY,))
    lost = plan_factories.loss(lost=CSQ2, survivors=(CSQ1,))
    found = with_assumed(lost, done)
    assert found.left_out == ("CSQ1 31-bit storage",)
    [assumed] = found.assumed
    assert (assumed.label, assumed.subjects) == ("CSQ2 31-bit storage", (f"{CSQ2}/CHINIT",))


def test_more_channels_than_a_plan_moves_leave_at_once_as_in_what_if(tmp_path: Path) -> None:
    """In two moves the second share would take storage of the adapters along."""
    facts = facts_under(Load(), new_store(tmp_path))
    plans = [
        plan_of(CHINIT, "adapters", adapters=30),
        plan_of(CHINIT, "31-bit storage", channels_moved=1_000),
    ]
    [more] = plan_of(CHINIT, "31-bit storage", channels_moved=2_000).changes
    done = with_plans_in_force(facts, plans).with_changes([more])
    parts = [{"subject": CHINIT, "adapters": 30, "channels_moved": 2_000}]
    typed = overlay(facts, Scenario.model_validate({"configuration": parts})).facts
    used = "chinit_31bit_used_mib"
    assert peak_of(done, used, CHINIT) == peak_of(typed, used, CHINIT)
