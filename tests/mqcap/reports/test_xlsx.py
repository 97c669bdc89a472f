"""Workbooks of reports: numbers that read as on the page, and names that are never formulas."""

from __future__ import annotations

import io
import zipfile
from datetime import date, timedelta

import pytest

from mqcap.domain.finding import Severity
from mqcap.domain.numbers import ABSENT
from mqcap.reports.document import (
    Cell,
    Column,
    Course,
    Section,
    count_cell,
    day_cell,
    percent_cell,
    probability_cell,
    quantity_cell,
    text_cell,
)
from mqcap.reports.xlsx import as_xlsx, sheet_name
from tests.factories import DAY
from tests.mqcap.reports.builders import HOSTILE, Workbook, report, table

SERIAL_DAY = float((DAY - date(1899, 12, 30)).days)
"""``DAY`` as workbooks count days."""


def book(*rows: tuple[Cell, ...]) -> Workbook:
    return Workbook(as_xlsx(report(Section(heading="Section", tables=(table(*rows),)))))


@pytest.mark.parametrize(
    ("cell", "value", "number_format"),
    [
        (quantity_cell(2.5, "MiB/s"), 9_000.0, '#,##0" MB/hour";-#,##0" MB/hour"'),
        (quantity_cell(27.46, "%"), 27.46, '#,##0.00" %";-#,##0.00" %"'),
        (quantity_cell(2.5, "MiB/s", signed=True), 9_000.0, '+#,##0" MB/hour";-#,##0" MB/hour"'),
        (percent_cell(-0.111), -0.111, "#,##0.0 %;-#,##0.0 %"),
        (percent_cell(0.08).model_copy(update={"severity": Severity.act, "text": "▲ 8.25 %"}), 0.08,
         "#,##0 %;-#,##0 %"),
        (probability_cell(0.37), 0.37, '[<0.01]"under 1 %";[>0.99]"over 99 %";0 %'),
        (count_cell(1_234), 1_234.0, "#,##0;-#,##0"),
        (day_cell(DAY), SERIAL_DAY, "d mmm yyyy"),
    ],
    ids=["rate", "percentage", "growth", "ratio", "severity", "probability", "count", "day"],
)  # fmt: skip
def test_a_figure_is_a_number_with_the_format_of_the_page(
    cell: Cell, value: float, number_format: str
) -> None:
    made = book((cell,))
    assert made.cell(2, "A2") == pytest.approx(value)
    assert made.number_format(2, "A2") == number_format


def test_text_is_text_and_an_absent_figure_is_a_dash() -> None:
    made = book((text_cell("CSQ1"), percent_cell(None)))
    assert (made.cell(2, "A2"), made.cell(2, "B2")) == ("CSQ1", ABSENT)


def test_notes_have_a_column_of_their_own_where_there_are_any() -> None:
    made = book((text_cell("CSQ1", "PLEX1"), text_cell("x")), (text_cell("CF01"), text_cell("y")))
    first = [made.cell(2, f"{column}1") for column in "ABC"]
    assert first == ["Column 1", "Column 1: note", "Column 2"]
    assert [made.cell(2, place) for place in ("A2", "B2", "C2")] == ["CSQ1", "PLEX1", "x"]
    assert "B3" not in made.places(2) or made.cell(2, "B3") == ""


@pytest.mark.parametrize("name", [HOSTILE, "=1+1", "+1", "@SUM(A1)", "http://example.com/"])
def test_a_hostile_name_is_text_and_no_formula_or_link(name: str) -> None:
    made = book((text_cell(name, name),))
    assert (made.cell(2, "A2"), made.cell(2, "B2")) == (name, name)
    assert made.formulas(2) == 0


def test_the_summary_has_all_sentences_and_those_of_empty_tables() -> None:
    empty = table(name="Empty", blank="No change is recommended.")
    section = Section(heading="Changes", sentences=("What is due first.",), tables=(empty,))
    made = Workbook(as_xlsx(report(section)))
    assert made.sheets == ["Summary"]
    texts = [str(text) for text in made.places(1).values() if text]
    assert texts == [
        "Daily report", "Test site, Mon 2 Mar 2026", "1 finding.", "Changes", "What is due first.",
        "No change is recommended.", "1 MB = 1 MiB.",
    ]  # fmt: skip


