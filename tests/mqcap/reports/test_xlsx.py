"""Workbooks and PDF: numbers that read as on the page, and names that are never formulas."""

import io
import re
import zipfile
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path

import pytest
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Image, Paragraph

from mqcap.domain.finding import Severity
from mqcap.domain.numbers import ABSENT
from mqcap.notifications.sparklines import spark
from mqcap.presentation.quantities import quantity
from mqcap.queries.courses import Weeks
from mqcap.reports.document import (
    Cell,
    Column,
    Course,
    Report,
    ReportKind,
    Section,
    cell_of,
    count_cell,
    day_cell,
    percent_cell,
    probability_cell,
    text_cell,
)
from mqcap.reports.make import make_report
from mqcap.reports.pdf import CELL_PADDING, HUGE_WORD, WIDTH, as_pdf
from mqcap.reports.xlsx import as_xlsx, sheet_name
from mqcap.store.observations import replace_observations
from mqcap.store.plans import replace_plans
from tests.factories import DAY, crossing, finding, observation
from tests.mqcap.reports.builders import HOSTILE, Workbook, basis, report, table
from tests.plan_factories import plan

SERIAL_DAY = float((DAY - date(1899, 12, 30)).days)
"""``DAY`` as workbooks count days."""


def book(*rows: tuple[Cell, ...]) -> Workbook:
    return Workbook(as_xlsx(report(Section(heading="Section", tables=(table(*rows),)))))


