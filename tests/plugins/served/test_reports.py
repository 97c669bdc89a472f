"""Reports: the same bytes each time, the page's figures in every format, three ways to them."""

from __future__ import annotations

import io
import re
import shutil
import zipfile
from datetime import date, timedelta
from pathlib import Path

import pytest
from reportlab.pdfgen.canvas import Canvas
from typer.testing import CliRunner

from tests.plugins.served.web import TestClient, rows_of, text_of  # isort: skip - chooses Airflow's home

from mq_capacity_page.web.security import SEALED_POLICY
from mqcap.cli.app import app
from mqcap.domain.crossing import CrossingState
from mqcap.domain.errors import ConfigurationError, ServiceUnavailable
from mqcap.domain.forecast import ForecastPoint
from mqcap.domain.metric import Statistic
from mqcap.presentation.fleet import Facts, fleet_lines
from mqcap.reports.document import Report, ReportFormat, ReportKind, Section
from mqcap.reports.make import make_report
from mqcap.reports.tables import changes_table
from mqcap.reports.write import as_bytes, due_kinds
from mqcap.settings import Settings, load_settings
from mqcap.steps.runner import reports
from mqcap.store.crossings import replace_crossings
from mqcap.store.database import connect
from mqcap.store.findings import replace_findings
from mqcap.store.forecasts import replace_forecasts
from tests.plugins import builder

DAY = builder.DAY.isoformat()


def made(folder: Path, kind: ReportKind) -> Report:
    engine = connect(f"sqlite:///{folder / builder.STORE_FILE}")
    try:
        return make_report(load_settings(), engine, kind, builder.DAY)
    finally:
        engine.dispose()


