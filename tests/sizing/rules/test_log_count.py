"""How many active logs are needed: for recent data, and to outlast archiving."""

from __future__ import annotations

from typing import Final

import pytest

from mqcap.domain.finding import Effect, Severity
from mqcap.domain.metric import Direction
from tests.sizing.builders import finding, severities, typed
from tests.sizing.following import after_advice

OK, WATCH, ACT = Severity.ok, Severity.watch, Severity.act
LOG: Final = {"log_size_mib": 1_800, "archive_time_min": 10}
"""Archived as fast as it fills at 3 MiB/s."""


def test_four_active_logs_are_recommended() -> None:
    assert severities("LOG-COUNT-MIN", "active_logs", 2, 3, 4, 310) == [WATCH, WATCH, OK, OK]
    assert finding("LOG-COUNT-MIN", active_logs=3).breach
    assert finding("LOG-COUNT-MIN", active_logs=4).changes == ()


def test_logs_of_the_same_size_are_added_up_to_four() -> None:
    judged = finding("LOG-COUNT-MIN", active_logs=2, log_size_mib=1_800, dual_logging=True)
    assert typed(judged) == ["2 x CYL(2560)"]  # 1,800 MiB x 64 / 45
    assert (
        "10,240 cylinders (7,200 MiB) more (2 logs, two copies)" in judged.changes[0].side_effects
    )
    assert after_advice("LOG-COUNT-MIN", active_logs=2, log_size_mib=1_800).breach is False
    assert typed(finding("LOG-COUNT-MIN", active_logs=3)) == ["1 x CYL(5825)"], "size not known"


@pytest.mark.parametrize("logs", [1, 311])
def test_fewer_logs_than_two_or_more_than_310_are_not_possible(logs: int) -> None:
    assert finding("LOG-COUNT-MIN", active_logs=logs).severity is Severity.unknown


def test_minutes_are_compared_and_the_series_has_the_rate_of_the_archive_time() -> None:
    judged = finding("LOG-COUNT-OVERLAP", log_rate_mib_per_s=4, **LOG)
    assert (judged.observed, judged.limit_value, judged.unit) == (7.5, 10, "min")
    assert judged.headroom_ratio == pytest.approx(-0.25)
    assert (judged.crossing_limit, judged.crossing_direction) == (3, Direction.upward)
    assert judged.direction is Direction.downward


@pytest.mark.parametrize(
    ("rate", "advice"),
    [(2.3, "Nothing to change"), (2.5, "Archive time approaches"), (3, "Archive faster")],
)
def test_the_archive_time_approaches_the_fill_time_from_80_percent_on(
    rate: float, advice: str
) -> None:
    judged = finding("LOG-COUNT-OVERLAP", log_rate_mib_per_s=rate, **LOG)
    assert judged.advice.startswith(advice)


def test_archiving_faster_is_the_remedy_and_more_logs_only_give_relief() -> None:
    judged = finding("LOG-COUNT-OVERLAP", log_rate_mib_per_s=3, active_logs=4, **LOG)
    faster, more = judged.changes
    assert faster.action == "Bring the time to archive one log below 8 min (now 10 min)."
    assert more.typed == "69 x CYL(2560)"  # 12 h / 10 min and the one in use: 73 logs
    assert more.effect is Effect.relief
    enough = finding("LOG-COUNT-OVERLAP", log_rate_mib_per_s=3, active_logs=73, **LOG)
    assert typed(enough) == [""], "there are logs for 12 hours"
    archived = {"log_size_mib": 1_800, "archive_time_min": 8}
    assert finding("LOG-COUNT-OVERLAP", log_rate_mib_per_s=3, **archived).breach is False


def drained(**inputs: float) -> str:
    """Time to archive all logs but one, as the arithmetic states it."""
    given = {"log_rate_mib_per_s": 1, "active_logs": 4} | LOG | inputs
    judged = finding("LOG-COUNT-OVERLAP", **given)
    return next(line for line in judged.arithmetic if line.startswith("full logs"))


def test_full_logs_are_archived_at_the_learnt_rate_less_what_is_logged_meanwhile() -> None:
    line = drained(archive_mib_per_s=4)
    assert "(4 MiB/s, learnt from the console, - 1 MiB/s) = 30 min" in line
    assert "(3 MiB/s, size / archive time, - 1 MiB/s) = 45 min" in drained()


@pytest.mark.parametrize(("rate", "is_never"), [(0.9, True), (1, True), (1.1, False)])
def test_logs_that_are_archived_no_faster_than_they_fill_stay_full(
    rate: float, is_never: bool
) -> None:
    assert ("never, at peak" in drained(archive_mib_per_s=rate)) is is_never


DAY_OF_LOG: Final = {"log_size_mib": 2_160, "active_logs": 5}
"""Four of them hold 8,640 MiB: a day at 0.1 MiB/s."""


@pytest.mark.parametrize(
    ("rate", "expected"),
    [
        (0.125, ["CYL(3840)"]),  # 10,800 MiB / 4 = 2,700
        (0.25, ["CYL(5825)", "2 x CYL(5825)"]),  # 21,600 / 4,095.7 = 5.27, so 7 logs
        (20, ["CYL(5825)", "305 x CYL(5825)", "2 queue managers"]),  # 1,728,000 of 1,265,572 MiB
    ],
)
def test_logs_are_made_larger_then_more_and_then_the_load_is_spread(
    rate: float, expected: list[str]
) -> None:
    judged = finding("LOG-DAY-ACTIVE", day_mean_mib_per_s=rate, **DAY_OF_LOG)
    assert typed(judged) == expected
    assert after_advice("LOG-DAY-ACTIVE", day_mean_mib_per_s=rate, **DAY_OF_LOG).breach is False
