"""Names, values and rows of the formatter's texts."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqcap.ingest.json_documents import documents
from mqcap.ingest.mqsmfcsv.names import (
    flattened,
    key_of,
    kind_of,
)
from mqcap.ingest.mqsmfcsv.rows import (
    DISORDER,
    LOWEST_PRINTED_HASH,
    RowMaker,
    moment,
    value_of,
)
from mqcap.ingest.mqsmfcsv.source import Printed, csv_rows, json_rows
from mqcap.ingest.smf.kinds import Kind
from mqcap.ingest.smf.layout import FieldType, layouts

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
OWN = [key for field in layouts()["QMST"].fields if (key := key_of(field))]
HEADINGS = ",".join(["Date", "Time", "LPAR", "QMgr", "QSG", "MQ_Version", *OWN]) + ","
ROW = ",".join(["2025/03/10", "13:30:00", "SYS1", "CSQ1", "QSG1", '="100000"', *("1" for _ in OWN)])


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


@pytest.mark.parametrize(
    ("name", "kind"), [("QJST", Kind(115, 1)), ("QPST", Kind(115, 215)), ("QCCT", Kind(115, 231))]
)
def test_a_structure_belongs_to_a_kind_of_record(name: str, kind: Kind) -> None:
    assert kind_of(layouts()[name]) == kind


def test_arrays_of_log_io_become_values_with_copy_and_type() -> None:
    cells = flattened([("structure", "QJST"), ("ioTotalTimeUS", [1, 2, 3, 4]), ("other", 5)])
    assert cells["structure"] == "QJST"
    assert cells["other"] == "5"
    assert sorted(cells.values()) == ["1", "2", "3", "4", "5", "QJST"]


@pytest.mark.parametrize(
    ("day", "clock"),
    [("2025/03/10", "13:30:00,250000"), (" 2025-03-10 ", "13:30:00.250000")],
)
def test_a_printed_time_may_have_slashes_and_a_comma(day: str, clock: str) -> None:
    assert moment(day, clock) == datetime(2025, 3, 10, 13, 30, 0, 250_000)  # noqa: DTZ001 - local


def test_a_time_that_cannot_be_is_an_error() -> None:
    with pytest.raises(ValueError, match="hour"):
        moment("2025-03-10", "25:00:00")


def read(name: str, kind: FieldType, **cells: str) -> Any:
    """The value of the first printed field of a type; cells by the part behind its key."""
    fields = layouts()[name].fields
    field = next(field for field in fields if field.type is kind and key_of(field))
    named = {f"{key_of(field)}{part.removeprefix('of')}": cell for part, cell in cells.items()}
    return value_of(layouts()[name], field, named, "9.4.0", timedelta(hours=-5))


@pytest.mark.parametrize(
    ("name", "kind", "cells", "value"),
    [
        ("QPST", FieldType.U32, {"of": "42"}, 42),
        ("QPST", FieldType.U32, {"of": " 7 "}, 7),
        ("QPST", FieldType.U32, {"of": "Yes"}, None),
        ("QPST", FieldType.U32, {}, None),
        ("QCST", FieldType.EBCDIC, {"of": "TO.PRD2   "}, "TO.PRD2"),
        ("QCST", FieldType.EBCDIC, {"of": "...."}, ""),
        ("QCTADP", FieldType.TIMEVAL, {"s": "2", "us": "500000"}, 2_500_000.0),
        ("QCTADP", FieldType.TIMEVAL, {"us": "17"}, 17.0),
        ("QCTADP", FieldType.TIMEVAL, {"of": "17"}, 17.0),
        ("QCTADP", FieldType.TIMEVAL, {"us": "-1"}, None),
        ("QCTADP", FieldType.TIMEVAL, {}, None),
        (
            "QCST",
            FieldType.STCK,
            {"date": "2025-03-10", "time": "13:30:00.000000"},
            datetime(2025, 3, 10, 18, 30, tzinfo=UTC),
        ),
        ("QCST", FieldType.STCK, {}, None),
    ],
)
def test_a_printed_value_is_read_by_its_type(
    name: str, kind: FieldType, cells: dict[str, str], value: object
) -> None:
    assert read(name, kind, **cells) == value


@pytest.mark.parametrize(
    ("cell", "problem"),
    [
        (str(1 << 32), "more than 4 bytes can hold"),
        ("-5", "below zero"),
        *((cell, "another program has changed it") for cell in ("1,234", "1.2E+05", "12E3", "1.5")),
    ],
)
def test_a_number_that_its_field_cannot_have_is_an_error(cell: str, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        read("QPST", FieldType.U32, of=cell)


def read_csv(*lines: str) -> list[Printed]:
    return list(csv_rows([HEADINGS, *lines]))


def test_a_row_has_its_cells_by_heading_and_guards_removed() -> None:
    heading, row = read_csv(f"{ROW},")
    assert (heading.layout, heading.problem) == (None, "")
    assert row.layout is layouts()["QMST"]
    assert (row.line_number, row.offset) == (2, len(HEADINGS) + 1)
    assert row.cells is not None
    assert (row.cells["mqversion"], row.cells["qmgr"]) == ("100000", "CSQ1")


def test_a_row_of_another_number_of_cells_is_a_problem_and_a_blank_line_is_nothing() -> None:
    _, row, blank = read_csv(f"{ROW},1", "")
    assert "cells under" in row.problem
    assert (row.layout, blank.layout, blank.problem) == (None, None, "")


def test_columns_that_are_not_known_are_named() -> None:
    heading, row = csv_rows([f"{HEADINGS}New (US),", f"{ROW},5,"])
    assert heading.lost == "columns that are not known (New (US))"
    assert row.layout is layouts()["QMST"]


def objects(*lines: str) -> list[Printed]:
    return list(json_rows(documents(iter(lines))))


@pytest.mark.parametrize(
    ("text", "problem", "lost"),
    [
        ('{"structure": QMST}', "no JSON object (Expecting value)", ""),
        ('{"qmgr": "A"}', "an object without a structure", ""),
        ('{"structure": ["QMST"]}', "an object without a structure", ""),
        ('{"structure": "NONE"}', "", "an unknown structure"),
    ],
)
def test_what_is_no_object_of_a_structure_has_a_reason(text: str, problem: str, lost: str) -> None:
    [row] = objects(text)
    assert (row.problem, row.lost) == (problem, lost)


QESD = [("structure", "QESD"), ("qmgr", "A } B"), ("structure", "APPL1")]
"""The formatter prints this key twice."""


@given(st.permutations(QESD), st.sampled_from(["", "\n", "  "]))
def test_a_key_that_is_printed_twice_has_both_values(
    pairs: list[tuple[str, str]], blank: str
) -> None:
    members = f",{blank}".join(f"{json.dumps(name)}:{json.dumps(value)}" for name, value in pairs)
    [row] = objects(*f"{{{blank}{members}{blank}}}".split("\n"))
    assert row.layout is layouts()["QESD"]
    assert row.cells == {"structure": "APPL1", "qmgr": "A } B"}
