from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from mqcap.ingest.json_documents import documents
from mqcap.ingest.mqsmfcsv.names import key_of
from mqcap.ingest.mqsmfcsv.text import Printed, csv_rows, json_rows
from mqcap.ingest.smf.layout import layouts

OWN = [key for field in layouts()["QMST"].fields if (key := key_of(field))]
HEADINGS = ",".join(["Date", "Time", "LPAR", "QMgr", "QSG", "MQ_Version", *OWN]) + ","
ROW = ",".join(["2025/03/10", "13:30:00", "SYS1", "CSQ1", "QSG1", '="100000"', *("1" for _ in OWN)])


def read_csv(*lines: str) -> list[Printed]:
    return list(csv_rows(lines))


def test_a_row_has_its_cells_by_heading_and_guards_removed() -> None:
    heading, row = read_csv(HEADINGS, f"{ROW},")
    assert heading.layout is None
    assert not heading.problem
    assert row.layout is layouts()["QMST"]
    assert (row.line_number, row.offset) == (2, len(HEADINGS) + 1)
    assert row.cells is not None
    assert row.cells["mqversion"] == "100000"
    assert row.cells["qmgr"] == "CSQ1"


def test_a_row_of_another_number_of_cells_is_a_problem() -> None:
    _, row = read_csv(HEADINGS, f"{ROW},1")
    assert "cells under" in row.problem
    assert row.layout is None


def test_columns_that_are_not_known_are_named() -> None:
    heading, row = read_csv(f"{HEADINGS}New (US),", f"{ROW},5,")
    assert heading.lost == "columns that are not known (New (US))"
    assert row.layout is layouts()["QMST"]


def test_blank_lines_are_nothing() -> None:
    _, blank = read_csv(HEADINGS, "")
    assert (blank.layout, blank.problem) == (None, "")


def objects(*lines: str) -> list[Printed]:
    return list(json_rows(documents(iter(lines))))


def test_objects_may_be_on_one_line_or_spread_over_lines() -> None:
    first, second = objects(
        "[", '{"structure": "QMST", "qmgr": "A}"},', '{"structure":', '"QMST"}', "]"
    )
    assert [first.layout, second.layout] == [layouts()["QMST"]] * 2
    assert first.cells == {"structure": "QMST", "qmgr": "A}"}
    assert second.line_number == 3


def test_what_is_no_object_of_a_structure_has_a_reason() -> None:
    [broken] = objects('{"structure": QMST}')
    assert broken.problem == "no JSON object (Expecting value)"
    [without] = objects('{"qmgr": "A"}')
    assert without.problem == "an object without a structure"
    [listed] = objects('{"structure": ["QMST"]}')
    assert listed.problem == "an object without a structure"
    [unknown] = objects('{"structure": "NONE"}')
    assert unknown.lost == "an unknown structure"


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