@pytest.fixture
def settings(site_folder: Path, filled_file: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    shutil.copy(filled_file, site_folder / builder.STORE_FILE)
    monkeypatch.setenv("MQCAP_REPORTS__FOLDER", str(site_folder / "reports"))
    return load_settings()


def test_the_same_day_gives_the_same_bytes_in_every_format(
    settings: Settings, site_folder: Path
) -> None:
    first, second = (made(site_folder, ReportKind.monthly) for _ in range(2))
    for form in ReportFormat:
        assert as_bytes(first, form) == as_bytes(second, form), form


@pytest.mark.parametrize("kind", ReportKind)
def test_figures_of_a_report_are_those_of_the_page(filled: TestClient, kind: ReportKind) -> None:
    row = rows_of(filled.get("/"), "fleet")[0]
    text = text_of(filled.get(f"/report?kind={kind}&day={DAY}"))
    for figure in ("9,000 MB/hour", "8,100 MB/hour", "2.5 MiB/s", "-11.1 %"):
        assert figure in row
        assert figure in text.replace("\N{NO-BREAK SPACE}", " ")


def test_the_workbook_holds_numbers_with_their_units(settings: Settings, site_folder: Path) -> None:
    book = zipfile.ZipFile(io.BytesIO(as_bytes(made(site_folder, ReportKind.daily),
                                               ReportFormat.xlsx)))  # fmt: skip
    sheet = book.read("xl/worksheets/sheet2.xml").decode()
    assert "<v>9000</v>" in sheet
    assert "<v>-0.111</v>" in sheet
    assert "MB/hour" in book.read("xl/styles.xml").decode()
    assert {info.date_time for info in book.infolist()} == {(1980, 1, 1, 0, 0, 0)}


def test_a_formula_in_a_name_stays_text(settings: Settings, site_folder: Path) -> None:
    report = made(site_folder, ReportKind.daily)
    [first, *others] = report.sections
    [table] = first.tables
    row = (table.rows[0][0].model_copy(update={"text": "=1+1", "unit": ""}), *table.rows[0][1:])
    changed = first.model_copy(update={"tables": (table.model_copy(update={"rows": (row,)}),)})
    report = report.model_copy(update={"sections": (changed, *others)})
    book = zipfile.ZipFile(io.BytesIO(as_bytes(report, ReportFormat.xlsx)))
    assert "<f>" not in book.read("xl/worksheets/sheet2.xml").decode()


def test_a_pdf_has_pages_and_a_title(settings: Settings, site_folder: Path) -> None:
    written = as_bytes(made(site_folder, ReportKind.daily), ReportFormat.pdf)
    assert written.startswith(b"%PDF-1.")
    assert re.search(rb"/Type /Page\b", written)
    assert b"/Title" in written


def test_four_charts_fit_one_page_and_the_foot_does_not_begin_another(
    settings: Settings, site_folder: Path
) -> None:
    report = made(site_folder, ReportKind.monthly)
    [chart, *_] = [picture for section in report.sections for picture in section.pictures]
    charted = Section(heading="Charts", pictures=(chart,) * 4)
    words = Section(heading="Data", sentences=("Everything has arrived.",))
    pages = [
        len(re.findall(rb"/Type /Page\b", as_bytes(
            report.model_copy(update={"lead": (), "sections": sections}), ReportFormat.pdf
        )))
        for sections in ((words,), (charted, words), (charted, charted, words))
    ]  # fmt: skip
    assert pages == [1, 2, 3]


def test_every_page_of_a_pdf_says_which_of_how_many_it_is(
    settings: Settings, site_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[str] = []
    monkeypatch.setattr(Canvas, "drawRightString", lambda _self, _x, _y, text: drawn.append(text))
    as_bytes(made(site_folder, ReportKind.monthly), ReportFormat.pdf)
    assert len(drawn) > 1
    assert drawn == [f"Page {number} of {len(drawn)}" for number in range(1, len(drawn) + 1)]


def test_a_sheet_of_a_workbook_is_ready_to_print(settings: Settings, site_folder: Path) -> None:
    book = zipfile.ZipFile(io.BytesIO(as_bytes(made(site_folder, ReportKind.daily),
                                               ReportFormat.xlsx)))  # fmt: skip
    sheet = book.read("xl/worksheets/sheet2.xml").decode()
    assert 'ySplit="1"' in sheet
    assert 'orientation="landscape"' in sheet
    assert 'paperSize="9"' in sheet
    assert 'fitToHeight="0"' in sheet
    assert "Page &amp;P of &amp;N" in sheet
    assert "_xlnm.Print_Titles" in book.read("xl/workbook.xml").decode()


def test_the_plan_states_growth_probability_and_what_it_takes_for_granted(
    settings: Settings, site_folder: Path
) -> None:
    report = made(site_folder, ReportKind.monthly)
    by_heading = {section.heading: section for section in report.sections}
    plan = by_heading["Limits, growth and dates"]
    [row] = [one for one in plan.tables[0].rows if one[0].text == "CSQ1"]
    assert row[5].line == "+1,080 MB/hour"
    assert by_heading["Assumptions"].sentences[0] == "Lead times: default 14 days."
    assert plan.pictures


def test_a_limit_on_the_mean_is_shown_with_the_forecast_of_the_mean(
    settings: Settings, site_folder: Path
) -> None:
    level = tuple(ForecastPoint(site_date=builder.DAY + timedelta(days=ahead), expected=1.0,
                                lower=0.9, upper=1.1) for ahead in range(1, 91))  # fmt: skip
    mean = {"statistic": Statistic.mean}
    engine = connect(f"sqlite:///{site_folder / builder.STORE_FILE}")
    later = {"rule_id": "REC-FORMULA-A"}
    replace_forecasts(engine, builder.DAY, [
        builder.forecast(builder.LOG), builder.forecast(builder.LOG, points=level, **mean)
    ])  # fmt: skip
    replace_findings(engine, builder.DAY, [
        builder.finding(), builder.finding(**later, **mean)
    ])  # fmt: skip
    replace_crossings(engine, builder.DAY, [
        builder.crossing(), builder.crossing(**later, **mean)
    ])  # fmt: skip
    engine.dispose()
    report = made(site_folder, ReportKind.monthly)
    [plan] = [
        section for section in report.sections if section.heading == "Limits, growth and dates"
    ]
    growth = {row[1].note: row[5].line for row in plan.tables[0].rows}
    assert growth == {"LOG-FILL-30MIN": "+1,080 MB/hour", "REC-FORMULA-A": "+0 MB/hour"}


def test_changes_are_ordered_by_the_day_on_which_they_are_due() -> None:
    passed = {"state": CrossingState.will_cross, "breached_since": None}
    days = {"REC-A": 60, "REC-B": 5, "REC-C": 30}
    lines = fleet_lines(
        Facts(
            [builder.finding(rule_id=rule, breach=False) for rule in days],
            [builder.crossing(rule_id=rule, earliest_date=builder.DAY + timedelta(days=ahead),
                              **passed) for rule, ahead in days.items()],
            [],
        ),
        load_settings().complete_estate(),
        load_settings().alerts,
    )  # fmt: skip
    rows = changes_table(sorted(lines, key=lambda line: line.finding.rule_id)).rows
    assert [(row[0].text, row[2].note) for row in rows] == [
        ("at once", "REC-B"),
        ("16 Feb 2026", "REC-C"),
        ("18 Mar 2026", "REC-A"),
    ]


def test_what_is_due_follows_the_calendar() -> None:
    assert due_kinds(date(2026, 1, 30)) == (ReportKind.daily,)
    assert due_kinds(date(2026, 2, 1)) == (ReportKind.daily, ReportKind.weekly)
    assert due_kinds(date(2026, 1, 31)) == (ReportKind.daily, ReportKind.monthly)


def test_the_command_writes_what_the_page_gives(
    settings: Settings, site_folder: Path, filled: TestClient
) -> None:
    done = CliRunner().invoke(app, ["report", "daily", "--day", DAY, "--format", "html"])
    assert done.exit_code == 0, done.output
    written = site_folder / "reports" / f"mqcap-daily-{DAY}.html"
    assert written.read_bytes() == filled.get(f"/report?kind=daily&day={DAY}").content


@pytest.mark.parametrize("arguments", [["yearly"], ["daily", "--format", "docx"]])
def test_an_unknown_kind_or_format_is_refused(settings: Settings, arguments: list[str]) -> None:
    done = CliRunner().invoke(app, ["report", *arguments, "--day", DAY])
    assert isinstance(done.exception, ConfigurationError)


def test_the_step_writes_what_is_due_and_waits_for_a_day_that_is_not_judged(
    settings: Settings, filled: TestClient
) -> None:
    written = [Path(report) for report in reports(settings, builder.DAY)]
    for file in written:
        kind, form = file.stem.split("-")[1], file.suffix[1:]
        page = filled.get(f"/report?kind={kind}&day={DAY}&form={form}")
        assert page.content == file.read_bytes(), file.name
    names = [file.name for file in written]
    assert names == [f"mqcap-{kind}-{DAY}.{form}" for kind in ("daily", "monthly")
                     for form in ReportFormat]  # fmt: skip
    with pytest.raises(ServiceUnavailable):
        reports(settings, date(2026, 3, 1))


def test_a_report_from_the_page_is_a_sealed_page_or_a_download(filled: TestClient) -> None:
    shown = filled.get(f"/report?kind=daily&day={DAY}")
    assert shown.headers["content-security-policy"] == SEALED_POLICY
    taken = filled.get(f"/report?kind=daily&day={DAY}&form=xlsx")
    assert taken.headers["content-disposition"].startswith("attachment; filename=")


def test_a_day_without_findings_has_no_report(filled: TestClient) -> None:
    assert filled.get("/report?kind=daily&day=2026-03-01").status_code == 404
