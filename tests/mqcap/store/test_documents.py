"""Documents that an earlier release stored."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mqcap.domain.plan import AnyPlan, ChangePlan, Incident, InputsMissing
from mqcap.store.documents import parse_plan

STORED: dict[str, Any] = {
    "resource": "PLEX1/CSQ1/active_log", "label": "CSQ1 active logs", "kind": "active_log",
    "owner_subject": "PLEX1/CSQ1", "owner": "Payments", "site_date": "2026-11-27",
    "earliest_date": "2026-12-11", "due_date": "2026-12-04", "horizon_date": "2027-05-26",
    "made_on": "2026-11-20", "severity": "act", "summary": "4.1 h of 12 h.",
    "worst_rule": "LOG-RUNWAY-12H", "worst_subject": "PLEX1/CSQ1", "worst_headroom_ratio": -0.66,
    "confidence": 0.9, "is_feasible": False, "changes": [], "cost": {"cylinders": 3},
    "missing": ["active_logs: set it"], "is_event": False, "event_advice": "",
}  # fmt: skip


@pytest.mark.parametrize(
    ("changed", "form"),
    [
        ({}, InputsMissing),
        ({"is_feasible": True, "missing": []}, ChangePlan),
        ({"is_event": True, "event_has_ended": True, "event_advice": "Find out why."}, Incident),
    ],
)
def test_a_plan_with_all_fields_side_by_side_is_read_in_its_form(
    changed: dict[str, Any], form: type[AnyPlan]
) -> None:
    plan = parse_plan(json.dumps(STORED | changed))
    assert isinstance(plan, form)
    assert plan.about.owner == "Payments"
    assert (plan.dates.made_on.day, plan.due_date.day) == (20, 4)
    assert (plan.reason.rule_id, plan.reason.headroom_ratio) == ("LOG-RUNWAY-12H", -0.66)
    assert plan.base.cost.cylinders == 3
    if isinstance(plan, Incident):
        assert (plan.is_over, plan.advice) == (True, "Find out why.")
