from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from mqcap.domain.resource import ResourceKind, resource_of
from mqcap.judging.evaluate import Verdict, judge_facts
from mqcap.planning.context import _pairs, contexts_of, earliest_date
from mqcap.settings import AlertSettings
from tests import factories
from tests.mqcap.planning.builders import ACTIVE_LOG, DAY, QUEUE_MANAGER, active_log_of, facts_of


def test_every_result_of_a_day_belongs_to_exactly_one_resource(tmp_path: Path) -> None:
    facts = facts_of(tmp_path, 0.9)
    verdicts = judge_facts(facts)
    divided = [verdict for context in contexts_of(facts, verdicts) for verdict in context.verdicts]
    assert len(divided) == len(verdicts)
    paths = [context.resource.path for context in contexts_of(facts, verdicts)]
    assert paths == sorted(set(paths))
    assert ACTIVE_LOG in paths


def test_rules_that_compare_with_their_own_past_are_no_part_of_a_plan(tmp_path: Path) -> None:
    context = active_log_of(facts_of(tmp_path, 0.9))
    rules = {pair.rule.id for pair in context.pairs}
    assert {"LOG-FILL-30MIN", "LOG-RUNWAY-12H", "LOG-DAY-ACTIVE"} <= rules
    assert "LOG-RATE-MBH" not in rules


def test_the_horizon_counts_from_the_evaluated_day(tmp_path: Path) -> None:
    context = active_log_of(facts_of(tmp_path, 0.9))
    assert context.horizon_date == DAY + timedelta(days=180)
    assert context.site_date == DAY
    assert context.input_of("active_logs") == 6
    assert context.input_of("no such input") is None
    assert context.resource.owner_subject == QUEUE_MANAGER


@pytest.mark.parametrize(
    ("first_ahead", "last_ahead", "expected_ahead"),
    [(15, 20, 14), (14, 20, 21), (10, 14, 15), (10, 13, 14)],
)
def test_a_change_freeze_moves_the_earliest_day_past_its_end(
    tmp_path: Path, first_ahead: int, last_ahead: int, expected_ahead: int
) -> None:
    context = active_log_of(facts_of(tmp_path, 0.9))
    alerts = AlertSettings.model_validate(
        {
            "lead_time_days": {"default": 7, "LOG-FILL-30MIN": 14},
            "change_freezes": [
                {
                    "first": DAY + timedelta(days=first_ahead),
                    "last": DAY + timedelta(days=last_ahead),
                }
            ],
        }
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
