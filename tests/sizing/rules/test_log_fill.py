"""How long one active log lasts at the busiest persistent load."""

from __future__ import annotations

from typing import Final

import pytest

from mqcap.domain.finding import Effect, Severity
from mqcap.domain.metric import Direction
from tests.sizing.builders import finding, severities, typed
from tests.sizing.following import after_advice

LOG: Final = {"log_size_mib": 1_800}
"""Lasts 30 minutes at 1 MiB/s."""


def test_a_log_must_last_30_minutes_at_the_peak() -> None:
    assert severities("LOG-FILL-30MIN", "log_rate_mib_per_s", 0.84, 0.87, 1, 1.001, **LOG) == [
        Severity.ok, Severity.watch, Severity.watch, Severity.act,
    ]  # fmt: skip
    at_limit = finding("LOG-FILL-30MIN", log_rate_mib_per_s=1, **LOG)
    assert at_limit.breach is False
    assert at_limit.changes == ()
    assert (at_limit.observed, at_limit.limit_value, at_limit.unit) == (30, 30, "min")


def test_time_is_compared_and_the_series_has_the_rate_at_which_it_is_the_limit() -> None:
    judged = finding("LOG-FILL-30MIN", log_rate_mib_per_s=1.5, **LOG)
    assert judged.observed == pytest.approx(20)
    assert judged.headroom_ratio == pytest.approx(-1 / 3)
    assert "20 min of 30 min" in judged.summary
    assert (judged.crossing_limit, judged.crossing_direction) == (1, Direction.upward)
    assert judged.direction is Direction.downward


def test_a_log_into_which_nothing_is_written_never_fills() -> None:
    judged = finding("LOG-FILL-30MIN", log_rate_mib_per_s=0, **LOG)
    assert judged.severity is Severity.ok
    assert "never fills" in judged.summary
    assert judged.observed == 7 * 24 * 60


def test_the_larger_log_that_is_advised_lasts_exactly_30_minutes() -> None:
    load = {"log_rate_mib_per_s": 1.5, **LOG}
    judged = finding("LOG-FILL-30MIN", active_logs=6, dual_logging=False, **load)
    assert typed(judged) == ["CYL(3840)"]  # 2,700 MiB x 64 / 45
    [change] = judged.changes
    assert change.effect is Effect.enough
    # 3,840 - 2,560 cylinders for each of six logs
    assert "7,680 cylinders (5,400 MiB) more (6 logs, one copy)" in change.side_effects
    after = after_advice("LOG-FILL-30MIN", **load)
    assert after.crossing_limit == pytest.approx(1.5)
    assert after.breach is False


def test_above_the_cap_of_4_gib_only_spreading_the_load_is_enough() -> None:
    load = {"log_rate_mib_per_s": 2.5, "active_logs": 6, **LOG}  # 4,500 MiB would be needed
    judged = finding("LOG-FILL-30MIN", **load)
    assert [(change.typed, change.effect) for change in judged.changes] == [
        ("CYL(5825)", Effect.enough),
        ("21 x CYL(5825)", Effect.relief),  # 2.5 x 12 h / 4,095.7 MiB = 26.4, so 27 logs
        ("", Effect.enough),
        ("COMPLOG=RLE", Effect.measure),
        ("2 queue managers", Effect.enough),  # 2.5 / (4,095.7 / 1,800) = 1.1
    ]
    assert "Larger logs alone cannot meet the rule: 4,500 MiB" in judged.advice
    after = after_advice("LOG-FILL-30MIN", **load)
    assert after.observed == pytest.approx(4_095.7 / 1.25 / 60, rel=1e-4)
    assert after.breach is False


@pytest.mark.parametrize(("active_logs", "first"), [(27, "Keep the 27"), (None, "Define 27 more")])
def test_logs_of_full_size_are_kept_where_they_last_12_hours(
    active_logs: int | None, first: str
) -> None:
    judged = finding(
        "LOG-FILL-30MIN", log_size_mib=4_096, log_rate_mib_per_s=2.5, active_logs=active_logs
    )
    assert judged.changes[0].action.startswith(first)


def test_the_size_of_a_log_is_asked_for_and_one_above_4_gib_is_refused() -> None:
    unknown = finding("LOG-FILL-30MIN", log_rate_mib_per_s=1)
    assert unknown.missing[0].startswith("log_size_mib: ")
    assert "active_log_size_mib" in unknown.missing[0]
    assert finding("LOG-FILL-30MIN", log_rate_mib_per_s=1, log_size_mib=4_097).severity is (
        Severity.unknown
    )
