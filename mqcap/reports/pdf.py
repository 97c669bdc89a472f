"""Reports as PDF: A4 landscape, headings of tables repeated, page numbers."""

import io
from collections.abc import Sequence
from functools import cache, partial
from html import escape
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from reportlab.lib import colors
from reportlab.lib.pagesizes import A4, landscape
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import (
    Flowable,
    Image,
    KeepTogether,
    LongTable,
    Paragraph,
    SimpleDocTemplate,
    Spacer,
    TableStyle,
)

from mqcap.notifications import sparklines
from mqcap.presentation.dates import day_words, short_day
from mqcap.reports.document import FILLS, Cell, Report, Section, Table

PAGE: Final = landscape(A4)
MARGIN: Final = 12 * mm
PADDING: Final = 6
"""Points that the library keeps free inside the margins."""
WIDTH: Final = PAGE[0] - 2 * (MARGIN + PADDING)
FONT: Final = "DejaVuSans"
BOLD: Final = "DejaVuSans-Bold"
INK: Final = colors.HexColor("#1b2330")
QUIET: Final = colors.HexColor("#505b6b")
LINE: Final = colors.HexColor("#d5dae2")
CELL_PADDING: Final = 3
"""Points left and right of a cell."""
COURSE_RATIO: Final = sparklines.HEIGHT / sparklines.WIDTH
HUGE_WORD: Final = 30
"""A longer word would not fit a narrow column and is broken."""


def as_pdf(report: Report) -> bytes:
    """Return the file, without the time at which it is made: the bytes are always the same."""
    _fonts()
    target = io.BytesIO()
    document = SimpleDocTemplate(
        target,
        pagesize=PAGE,
        leftMargin=MARGIN,
        rightMargin=MARGIN,
        topMargin=MARGIN,
        bottomMargin=14 * mm,
        title=f"{report.title}, {report.site}, {report.day.isoformat()}",
        author="mqcap",
        lang="en",
        invariant=1,
    )
    styles = _styles()
    story: list[Flowable] = [
        Paragraph(escape(report.title), styles["title"]),
        Paragraph(escape(f"{report.site}, {day_words(report.day)}"), styles["quiet"]),
        *(Paragraph(escape(sentence), styles["text"]) for sentence in report.lead),
    ]
    foot = [
        Spacer(1, 4 * mm),
        *(Paragraph(escape(sentence), styles["quiet"]) for sentence in report.foot),
    ]
    *sections, last = report.printed
    for section in sections:
        story += _section(section, styles)
    story += _section(last, styles, foot)
    name = f"{report.site} · {report.title} · {short_day(report.day)}"
    document.build(story, canvasmaker=partial(_Numbered, name=name))
    return target.getvalue()


