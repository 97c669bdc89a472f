from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from mqcap.completeness.days import feeds_as_of, judge_day
from mqcap.completeness.utc_offsets import differing_offsets
from mqcap.domain.estate import Sysplex
from mqcap.domain.feed import FeedDay, FeedKind, FeedState, VersionChange, data_findings
from mqcap.settings import load_settings
from mqcap.store.feeds import read_feeds
from tests.mqcap.completeness.builders import (
    DAY,
    OTHER,
    QM,
    arrived,
    at,
    every,
    judged,
    stating,
    write_lake,
)
from tests.stores import new_store

SUMMER_BEGINS = date(2026, 3, 29)
CF_OF_SYS2 = ("coupling_facility", "PLEX1/CF01", "SYS2")


def having(rows: Iterable[Mapping[str, Any]], offset_minutes: int | None) -> list[dict[str, Any]]:
    """The rows of a system whose clock is so far ahead of UTC."""
    return [{**row, "utc_offset_minutes": offset_minutes} for row in rows]


def differing(rows: Iterable[Mapping[str, Any]], zone: str = "", day: date = DAY) -> list[FeedDay]:
    """What differs on a day, of a sysplex in a zone; without one the settings do not have it."""
    return differing_offsets(arrived(rows, {"PLEX1": zone} if zone else {}), [day])


def test_a_zone_with_another_offset_is_a_finding_with_both_and_the_key() -> None:
    rows = having(every(QM), 60) + having(every(CF_OF_SYS2), 60)
    [found] = differing(rows, "America/New_York")
    assert (found.kind, found.state, found.subject) == (
        FeedKind.comparison, FeedState.differs, "PLEX1",
    )  # fmt: skip
    assert found.summary == (
        "PLEX1: the SMF records have UTC+01:00 by SYS1, SYS2, expected is UTC-05:00 "
        "(America/New_York, timezone of PLEX1 in estate): site days and times of console logs are "
        "shifted."
    )
    assert found.remedy == (
        "Correct timezone of PLEX1 in estate; if the records are wrong, TIMEZONE of CLOCKxx or the "
        "TOD clock of the system."
    )
    assert not found.is_incomplete
    assert data_findings([found]) == (found,)


@pytest.mark.parametrize("offset_minutes", [60, 120])
def test_on_the_day_of_a_change_of_the_clock_both_offsets_are_right(offset_minutes: int) -> None:
    rows = having(every(QM, last=SUMMER_BEGINS), offset_minutes)
    assert differing(rows, "Europe/Copenhagen", SUMMER_BEGINS) == []
    is_winter = offset_minutes == 60
    assert (differing(rows, "Europe/Copenhagen") == []) is is_winter


def test_a_clock_that_stays_in_winter_differs_from_the_day_after() -> None:
    monday = SUMMER_BEGINS + timedelta(days=1)
    [found] = differing(having(every(QM, last=monday), 60), "Europe/Copenhagen", monday)
    assert "have UTC+01:00 by SYS1, expected is UTC+02:00" in found.summary


def test_a_day_on_which_some_records_agree_is_none() -> None:
    rows = having(every(QM), 60) + having(every(OTHER), 0)
    assert differing(rows, "Europe/Copenhagen") == []


@pytest.mark.parametrize("last", [DAY, DAY - timedelta(days=2)])
def test_records_without_an_offset_and_other_days_are_not_compared(last: date) -> None:
    rows = having(every(QM), None) + having(every(OTHER, last=last - timedelta(days=1)), 60)
    assert differing(rows, "America/New_York") == []


def test_systems_with_offsets_of_their_own_are_named_with_them() -> None:
    rows = having(every(QM), 60) + having(every(CF_OF_SYS2), 330)
    [found] = differing(rows, "UTC")
    assert "have UTC+01:00 by SYS1; UTC+05:30 by SYS2, expected is UTC+00:00" in found.summary


def test_a_sysplex_that_the_settings_do_not_have_is_compared_with_the_zone_of_the_site() -> None:
    [found] = differing(having(every(QM), 60))
    assert found.remedy.startswith("Correct site.timezone;")


def test_it_is_a_feed_of_the_day_and_gone_once_the_settings_are_correct(tmp_path: Path) -> None:
    engine = new_store(tmp_path / "store.db")
    write_lake(tmp_path / "lake", having(every(QM), 60))

    def states(zone: str) -> list[str]:
        plex = Sysplex(sysplex="PLEX1", timezone=zone)
        settings = load_settings(lake=str(tmp_path / "lake"), estate=(plex,))
        judge_day(settings, engine, DAY)
        as_of = sorted(feed.key for feed in feeds_as_of(settings, engine, DAY, DAY))
        assert as_of == sorted(feed.key for feed in read_feeds(engine, DAY))
        return as_of

    assert states("Asia/Tokyo") == [
        "DATA-COMPARISON/PLEX1/utc_offset",
        "DATA-STATISTICS/PLEX1/CSQ1",
    ]
    assert states("Europe/Copenhagen") == ["DATA-STATISTICS/PLEX1/CSQ1"]


CSQ1 = "DATA-STATISTICS/PLEX1/CSQ1"


@pytest.mark.parametrize("begin", ["00:00", "04:00"])
def test_a_new_version_is_dated_by_the_first_interval_that_states_it(begin: str) -> None:
    rows = stating(every(QM), "9.3.5", at(begin), "9.4.5")
    feed = judged(rows)[CSQ1]
    assert feed.level_changes == (VersionChange(at_utc=at(begin), before="9.3.5", after="9.4.5"),)
    assert feed.mq_level == "9.4.5"
    before = judged(rows, DAY - timedelta(days=1))[CSQ1]
    assert (before.mq_level, before.level_changes) == ("9.3.5", ())


def test_records_without_a_version_change_none() -> None:
    rows = every(QM)
    for row in rows[10:20]:
        row["mq_level"] = "10.0.0"
    feed = judged(rows)[CSQ1]
    assert (feed.mq_level, feed.level_changes) == ("10.0.0", ())
    assert judged(every(QM))[CSQ1].mq_level == ""


def test_a_return_to_the_version_before_is_a_change_too() -> None:
    rows = stating(every(QM), "9.3.5", at("04:00"), "9.4.5")
    rows = stating(rows, None, at("06:00"), "9.3.5")
    changes = judged(rows)[CSQ1].level_changes
    assert [(change.before, change.after) for change in changes] == [
        ("9.3.5", "9.4.5"),
        ("9.4.5", "9.3.5"),
    ]
