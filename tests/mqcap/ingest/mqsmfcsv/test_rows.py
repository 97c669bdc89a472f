"""Printed rows become rows of a section dataset: identity, interval, hash."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from mqcap.ingest.mqsmfcsv.rows import DISORDER, LOWEST_PRINTED_HASH, RowMaker
from mqcap.ingest.smf.layout import layouts

QCCT = layouts()["QCCT"]
CELLS = {
    "date": "2025/03/10",
    "time": "08:30:00,120000",
    "lpar": "PRD1 ",
    "qmgr": "MQP1",
    "qsg": "QSGP",
    "mqversion": "100000",
    "intervalstartdate": "2025/03/10",
    "intervalstarttime": "08:00:00,115000",
    "intervalduration": "1800",
}


def maker(zone: str = "America/Bogota") -> RowMaker:
    return RowMaker("f" * 64, {"PRD1": zone})


@pytest.mark.parametrize(("version", "group"), [("935", None), ("100000", "QSGP"), ("", None)])
def test_records_before_10_0_contain_no_queue_sharing_group(
    version: str, group: str | None
) -> None:
    assert maker().row(QCCT, CELLS | {"mqversion": version}, 0)["qsg"] == group


@pytest.mark.parametrize(
    "changed",
    [
        {"intervalduration": "0"},
        {"intervalstartdate": "1970/01/01"},
        {"recordsubtype": "5", "intervalduration": "900"},
    ],
    ids=["no-length", "not-set", "left-over"],
)
def test_a_row_without_an_interval_has_none(changed: dict[str, str]) -> None:
    row = maker().row(QCCT, CELLS | changed, 0)
    assert (row["interval_start_utc"], row["interval_seconds"]) == (None, None)
    assert row["record_utc"] == datetime(2025, 3, 10, 13, 30, 0, 120_000, UTC)


def test_an_interval_below_a_second_or_left_over_of_the_same_moment_is_kept() -> None:
    made = maker()
    assert made.row(QCCT, CELLS, 0)["interval_seconds"] == pytest.approx(1800, abs=0.1)
    assert made.row(QCCT, CELLS | {"recordsubtype": "5"}, 0)["interval_seconds"] is not None
    later = {"recordsubtype": "5", "time": "09:00:00,120000"}
    assert made.row(QCCT, CELLS | later, 0)["interval_seconds"] is None
    short = {"intervalstarttime": "08:29:59,500000", "intervalduration": "0"}
    assert made.row(QCCT, CELLS | short, 0)["interval_seconds"] == pytest.approx(0.62)


@pytest.mark.parametrize(("year", "is_read"), [(1971, False), (2025, True), (2069, False)])
def test_a_clock_that_cannot_be_is_an_error(year: int, is_read: bool) -> None:
    cells = CELLS | {"date": f"{year}/03/10"}
    if is_read:
        assert maker().row(QCCT, cells, 0)
    else:
        with pytest.raises(ValueError, match=f"its clock shows {year}-03-10"):
            maker().row(QCCT, cells, 0)


def test_a_row_without_a_date_or_of_an_unknown_subtype_is_an_error() -> None:
    with pytest.raises(ValueError, match="it has no date"):
        maker().row(QCCT, CELLS | {"date": ""}, 0)
    with pytest.raises(ValueError, match=r"there are no records 115\.999"):
        maker().row(QCCT, CELLS | {"recordsubtype": "999"}, 0)


def test_the_sections_of_one_record_are_numbered_in_their_order() -> None:
    made = maker()
    later = CELLS | {"time": "09:00:00,120000"}
    indexes = [made.row(QCCT, cells, 0)["section_index"] for cells in (CELLS, CELLS, later)]
    assert indexes == [0, 1, 0]


def test_the_same_print_has_the_same_hash_above_those_of_records() -> None:
    first, same, other = (
        maker().row(QCCT, CELLS | changed, offset)["record_hash"]
        for offset, changed in ((0, {}), (99, {}), (0, {"qmgr": "MQP2"}))
    )
    assert first == same != other
    assert min(first, other) >= LOWEST_PRINTED_HASH


@pytest.mark.parametrize(
    ("back", "offset_minutes"),
    [(DISORDER, 120), (DISORDER + timedelta(seconds=1), 60)],
    ids=["out-of-order", "second-time"],
)
def test_local_time_that_runs_twice_is_distinguished_by_the_order_of_rows(
    back: timedelta, offset_minutes: int
) -> None:
    made = maker("Europe/Berlin")
    night = {"date": "2025/10/26", "mqversion": "100000", "lpar": "PRD1", "qmgr": "MQP1"}
    last = datetime(2025, 10, 26, 2, 30, tzinfo=UTC)
    made._latest["PRD1"] = datetime(2025, 10, 26, 0, 30, tzinfo=UTC) + back
    row = made.row(QCCT, night | {"time": f"{last:%H:%M:%S},000000"}, 0)
    assert row["utc_offset_minutes"] == offset_minutes
