"""Instances of server-connection channels against MAXINST and MAXINSTC."""

from __future__ import annotations

import pytest

from mqcap.domain.finding import Severity
from mqcap.settings import load_settings
from sizing.rulebook.judge import severity_of
from sizing.rulebook.registry import all_rules
from tests.sizing.builders import RULES

SETTINGS = load_settings()
OK, WATCH = Severity.ok, Severity.watch
LIMITS = {"DST-CHANNEL-INSTANCES": "MAXINST", "DST-CLIENT-INSTANCES": "MAXINSTC"}


@pytest.mark.parametrize("rule_id", LIMITS)
@pytest.mark.parametrize(
    ("used_pct", "severity"), [(89.9, OK), (90.1, WATCH), (99.9, WATCH), (100, WATCH), (120, WATCH)]
)
def test_a_channel_warns_from_90_pct_and_refuses_one_application_alone(
    rule_id: str, used_pct: float, severity: Severity
) -> None:
    rule, policy = all_rules()[rule_id], SETTINGS.grade_policy(rule_id)
    assessment = rule.assess(rule.inputs.model_validate({"used_pct": used_pct}))
    assert severity_of(assessment, rule.traits, policy) is severity
    assert (f"raise {LIMITS[rule_id]} if" in assessment.advice) is (used_pct >= 100)
    assert assessment.arithmetic == (f"limit = 100 % of {LIMITS[rule_id]}",)


@pytest.mark.parametrize("rule_id", LIMITS)
def test_the_share_of_the_limit_has_a_forecast(rule_id: str) -> None:
    assert RULES[rule_id].forecast_series is not None
