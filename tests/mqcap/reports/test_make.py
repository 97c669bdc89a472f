"""Reports of a day: their first sentences, their sections and their foot."""

from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

import pytest
from sqlalchemy import Engine

from mqcap.domain.errors import ConfigurationError
from mqcap.domain.finding import Severity
from mqcap.domain.forecast import ForecastPoint
from mqcap.domain.metric import Statistic
from mqcap.reports.document import Report, ReportFormat, ReportKind
from mqcap.reports.make import (
    MEDIA_TYPES,
    TITLES,
    as_bytes,
    due_kinds,
    make_report,
    sections_of,
    write_reports,
)
from mqcap.settings import Settings
from mqcap.store.crossings import replace_crossings
from mqcap.store.findings import replace_findings
from mqcap.store.forecasts import replace_forecasts
from mqcap.store.step_runs import save_step_run
from tests.factories import DAY, crossing, finding, step_run
from tests.mqcap.reports.builders import basis, report
from tests.plugins import builder


@pytest.mark.parametrize("kind", ReportKind)
def test_a_report_has_the_title_and_the_sections_of_its_kind(
    tmp_path: Path, kind: ReportKind
) -> None:
    with basis(tmp_path, [finding()], [crossing()]) as made:
        report = make_report(made.settings, made.engine, kind, DAY)
    assert (report.kind, report.title, report.day) == (kind, TITLES[kind], DAY)
    assert len(report.sections) == len(sections_of(kind))


def test_a_site_without_a_sysplex_reads_nothing_of_losses_and_facilities(tmp_path: Path) -> None:
    place = {"site": "EAST", "hosts": [{"name": "host1"}], "qmgrs": [{"name": "QM1"}]}
    settings = Settings.model_validate({"lake": str(tmp_path / "lake"), "estate": [place]})
    found = finding("EAST/QM1", rule_id="DST-LOG-END", summary="Half of the log is in use.")
    with basis(tmp_path, [found], settings=settings) as made:
        report = make_report(settings, made.engine, ReportKind.monthly, DAY)
    assert len(report.sections) == len(sections_of(ReportKind.monthly)) - 1
    text = as_bytes(report, ReportFormat.html).decode()
    assert "Days are calendar days: EAST in UTC." in text
    assert not any(word in text for word in ("coupling", "sysplex", "Queue manager or CF"))


def test_the_lead_counts_the_resources_and_the_checks(tmp_path: Path) -> None:
    fine = finding("PLEX1/CSQ2", severity=Severity.ok, breach=False)
    with basis(tmp_path, [fine, finding()]) as made:
        report = make_report(made.settings, made.engine, ReportKind.daily, DAY)
    counts, checks = report.lead
    assert counts.startswith("1 over ")
    assert checks == "1 check in order."


def test_the_foot_names_the_versions_of_the_evaluation(tmp_path: Path) -> None:
    with basis(tmp_path, [finding()]) as made:
        without = make_report(made.settings, made.engine, ReportKind.daily, DAY).foot[-1]
        ran_with = {"rulebook": "3", "mqcap": "0.2.0"}
        save_step_run(made.engine, step_run(step="size", versions=ran_with))
        report = make_report(made.settings, made.engine, ReportKind.daily, DAY)
    assert without == "Made from what was known on Mon 2 Mar 2026."
    assert report.foot[-1] == (
        "Made from what was known on Mon 2 Mar 2026; evaluated with mqcap 0.2.0, rulebook 3."
    )


@pytest.fixture
def evaluated(tmp_path: Path) -> Iterator[Engine]:
    """A store with one evaluated day of two sysplexes, its series and forecasts."""
    engine = builder.filled_store(tmp_path)
    yield engine
    engine.dispose()


def monthly(engine: Engine) -> Report:
    return make_report(Settings(lake="unused"), engine, ReportKind.monthly, builder.DAY)


@pytest.mark.thorough
def test_the_same_day_gives_the_same_bytes_in_every_format(evaluated: Engine) -> None:
    first, second = (monthly(evaluated) for _ in range(2))
    for form in ReportFormat:
        assert as_bytes(first, form) == as_bytes(second, form), form


