"""Inputs of report sections, and reports made of parts, for tests."""

import io
import re
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final
from xml.etree import ElementTree as ET

from mqcap.domain.crossing import Crossing
from mqcap.domain.finding import Finding
from mqcap.domain.forecast import Forecast
from mqcap.queries.fleet import fleet_on
from mqcap.reports.document import Cell, Column, Report, ReportKind, Section, Table, text_cell
from mqcap.reports.make import ReportBasis
from mqcap.settings import Settings
from mqcap.store.crossings import replace_crossings
from mqcap.store.findings import replace_findings
from tests.factories import DAY
from tests.stores import new_store

HOSTILE: Final = "<script>&\"'=1+1"
_MAIN: Final = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"


@contextmanager
def basis(
    folder: Path,
    findings: Iterable[Finding] = (),
    crossings: Iterable[Crossing] = (),
    forecasts: Iterable[Forecast] = (),
    **changed: Any,
) -> Iterator[ReportBasis]:
    """Open a store with findings and crossings of ``DAY`` and yield the input of sections."""
    settings: Settings = changed.pop("settings", None) or Settings(lake=str(folder / "lake"))
    engine = new_store(folder / "store.db")
    replace_findings(engine, DAY, list(findings))
    replace_crossings(engine, DAY, list(crossings))
    values: dict[str, Any] = {
        "settings": settings,
        "engine": engine,
        "kind": ReportKind.monthly,
        "day": DAY,
        "lines": fleet_on(settings, engine, DAY),
        "forecasts": {(forecast.series_id, forecast.statistic): forecast for forecast in forecasts},
    }
    yield ReportBasis(**(values | changed))
    engine.dispose()


def table(*rows: tuple[Cell, ...], **changed: Any) -> Table:
    """Return a table with as many columns as the rows have cells."""
    count = len(rows[0]) if rows else 1
    columns = tuple(Column(heading=f"Column {number}") for number in range(1, count + 1))
    return Table(**({"name": "Table", "columns": columns, "rows": rows} | changed))


def report(*sections: Section, **changed: Any) -> Report:
    """Return a daily report of ``DAY`` with these sections, by default one of one table."""
    given = sections or (Section(heading="Section", tables=(table((text_cell("A cell"),)),)),)
    values: dict[str, Any] = {
        "kind": ReportKind.daily,
        "title": "Daily report",
        "site": "Test site",
        "day": DAY,
        "lead": ("1 finding.",),
        "sections": given,
        "foot": ("1 MB = 1 MiB.",),
    }
    return Report(**(values | changed))


def texts(given: Table) -> list[list[str]]:
    """Return the lines of all cells of a table by row."""
    return [[cell.line for cell in row] for row in given.rows]


class Workbook:
    """A workbook read back: the values of its cells and their number formats."""

    def __init__(self, written: bytes) -> None:
        self._parts = zipfile.ZipFile(io.BytesIO(written))
        strings = self.tree("xl/sharedStrings.xml").iter(f"{_MAIN}si")
        self._strings = ["".join(item.itertext()) for item in strings]

    def tree(self, part: str) -> ET.Element:
        return ET.fromstring(self._parts.read(part))  # noqa: S314 - written by the test itself

    @property
    def sheets(self) -> list[str]:
        return [
            sheet.attrib["name"] for sheet in self.tree("xl/workbook.xml").iter(f"{_MAIN}sheet")
        ]

    def cell(self, sheet: int, place: str) -> str | float:
        """Return the text or number of a cell such as ``B2`` of a sheet, counted from 1."""
        result = self._cell(sheet, place)
        value = result.findtext(f"{_MAIN}v", "")
        return self._strings[int(value)] if result.get("t") == "s" else float(value)

    def number_format(self, sheet: int, place: str) -> str:
        """Return the number format of a cell; empty for a general one."""
        styles = self.tree("xl/styles.xml")
        formats = {each.attrib["numFmtId"]: each.attrib["formatCode"]
                   for each in styles.iter(f"{_MAIN}numFmt")}  # fmt: skip
        applied = styles.find(f"{_MAIN}cellXfs")
        assert applied is not None
        style = applied[int(self._cell(sheet, place).get("s", "0"))]
        return formats.get(style.attrib["numFmtId"], "")

    def places(self, sheet: int) -> dict[str, str | float]:
        """Return all cells of a sheet with a value."""
        cells = self.tree(f"xl/worksheets/sheet{sheet}.xml").iter(f"{_MAIN}c")
        filled = [cell.attrib["r"] for cell in cells if cell.find(f"{_MAIN}v") is not None]
        return {place: self.cell(sheet, place) for place in filled}

    def formulas(self, sheet: int) -> int:
        return len(re.findall(b"<f>", self._parts.read(f"xl/worksheets/sheet{sheet}.xml")))

    def _cell(self, sheet: int, place: str) -> ET.Element:
        tree = self.tree(f"xl/worksheets/sheet{sheet}.xml")
        return next(each for each in tree.iter(f"{_MAIN}c") if each.attrib["r"] == place)
