"""Reports as workbooks: one sheet per table, figures as numbers formatted as on the page."""

import io
import re
from collections.abc import Collection, Sequence
from datetime import date, datetime, time
from itertools import chain, count
from textwrap import shorten
from typing import Final

from xlsxwriter import Workbook
from xlsxwriter.chart import Chart
from xlsxwriter.format import Format
from xlsxwriter.worksheet import Worksheet

from mqcap.domain.finding import Severity
from mqcap.domain.numbers import figure, unit_words
from mqcap.notifications.sparklines import COLOURS
from mqcap.presentation.dates import day_words, in_one_form
from mqcap.reports.document import FILLS, Cell, Course, Report, Section, Table

WIDTHS: Final = (9, 48)
"""Characters of the narrowest and the widest column (ours); a longer text is wrapped."""
NAME_LENGTH: Final = 31  # Excel's own
NOT_IN_NAMES: Final = r"[\[\]:*?/\\]"  # Excel's own
DATE_FORMAT: Final = "d mmm yyyy"
CHARTS: Final = "Charts"
COURSES: Final = "Courses"
"""Sheet of the days that the charts show."""
_COURSE: Final = ("day", "measured", "expected", "limit")
_LINES: Final = (
    {"color": COLOURS["strong"], "width": 1.5},
    {"color": COLOURS["forecast"], "width": 1.5},
    {"color": COLOURS["limit"], "width": 1.25, "dash_type": "dash"},
)
CHART_ROWS: Final = 15
CHART_COLUMNS: Final = 10
"""Cells from the corner of a chart to that of the next one."""


