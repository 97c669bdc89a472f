"""Rules of survivors that the load of a loss makes worse."""

from __future__ import annotations

from pathlib import Path

import pytest

from mqcap.domain.metric import SubjectKind
from mqcap.judging.evaluate import DayFacts, judge_facts
from mqcap.planning.losses import changes
from mqcap.planning.losses.also_worse import also_worse
from mqcap.planning.losses.make import losses_of_day
from mqcap.presentation.losses.plan import plan_of_loss
from mqcap.presentation.losses.text import change_lines
from tests.mqcap.whatif.sharing_group import CSQ1, CSQ2, facts_of

_USED = "chinit_31bit_used_pct"


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        (40.0, 74.9, ()),
        (40.0, 75.0, ("CHI-SCAV-75 of CSQ1/CHINIT (Watch)",)),
        (75.0, 75.1, ()),
        (40.0, 85.0, ()),
    ],
)
def test_a_rule_that_becomes_worse_is_named_and_the_quantities_of_losses_are_not(
    tmp_path: Path, before: float, after: float, words: tuple[str, ...]
) -> None:
    """From 80 % on CHI-80-31BIT stands for CHI-SCAV-75, and is a quantity of losses."""
    was, now = (
        facts_of(tmp_path / str(used), changed={(_USED, f"{CSQ1}/CHINIT"): used})
        for used in (before, after)
    )
    assert also_worse(was, now, [CSQ1], SubjectKind.queue_manager) == words


@pytest.mark.parametrize(
    ("used", "evaluated"),
    [(40.0, ["CHI-SCAV-75"]), (85.0, ["CHI-SCAV-75", "CHI-80-31BIT"])],
)
def test_a_rule_at_watch_is_evaluated_with_what_supersedes_it_and_nothing_else(
    tmp_path: Path, used: float, evaluated: list[str]
) -> None:
    facts = facts_of(tmp_path, changed={(_USED, f"{CSQ1}/CHINIT"): used})
    found = judge_facts(facts, CSQ1, lambda rule_id: rule_id == "CHI-SCAV-75")
    assert [each.finding.rule_id for each in found] == evaluated
    every = judge_facts(facts, CSQ1)
    assert found[0] in every
    assert (found[0].finding.superseded_by == "CHI-80-31BIT") is (len(evaluated) == 2)


@pytest.mark.thorough
def test_a_loss_is_compared_with_the_day_with_plans_and_changes_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[object, ...]] = []

    def recorded(before: DayFacts, after: DayFacts, *others: object) -> tuple[str, ...]:
        logs = [facts.estate.sysplexes[0].qmgrs[0].active_logs for facts in (before, after)]
        asked.append((*logs, *others))
        return ("CHI-SCAV-75 of CSQ1/CHINIT (Watch)",)

    monkeypatch.setattr(changes, "also_worse", recorded)
    [loss] = [each for each in losses_of_day(facts_of(tmp_path)) if each.lost == CSQ2]
    assert (50, 50, (CSQ1,), SubjectKind.queue_manager) in asked
    assert plan_of_loss(loss).affected == loss.also_worse
    assert change_lines(loss)[-1] == (
        "Becomes worse too, with the changes: CHI-SCAV-75 of CSQ1/CHINIT (Watch)."
    )
