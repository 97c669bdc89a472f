"""How long the active logs last when archiving stops at the worst moment."""

from __future__ import annotations

from typing import Final

import pytest

from mqcap.domain.busiest_hours import BusiestHours
from mqcap.domain.finding import Effect, Severity
from mqcap.domain.metric import Direction
from sizing.rules.log_runway import BY_RATE
from tests.sizing.builders import RULES, finding, severities, typed
from tests.sizing.following import after_advice

LOGS: Final = {"log_size_mib": 3_600, "active_logs": 13}
"""43,200 MiB besides the log in use: 12 hours at 1 MiB/s."""
RULE: Final = "LOG-RUNWAY-12H"
RATE: Final = "sustained_rate_mib_per_s"
NIGHT: Final = BusiestHours(
    volumes_mib=tuple(min(h, 4) * 7_200 + max(h - 4, 0) * 360 for h in range(1, 25))
)
"""Four hours at 2 MiB/s, then 0.1 MiB/s."""


def test_the_logs_but_the_one_in_use_must_last_12_hours() -> None:
    assert severities(RULE, RATE, 0.84, 0.87, 1, 1.001, **LOGS) == [
        Severity.ok, Severity.watch, Severity.watch, Severity.act,
    ]  # fmt: skip
    at_limit = finding(RULE, sustained_rate_mib_per_s=1, **LOGS)
    assert (at_limit.observed, at_limit.limit_value, at_limit.unit) == (12, 12, "h")
    assert at_limit.breach is False
    assert at_limit.direction is Direction.downward
    assert "12 h of 12 h" in at_limit.summary
    assert "(13 - 1) logs x 3,600 MiB last 12 h" in at_limit.summary


def test_the_limit_of_the_series_is_the_rate_that_fills_the_logs_in_12_hours() -> None:
    steady = finding(RULE, sustained_rate_mib_per_s=2, **LOGS)
    assert steady.crossing_limit == pytest.approx(1)
    assert steady.crossing_direction is Direction.upward
    # the busiest 12 hours hold 31,680 MiB, so a rate 43,200 / 31,680 times as high is the limit
    night = finding(RULE, sustained_rate_mib_per_s=1.9, busiest_hours=NIGHT, **LOGS)
    assert night.crossing_limit == pytest.approx(1.9 * 43_200 / 31_680)
    assert night.arithmetic[3].startswith(
        "limit of the rate = 1.9 MiB/s (95th percentile of the hours of the busiest day) x "
        "43,200 / 31,680 MiB = 2.591 MiB/s (9,327.3 MiB an hour): at that rate, "
    )
    idle = finding(RULE, sustained_rate_mib_per_s=0, **LOGS)
    assert idle.crossing_limit == 1
    assert not any("limit of the rate" in line for line in idle.arithmetic)


@pytest.mark.parametrize(
    ("growth", "breach"), [(1.36, False), (43_200 / 31_680, False), (1.37, True)]
)
def test_growth_of_the_rate_and_of_the_hours_meet_the_limit_together(
    growth: float, breach: bool
) -> None:
    judged = finding(
        RULE, sustained_rate_mib_per_s=1.9 * growth, busiest_hours=NIGHT.grown(growth), **LOGS
    )
    assert judged.breach is breach
    assert judged.crossing_limit == pytest.approx(1.9 * 43_200 / 31_680)


@pytest.mark.parametrize(("rate", "hours"), [(0.5, 24), (1, 12), (12, 1), (0, None)])
def test_without_hours_every_hour_is_as_busy_as_the_sustained_rate(
    rate: float, hours: float | None
) -> None:
    assert RULES[RULE].answer({RATE: rate, **LOGS})["runway_h"] == hours
    assert BY_RATE in finding(RULE, sustained_rate_mib_per_s=rate, **LOGS).caveats


