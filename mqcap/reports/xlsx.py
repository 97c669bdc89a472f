"""Reports as workbooks: one sheet per table, figures as numbers formatted as on the page."""

from __future__ import annotations

import io
import re
from collections.abc import Collection
from datetime import date, datetime, time
from itertools import chain, count
from textwrap import shorten
from typing import Final

from xlsxwriter import Workbook
from xlsxwriter.format import Format
from xlsxwriter.worksheet import Worksheet

from mqcap.domain.finding import Severity
from mqcap.presentation.dates import day_words
from mqcap.reports.document import Cell, Report, Section, Table

FILLS: Final = {
    Severity.act: "#FDECEA",
    Severity.watch: "#FDF1DE",
    Severity.unknown: "#ECEFF3",
    Severity.suggestion: "#E8F0FB",
    Severity.ok: "#E6F4EA",
}
WIDTH_UNIT: Final = 14
"""Characters of a column of width 1."""
NAME_LENGTH: Final = 31  # Excel's own
NOT_IN_NAMES: Final = r"[\[\]:*?/\\]"  # Excel's own
DATE_FORMAT: Final = "d mmm yyyy"


def as_xlsx(report: Report) -> bytes:
    """Return the workbook; its dates are those of the report: the bytes are always the same."""
    target = io.BytesIO()
    book = Workbook(target, {"in_memory": True, "strings_to_formulas": False,
                             "strings_to_urls": False})  # fmt: skip
    midnight = datetime.combine(report.day, time())
    book.set_properties({"title": report.title, "subject": report.site, "created": midnight})
    styles = _Styles(book)
    _first_sheet(book, report, styles)
    for section in report.sections:
        for table in section.tables:
            _sheet(book, section, table, styles)
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
        sentences += [picture.words for picture in section.pictures]
    for row, sentence in enumerate([*sentences, "", *report.foot], 1):
        sheet.write_string(row, 0, sentence, plain)
    _for_print(sheet)


def _sheet(book: Workbook, section: Section, table: Table, styles: _Styles) -> None:
    if not table.rows:
        return
    sheet = book.add_worksheet(sheet_name(table.name, [each.name for each in book.worksheets()]))
    sheet.set_header(f"&L{section.heading}&RPage &P of &N".replace("&&", "&"))
    noted = [any(row[index].note for row in table.rows) for index in range(len(table.columns))]
    place = 0
    for index, column in enumerate(table.columns):
        sheet.set_column(place, place, WIDTH_UNIT * column.width)
        sheet.write_string(0, place, column.heading, styles.heading)
        for number, row in enumerate(table.rows, 1):
            _write(sheet, (number, place), row[index], styles)
            if noted[index]:
                sheet.write_string(number, place + 1, row[index].note, styles.of("", None))
        if noted[index]:
            sheet.set_column(place + 1, place + 1, WIDTH_UNIT)
            sheet.write_string(0, place + 1, f"{column.heading}: note", styles.heading)
        place += 2 if noted[index] else 1
    sheet.freeze_panes(1, 0)
    sheet.autofilter(0, 0, len(table.rows), place - 1)
    sheet.repeat_rows(0)
    _for_print(sheet)


def _write(sheet: Worksheet, place: tuple[int, int], cell: Cell, styles: _Styles) -> None:
    if isinstance(cell.value, date):
        day = datetime.combine(cell.value, time())
        sheet.write_datetime(*place, day, styles.of(DATE_FORMAT, cell.severity))
    elif cell.value is not None:
        sheet.write_number(*place, cell.value, styles.of(cell.number_format, cell.severity))
    else:
        sheet.write_string(*place, cell.line, styles.of("", cell.severity))


def _for_print(sheet: Worksheet) -> None:
    sheet.set_landscape()
    sheet.set_paper(9)  # A4
    sheet.fit_to_pages(1, 0)