@pytest.mark.parametrize(
    ("cell", "value", "number_format"),
    [
        (cell_of(quantity(2.5, "MiB/s")), 9_000.0, '#,##0" MB/hour";-#,##0" MB/hour"'),
        (cell_of(quantity(27.46, "%")), 27.46, '#,##0.00" %";-#,##0.00" %"'),
        (cell_of(quantity(2.5, "MiB/s", signed=True), signed=True), 9_000.0,
         '+#,##0" MB/hour";-#,##0" MB/hour"'),
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


def test_a_column_is_as_wide_as_its_longest_text_within_bounds_and_dates_have_one_form() -> None:
    columns = tuple(Column(heading=each) for each in "ABC")
    row = (text_cell("a"), text_cell("on 2026-11-29 at 1"), text_cell("word " * 30))
    given = table(row, columns=columns)
    made = Workbook(as_xlsx(report(Section(heading="Section", tables=(given,)))))
    widths = [float(each.attrib["width"]) for each in made.tree("xl/worksheets/sheet2.xml").iter()
              if each.tag.endswith("}col")]  # fmt: skip
    assert widths == pytest.approx([9.7, 20.7, 48.7], abs=0.05)
    assert made.cell(2, "B2") == "on 29 Nov 2026 at 1"


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


Drawn = list[tuple[int, str]]
"""Page number and text of each paragraph."""


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> Callable[[Report], Drawn]:
    """Return a function that writes a PDF and returns what was drawn on which page."""
    texts: Drawn = []
    draw = Paragraph.draw

    def record(paragraph: Paragraph) -> None:
        texts.append((paragraph.canv.getPageNumber(), paragraph.getPlainText()))
        draw(paragraph)

    monkeypatch.setattr(Paragraph, "draw", record)

    def write(given: Report) -> Drawn:
        texts.clear()
        as_pdf(given)
        return list(texts)

    return write


def long_report(count: int = 120) -> Report:
    rows = [(text_cell(f"Row {number}"), text_cell("text")) for number in range(count)]
    return report(Section(heading="Long", sentences=("A sentence.",), tables=(table(*rows),)))


def test_the_text_is_that_of_the_report_in_its_order(drawn: Callable[[Report], Drawn]) -> None:
    assert [text for _, text in drawn(report())] == [
        "Daily report", "Test site, Mon 2 Mar 2026", "1 finding.", "Section", "Column 1", "A cell",
        "1 MB = 1 MiB.",
    ]  # fmt: skip


def test_the_headings_of_a_table_are_repeated_on_every_page(
    drawn: Callable[[Report], Drawn],
) -> None:
    made = drawn(long_report())
    pages = {page for page, _ in made}
    assert len(pages) > 2
    assert [page for page, text in made if text == "Column 1"] == sorted(pages)
    rows = [text for _, text in made if text.startswith("Row ")]
    assert rows == [f"Row {number}" for number in range(120)]


def test_the_heading_of_a_section_is_on_one_page_with_its_sentences(
    drawn: Callable[[Report], Drawn],
) -> None:
    sections = [
        Section(heading=f"Heading {n}", sentences=("One.", "Two."), tables=(table(),))
        for n in range(40)
    ]
    made = drawn(report(*sections))
    assert len({page for page, _ in made}) > 1
    for number in range(40):
        at = [text for _, text in made].index(f"Heading {number}")
        assert len({page for page, _ in made[at : at + 4]}) == 1


def test_pages_are_numbered_and_named(monkeypatch: pytest.MonkeyPatch) -> None:
    left: list[str] = []
    right: list[str] = []
    monkeypatch.setattr(Canvas, "drawString", lambda _self, _x, _y, text: left.append(text))
    monkeypatch.setattr(Canvas, "drawRightString", lambda _self, _x, _y, text: right.append(text))
    as_pdf(long_report())
    assert right == [f"Page {n} of {len(right)}" for n in range(1, len(right) + 1)]
    assert set(left) == {"Test site · Daily report · 2 Mar 2026"}


def test_hostile_names_are_text(drawn: Callable[[Report], Drawn]) -> None:
    name = '<b>&"</para>'
    section = Section(
        heading=name, sentences=(name,), tables=(table((text_cell(name, name),)), table(blank=name))
    )
    made = drawn(report(section, title=name, site=HOSTILE, lead=(name,), foot=(name,)))
    assert [text for _, text in made].count(name) == 6
    assert [text for _, text in made if text == f"{name}{name}"]


def test_a_long_name_may_be_broken_after_each_part(drawn: Callable[[Report], Drawn]) -> None:
    name = "PLEX1/" + "A" * HUGE_WORD
    made = drawn(report(Section(heading="Section", tables=(table((text_cell(name),)),))))
    assert name.replace("/", "/\N{ZERO WIDTH SPACE}") in [text for _, text in made]


def test_a_cell_has_its_unit_and_note(drawn: Callable[[Report], Drawn]) -> None:
    cell = Cell(text="9,000", unit="MB/hour", note="2.5 MiB/s", severity=Severity.watch)
    given = table((cell,), columns=(Column(heading="Now", right=True),))
    texts = [text for _, text in drawn(report(Section(heading="Section", tables=(given,))))]
    assert "9,000\N{NO-BREAK SPACE}MB/hour2.5 MiB/s" in texts


def test_a_picture_is_as_wide_as_its_column(monkeypatch: pytest.MonkeyPatch) -> None:
    widths: list[float] = []
    draw = Image.draw

    def record(picture: Image) -> None:
        widths.append(picture.drawWidth)
        draw(picture)

    monkeypatch.setattr(Image, "draw", record)
    columns = (Column(heading="Course", width=1.0), Column(heading="Rest", width=9.0))
    course = Cell(text="", png=spark(Weeks(((DAY, 1.0),), (), 3.0, "h"), DAY))
    given = table((course, text_cell("now")), columns=columns)
    as_pdf(report(Section(heading="Section", tables=(given,))))
    assert widths == [pytest.approx(WIDTH / 10 - 2 * CELL_PADDING)]


def test_the_page_is_a4_landscape_and_says_who_made_it() -> None:
    written = as_pdf(report())
    assert re.search(rb"/MediaBox \[ 0 0 841\.\d+ 595\.\d+ \]", written)
    assert b"/Author (mqcap)" in written
    assert b"/Title (Daily report, Test site, 2026-03-02)" in written


@pytest.mark.thorough
def test_the_plan_of_a_month_is_two_pages_however_large_the_estate_is(tmp_path: Path) -> None:
    kinds = {"active_log": "LOG-FILL-30MIN", "archive": "LOG-MAXARCH", "recovery": "REC-FORMULA-A"}
    names = [f"PLEX1/Q{number:03}" for number in range(72)]
    findings = [finding(name, rule_id=rule) for name in names for rule in kinds.values()]
    plans = [
        plan(
            resource=f"{name}/{kind}", label=f"{name[6:]} {kind}", worst_rule=rule,
            worst_subject=name, owner=f"Team {number % 8}",
        )
        for number, name in enumerate(names)
        for kind, rule in kinds.items()
    ]  # fmt: skip
    days = [observation(day=DAY - timedelta(days=back), subject=names[0]) for back in range(28)]
    with basis(tmp_path, findings, [crossing(finding(name)) for name in names]) as made:
        replace_plans(made.engine, DAY, plans)
        replace_observations(made.engine, {day.site_date for day in days}, days, {})
        written = as_pdf(make_report(made.settings, made.engine, ReportKind.monthly, DAY))
    assert len(re.findall(rb"/Type /Page\b", written)) <= 2
