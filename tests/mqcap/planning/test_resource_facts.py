from __future__ import annotations

from pathlib import Path

from mqcap.domain.busiest_hours import BusiestHours
from mqcap.domain.metric import SubjectKind
from mqcap.judging.hours import MeasuredHours
from mqcap.judging.observed import Observed
from mqcap.planning.resource_facts import FactsByOwner, facts_of_sysplex
from tests.mqcap.rulebook.builders import DAY, QUEUE_MANAGER
from tests.mqcap.whatif.builders import CF, CHINIT, OTHER_CF, STRUCTURE, known_in


def subjects(folder: Path, subject: str, kind: SubjectKind) -> set[str]:
    facts = FactsByOwner(known_in(folder)).of(subject, kind)
    return {day.subject for day in facts.observed.every_day()}


def test_a_queue_manager_has_its_own_parts_and_nothing_of_facilities(tmp_path: Path) -> None:
    names = subjects(tmp_path, CHINIT, SubjectKind.channel_initiator)
    assert {QUEUE_MANAGER, CHINIT} <= names
    assert not {CF, OTHER_CF, STRUCTURE} & names


def test_a_structure_has_all_facilities_of_its_sysplex(tmp_path: Path) -> None:
    names = subjects(tmp_path, STRUCTURE, SubjectKind.structure)
    assert {CF, OTHER_CF, STRUCTURE} <= names
    assert QUEUE_MANAGER not in names


def test_an_unknown_subject_has_no_facts(tmp_path: Path) -> None:
    assert subjects(tmp_path, "PLEX9/CSQ1", SubjectKind.queue_manager) == set()


def test_busiest_hours_and_versions_go_with_their_queue_manager(tmp_path: Path) -> None:
    known = known_in(tmp_path)
    hours = {
        ("log_growth_mib_per_s", subject): MeasuredHours(
            BusiestHours(volumes_mib=(1.0,)), (), DAY, DAY, 24
        )
        for subject in (QUEUE_MANAGER, "PLEX1/CSQ9")
    }
    versions = {QUEUE_MANAGER: "9.4.0"}
    last, window_days = known.observed.last, known.observed.window_days
    days = known.observed.every_day()
    divided = FactsByOwner(
        known._replace(observed=Observed(days, last, window_days, hours, versions))
    )
    part = divided.of(CHINIT, SubjectKind.channel_initiator)
    assert set(part.observed.hours) == {("log_growth_mib_per_s", QUEUE_MANAGER)}
    assert part.observed.versions == versions
    assert divided.of(QUEUE_MANAGER, SubjectKind.queue_manager) is part
    assert not divided.of(STRUCTURE, SubjectKind.structure).observed.hours


def test_learnt_costs_and_versions_go_with_every_part_of_the_facts(tmp_path: Path) -> None:
    known = known_in(tmp_path)
    learnt = known.observed.unit_costs
    assert learnt is not None
    parts = [
        FactsByOwner(known).of(CHINIT, SubjectKind.channel_initiator),
        facts_of_sysplex(known, "PLEX1"),
    ]
    for part in parts:
        assert part.observed.unit_costs is learnt
        assert part.observed.versions == known.observed.versions
        assert part.observed.states == known.observed.states


def test_a_sysplex_has_its_own_days_forecasts_and_estate(tmp_path: Path) -> None:
    known = known_in(tmp_path)
    own, none = facts_of_sysplex(known, "PLEX1"), facts_of_sysplex(known, "PLEX9")
    assert {CF, CHINIT, QUEUE_MANAGER} <= {day.subject for day in own.observed.every_day()}
    assert [plex.sysplex for plex in own.estate.sysplexes] == ["PLEX1"]
    assert not [*none.observed.every_day(), *none.forecasts, *none.estate.sysplexes]
