from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from mqcap.domain.resource import ResourceKind
from mqcap.judging.bound_dates import Standard
from mqcap.judging.evaluate import Verdict, judge_facts
from mqcap.planning import arithmetic
from mqcap.planning.arithmetic import arithmetic_of
from mqcap.planning.context import contexts_of
from mqcap.planning.levers.chinit_storage_31bit import CHINIT_STORAGE_31BIT
from mqcap.planning.states import States
from tests.factories import crossing, finding
from tests.mqcap.planning.builders import facts_of, plan_of_active_log
from tests.mqcap.planning.estates import Load, facts_under
from tests.mqcap.rulebook.builders import new_store


@pytest.mark.thorough
def test_the_rule_that_decides_is_shown_with_the_plan_and_with_one_log_less(
    tmp_path: Path,
) -> None:
    plan = plan_of_active_log(facts_of(tmp_path, 0.9, growth_per_day=0.002))
    assert plan is not None
    logs = int(plan.settings[("PLEX1/CSQ1", "active_logs")])
    lines = plan.arithmetic
    assert lines[0].startswith(("LOG-RUNWAY-12H PLEX1/CSQ1 on ", "LOG-DAY-ACTIVE PLEX1/CSQ1 on "))
    assert "at the 90 % bound of the forecast" in lines[0]
    assert any(f"({logs} - 1)" in line for line in lines)
    assert lines[-1].startswith(f"with active logs {logs - 1}: ")
    assert any(severity in lines[-1] for severity in ("act", "watch"))


def test_a_plan_without_changes_has_no_arithmetic(tmp_path: Path) -> None:
    plan = plan_of_active_log(facts_of(tmp_path, 9.0, active_logs=None))
    assert plan is not None
    assert plan.arithmetic == ()


@pytest.fixture(scope="module")
def states(tmp_path_factory: pytest.TempPathFactory) -> States:
    facts = facts_under(Load(0.9, 0.85, 0.0005), new_store(tmp_path_factory.mktemp("arithmetic")))
    [context] = [
        context
        for context in contexts_of(facts, judge_facts(facts))
        if context.resource.kind is ResourceKind.chinit_storage_31bit
    ]
    return States(context, CHINIT_STORAGE_31BIT, {"channels_moved": 0})


def tried(states: States, moved: int, standard: Standard) -> list[str]:
    """Return the lines of what was tried, without the sentences of the rules."""
    standards = dict.fromkeys(states.context.pairs, standard)
    lines = arithmetic_of(states, {"channels_moved": moved}, standards)
    return [line for line in lines if line.startswith(("with ", "planned "))]


def test_each_amount_that_was_tried_has_the_day_until_which_it_lasts(states: States) -> None:
    planned, less, *_ = tried(states, 2_400, Standard.ok)
    assert planned == (
        "with channels moved 2,400: below Watch at the bound as far as the forecast reaches"
    )
    assert less.endswith("Watch above 75 %; below Watch at the bound until 11 Apr 2027")


def test_an_amount_that_is_wrong_on_the_measured_days_alone_says_so(states: States) -> None:
    planned, less, *_ = tried(states, 1_800, Standard.limit)
    assert planned.endswith("as far as the forecast reaches; OK on the measured days")
    assert less.endswith("as far as the forecast reaches; Watch on the measured days")


def test_where_the_earliest_date_decides_it_is_held_against_the_horizon(
    states: States, monkeypatch: pytest.MonkeyPatch
) -> None:
    horizon = states.context.horizon_date
    late = crossing(earliest_date=horizon, expected_date=horizon + timedelta(days=30))
    monkeypatch.setattr(arithmetic, "verdict_of", lambda *_: Verdict(finding(), late))
    _, less, *_ = tried(states, 1_800, Standard.limit)
    assert less.endswith(
        "within its limit at the bound as far as the forecast reaches; what-if has its limit "
        "passed on 13 Apr 2027 at the earliest, expected 13 May 2027: on the horizon 13 Apr 2027"
    )


def test_a_plan_that_stays_from_an_earlier_day_says_so(states: States) -> None:
    *_, last = tried(states, 2_300, Standard.ok)
    assert last == (
        "planned on an earlier day: it stays while it keeps its rules until half of the horizon, "
        "13 Jan 2027"
    )
    assert not [line for line in tried(states, 2_400, Standard.ok) if "earlier day" in line]
