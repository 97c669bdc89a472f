"""Rules of survivors that the load of a loss makes worse."""

from __future__ import annotations

from pathlib import Path

import pytest

from mqcap.domain.metric import SubjectKind
from mqcap.judging.evaluate import judge_facts
from mqcap.losses.also_worse import also_worse
from tests.mqcap.whatif.sharing_group import CSQ1, facts_of

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