class _Numbered(Canvas):  # type: ignore[misc]  # the library has no types
    """Canvas that numbers the pages; their count is available only at the end."""

    def __init__(self, *arguments: Any, name: str, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.name = name
        self.ready: list[dict[str, Any]] = []

    def showPage(self) -> None:  # noqa: N802 - the library's name
        self.ready.append(dict(self.__dict__))
        self._startPage()

    def save(self) -> None:
        for number, page in enumerate(self.ready, 1):
            self.__dict__.update(page)
            self.setFont(FONT, 7)
            self.setFillColor(QUIET)
            self.drawString(MARGIN + PADDING, 9 * mm, self.name)
            right = PAGE[0] - MARGIN - PADDING
            self.drawRightString(right, 9 * mm, f"Page {number} of {len(self.ready)}")
            super().showPage()
        super().save()


def _section(
    section: Section, styles: dict[str, ParagraphStyle], after: Sequence[Flowable] = ()
) -> list[Flowable]:
    """Return a section with ``after`` at its end, on the same page where possible."""
    head: list[Flowable] = [Paragraph(escape(section.heading), styles["heading"])]
    head += [Paragraph(escape(sentence), styles["text"]) for sentence in section.sentences]
    made: list[Flowable] = []
    for table in section.tables:
        if table.rows:
            made += [Spacer(1, 5 * mm)] if made else []
            made.append(_table(table, styles))
            if table.left_words:
                made.append(Paragraph(escape(table.left_words), styles["quiet"]))
        else:
            made.append(Paragraph(escape(table.blank), styles["text"]))
    if not made or not isinstance(made[0], LongTable):
        head += made[:1]
        made = made[1:]
    if not made:
        return [KeepTogether([*head, *after])]
    return [KeepTogether(head), *made, KeepTogether(list(after))]


def _table(table: Table, styles: dict[str, ParagraphStyle]) -> LongTable:
    total = sum(column.width for column in table.columns)
    widths = [WIDTH * column.width / total for column in table.columns]
    rows: list[list[Flowable]] = [
        [
            Paragraph(escape(column.heading), styles["head_right" if column.right else "head"])
            for column in table.columns
        ]
    ]
    look: list[tuple[Any, ...]] = [
        ("VALIGN", (0, 0), (-1, -1), "TOP"),
        ("LINEBELOW", (0, 0), (-1, 0), 0.8, QUIET),
        ("LINEBELOW", (0, 1), (-1, -1), 0.3, LINE),
        ("LEFTPADDING", (0, 0), (-1, -1), CELL_PADDING),
        ("RIGHTPADDING", (0, 0), (-1, -1), CELL_PADDING),
        ("TOPPADDING", (0, 0), (-1, -1), 1),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 2),
    ]
    for number, row in enumerate(table.printed, 1):
        rows.append(
            [
                _cell(cell, styles["right" if column.right else "cell"], width - 2 * CELL_PADDING)
                for cell, column, width in zip(row, table.columns, widths, strict=True)
            ]
        )
        look += [
            ("BACKGROUND", (index, number), (index, number), colors.HexColor(FILLS[cell.severity]))
            for index, cell in enumerate(row)
            if cell.severity
        ]
    made = LongTable(rows, colWidths=widths, repeatRows=1, hAlign="LEFT")
    made.setStyle(TableStyle(look))
    return made


def _cell(cell: Cell, style: ParagraphStyle, width: float) -> Flowable:
    if cell.png:
        return Image(io.BytesIO(cell.png), width=width, height=width * COURSE_RATIO)
    text = escape(_broken(f"{cell.text}\N{NO-BREAK SPACE}{cell.unit}" if cell.unit else cell.text))
    if cell.note:
        text += f'<br/><font size="6" color="#505b6b">{escape(_broken(cell.note))}</font>'
    return Paragraph(text, style)


def _broken(text: str) -> str:
    """Return text with a place to break after each part of a name longer than ``HUGE_WORD``."""
    return " ".join(
        word.replace("/", "/\N{ZERO WIDTH SPACE}") if len(word) > HUGE_WORD else word
        for word in text.split(" ")
    )


@cache
def _fonts() -> None:
    """Register DejaVu Sans, which has the signs of severities; it comes with matplotlib."""
    library = find_spec("matplotlib")
    if library is None or library.origin is None:
        raise ModuleNotFoundError("matplotlib, whose fonts the PDF needs, is not installed")
    folder = Path(library.origin).parent / "mpl-data" / "fonts" / "ttf"
    for name in (FONT, BOLD):
        pdfmetrics.registerFont(TTFont(name, folder / f"{name}.ttf"))


def _styles() -> dict[str, ParagraphStyle]:
    text = ParagraphStyle("text", fontName=FONT, fontSize=8, leading=10.5, textColor=INK)
    cell = ParagraphStyle("cell", text, fontSize=7, leading=8, splitLongWords=1)
    head = ParagraphStyle("head", cell, fontName=BOLD, textColor=QUIET)
    return {
        "text": text,
        "quiet": ParagraphStyle("quiet", text, textColor=QUIET, fontSize=7.5),
        "title": ParagraphStyle("title", text, fontName=BOLD, fontSize=17, leading=21),
        "heading": ParagraphStyle(
            "heading", text, fontName=BOLD, fontSize=11, leading=14, spaceBefore=9, spaceAfter=3
        ),
        "cell": cell,
        "right": ParagraphStyle("right", cell, alignment=2),
        "head": head,
        "head_right": ParagraphStyle("head_right", head, alignment=2),
    }
