"""MQ version behind a feed, and its changes."""

from __future__ import annotations

from datetime import timedelta

import numpy as np
import pytest

from mqcap.completeness.arrivals import (
    instant_of,
    version_history,
)
from mqcap.domain.feed import VersionChange
from mqcap.domain.units import US_PER_S
from tests.mqcap.completeness.builders import DAY, QM, at, every, judged, stating

CSQ1 = "DATA-STATISTICS/PLEX1/CSQ1"
STARTS = np.array([10, 20, 30, 40, 50], np.int64) * US_PER_S
HISTORY = version_history(STARTS, np.array([None, "9.3", "9.3", "9.4", "9.3"], object))


def test_a_new_version_is_dated_by_the_first_interval_that_states_it() -> None:
    rows = stating(every(QM), "9.3.5", at("04:00"), "9.4.5")
    feed = judged(rows)[CSQ1]
    assert feed.level_changes == (VersionChange(at_utc=at("04:00"), before="9.3.5", after="9.4.5"),)
    assert feed.mq_level == "9.4.5"
    before = judged(rows, DAY - timedelta(days=1))[CSQ1]
    assert (before.mq_level, before.level_changes) == ("9.3.5", ())


def test_a_change_at_midnight_belongs_to_the_day_that_begins() -> None:
    rows = stating(every(QM), "9.3.5", at("00:00"), "9.4.5")
    assert len(judged(rows)[CSQ1].level_changes) == 1
    assert judged(rows, DAY - timedelta(days=1))[CSQ1].level_changes == ()


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


def test_a_history_keeps_the_first_instant_of_each_version() -> None:
    assert HISTORY.names == ("9.3", "9.4", "9.3")
    assert HISTORY.since_us.tolist() == [20 * US_PER_S, 40 * US_PER_S, 50 * US_PER_S]


@pytest.mark.parametrize(
    ("second", "name"), [(10, ""), (20, ""), (21, "9.3"), (41, "9.4"), (99, "9.3")]
)
def test_the_version_at_an_instant_is_the_one_stated_before_it(second: int, name: str) -> None:
    assert HISTORY.at(second * US_PER_S) == name


@pytest.mark.parametrize(
    ("begin", "end", "count"), [(0, 99, 2), (0, 40, 0), (40, 41, 1), (50, 50, 0)]
)
def test_a_span_has_the_changes_from_its_begin_to_before_its_end(
    begin: int, end: int, count: int
) -> None:
    assert len(HISTORY.changes(begin * US_PER_S, end * US_PER_S)) == count


def test_intervals_without_a_version_have_no_history() -> None:
    nothing = version_history(STARTS, np.full(5, None, object))
    assert nothing.names == ()
    assert nothing.at(99 * US_PER_S) == ""
    assert nothing.changes(0, 99 * US_PER_S) == ()


def test_an_instant_keeps_its_microseconds() -> None:
    assert instant_of(1_500_000).isoformat() == "1970-01-01T00:00:01.500000+00:00"
