"""Values and policies for the tests of the rulebook."""

from dataclasses import dataclass
from datetime import date
from typing import Any

import pytest

from mqcap.domain.busiest_hours import BusiestHours
from mqcap.domain.errors import ConfigurationError
from mqcap.domain.finding import Finding, InputValue, Severity
from sizing.rulebook.judge import judge
from sizing.rulebook.registry import all_rules, get

RULES = all_rules()
DAY = date(2026, 3, 31)
Value = float | str | BusiestHours | None


@dataclass(frozen=True)
class Policy:
    watch_below_headroom: float = 0.15
    act_below_headroom: float = 0.0
    watch_within_days: int = 90
    act_within_days: int = 30
    breach: Severity | None = None


def values(**inputs: Value) -> list[InputValue]:
    return [InputValue(name=name, value=value) for name, value in inputs.items()]


def finding(rule_id: str, **inputs: Value) -> Finding:
    return judge(RULES[rule_id], "PLEX1/CSQ1", DAY, values(**inputs), Policy())


def severities(rule_id: str, varied: str, *figures: float, **inputs: Value) -> list[Severity]:
    """Return the severity for each value of one input, with the other inputs as they are."""
    return [finding(rule_id, **inputs, **{varied: value}).severity for value in figures]


def typed(result: Finding) -> list[str]:
    """Return what a person types for each change; empty for a change in words."""
    return [change.typed for change in result.changes]


def refusal(identity: str, **inputs: Any) -> str:
    """Return the text of the error with which a rule or calculator refuses these inputs."""
    with pytest.raises(ConfigurationError) as caught:
        get(identity).answer(inputs)
    return str(caught.value)
