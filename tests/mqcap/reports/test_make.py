"""Reports of a day: first sentences, sections, foot; metrics of the platform."""

import json
import re
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
from mqcap.reports.platform_metrics import PLATFORM_METRICS, exposition
from mqcap.settings import Settings
from mqcap.store.crossings import replace_crossings
from mqcap.store.feeds import upsert_source_files
from mqcap.store.findings import replace_findings
from mqcap.store.forecasts import replace_forecasts
from mqcap.store.outbox import save_delivery
from mqcap.store.step_runs import save_step_run
from tests.factories import DAY, NOON, crossing, delivery, finding, source_file, step_run
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


DOCS = Path("docs")
BOARD = json.loads((DOCS / "monitoring" / "grafana.json").read_text(encoding="utf-8"))

EXPECTED = (
    'mqcap_info{version="1\\"\\\\"} 1',
    'mqcap_step_runs{step="land"} 1',
    f'mqcap_step_last_end_timestamp_seconds{{step="land"}} {int(NOON.timestamp())}',
    'mqcap_step_last_seconds{step="alert"} 90.5',
    'mqcap_step_last_count{step="land",what="landed"} 2',
    "mqcap_files 2",
    "mqcap_files_with_problem 1",
    "mqcap_file_records 5",
    'mqcap_file_bytes{what="delivered"} 150',
    'mqcap_file_bytes{what="quarantined"} 2',
    'mqcap_deliveries{channel="mail",stage="pending"} 2',
    'mqcap_deliveries{channel="mail",stage="sent"} 1',
    'mqcap_deliveries_failing{channel="mail"} 1',
    "# TYPE mqcap_files gauge",
    "# HELP mqcap_files Files delivered.",
)


@pytest.fixture
def lines(engine: Engine) -> list[str]:
    """The text of a store with two files, a run of two steps, and three deliveries."""
    counts = {"landed": 2, "waiting": ["a"], "rest": True}
    save_step_run(engine, step_run(step="land", counts=counts, versions={"mqcap": "0.0.9"}))
    ended = NOON + timedelta(seconds=90.5)
    save_step_run(engine, step_run(step="alert", ended_at_utc=ended, versions={"mqcap": '1"\\'}))
    decoded = {"record_count": 5, "decoded_bytes": 90, "skipped_bytes": 8, "quarantined_bytes": 2}
    broken = source_file(sha256="b" * 64, bytes_count=100, problem="cut", **decoded)
    upsert_source_files(engine, [source_file(bytes_count=50), broken])
    refused = {"stage": "pending", "error": "refused"}
    for number, changed in enumerate(({"stage": "sent"}, refused, {"stage": "pending"})):
        save_delivery(engine, delivery(delivery_id=f"{number}" * 64, **changed))
    return exposition(engine).splitlines()


def test_what_the_store_knows_is_in_the_text(lines: list[str]) -> None:
    assert [line for line in EXPECTED if line not in lines] == []


def test_counts_that_are_no_numbers_and_metrics_without_values_are_absent(lines: list[str]) -> None:
    counted = [line for line in lines if line.startswith("mqcap_step_last_count")]
    assert counted == [
        'mqcap_step_last_count{step="land",what="landed"} 2',
        'mqcap_step_last_count{step="alert",what="problems"} 1',
    ]
    assert not any("mqcap_forecasts" in line or "mqcap_tickets" in line for line in lines)


def test_a_step_of_another_day_and_the_first_of_a_run_have_no_time(engine: Engine) -> None:
    save_step_run(engine, step_run(step="verify", site_date=DAY - timedelta(days=1)))
    save_step_run(engine, step_run(step="land", ended_at_utc=NOON + timedelta(hours=1)))
    save_step_run(engine, step_run(step="size", ended_at_utc=NOON + timedelta(hours=2)))
    timed = [line for line in exposition(engine).splitlines() if "_last_seconds{" in line]
    assert timed == ['mqcap_step_last_seconds{step="size"} 3600']


def test_an_empty_store_has_no_step_and_no_file(engine: Engine) -> None:
    values = [line for line in exposition(engine).splitlines() if line[0] != "#"]
    assert "mqcap_files 0" in values
    assert [line for line in values if not line.startswith("mqcap_file")] == []


def test_each_metric_that_the_board_asks_for_exists_with_its_labels() -> None:
    targets = [target for panel in BOARD["panels"] for target in panel["targets"]]
    asked = {name for target in targets for name in re.findall(r"mqcap_\w+", target["expr"])}
    assert asked == set(PLATFORM_METRICS)
    for target in targets:
        names = re.findall(r"mqcap_\w+", target["expr"])
        labels = {label for name in names for label in PLATFORM_METRICS[name][1]}
        grouped = ",".join(re.findall(r"by \(([^)]*)\)", target["expr"]))
        used = re.findall(r"(\w+)=~?\"", target["expr"])
        used += re.findall(r"\{\{(\w+)\}\}", target["legendFormat"])
        used += re.findall(r"\w+", grouped)
        assert set(used) <= labels, target["expr"]


def test_panels_do_not_overlap() -> None:
    cells = [
        (x, y)
        for place in (panel["gridPos"] for panel in BOARD["panels"])
        for x in range(place["x"], place["x"] + place["w"])
        for y in range(place["y"], place["y"] + place["h"])
    ]
    assert len(cells) == len(set(cells))
    assert max(x for x, _ in cells) < 24


def test_the_page_lists_every_metric_as_it_is_printed() -> None:
    page = (DOCS / "running.md").read_text(encoding="utf-8")
    rows = [line for line in page.splitlines() if line.startswith("| `mqcap_")]
    assert rows == [
        f"| `{name}` | {', '.join(f'`{label}`' for label in labels)} | {what} |"
        for name, (what, labels) in PLATFORM_METRICS.items()
    ]
    assert set(re.findall(r"mqcap_\w+(?=[{)])", page)) <= set(PLATFORM_METRICS)