def test_every_table_with_rows_is_a_sheet_with_a_name_that_fits() -> None:
    tables = (table((text_cell("a"),), name="Plan"), table((text_cell("b"),), name="N" * 40))
    made = Workbook(as_xlsx(report(Section(heading="Section", tables=tables))))
    assert made.sheets == ["Summary", "Plan", "N" * 31]


def test_wide_columns_are_wider() -> None:
    columns = (Column(heading="A", width=1.0), Column(heading="B", width=2.0))
    given = table((text_cell("a"), text_cell("b")), columns=columns)
    made = Workbook(as_xlsx(report(Section(heading="Section", tables=(given,)))))
    widths = [float(each.attrib["width"]) for each in made.tree("xl/worksheets/sheet2.xml").iter()
              if each.tag.endswith("}col")]  # fmt: skip
    assert widths[1] - widths[0] == pytest.approx(14, abs=0.01)


def test_the_same_report_gives_the_same_bytes() -> None:
    assert as_xlsx(report()) == as_xlsx(report())


def test_the_files_in_a_workbook_have_no_date_of_the_day_on_which_it_is_made() -> None:
    packed = zipfile.ZipFile(io.BytesIO(as_xlsx(report())))
    assert {info.date_time for info in packed.infolist()} == {(1980, 1, 1, 0, 0, 0)}


def test_a_sheet_of_a_workbook_is_ready_to_print() -> None:
    packed = zipfile.ZipFile(io.BytesIO(as_xlsx(report())))
    sheet = packed.read("xl/worksheets/sheet2.xml").decode()
    assert 'ySplit="1"' in sheet
    assert 'orientation="landscape"' in sheet
    assert 'paperSize="9"' in sheet
    assert 'fitToHeight="0"' in sheet
    assert "Page &amp;P of &amp;N" in sheet
    assert "_xlnm.Print_Titles" in packed.read("xl/workbook.xml").decode()


@pytest.mark.parametrize(
    ("name", "others", "shown"),
    [
        ("Findings", ["Summary"], "Findings"),
        ("31 characters are all that it is", [], "31 characters are all that it"),
        ("Thirty-one characters are there", [], "Thirty-one characters are there"),
        ("Members of PLEX1: what to change", [], "Members of PLEX1 what to change"),
        ("Members of PLEX1: lost by survivor", [], "Members of PLEX1 lost by"),
        ("Members", ["members", "MEMBERS 2"], "Members 3"),
        ("a [b] c: d * e? f / g \\", [], "a b c d e f g"),
    ],
)
def test_a_sheet_has_a_name_of_its_own_that_excel_accepts(
    name: str, others: list[str], shown: str
) -> None:
    assert sheet_name(name, others) == shown
    assert len(shown) <= 31


def test_each_course_is_a_native_chart_of_days_that_are_in_a_sheet() -> None:
    course = Course(
        name="CSQ1 active logs",
        unit="MB/hour",
        measured=((DAY, 10.0), (DAY + timedelta(days=7), 12.0)),
        expected=((DAY + timedelta(days=14), 14.0),),
        limit=13.0,
    )
    written = as_xlsx(report(Section(heading="Section", courses=(course, course))))
    made = Workbook(written)
    assert made.sheets == ["Summary", "Charts", "Courses"]
    charts = [name for name in zipfile.ZipFile(io.BytesIO(written)).namelist() if "chart" in name]
    assert sum(name.startswith("xl/charts/chart") for name in charts) == 2
    cells = made.places(3)
    assert (cells["B2"], cells["C4"], cells["D2"], cells["A2"]) == (10.0, 14.0, 13.0, SERIAL_DAY)
    assert "C2" not in cells
    text = "".join(made.tree("xl/charts/chart1.xml").itertext())
    assert "CSQ1 active logs (MB/hour, limit 13)" in text
