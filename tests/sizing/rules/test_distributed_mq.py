"""Rules of queue managers that are not on z/OS, with the settings as they come."""

from __future__ import annotations

import pytest

from mqcap.domain.finding import Severity
from mqcap.settings import load_settings
from sizing.rulebook.judge import severity_of
from sizing.rulebook.registry import all_rules
from tests.sizing.builders import finding

SETTINGS = load_settings()
OK, WATCH, ACT = Severity.ok, Severity.watch, Severity.act


@pytest.mark.parametrize(
    ("rule_id", "inputs", "name", "values"),
    [
        ("DST-LOG-PRIMARY", {}, "used_pct", {84.9: OK, 85.1: WATCH, 150.8: WATCH}),
        ("DST-LOG-WORKLOAD", {}, "workload_pct", {99.9: OK, 100: OK, 100.1: WATCH}),
        ("DST-LOG-END", {}, "used_pct", {69.9: OK, 70.1: WATCH, 80.1: ACT, 100.1: ACT}),
        ("DST-LOG-FS", {}, "used_pct", {74.9: OK, 75.1: WATCH, 90.1: ACT, 100: ACT}),
        ("DST-QM-FS", {}, "used_pct", {74.9: OK, 75.1: WATCH, 90.1: ACT, 100: ACT}),
        ("DST-DEPTH", {}, "used_pct", {69.9: OK, 70.1: WATCH, 80.1: ACT, 100: ACT}),
        ("DST-CHANNELS", {"max_channels": 400}, "connections", {279: OK, 281: WATCH, 321: ACT}),
        (
            "DST-ACTIVE-CHANNELS",
            {"max_active_channels": 200},
            "active",
            {139: OK, 141: WATCH, 161: ACT},
        ),
    ],
)
def test_a_rule_warns_before_its_limit(
    rule_id: str, inputs: dict[str, float], name: str, values: dict[float, Severity]
) -> None:
    rule, policy = all_rules()[rule_id], SETTINGS.grade_policy(rule_id)
    found = {
        value: severity_of(
            rule.assess(rule.inputs.model_validate({**inputs, name: value})), rule.traits, policy
        )
        for value in values
    }
    assert found == values


def test_the_limit_of_connections_is_that_of_the_queue_manager() -> None:
    made = finding("DST-CHANNELS", connections=300, max_channels=400)
    assert (made.limit_value, made.breach) == (400, False)
    assert "MaxChannels = 400" in made.arithmetic[0]


def test_active_channels_are_judged_where_their_limit_is_stated() -> None:
    made = finding("DST-ACTIVE-CHANNELS", active=201, max_active_channels=200)
    assert (made.limit_value, made.breach) == (200, True)
    assert "at most to MaxChannels" in made.advice
    rule = all_rules()["DST-ACTIVE-CHANNELS"]
    assert rule.applies_to({"active": 5.0, "max_active_channels": 200.0})
    assert not rule.applies_to({"active": 5.0})
