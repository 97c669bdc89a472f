"""The rules of survivors that a loss is held against."""

from __future__ import annotations

from pathlib import Path

from mqcap.domain.losses.cell import LossQuantity
from mqcap.domain.metric import SubjectKind
from mqcap.planning.losses.quantities import SURVIVOR_RULES, pairs_of
from sizing.rulebook.registry import all_rules
from tests.mqcap.whatif.sharing_group import CF01, CSQ1, facts_of


def test_every_quantity_but_the_storage_of_a_facility_has_the_rule_of_the_survivor() -> None:
    named = {entry.quantity for entry in SURVIVOR_RULES}
    assert named == set(LossQuantity) - {LossQuantity.cf_storage}
    assert {entry.rule_id for entry in SURVIVOR_RULES} <= set(all_rules())


def test_a_facility_is_evaluated_itself_and_a_member_with_its_parts(tmp_path: Path) -> None:
    facts = facts_of(tmp_path)
    facility = [pair.subject for _, pair in pairs_of(facts, CF01, SubjectKind.coupling_facility)]
    assert facility == [CF01, CF01]
    member = {
        (entry.quantity, pair.subject)
        for entry, pair in pairs_of(facts, CSQ1, SubjectKind.queue_manager)
    }
    assert (LossQuantity.buffer_pool, f"{CSQ1}/BP01") in member
    assert (LossQuantity.channels, f"{CSQ1}/CHINIT") in member
    assert all(subject.startswith(CSQ1) for _, subject in member)