def as_xlsx(report: Report) -> bytes:
    """Return the workbook; its dates are those of the report: the bytes are always the same."""
    target = io.BytesIO()
    book = Workbook(
        target, {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
    )
    midnight = datetime.combine(report.day, time())
    book.set_properties({"title": report.title, "subject": report.site, "created": midnight})
    styles = _Styles(book)
    _first_sheet(book, report, styles)
    courses = [course for section in report.sections for course in section.courses]
    charts = book.add_worksheet(CHARTS) if courses else None
    for section in report.sections:
        for table in section.tables:
            _sheet(book, section, table, styles)
    if charts is not None:
        _draw(book, charts, courses, styles)
    book.close()
    return target.getvalue()


def sheet_name(name: str, others: Collection[str]) -> str:
    """Return a name of a sheet that Excel accepts: whole words, and unlike the others in any case.

    A number makes it so where it is not.
    """
    plain = re.sub(NOT_IN_NAMES, "", name)
    taken = {other.lower() for other in others}
    forms = (
        f"{shorten(plain, NAME_LENGTH - len(ending), placeholder='')}{ending}"
        for ending in chain([""], (f" {number}" for number in count(2)))
    )
    return next(form for form in forms if form.lower() not in taken)


class _Styles:
    """Formats by number format and severity, each made once."""

    def __init__(self, book: Workbook) -> None:
        self.book = book
        self.made: dict[tuple[str, str], Format] = {}
        self.heading = book.add_format({"bold": True, "bottom": 2, "text_wrap": True})
        self.title = book.add_format({"bold": True, "font_size": 16})

    def of(self, number: str, severity: Severity | None) -> Format:
        key = number, severity.value if severity else ""
        if key not in self.made:
            style: dict[str, object] = {"text_wrap": True, "valign": "top"}
            if number:
                style["num_format"] = number
            if severity:
                style["bg_color"] = FILLS[severity]
            self.made[key] = self.book.add_format(style)
        return self.made[key]


def _first_sheet(book: Workbook, report: Report, styles: _Styles) -> None:
    sheet = book.add_worksheet("Summary")
    sheet.set_column(0, 0, 120)
    sheet.write_string(0, 0, report.title, styles.title)
    plain = styles.of("", None)
    sentences = [f"{report.site}, {day_words(report.day)}", *report.lead]
    for section in report.sections:
        sentences += ["", section.heading, *section.sentences]
        sentences += [table.blank for table in section.tables if not table.rows]
    for row, sentence in enumerate([*sentences, "", *report.foot], 1):
        sheet.write_string(row, 0, in_one_form(sentence), plain)
    _for_print(sheet)


def _sheet(book: Workbook, section: Section, table: Table, styles: _Styles) -> None:
    if not table.rows:
        return
    sheet = book.add_worksheet(
        sheet_name(table.name, [worksheet.name for worksheet in book.worksheets()])
    )
    sheet.set_header(f"&L{section.heading}&RPage &P of &N".replace("&&", "&"))
    columns: list[tuple[str, list[Cell]]] = []
    for index, column in enumerate(table.columns):
        cells = [row[index] for row in table.rows]
        columns.append((column.heading, cells))
        if any(cell.note for cell in cells):
            columns.append((f"{column.heading}: note", [Cell(text=cell.note) for cell in cells]))
    for place, (heading, cells) in enumerate(columns):
        longest = max(map(len, [heading, *(cell.line for cell in cells)]))
        sheet.set_column(place, place, max(WIDTHS[0], min(WIDTHS[1], longest + 2)))
        sheet.write_string(0, place, heading, styles.heading)
        for number, cell in enumerate(cells, 1):
            _write(sheet, (number, place), cell, styles)
    sheet.freeze_panes(1, 0)
    sheet.autofilter(0, 0, len(table.rows), len(columns) - 1)
    sheet.repeat_rows(0)
    _for_print(sheet)


def _draw(book: Workbook, charts: Worksheet, courses: Sequence[Course], styles: _Styles) -> None:
    """Write the days of the courses to a sheet, and a chart of each to another one."""
    sheet = book.add_worksheet(COURSES)
    for number, course in enumerate(courses):
        place = number * len(_COURSE)
        limit = [] if course.limit is None else [course.limit]
        columns: tuple[Sequence[date | float | None], ...] = (
            [day for day, _ in (*course.measured, *course.expected)],
            [value for _, value in course.measured],
            [*[None] * len(course.measured), *(value for _, value in course.expected)],
            limit * (len(course.measured) + len(course.expected)),
        )
        for offset, (heading, values) in enumerate(zip(_COURSE, columns, strict=True)):
            sheet.write_string(0, place + offset, f"{course.name}: {heading}", styles.heading)
            for row, value in enumerate(values, 1):
                if isinstance(value, date):
                    day = datetime.combine(value, time())
                    sheet.write_datetime(row, place + offset, day, styles.of(DATE_FORMAT, None))
                elif value is not None:
                    sheet.write_number(row, place + offset, value)
        chart = _chart(book, course, place)
        charts.insert_chart(CHART_ROWS * (number // 2), CHART_COLUMNS * (number % 2), chart)


def _chart(book: Workbook, course: Course, place: int) -> Chart:
    chart = book.add_chart({"type": "line"})
    last = len(course.measured) + len(course.expected)
    for offset, (name, line) in enumerate(zip(_COURSE[1:], _LINES, strict=True), 1):
        chart.add_series(
            {
                "name": name,
                "categories": [COURSES, 1, place, last, place],
                "values": [COURSES, 1, place + offset, last, place + offset],
                "line": line,
            }
        )
    limit = "" if course.limit is None else f", limit {figure(course.limit)}"
    title = f"{course.name} ({unit_words(course.unit)}{limit})".replace("(, ", "(")
    chart.set_title({"name": title.removesuffix(" ()"), "name_font": {"size": 11}})
    chart.set_y_axis({"min": 0, "num_format": "#,##0", "major_gridlines": {"visible": False}})
    chart.set_x_axis(
        {"date_axis": True, "num_format": "mmm yyyy", "major_unit": 3, "major_unit_type": "months"}
    )
    chart.set_legend({"position": "bottom"})
    chart.set_size({"width": 620, "height": 280})
    return chart


def _write(sheet: Worksheet, place: tuple[int, int], cell: Cell, styles: _Styles) -> None:
    if isinstance(cell.value, date):
        day = datetime.combine(cell.value, time())
        sheet.write_datetime(*place, day, styles.of(DATE_FORMAT, cell.severity))
    elif cell.value is not None:
        sheet.write_number(*place, cell.value, styles.of(cell.number_format, cell.severity))
    else:
        sheet.write_string(*place, in_one_form(cell.line), styles.of("", cell.severity))


def _for_print(sheet: Worksheet) -> None:
    sheet.set_landscape()
    sheet.set_paper(9)  # A4
    sheet.fit_to_pages(1, 0)
