from __future__ import annotations

import pytest

from mqcap.ingest.mqsmfcsv.headless import _kinds, file_hint, shape_of
from mqcap.ingest.mqsmfcsv.names import printed_columns
from mqcap.ingest.smf.layout import FieldType, layouts


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("SMF-QJST.csv", "SMF-QJST.csv"),
        ("/dumps/SMF-QJST.2025.csv", "SMF-QJST.csv"),
        ("SMF-NONE.csv", None),
        ("qjst.csv", None),
    ],
)
def test_the_formatter_names_the_structure_in_the_file_name(name: str, hint: str | None) -> None:
    assert file_hint(name) == hint


def row_of(structure: str) -> str:
    """A row with a fitting cell for each column of the structure."""
    order = printed_columns()[structure]
    texts = _kinds(layouts()[structure])[0]
    cells = ["2025/03/10", "13:30:00", '"SYS1"', '"CSQ1"', '"QSG1"', '="100000"']
    if order["interval"]:
        cells += ["2025/03/10", "13:00:00", "1800"]
    for column in order["columns"]:
        if column in texts:
            cells.append('"A"')
        else:
            cells.append("2025/03/10" if column.endswith("date") else "1")
    return ",".join(cells)


def test_a_row_without_headings_gives_its_structure() -> None:
    assert FieldType.EBCDIC in {field.type for field in layouts()["QJST"].fields}
    shape = shape_of(row_of("QJST"), "SMF-QJST.csv")
    assert shape is not None
    assert shape.layout is layouts()["QJST"]


def test_a_row_that_fits_nothing_gives_none() -> None:
    assert shape_of("a,b,c", "") is None
    assert shape_of("", "SMF-QJST.csv") is None
