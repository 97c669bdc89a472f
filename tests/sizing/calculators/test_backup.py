"""Backups of page sets: MP16, "Achieving specific recovery targets"."""

from __future__ import annotations

from typing import Any

import pytest
from pytest import approx

from sizing.calculators import backup as registered
from tests.sizing.builders import refusal

backup: Any = registered  # a registered function has the return type of all

CYLINDER_BYTES = 737_280
GIB = 2**30


def test_a_minute_at_10_mb_per_s_reads_an_hour_of_600_mb() -> None:
    # Formula (A): restart seconds x MB/s read / MB written in an hour.
    figures = backup.backup_interval(60, 10, 600)
    assert figures["backup_interval_hours"] == 1
    assert figures["data_to_read_gib"] == 600 / 1_024
    assert backup.data_to_read(60, 10) == {"data_to_read_gib": 600 / 1_024}


def test_twice_the_log_rate_halves_the_interval() -> None:
    hours = [backup.backup_interval(3_600, 60, rate)["backup_interval_hours"] for rate in (1, 2, 4)]
    assert hours == [216_000, 108_000, 54_000]


@pytest.mark.parametrize(("schedule", "breach"), [(0.5, False), (1, False), (1.01, True)])
def test_backups_may_be_exactly_as_far_apart_as_recovery_can_read(
    schedule: float, breach: bool
) -> None:
    assert backup.backup_against_schedule(60, 10, 600, schedule)["breach"] is breach


def test_active_logs_hold_their_size_divided_by_the_hourly_volume() -> None:
    assert backup.hours_in_active_logs(1, 512) == {"hours_in_active_logs": 2}


def test_an_hour_holds_3600_seconds_of_messages_and_their_overhead() -> None:
    figures = backup.volume_of_messages(1, 0.7)
    assert figures["kb_per_hour"] == approx(7_200)
    assert figures["mib_per_hour"] == approx(7_200 / 1_024)
    assert backup.volume_of_messages(0, 4)["kb_per_hour"] == 0


def test_a_pair_has_two_messages_and_a_batch_each_way() -> None:
    # F-03: 1.4 KB received and 2.5 KB sent here; an empty message logs its overhead alone.
    assert backup.volume_of_pairs(1, 0)["kb_per_hour"] == approx(3_600 * (2.6 + 1.4 + 2.5))


def test_the_restart_has_what_reaction_and_restore_leave() -> None:
    assert backup.restart_budget(10, 4) == {"restart_s": 360}
    assert backup.restart_budget(10, 10) == {"restart_s": 0}


def test_no_restart_fits_where_reaction_and_restore_take_all_the_time() -> None:
    text = refusal("REC-BUDGET", target_total_min=10, react_and_restore_min=10.5)
    assert "no time is left for restart" in text
    assert "10.5 min for reaction and restore" in text


@pytest.mark.parametrize(
    ("hours", "days", "a_day"), [(48, 2, 1), (47.9, 1, 1), (24, 1, 1), (12, 0.5, 2), (9, 0.375, 3)]
)
def test_an_interval_becomes_full_days_or_several_backups_a_day(
    hours: float, days: float, a_day: int
) -> None:
    assert backup.schedule(hours, 24) == {"days_between_backups": days, "backups_per_day": a_day}


def test_a_day_has_at_most_24_hours_of_logging() -> None:
    assert "application_hours_per_day: Input should be less than or equal to 24" in refusal(
        "REC-APPDAY", interval_hours=10, application_hours_per_day=24.1
    )


def test_a_restore_takes_the_size_by_the_measured_rate() -> None:
    assert backup.restore_time(8, "DFDSS") == {"gb_per_min": 8, "minutes": 1}
    assert backup.restore_time(7, "REPRO")["minutes"] == 2
    assert backup.restore_time(5.2, "REPRO zHPF")["minutes"] == 1


@pytest.mark.parametrize(("method", "seconds"), [("DFDSS older", 15), ("REPRO older", 26)])
def test_the_older_rates_are_1600_cylinders_by_the_printed_seconds(
    method: str, seconds: int
) -> None:
    rate = 1_600 * CYLINDER_BYTES / GIB / seconds * 60
    assert backup.RESTORE_GB_PER_MIN[method] == approx(rate, abs=0.005)


def test_a_restore_by_an_unknown_method_names_the_methods() -> None:
    assert "method: Input should be 'DFDSS', 'REPRO'" in refusal(
        "REC-RESTORE-RATES", page_set_gb=1, method="FDR"
    )
