from __future__ import annotations

import pytest

from spark_apps.metrics import logs
from tests.spark_apps.rows import levels, sections

CSQ1 = "PLEX1/CSQ1"
HALF_HOUR_US = 1_800e6


def test_the_log_writer_is_busy_when_it_is_not_idle() -> None:
    row = {"qjstslptu": 0.75 * HALF_HOUR_US}
    assert levels(logs.log_writer(sections(section_qjst=[row]))) == {
        ("log_task_busy_pct", CSQ1): [25.0],
    }


@pytest.mark.parametrize(
    ("field", "busy_pct"),
    [
        (1_350e6, 25.0),
        (1_800e6, 0.0),
        (1_801e6, 0.0),
        (3_600e6, 0.0),
        (3_601e6, 100 - 100 * 3_601 / 4_096 / 1_800),
        (4_096 * 1_350e6, 25.0),
    ],
)
def test_the_idle_time_is_in_microseconds_or_in_units_of_the_tod_clock(
    field: float, busy_pct: float
) -> None:
    """The column is the field in TOD units as microseconds."""
    row = {"qjstslptu": field / 4_096}
    [busy] = levels(logs.log_writer(sections(section_qjst=[row])))["log_task_busy_pct", CSQ1]
    assert busy == pytest.approx(busy_pct)


def test_a_record_without_idle_time_gives_no_task_busy() -> None:
    by_subject = levels(logs.log_writer(sections(section_qjst=[{"qjstslptu": 0.0}])))
    assert ("log_task_busy_pct", CSQ1) not in by_subject


def test_zhyperlink_writes_show_their_time_and_how_many_stayed_synchronous() -> None:
    row = {
        "qjsthlsciw": 800,
        "qjsthlmciw": 200,
        "qjsthlscis": 790,
        "qjsthlmcis": 190,
        "qjsthlsciwttot": int(0.3 * HALF_HOUR_US),
        "qjsthlmciwttot": int(0.1 * HALF_HOUR_US),
    }
    assert levels(logs.log_writer(sections(section_qjst=[row]))) == {
        ("zhyperlink_busy_pct", CSQ1): [40.0],
        ("zhyperlink_sync_pct", CSQ1): [98.0],
    }
