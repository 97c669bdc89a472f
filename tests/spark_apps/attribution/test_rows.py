"""Rows of a date are those that begin on it."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pyarrow as pa

from spark_apps.attribution.tables import DayRows, days_of
from tests.spark_apps.rows import between, sections

DAY = date(2026, 3, 10)
MIDNIGHT = datetime(2026, 3, 10, tzinfo=UTC)
HOUR = timedelta(hours=1)
QJST = "section_qjst"
COLUMNS = {
    QJST: ("sysplex", "qmgr", "interval_start_utc", "interval_end_utc", "qjstbffl"),
    "console_event": ("qmgr", "event_utc"),
}


def rows_of(**rows: Any) -> DayRows:
    [found] = days_of(sections(**rows), [DAY], COLUMNS)
    return found


def test_an_interval_belongs_to_the_date_on_which_it_begins() -> None:
    starts = [
        MIDNIGHT + timedelta(days=1),
        MIDNIGHT + timedelta(days=1) - HOUR / 2,
        MIDNIGHT,
        MIDNIGHT - HOUR / 2,
    ]
    rows = rows_of(section_qjst=[between(start, start + HOUR) for start in starts])
    found = rows.of(QJST)["interval_start_utc"].to_pylist()
    assert found == [MIDNIGHT, MIDNIGHT + timedelta(days=1) - HOUR / 2]


def test_a_message_belongs_to_its_date() -> None:
    events = [{"event_utc": MIDNIGHT + n * HOUR} for n in (-1, 0, 23, 24)]
    found = rows_of(console_event=events).of("console_event")["event_utc"].to_pylist()
    assert found == [MIDNIGHT, MIDNIGHT + 23 * HOUR]


def test_a_message_without_a_time_belongs_to_no_date() -> None:
    events = [{"event_utc": None}, {"event_utc": MIDNIGHT}]
    found = rows_of(console_event=events).of("console_event")["event_utc"].to_pylist()
    assert found == [MIDNIGHT]


def test_only_what_is_asked_for_and_what_says_where_and_when_is_there() -> None:
    rows = rows_of(section_qjst=[{"qjstbffl": 7, **between(MIDNIGHT, MIDNIGHT + HOUR)}])
    assert set(rows.of(QJST).column_names) == {*COLUMNS[QJST]} - {"qjstbffl"}
    assert rows.of(QJST, "qjstbffl")["qjstbffl"].to_pylist() == [7]


def test_names_are_a_dictionary() -> None:
    table = rows_of(section_qjst=[between(MIDNIGHT, MIDNIGHT + HOUR)]).of(QJST)
    assert table.schema.field("qmgr").type == pa.dictionary(pa.int32(), pa.string())


def test_a_date_without_rows_has_the_columns() -> None:
    table = rows_of().of(QJST, "qjstbffl")
    assert table.num_rows == 0
    assert set(table.column_names) == {*COLUMNS[QJST]}
