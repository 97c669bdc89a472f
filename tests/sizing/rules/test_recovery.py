"""Recovery: how far backups may be apart, how old a unit of work, how often checkpoints come."""

from __future__ import annotations

from typing import Final

import pytest

from mqcap.domain.busiest_hours import BusiestHours
from mqcap.domain.finding import Severity
from tests.sizing.builders import RULES, finding, severities, typed
from tests.sizing.following import after_advice

OK, WATCH, ACT = Severity.ok, Severity.watch, Severity.act
PAGE_SETS: Final = {"restart_min": 60, "schedule_hours": 24}
"""60 min x 60 x 60 MiB/s = 216,000 MiB are readable: 2.5 MiB/s over a day."""
TESTED: Final = {"restart_min": 30, "log_read_mib_per_s": 120, "schedule_hours": 24}
"""The same with a rate that the site has tested."""
STRUCTURES: Final = {"schedule_hours": 24}
"""450 MiB/s x 29 min x 60 = 783,000 MiB: 9.0625 MiB/s over a day."""
RATE: Final = "day_mean_mib_per_s"


def test_what_is_logged_between_page_set_backups_must_be_readable_in_time() -> None:
    assert severities("REC-FORMULA-A", RATE, 2.1, 2.2, 2.5, 2.51, **PAGE_SETS) == [
        OK, WATCH, WATCH, ACT,
    ]  # fmt: skip
    at_limit = finding("REC-FORMULA-A", day_mean_mib_per_s=2.5, **PAGE_SETS)
    assert (at_limit.observed, at_limit.limit_value, at_limit.unit) == (24, 24, "h")
    assert (at_limit.crossing_limit, at_limit.breach) == (2.5, False)


def test_a_log_that_is_read_faster_may_be_longer() -> None:
    fast = finding("REC-FORMULA-A", day_mean_mib_per_s=2.5, log_read_mib_per_s=370, **PAGE_SETS)
    assert fast.crossing_limit == pytest.approx(2.5 * 370 / 60)
    assert not any(caveat.startswith("Assumes") for caveat in fast.caveats)


@pytest.mark.parametrize(("rate", "needed"), [(2.5, 60), (2.51, 61), (5.0, 120)])
def test_an_assumed_read_rate_says_from_which_one_on_the_schedule_suffices(
    rate: float, needed: int
) -> None:
    found = finding("REC-FORMULA-A", day_mean_mib_per_s=rate, **PAGE_SETS)
    assert f"from {needed} MiB/s on the schedule suffices." in found.caveats[-1]
    assert found.changes == ()
    if found.breach:
        assert found.advice.startswith("Back up page sets at least daily (MP16)")


def test_the_busiest_week_counts_and_not_seven_times_its_fullest_day() -> None:
    # six days of 20,000 MiB and one of 30,000: 150,000 MiB in a week
    days = [30_000 + 20_000 * more for more in range(7)]
    week = BusiestHours(
        volumes_mib=tuple(30_000 * h / 24 for h in range(1, 49)) + tuple(map(float, days[2:]))
    )
    # 151,200 MiB are readable
    schedule = {"restart_min": 21, "log_read_mib_per_s": 120, "schedule_hours": 168}
    by_day = finding("REC-FORMULA-A", day_mean_mib_per_s=30_000 / 86_400, **schedule)
    by_hour = finding(
        "REC-FORMULA-A", day_mean_mib_per_s=30_000 / 86_400, busiest_hours=week, **schedule
    )
    assert (by_day.breach, by_hour.breach) == (True, False)
    assert typed(by_day) == ["every 120 h"]
    assert "every 5 days" in by_day.changes[0].action
    assert by_hour.crossing_limit == pytest.approx(30_000 / 86_400 * 151_200 / 150_000)


@pytest.mark.parametrize(
    ("rule_id", "rate", "hours"),
    [("REC-FORMULA-A", 5, 12), ("CFB-INTERVAL", 14.5, 15), ("REC-FORMULA-A", 0, None)],
)
def test_the_interval_that_recovery_allows_is_shown(
    rule_id: str, rate: float, hours: float | None
) -> None:
    inputs = PAGE_SETS if rule_id == "REC-FORMULA-A" else STRUCTURES
    answer = RULES[rule_id].answer({RATE: rate, **inputs})
    assert answer["backup_interval_h"] == hours
    shown = f"allows at most {hours} h between" if hours else "allows any interval between"
    assert shown in finding(rule_id, **{RATE: rate}, **inputs).summary


@pytest.mark.parametrize(
    ("hours", "shown"),
    [(71, "every 71 h;"), (72, "every 3 days (72 h);"), (84, "every 3.5 days (84 h);")],
)
def test_schedules_of_three_days_or_more_are_read_in_days(hours: int, shown: str) -> None:
    result = finding("REC-FORMULA-A", **{RATE: 5}, restart_min=60, schedule_hours=hours)
    assert shown in result.summary


@pytest.mark.parametrize(
    ("rate", "expected"),
    [
        (5, "every 12 h"),
        (5.1, "every 8 h"),  # 11.76, and a schedule divides the day
        (100, "every 30 min"),  # 0.6 h, and a schedule divides the hour
        (7_200, "120 queue managers"),  # 30 s: no interval of a minute is short enough
    ],
)
def test_backups_as_often_as_advised_are_enough(rate: float, expected: str) -> None:
    assert typed(finding("REC-FORMULA-A", day_mean_mib_per_s=rate, **TESTED)) == [expected]
    after = after_advice("REC-FORMULA-A", day_mean_mib_per_s=rate, **TESTED)
    assert after.breach is False


def test_structures_are_backed_up_as_often_as_their_log_allows() -> None:
    assert typed(finding("CFB-INTERVAL", day_mean_mib_per_s=14.5, **STRUCTURES)) == ["every 12 h"]
    assert after_advice("CFB-INTERVAL", day_mean_mib_per_s=14.5, **STRUCTURES).breach is False


def test_the_targets_of_the_site_are_asked_for() -> None:
    unknown = finding("REC-FORMULA-A", day_mean_mib_per_s=5)
    assert [line.partition(":")[0] for line in unknown.missing] == ["restart_min", "schedule_hours"]
    assert "restart_target_minutes" in unknown.missing[0]


@pytest.mark.parametrize(("age_s", "rate"), [(3_600, 1), (900, 4), (1, 3_600), (0, 3_600)])
def test_the_limit_in_log_rate_is_where_two_fills_are_as_short_as_the_unit_of_work_is_old(
    age_s: float, rate: float
) -> None:
    judged = finding("REC-UOW-LONG", oldest_uow_s=age_s, log_size_mib=1_800, log_rate_mib_per_s=1)
    assert judged.series_limit == rate  # 2 x 1,800 MiB / age, of a second at least


def test_the_first_message_about_a_long_unit_of_work_is_a_breach() -> None:
    assert severities("REC-UOW-TOLD", "told_per_h", 0, 0.01, 30) == [OK, ACT, ACT]
    assert "CSQJ160I" in finding("REC-UOW-TOLD", told_per_h=1).advice
    assert RULES["REC-UOW-TOLD"].traits.superseded_by == "REC-UOW-LONG"
    assert not RULES["REC-UOW-TOLD"].applies_to({}), "there is no console log"
