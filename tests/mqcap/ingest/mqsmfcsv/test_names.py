from __future__ import annotations

import pytest

from mqcap.ingest.mqsmfcsv.names import (
    flattened,
    key_of,
    keys_of,
    kind_of,
    plain,
    structure_called,
    structure_of,
)
from mqcap.ingest.smf.kinds import Kind
from mqcap.ingest.smf.layout import layouts


@pytest.mark.parametrize(
    ("heading", "expected"),
    [
        ("IO_Total_Time{1.1}(US)", "iototaltime11us"),
        ("Interval_Start (DATE)", "intervalstartdate"),
        ("ioTotalTimeUS", "iototaltimeus"),
        (" ", ""),
    ],
)
def test_headings_are_compared_without_case_and_punctuation(heading: str, expected: str) -> None:
    assert plain(heading) == expected


@pytest.mark.parametrize("name", ["QJST", "QPST", "QMST", "QCCT", "QCST"])
def test_the_headings_of_a_structure_name_it(name: str) -> None:
    layout = layouts()[name]
    headings = [key for field in layout.fields if (key := key_of(field))]
    assert structure_of(["date", "time", "lpar", "qmgr", *headings]) is layout
    assert keys_of(layout) >= set(headings)


def test_headings_of_nothing_are_of_no_structure() -> None:
    assert structure_of(["date", "time", "lpar", "qmgr", "a", "b", "c"]) is None


def test_a_structure_is_found_by_the_name_of_its_object() -> None:
    assert structure_called(" QJST ") is layouts()["QJST"]
    assert structure_called("SM115") is None
    assert structure_called("NONE") is None


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
