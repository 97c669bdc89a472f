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
    ("instances", "severity"),
    [(899, OK), (901, WATCH), (999, WATCH), (1_000, WATCH), (1_200, WATCH)],
)
def test_a_channel_warns_from_90_pct_and_refuses_one_application_alone(
    rule_id: str, instances: float, severity: Severity
) -> None:
    rule, policy = all_rules()[rule_id], SETTINGS.grade_policy(rule_id)
    assessment = rule.assess(
        rule.inputs.model_validate({"instances": instances, "max_instances": 1_000})
    )
    assert severity_of(assessment, rule.traits, policy) is severity
    assert (f"raise {LIMITS[rule_id]} if" in assessment.advice) is (instances >= 1_000)
    assert assessment.arithmetic == (f"limit = {LIMITS[rule_id]} = 1,000",)


@pytest.mark.parametrize("rule_id", LIMITS)
def test_the_number_of_instances_has_a_forecast(rule_id: str) -> None:
    assert RULES[rule_id].forecast_series is not None