@pytest.mark.thorough
def test_the_plan_states_growth_probability_and_assumptions(evaluated: Engine) -> None:
    by_heading = {section.heading: section for section in monthly(evaluated).sections}
    plan = by_heading["Findings, growth and dates"]
    [row] = [row for row in plan.tables[0].rows if row[1].text == "CSQ1"][:1]
    assert row[6].line == "+1,080 MB/hour"
    assert by_heading["Assumptions"].sentences[0] == "Lead times: default 14 days."
    [course] = [course for part in by_heading.values() for course in part.courses][:1]
    assert course.measured


@pytest.mark.thorough
def test_a_limit_on_the_mean_is_shown_with_the_forecast_of_the_mean(evaluated: Engine) -> None:
    level = tuple(ForecastPoint(site_date=builder.DAY + timedelta(days=ahead), expected=1.0,
                                lower=0.9, upper=1.1) for ahead in range(1, 91))  # fmt: skip
    mean = {"statistic": Statistic.mean}
    other = {"rule_id": "REC-FORMULA-A", **mean}
    replace_forecasts(evaluated, builder.DAY, [
        builder.forecast(builder.LOG), builder.forecast(builder.LOG, points=level, **mean)
    ])  # fmt: skip
    replace_findings(evaluated, builder.DAY, [builder.finding(), builder.finding(**other)])
    replace_crossings(evaluated, builder.DAY, [builder.crossing(), builder.crossing(**other)])
    sections = {section.heading: section for section in monthly(evaluated).sections}
    rows = sections["Findings, growth and dates"].tables[0].rows
    growth = {row[2].note: row[6].line for row in rows}
    assert growth == {"LOG-FILL-30MIN": "+1,080 MB/hour", "REC-FORMULA-A": "+0 MB/hour"}


STARTS = {
    ReportFormat.html: b"<!doctype html>",
    ReportFormat.pdf: b"%PDF-",
    ReportFormat.xlsx: b"PK",
}


@pytest.mark.parametrize("form", ReportFormat)
def test_each_format_has_its_bytes_and_its_media_type(form: ReportFormat) -> None:
    assert as_bytes(report(), form).startswith(STARTS[form])
    assert form in MEDIA_TYPES


@pytest.mark.thorough
def test_files_are_written_by_kind_and_format_into_a_new_folder(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "reports"
    with basis(tmp_path, [finding()]) as made:
        kinds, formats = [ReportKind.daily, ReportKind.weekly], [ReportFormat.html]
        files = write_reports(made.settings, made.engine, DAY, kinds, folder, formats)
        again = write_reports(made.settings, made.engine, DAY, kinds, tmp_path / "b", formats)
    assert [file.name for file in files] == [
        "mqcap-daily-2026-03-02.html", "mqcap-weekly-2026-03-02.html",
    ]  # fmt: skip
    assert sorted(folder.iterdir()) == sorted(files)
    assert [file.read_bytes() for file in files] == [file.read_bytes() for file in again]


def test_a_day_without_findings_is_an_error_with_its_remedy_and_leaves_no_file(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "reports"
    with basis(tmp_path) as made, pytest.raises(ConfigurationError) as raised:
        write_reports(made.settings, made.engine, DAY, [ReportKind.daily], folder)
    assert "no report of 2026-03-02: no rules were evaluated for that day" in str(raised.value)
    assert "Run the daily DAG for this day first" in str(raised.value)
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize(
    ("day", "kinds"),
    [
        (date(2026, 3, 2), ["daily"]),
        (date(2026, 3, 1), ["daily", "weekly"]),
        (date(2026, 3, 31), ["daily", "monthly"]),
        (date(2026, 5, 31), ["daily", "weekly", "monthly"]),
        (date(2028, 2, 28), ["daily"]),
        (date(2028, 2, 29), ["daily", "monthly"]),
        (date(2026, 12, 31), ["daily", "monthly"]),
    ],
)
def test_reports_are_due_by_the_calendar(day: date, kinds: list[str]) -> None:
    assert [str(kind) for kind in due_kinds(day)] == kinds
