"""How long all active logs together last when archiving stops."""

from __future__ import annotations

from typing import Final

import pytest

from mqcap.domain.finding import Effect, Severity
from tests.sizing.builders import RULES, finding, severities, typed
from tests.sizing.following import after_advice

LOGS: Final = {"log_size_mib": 3_600, "active_logs": 12}
"""43,200 MiB: 12 hours at 1 MiB/s."""
RULE: Final = "LOG-RUNWAY-12H"
RATE: Final = "sustained_rate_mib_per_s"


def test_all_logs_together_must_last_12_hours() -> None:
    assert severities(RULE, RATE, 0.84, 0.86, 1, 1.001, **LOGS) == [
        Severity.ok, Severity.watch, Severity.watch, Severity.act,
    ]  # fmt: skip
    at_limit = finding(RULE, sustained_rate_mib_per_s=1, **LOGS)
    assert (at_limit.limit_value, at_limit.breach) == (1, False)
    assert "12 logs x 3,600 MiB last 12 h" in at_limit.summary


@pytest.mark.parametrize(("rate", "hours"), [(0.5, 24), (1, 12), (12, 1), (0, None)])
def test_the_runway_is_what_the_logs_hold_by_the_rate(rate: float, hours: float | None) -> None:
    assert RULES[RULE].answer({RATE: rate, **LOGS})["runway_h"] == hours


def test_logs_into_which_nothing_is_written_last_for_ever() -> None:
    assert "last for ever" in finding(RULE, sustained_rate_mib_per_s=0, **LOGS).summary


@pytest.mark.parametrize(
    ("rate", "expected"),
    [
        (1.125, ["CYL(5760)"]),  # 48,600 / 12 = 4,050 MiB each
        (2, ["CYL(5825)", "10 x CYL(5825)"]),  # 86,400 / 4,095.7 = 21.1, so 22 logs
        (40, ["CYL(5825)", "298 x CYL(5825)", "2 queue managers"]),  # 310 logs last 8.8 h
    ],
)
def test_logs_are_made_larger_then_more_and_then_the_load_is_spread(
    rate: float, expected: list[str]
) -> None:
    found = finding(RULE, sustained_rate_mib_per_s=rate, **LOGS)
    assert typed(found) == expected
    assert {change.effect for change in found.changes} == {Effect.enough}
    assert after_advice(RULE, sustained_rate_mib_per_s=rate, **LOGS).breach is False


def test_each_change_names_the_hours_that_it_gains() -> None:
    larger, more = finding(RULE, sustained_rate_mib_per_s=2, **LOGS).changes
    # 43,200 MiB / 2 = 6 h; 49,148 = 6.8 h; 90,105 = 12.5 h
    assert larger.action.endswith("all logs then last 6.8 h instead of 6 h, 0.8 h more.")
    assert more.action.endswith("all logs then last 12.5 h instead of 6.8 h, 5.7 h more.")


def test_logs_that_are_as_large_as_they_can_be_are_only_joined_by_more() -> None:
    found = finding(RULE, log_size_mib=4_096, active_logs=12, sustained_rate_mib_per_s=2)
    assert typed(found) == ["10 x CYL(5825)"]


@pytest.mark.parametrize(
    ("rate", "advice"),
    [(1, "Nothing to change"), (2, "Make the active logs larger first"), (40, "Even 310 logs")],
)
def test_the_advice_says_how_far_larger_and_more_logs_go(rate: float, advice: str) -> None:
    assert finding(RULE, sustained_rate_mib_per_s=rate, **LOGS).advice.startswith(advice)


@pytest.mark.parametrize("absent", ["log_size_mib", "active_logs"])
def test_the_configuration_of_the_logs_is_asked_for(absent: str) -> None:
    inputs = {name: value for name, value in LOGS.items() if name != absent}
    unknown = finding(RULE, sustained_rate_mib_per_s=1, **inputs)
    assert unknown.severity is Severity.unknown
    assert [line.partition(":")[0] for line in unknown.missing] == [absent]
