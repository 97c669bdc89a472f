"""PDF of reports: pages, repeated headings, escaped names, and the same bytes."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Paragraph

from mqcap.domain.finding import Severity
from mqcap.reports.document import Cell, Column, Report, ReportKind, Section, text_cell
from mqcap.reports.make import make_report
from mqcap.reports.pdf import HUGE_WORD, as_pdf
from mqcap.store.observations import replace_observations
from mqcap.store.plans import replace_plans
from tests.factories import DAY, crossing, finding, observation
from tests.mqcap.reports.builders import HOSTILE, basis, report, table
from tests.plan_factories import plan

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
    assert set(left) == {"Test site · Daily report · 2026-03-02"}


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


def test_the_page_is_a4_landscape_and_says_who_made_it() -> None:
    written = as_pdf(report())
    assert re.search(rb"/MediaBox \[ 0 0 841\.\d+ 595\.\d+ \]", written)
    assert b"/Author (mqcap)" in written
    assert b"/Title (Daily report, Test site, 2026-03-02)" in written


@pytest.mark.thorough
def test_the_same_report_gives_the_same_bytes() -> None:
    assert as_pdf(long_report()) == as_pdf(long_report())


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
