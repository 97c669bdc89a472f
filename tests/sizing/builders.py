"""Values and policies for the tests of the rulebook."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from mqcap.domain.finding import Finding, InputValue, Severity
from sizing.rulebook.judge import judge
from sizing.rulebook.registry import all_rules

RULES = all_rules()
DAY = date(2026, 3, 31)


@dataclass(frozen=True)
class Policy:
    watch_below_headroom: float = 0.15
    act_below_headroom: float = 0.0
    watch_within_days: int = 90
    act_within_days: int = 30
    breach: Severity | None = None


def values(**inputs: float | str | None) -> list[InputValue]:
    return [InputValue(name=name, value=value) for name, value in inputs.items()]


def finding(rule_id: str, **inputs: float) -> Finding:
    return judge(RULES[rule_id], "PLEX1/CSQ1", DAY, values(**inputs), Policy())
