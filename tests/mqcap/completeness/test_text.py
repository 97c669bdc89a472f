from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from mqcap.completeness.text import described, length, stretch
from mqcap.domain.feed import FeedDay, FeedKind, FeedState, Gap, GapCause
from tests.factories import DAY, feed_day

ZONE = ZoneInfo("UTC")


def at(hour: int) -> datetime:
    return datetime(DAY.year, DAY.month, DAY.day, tzinfo=UTC) + timedelta(hours=hour)


def gap(first: int, last: int, cause: GapCause = GapCause.unexplained) -> Gap:
    return Gap(start_utc=at(first), end_utc=at(last), cause=cause)


def day(*gaps: Gap, **changed: Any) -> FeedDay:
    values: dict[str, Any] = {
        "state": FeedState.partial,
        "gaps": gaps,
        "expected_seconds": 86_400.0,
        "systems": ("SYS1",),
        "last_seen_utc": at(8),
    }
    return feed_day(**(values | changed))


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(45, "45 s"), (60, "1 min"), (1_200, "20 min"), (10_800, "3 h"), (12_000, "3 h 20 min")],
)
def test_a_duration_has_hours_and_minutes_or_seconds(seconds: float, text: str) -> None:
    assert length(seconds) == text


def test_the_end_of_the_day_is_24_00() -> None:
    assert stretch(gap(9, 12), day(), ZONE) == "09:00 to 12:00"
    assert stretch(gap(22, 24), day(), ZONE) == "22:00 to 24:00"
    assert stretch(gap(9, 12), day(), ZoneInfo("Europe/Berlin")) == "10:00 to 13:00"


def test_gaps_after_the_fourth_are_counted() -> None:
    gaps = [gap(hour, hour + 1) for hour in (1, 4, 7, 10, 13, 16)]
    summary = described(day(*gaps), ZONE).summary
    assert summary.startswith("PLEX1/CSQ1: 6 h of 24 h missing, 01:00 to 02:00, 04:00 to 05:00, ")
    assert "10:00 to 11:00 and 2 more (UTC)" in summary


def test_each_cause_is_stated_once() -> None:
    summary = described(day(gap(1, 2), gap(4, 5), gap(7, 8, GapCause.system_silent)), ZONE).summary
    assert summary.count("no record shows the cause") == 1
    assert "no other records of SYS1 have arrived for that time either" in summary


def test_several_stops_are_one_sentence() -> None:
    stops = [gap(hour, hour + 1, GapCause.stopped) for hour in (1, 4)]
    stopped = described(day(*stops, state=FeedState.stopped), ZONE)
    assert stopped.summary == (
        "PLEX1/CSQ1: 2 h of 24 h without records, 01:00 to 02:00, 04:00 to 05:00 (UTC); "
        "each time a short interval and then a new start: it was stopped."
    )
    assert stopped.remedy == ""


@pytest.mark.parametrize(
    ("changed", "summary", "remedy"),
    [
        (
            {"state": FeedState.absent, "gaps": (gap(0, 24),)},
            "no records have arrived; last records until 2026-03-02 08:00 (UTC)",
            "check START TRACE(STAT) CLASS(1) and SMF type 115",
        ),
        (
            {"state": FeedState.never_seen, "gaps": (gap(0, 24),)},
            "the estate names it, and no record of it has ever arrived",
            "or remove it from the estate",
        ),
        ({"kind": FeedKind.coupling_facility, "gaps": (gap(9, 12),)}, "missing", "RMF Monitor III"),
    ],
)
def test_each_state_has_text_and_remedy(changed: dict[str, Any], summary: str, remedy: str) -> None:
    shown = described(day(**changed), ZONE)
    assert summary in shown.summary
    assert remedy in shown.remedy


@pytest.mark.parametrize(
    ("elsewhere", "listed", "remedy"),
    [
        (
            "UNKNOWN/CSQ1",
            ["PLEX1"],
            "if it is the same, add the SMF id of its system to smfids of PLEX1 in estate.",
        ),
        (
            "PLEXA/CSQ1",
            ["PLEX1"],
            (
                "the sysplex is PLEXA in the records, PLEX1 in the settings. If it is the same, "
                "change sysplex: PLEX1 in estate to PLEXA."
            ),
        ),
        (
            "PLEXA/CSQ1",
            ["PLEX1", "PLEXA"],
            "if it is the same, move the entry of CSQ1 in estate from PLEX1 to PLEXA.",
        ),
    ],
)
def test_the_same_name_elsewhere_is_told(elsewhere: str, listed: list[str], remedy: str) -> None:
    never = described(day(gap(0, 24), state=FeedState.never_seen), ZONE, [elsewhere], listed)
    assert never.remedy == f"Records of {elsewhere} have arrived: {remedy}"
