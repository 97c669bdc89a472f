"""What planning knows of a resource."""

from datetime import timedelta
from pathlib import Path

import pytest

from mqcap.domain.busiest_hours import BusiestHours
from mqcap.domain.metric import SubjectKind
from mqcap.domain.resource import ResourceKind, resource_of
from mqcap.judging.evaluate import Verdict, judge_facts
from mqcap.judging.hours import MeasuredHours
from mqcap.judging.observed import Observed
from mqcap.planning.context import (
    FactsByOwner,
    _pairs,
    contexts_of,
    earliest_date,
    facts_of_sysplex,
)
from mqcap.settings import AlertSettings, ChangeFreeze
from tests import factories
from tests.mqcap.planning.builders import ACTIVE_LOG, DAY, QUEUE_MANAGER, active_log_of, facts_of
from tests.mqcap.whatif.builders import CF, CHINIT, OTHER_CF, STRUCTURE, known_in


def test_every_result_of_a_day_is_of_one_resource_and_that_of_its_own_past_of_no_plan(
    tmp_path: Path,
) -> None:
    facts = facts_of(tmp_path, 0.9)
    verdicts = judge_facts(facts)
    divided = [verdict for context in contexts_of(facts, verdicts) for verdict in context.verdicts]
    assert len(divided) == len(verdicts)
    paths = [context.resource.path for context in contexts_of(facts, verdicts)]
    assert paths == sorted(set(paths))
    assert ACTIVE_LOG in paths
    rules = {pair.rule.id for pair in active_log_of(facts).pairs}
    assert {"LOG-FILL-30MIN", "LOG-RUNWAY-12H", "LOG-DAY-ACTIVE"} <= rules
    assert "LOG-RATE-MBH" not in rules


@pytest.mark.parametrize(
    ("first_ahead", "last_ahead", "expected_ahead"),
    [(15, 20, 14), (14, 20, 21), (10, 14, 15), (10, 13, 14)],
)
def test_a_change_freeze_moves_the_earliest_day_past_its_end(
    tmp_path: Path, first_ahead: int, last_ahead: int, expected_ahead: int
) -> None:
    context = active_log_of(facts_of(tmp_path, 0.9))
    first, last = (DAY + timedelta(days=ahead) for ahead in (first_ahead, last_ahead))
    alerts = AlertSettings(
        lead_time_days={"default": 7, "LOG-FILL-30MIN": 14},
        change_freezes=(ChangeFreeze(first=first, last=last),),
    )
    first_day = earliest_date(DAY, context.verdicts, alerts)
    assert first_day == DAY + timedelta(days=expected_ahead)


def test_a_structure_with_the_name_of_its_facility_has_rules_of_its_own_subjects_only() -> None:
    facility = factories.finding("PLEX1/CF01", rule_id="CF-BUSY-1")
    structure = factories.finding("PLEX1/CF01/CF01", rule_id="CFS-FULL")
    resource = resource_of(ResourceKind.structure, "PLEX1/CF01/CF01")
    pairs = _pairs(resource, [Verdict(facility, None), Verdict(structure, None)])
    assert {(pair.rule.traits.subject_kind.value, pair.subject) for pair in pairs} == {
        ("coupling_facility", "PLEX1/CF01"),
        ("structure", "PLEX1/CF01/CF01"),
    }


@pytest.mark.parametrize(
    ("subject", "kind", "inside", "outside"),
    [
        (CHINIT, SubjectKind.channel_initiator, {QUEUE_MANAGER, CHINIT}, {CF, OTHER_CF, STRUCTURE}),
        (STRUCTURE, SubjectKind.structure, {CF, OTHER_CF, STRUCTURE}, {QUEUE_MANAGER}),
    ],
    ids=["its own parts and nothing of facilities", "all facilities of its sysplex"],
)
def test_facts_are_those_of_the_queue_manager_or_of_what_a_sysplex_shares(
    tmp_path: Path, subject: str, kind: SubjectKind, inside: set[str], outside: set[str]
) -> None:
    facts = FactsByOwner(known_in(tmp_path)).of(subject, kind)
    names = {day.subject for day in facts.observed.every_day()}
    assert inside <= names
    assert not outside & names


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
