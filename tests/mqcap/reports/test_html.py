"""HTML of reports: complete in itself, escaped, the same bytes again; the document behind."""

import base64
import re
from datetime import date

import pytest

from mqcap.domain.finding import Severity
from mqcap.domain.numbers import ABSENT
from mqcap.presentation.quantities import quantity
from mqcap.reports.document import (
    Cell,
    Column,
    ReportKind,
    Section,
    cell_of,
    count_cell,
    day_cell,
    percent_cell,
    probability_cell,
    text_cell,
)
from mqcap.reports.make import as_html, sections_of
from tests.mqcap.reports.builders import HOSTILE, report, table


def written(*sections: Section) -> str:
    return as_html(report(*sections)).decode()


def test_the_page_has_title_day_lead_and_foot() -> None:
    text = written()
    assert "<title>Daily report, Test site, 2026-03-02</title>" in text
    assert '<h1>Daily report</h1><p class="day">Test site, Mon 2 Mar 2026</p>' in text
    assert "<p>1 finding.</p>" in text
    assert "<footer><p>1 MB = 1 MiB.</p></footer>" in text


def test_a_cell_has_its_unit_note_severity_and_alignment() -> None:
    cell = Cell(text="9,000", unit="MB/hour", note="2.5 MiB/s", severity=Severity.act)
    given = table((cell,), columns=(Column(heading="Now", right=True),))
    text = written(Section(heading="Section", tables=(given,)))
    assert '<th scope="col" class="r">Now</th>' in text
    assert (
        '<td class="r act">9,000\N{NO-BREAK SPACE}MB/hour'
        '<span class="note">2.5 <span class="name">MiB/s</span></span></td>'
    ) in text


def test_a_table_without_rows_is_a_sentence() -> None:
    text = written(Section(heading="Section", tables=(table(blank="No change is recommended."),)))
    assert "<p>No change is recommended.</p>" in text
    assert "<table>" not in text


@pytest.mark.parametrize(
    "section",
    [
        Section(heading=HOSTILE),
        Section(heading="Section", sentences=(HOSTILE,)),
        Section(heading="Section", tables=(table((text_cell(HOSTILE, HOSTILE),)),)),
        Section(heading="Section", tables=(table(blank=HOSTILE),)),
    ],
    ids=["heading", "sentence", "cell", "blank"],
)
def test_a_hostile_name_is_text_wherever_it_is(section: Section) -> None:
    text = written(section)
    assert "<script" not in text
    assert "&lt;script&gt;&amp;&#34;&#39;=1+1" in text


def test_a_hostile_site_is_text() -> None:
    assert b"<script" not in as_html(report(site=HOSTILE, title=HOSTILE, lead=(HOSTILE,)))


def test_pictures_are_inside_and_nothing_is_loaded_from_elsewhere() -> None:
    cells = table((Cell(text="", png=b"\x89PNG"),))
    text = written(Section(heading="Courses", tables=(cells,)))
    data = base64.b64encode(b"\x89PNG").decode()
    assert f'<img src="data:image/png;base64,{data}" alt="">' in text
    assert re.findall(r'(?:src|href)="(?!data:)', text) == []


def test_details_and_rows_beyond_those_printed_are_in_the_workbook_alone() -> None:
    rows = [(text_cell(f"Row {number}"),) for number in range(5)]
    long = table(*rows).model_copy(update={"printed_rows": 2})
    detail = Section(heading="Detail", is_detail=True)
    text = written(Section(heading="Section", tables=(long,)), detail)
    assert "Row 1" in text
    assert "Row 2" not in text
    assert "and 3 more in the workbook" in text
    assert "Detail" not in text


def test_names_and_percentages_stay_on_one_line_and_columns_of_sentences_are_wide() -> None:
    columns = (
        Column(heading="Rule", width=1.8),
        Column(heading="Resource", width=1.9),
        Column(heading="Change", width=2.6),
    )
    cells = (Cell(text="CHI-80-31BIT at 80 %"), Cell(text="PLEX1/CSQ2 & more"), Cell(text="none"))
    text = written(Section(heading="Section", tables=(table(cells, columns=columns),)))
    assert '<span class="name">CHI-80-31BIT</span> at 80\N{NO-BREAK SPACE}%<' in text
    assert '<span class="name">PLEX1/CSQ2</span> &amp; more<' in text
    assert [
        f'class="{name}">{heading}'
        for name, heading in re.findall(r'<th scope="col" class="(\w*)">(\w+)<', text)
    ] == ['class="">Rule', 'class="w2">Resource', 'class="w3">Change']


@pytest.mark.parametrize(
    ("cell", "line", "value"),
    [
        (cell_of(quantity(2.5, "MiB/s")), "9,000 MB/hour", 9_000.0),
        (percent_cell(-0.111), "-11.1 %", -0.111),
        (probability_cell(0.0), "under 1 %", 0.0),
        (probability_cell(0.37), "37 %", 0.37),
        (probability_cell(1.0), "over 99 %", 1.0),
        (count_cell(1_234), "1,234", 1_234.0),
        (day_cell(date(2026, 3, 2)), "2 Mar 2026", date(2026, 3, 2)),
    ],
)
def test_a_cell_keeps_the_figure_behind_its_text(cell: Cell, line: str, value: object) -> None:
    assert (cell.line, cell.value) == (line, value)
    assert cell.note == ("2.5 MiB/s" if "MB" in line else "")


@pytest.mark.parametrize(
    "cell",
    [text_cell(None), text_cell(""), cell_of(quantity(None, "MiB/s")), percent_cell(None),
     day_cell(None), probability_cell(None)],
    ids=["text", "empty", "quantity", "percent", "day", "probability"],
)  # fmt: skip
def test_an_absent_figure_is_a_dash_without_value_or_unit(cell: Cell) -> None:
    assert (cell.line, cell.value, cell.unit) == (ABSENT, None, "")


def names(kind: ReportKind) -> list[str]:
    return [entry.make.__name__ for entry in sections_of(kind)]


@pytest.mark.parametrize(
    ("kind", "first"),
    [
        (ReportKind.daily, ["decisions", "options", "findings"]),
        (ReportKind.weekly, ["decisions", "options", "findings"]),
        (ReportKind.monthly, ["plan_totals", "decisions", "options", "findings"]),
    ],
)
def test_a_report_begins_with_the_plans_and_ends_with_the_data(
    kind: ReportKind, first: list[str]
) -> None:
    sections = names(kind)
    assert (sections[: len(first)], sections[-1]) == (first, "completeness")
    assert ("accuracy" in sections) is (kind is not ReportKind.daily)


def test_every_section_has_a_place_of_its_own_in_a_report() -> None:
    for kind in ReportKind:
        entries = sections_of(kind)
        assert len({entry.order for entry in entries}) == len(entries)