def test_a_busy_night_does_not_count_as_if_it_lasted_all_day() -> None:
    by_rate = finding(RULE, sustained_rate_mib_per_s=1.9, **LOGS)
    by_hour = finding(RULE, sustained_rate_mib_per_s=1.9, busiest_hours=NIGHT, **LOGS)
    assert (by_rate.severity, by_hour.severity) == (Severity.act, Severity.ok)
    assert by_hour.observed == pytest.approx(24 + (43_200 - 36_000) / 7_200)
    assert BY_RATE not in by_hour.caveats


@pytest.mark.parametrize(
    ("size_mib", "logs", "volumes_mib", "hours"),
    [
        # n - 1 logs against two busy hours, the rest of the day at a third
        (1_024, 6, (3_600, 6_360, 7_560), 1 + (5_120 - 3_600) / 2_760),
        (2_048, 8, (3_600, 7_200, 10_800, 14_200, 17_400), 4 + (14_336 - 14_200) / 3_200),
    ],
)
def test_the_runway_is_read_from_the_worst_start(
    size_mib: float, logs: int, volumes_mib: tuple[float, ...], hours: float
) -> None:
    judged = finding(
        RULE,
        log_size_mib=size_mib,
        active_logs=logs,
        sustained_rate_mib_per_s=1,
        busiest_hours=BusiestHours(
            volumes_mib=(*volumes_mib, *(20_000 + hour for hour in range(len(volumes_mib), 12)))
        ),
    )
    assert judged.observed == pytest.approx(hours, abs=0.05)


@pytest.mark.parametrize(("hours", "severity"), [(1, "unknown"), (11, "unknown"), (12, "act")])
def test_without_a_run_of_12_measured_hours_it_is_not_checked_and_sizes_nothing(
    hours: int, severity: str
) -> None:
    curve = BusiestHours(volumes_mib=tuple(36_000 * hour for hour in range(1, hours + 1)))
    judged = finding(RULE, sustained_rate_mib_per_s=10, busiest_hours=curve, **LOGS)
    assert judged.severity == severity
    if severity == "unknown":
        assert judged.changes == ()
        [reason] = judged.missing
        assert reason.startswith("busiest_hours: the longest run of measured hours without a gap ")
        assert f"is {hours} h, and 12 h are needed" in reason


def test_a_week_or_more_is_not_distinguished() -> None:
    idle = finding(RULE, sustained_rate_mib_per_s=0, **LOGS)
    assert (idle.observed, idle.severity) == (168, Severity.ok)
    assert "168 h or more of 12 h" in idle.summary


@pytest.mark.parametrize(
    ("rate", "expected"),
    [
        (1.125, ["CYL(5760)"]),  # 48,600 / 12 = 4,050 MiB each
        (2, ["CYL(5825)", "10 x CYL(5825)"]),  # 86,400 / 4,095.7 = 21.1: 22 and the one in use
        (40, ["CYL(5825)", "297 x CYL(5825)", "2 queue managers"]),  # 309 logs last 8.8 h
    ],
)
def test_logs_are_made_larger_then_more_and_then_the_load_is_spread(
    rate: float, expected: list[str]
) -> None:
    judged = finding(RULE, sustained_rate_mib_per_s=rate, **LOGS)
    assert typed(judged) == expected
    assert {change.effect for change in judged.changes} == {Effect.enough}
    assert after_advice(RULE, sustained_rate_mib_per_s=rate, **LOGS).breach is False


def test_each_change_names_the_hours_that_it_gains() -> None:
    larger, more = finding(RULE, sustained_rate_mib_per_s=2, **LOGS).changes
    # 43,200 MiB / 2 = 6 h; 49,148 = 6.8 h; 90,105 = 12.5 h
    assert larger.action.endswith("the logs then last 6.8 h instead of 6 h, 0.8 h more.")
    assert more.action.endswith("the logs then last 12.5 h instead of 6.8 h, 5.7 h more.")


@pytest.mark.parametrize("size_mib", [4_095, 4_095.7, 4_096])
def test_logs_that_are_as_large_as_they_can_be_are_only_joined_by_more(size_mib: float) -> None:
    judged = finding(RULE, log_size_mib=size_mib, active_logs=13, sustained_rate_mib_per_s=2)
    assert typed(judged) == ["10 x CYL(5825)"]


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
