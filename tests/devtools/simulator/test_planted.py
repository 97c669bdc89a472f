"""Results that the shipped estates plant are results that the product can give."""

from __future__ import annotations

from typing import Final

import pytest
from pydantic import ValidationError

from devtools.simulator.spec import PlantedRule, sample_spec, small_spec
from mqcap.domain.metric import SubjectKind
from sizing.rulebook.registry import all_rules

PART_OF: Final = {
    SubjectKind.queue_manager: "",
    SubjectKind.coupling_facility: "",
    SubjectKind.channel_initiator: "CHINIT",
    SubjectKind.buffer_pool: "BP",
    SubjectKind.page_set: "PS",
}
"""Begin of the last part of a subject, below its owner."""
PLANTED: Final = [
    planted
    for spec in (sample_spec(), small_spec())
    for plex in spec.sysplexes
    for rules in (*(qmgr.rules for qmgr in plex.qmgrs), *(cf.rules for cf in plex.cfs))
    for planted in rules
]


def test_every_planted_rule_is_one_of_the_rulebook_and_names_a_subject_of_its_kind() -> None:
    assert len(PLANTED) > 10
    for planted in PLANTED:
        part = PART_OF[all_rules()[planted.rule].traits.subject_kind]
        assert planted.part.startswith(part), planted
        assert bool(planted.part) is bool(part), planted


def test_breaches_and_rules_that_hold_are_both_planted() -> None:
    assert {planted.breach for planted in PLANTED} == {True, False}


def test_a_result_must_be_stated() -> None:
    with pytest.raises(ValidationError, match="breach"):
        PlantedRule.model_validate({"rule": "LOG-DASD-50PCT"})
    with pytest.raises(ValidationError, match="subject"):
        PlantedRule.model_validate({"rule": "A", "breach": True, "subject": "PLEX1/CSQ1"})
