from __future__ import annotations

from mqcap.ingest.mqsmfcsv.names import key_of
from mqcap.ingest.mqsmfcsv.text import Printed, csv_rows, json_rows
from mqcap.ingest.smf.layout import layouts

OWN = [key for field in layouts()["QMST"].fields if (key := key_of(field))]
HEADINGS = ",".join(["Date", "Time", "LPAR", "QMgr", "QSG", "MQ_Version", *OWN]) + ",\r\n"
ROW = ",".join(["2025/03/10", "13:30:00", "SYS1", "CSQ1", "QSG1", '="100000"', *("1" for _ in OWN)])


def read_csv(*lines: str) -> list[Printed]:
    return list(csv_rows([line.encode() for line in lines]))


def test_a_row_has_its_cells_by_heading_and_guards_removed() -> None:
    heading, row = read_csv(HEADINGS, f"{ROW},\r\n")
    assert heading.layout is None
    assert not heading.problem
    assert row.layout is layouts()["QMST"]
    assert row.byte_offset == len(HEADINGS)
    assert row.cells is not None
    assert row.cells["mqversion"] == "100000"
    assert row.cells["qmgr"] == "CSQ1"


def test_a_row_of_another_number_of_cells_is_a_problem() -> None:
    _, row = read_csv(HEADINGS, f"{ROW},1\r\n")
    assert "cells under" in row.problem
    assert row.layout is None


def test_blank_lines_are_nothing() -> None:
    _, blank = read_csv(HEADINGS, "\r\n")
    assert (blank.layout, blank.problem) == (None, "")


def test_objects_may_be_on_one_line_or_spread_over_lines() -> None:
    lines = [
        b"[\n",
        b'{"structure": "QMST", "qmgr": "A"},\n',
        b'{"structure":\n',
        b'"QMST"}\n',
        b"]",
    ]
    rows = [row for row in json_rows(lines) if row.layout is not None]
    assert [row.layout for row in rows] == [layouts()["QMST"]] * 2
    assert rows[0].cells == {"structure": "QMST", "qmgr": "A"}
    assert rows[1].byte_offset == len(lines[0]) + len(lines[1])


def test_what_is_no_object_of_a_structure_has_a_reason() -> None:
    [broken] = json_rows([b'{"structure": QMST}\n'])
    assert broken.problem == "no JSON object"
    [without] = json_rows([b'{"qmgr": "A"}\n'])
    assert without.problem == "an object without a structure"
    [unknown] = json_rows([b'{"structure": "NONE"}\n'])
    assert unknown.lost == "an unknown structure"


def test_every_byte_belongs_to_one_row() -> None:
    lines = [b"[\n", b'{"structure": "QMST"},\n', b"\n", b"{ no\n", b"end"]
    assert b"".join(row.raw for row in json_rows(lines)) == b"".join(lines)
