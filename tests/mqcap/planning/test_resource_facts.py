from __future__ import annotations

from pathlib import Path

from mqcap.domain.metric import SubjectKind
from mqcap.planning.resource_facts import FactsByOwner
from tests.mqcap.rulebook.builders import QUEUE_MANAGER
from tests.mqcap.whatif.builders import CF, CHINIT, OTHER_CF, STRUCTURE, known_in


def subjects(folder: Path, subject: str, kind: SubjectKind) -> set[str]:
    facts = FactsByOwner(known_in(folder)).of(subject, kind)
    return {day.subject for day in facts.observed.every_day()}


def test_a_queue_manager_has_its_own_parts_and_nothing_of_facilities(tmp_path: Path) -> None:
    found = subjects(tmp_path, CHINIT, SubjectKind.channel_initiator)
    assert {QUEUE_MANAGER, CHINIT} <= found
    assert not {CF, OTHER_CF, STRUCTURE} & found


def test_a_structure_has_all_facilities_of_its_sysplex(tmp_path: Path) -> None:
    found = subjects(tmp_path, STRUCTURE, SubjectKind.structure)
    assert {CF, OTHER_CF, STRUCTURE} <= found
    assert QUEUE_MANAGER not in found


def test_an_unknown_subject_has_no_facts(tmp_path: Path) -> None:
    assert subjects(tmp_path, "PLEX9/CSQ1", SubjectKind.queue_manager) == set()
