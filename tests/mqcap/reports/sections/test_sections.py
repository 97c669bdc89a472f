"""The sections of a report, each from a small basis."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from mqcap.domain.feed import FeedState
from mqcap.domain.finding import Severity
from mqcap.losses.text.as_plan import plan_of_loss
from mqcap.losses.text.sentences import NOTE
from mqcap.presentation.dates import short_day
from mqcap.queries.summaries import plan_summaries_on
from mqcap.reports.document import Cell, ReportKind
from mqcap.reports.make import ReportBasis
from mqcap.reports.sections.data import accuracy, completeness
from mqcap.reports.sections.findings import changed, compared_date, findings, losses
from mqcap.reports.sections.plans import assumptions, decisions, options, plan_totals
from mqcap.settings import AlertSettings, ChangeFreeze, Settings
from mqcap.store.console_states import replace_states
from mqcap.store.feeds import replace_feed_days
from mqcap.store.findings import replace_findings
from mqcap.store.forecasts import replace_forecasts
from mqcap.store.observations import replace_observations
from mqcap.store.plans import replace_losses, replace_plans
from mqcap.store.scores import save_scores
from mqcap.store.series import upsert_series
from tests.factories import (
    DAY,
    console_state,
    crossing,
    crossing_score,
    differing_sources,
    feed_day,
    finding,
    forecast,
    observation,
    series_facts,
)
from tests.mqcap.reports.builders import basis, texts
from tests.plan_factories import loss, loss_cell, loss_finding, plan, plan_change, plan_rule


@pytest.fixture
def made(tmp_path: Path) -> Iterator[ReportBasis]:
    """A day with one breach."""
    with basis(tmp_path, [finding()]) as given:
        yield given


@pytest.mark.parametrize(("back", "is_scored"), [(1, True), (91, True), (92, False)])
def test_forecasts_of_the_last_quarter_are_scored(
    made: ReportBasis, back: int, is_scored: bool
) -> None:
    cutoff = DAY - timedelta(days=back)
    upsert_series(made.engine, [series_facts()])
    first = cutoff + timedelta(days=1)
    replace_observations(made.engine, {first}, [observation(day=first)], {})
    replace_forecasts(made.engine, cutoff, [forecast(cutoff_date=cutoff)])
    table = accuracy(made).tables[0]
    expected = [["Log growth", "1", "100 %", "80 %", "6.452 %"]] if is_scored else []
    assert texts(table) == expected


def test_without_a_score_there_is_a_sentence(made: ReportBasis) -> None:
    section = accuracy(made)
    assert section.sentences == ()
    assert section.tables[0].rows == ()
    assert section.tables[0].blank.startswith("Nothing is scored yet")


def test_what_the_console_reported_comes_first(made: ReportBasis) -> None:
    replace_states(made.engine, [DAY], [console_state()])
    section = accuracy(made)
    assert section.sentences[0] == (
        "1 event on the console without an evaluated day 14 days before: not compared."
    )


def test_each_rule_has_its_record(made: ReportBasis) -> None:
    save_scores(made.engine, [], [crossing_score(cutoff_date=DAY - timedelta(days=37))])
    section = accuracy(made)
    assert section.sentences[0].startswith("Live: LOG-FILL-30MIN: no date was due; 1 probability")


def test_without_configuration_each_assumption_says_so(made: ReportBasis) -> None:
    sentences = assumptions(made).sentences
    assert sentences[:3] == (
        "Lead times: default 14 days.", "No change freeze is stated.",
        "No change is planned in the estate.",
    )  # fmt: skip
    assert sentences[3].endswith("the nominal coverage of their prediction interval is 80 %.")


def test_freezes_that_are_over_are_left_out(tmp_path: Path) -> None:
    freezes = (
        ChangeFreeze(first=DAY - timedelta(days=9), last=DAY - timedelta(days=1), name="old"),
        ChangeFreeze(first=DAY - timedelta(days=9), last=DAY, name="quarter end"),
        ChangeFreeze(first=DAY + timedelta(days=9), last=DAY + timedelta(days=10)),
    )
    alerts = AlertSettings(lead_time_days={"B": 7, "A": 30}, change_freezes=freezes)
    settings = Settings(lake=str(tmp_path / "lake"), alerts=alerts)
    with basis(tmp_path, [finding()], settings=settings) as made:
        sentences = assumptions(made).sentences
    assert sentences[:3] == (
        "Lead times: A 30 days, B 7 days.",
        "Freeze quarter end: 2026-02-21 to 2026-03-02.",
        "Freeze of changes: 2026-03-11 to 2026-03-12.",
    )


def test_refused_forecasts_and_removed_days_are_counted(tmp_path: Path) -> None:
    forecasts = [
        forecast(removed_count=2),
        forecast("PLEX1/CSQ2", removed_count=3, points=(), refusal="only 12 days were measured"),
    ]
    with basis(tmp_path, [finding()], forecasts=forecasts) as made:
        last = assumptions(made).sentences[-1]
    assert last == "2 forecasts, 1 refused; 5 days were left out as outliers or artefacts."


@pytest.mark.parametrize(
    ("kind", "earlier", "compared"),
    [
        (ReportKind.daily, (1, 7), 1),
        (ReportKind.daily, (3,), 3),
        (ReportKind.weekly, (1, 7, 9), 7),
        (ReportKind.weekly, (1, 9), 9),
        (ReportKind.weekly, (1, 5), 5),
        (ReportKind.daily, (), None),
        (ReportKind.weekly, (), None),
    ],
)
def test_a_report_compares_with_an_evaluated_day(
    tmp_path: Path, kind: ReportKind, earlier: tuple[int, ...], compared: int | None
) -> None:
    with basis(tmp_path, [finding()], kind=kind) as made:
        for back in earlier:
            day = DAY - timedelta(days=back)
            replace_findings(made.engine, day, [finding(site_date=day)])
        expected = None if compared is None else DAY - timedelta(days=compared)
        assert compared_date(made) == expected


def test_without_an_earlier_day_there_is_a_sentence_and_no_table(tmp_path: Path) -> None:
    with basis(tmp_path, [finding()], kind=ReportKind.daily) as made:
        section = changed(made)
    assert section.heading == "What changed"
    assert section.sentences == (
        "No earlier day was evaluated, so there is nothing to compare with.",
    )
    assert section.tables == ()


def test_what_became_worse_is_in_the_table(tmp_path: Path) -> None:
    day = DAY - timedelta(days=1)
    with basis(tmp_path, [finding()], kind=ReportKind.daily) as made:
        earlier = finding(site_date=day, severity=Severity.ok, breach=False)
        replace_findings(made.engine, day, [earlier])
        section = changed(made)
    assert section.heading == "What changed since Sun 1 Mar 2026"
    [row] = texts(section.tables[0])
    assert (row[0], row[1], row[3]) == ("▲ worse", "PLEX1/CSQ1", "OK → Act")


def test_a_day_without_feeds_was_not_assessed(made: ReportBasis) -> None:
    replace_observations(made.engine, {DAY}, [observation()], {})
    section = completeness(made)
    assert section.sentences == (
        "Completeness was not assessed for this day.", "1 series were measured on this day.",
    )  # fmt: skip
    assert section.tables == ()


def test_only_incomplete_feeds_are_listed(made: ReportBasis) -> None:
    feeds = [feed_day(), feed_day("PLEX1/CSQ2", state=FeedState.complete, gaps=())]
    replace_feed_days(made.engine, DAY, DAY, feeds)
    section = completeness(made)
    assert section.sentences[0] == "2 feeds; 1 feed of records incomplete."
    assert [row[:2] for row in texts(section.tables[0])] == [["PLEX1/CSQ1", "partial"]]


def test_sources_that_differ_are_listed_by_their_subject_and_are_no_feed(made: ReportBasis) -> None:
    feeds = [feed_day(state=FeedState.complete, gaps=()), differing_sources()]
    replace_feed_days(made.engine, DAY, DAY, feeds)
    section = completeness(made)
    assert section.sentences[0] == "1 feed; 1 figure differs between two sources."
    assert [row[:2] for row in texts(section.tables[0])] == [["PLEX1/CSQ1", "differs"]]


def test_a_row_has_the_figure_the_course_the_change_and_the_day(made: ReportBasis) -> None:
    days = [observation(site_date=DAY - timedelta(days=back)) for back in range(14)]
    replace_plans(made.engine, DAY, [plan(rules=(plan_rule("LOG-FILL-30MIN"),))])
    replace_observations(made.engine, [day.site_date for day in days], days, {})
    rows = plan_summaries_on(made.engine, DAY, Settings())
    section = decisions(made._replace(rows=rows))
    [row] = section.tables[0].rows
    assert [cell.text for cell in row] == [
        "▲ Act", "CSQ1 active logs", "4,320 of 2,002 MB/hour", "", "now", "16 x CYL(5825)",
        "16 Mar 2026", "Payments MQ team",
    ]  # fmt: skip
    assert row[3].png.startswith(b"\x89PNG")
    [course] = section.courses
    assert len(course.measured) == 2


def test_every_option_is_a_row_of_the_workbook_with_its_cost_as_numbers(made: ReportBasis) -> None:
    other = plan(changes=(plan_change(typed="COMPLOG(RLE)"),))
    replace_plans(made.engine, DAY, [plan(options=(other.base,))])
    section = options(made._replace(rows=plan_summaries_on(made.engine, DAY, Settings())))
    [table] = section.tables
    headings = [column.heading for column in table.columns]
    assert {"option", "change", "cylinders", "work hours"} <= set(headings)
    assert "engines" not in headings
    assert [row[headings.index("change")] for row in texts(table)] == [
        "16 x CYL(5825)", "COMPLOG(RLE)",
    ]  # fmt: skip
    cell: Cell = table.rows[0][headings.index("cylinders")]
    assert cell.value == 139_792


def test_plans_with_changes_are_added_up_by_month_and_owner(tmp_path: Path) -> None:
    plans = [plan(), plan(resource="PLEX1/CSQ2/active_log", changes=())]
    with basis(tmp_path, plans=plans) as made:
        section = plan_totals(made)
    assert [table.name for table in section.tables] == ["By month", "By owner"]
    assert [row[1].value for row in section.tables[0].rows] == [1.0] * 3


def test_each_survivor_has_a_row_and_what_fails_is_below(tmp_path: Path) -> None:
    carried = loss(lost="PLEX1/CF03", survivors=("PLEX1/CF02",), cells=(), severity=Severity.ok)
    stopped = loss(cells=(loss_cell(minutes_to_failure=0.0),), assumptions=("Both peaks.",))
    with basis(tmp_path) as made:
        replace_losses(made.engine, DAY, [stopped, carried])
        section = losses(made)
    assert section.sentences == (NOTE, "Both peaks.")
    carried_rows, details = section.tables
    assert [[cell.text for cell in row] for row in carried_rows.rows] == [
        ["PLEX1/CF02", "◆ Watch", "CF03", "CF busy 73 % of 60 %; work stops at once"],
        ["PLEX1/CF03", "✓ OK", "CF02", "\N{EN DASH}"],
    ]
    [row] = details.rows
    assert [cell.text for cell in row][:3] == [
        "PLEX1/CF02",
        "CF03 takes its load: CF busy 73 % of 60 %, work stops at once.",
        "at once",
    ]


def test_an_estate_without_facilities_and_groups_has_a_sentence(tmp_path: Path) -> None:
    with basis(tmp_path) as made:
        section = losses(made)
    assert section.tables == ()
    assert section.sentences[0].startswith("No coupling facility")


@pytest.mark.parametrize(
    ("kind", "listed"),
    [(ReportKind.weekly, [Severity.act, Severity.watch]), (ReportKind.monthly, list(Severity))],
)
def test_act_and_watch_are_listed_and_in_the_monthly_plan_other_limits_with_a_forecast(
    tmp_path: Path, kind: ReportKind, listed: list[Severity]
) -> None:
    graded = [
        finding(f"PLEX1/{severity.name.upper()}", severity=severity, breach=False)
        for severity in Severity
    ]
    unforeseen = finding("PLEX1/CSQ9", severity=Severity.ok, breach=False)
    crossings = [crossing(item) for item in graded]
    with basis(tmp_path, [*graded, unforeseen], crossings, kind=kind) as made:
        section = findings(made)
    names = [row[1] for row in texts(section.tables[0])]
    assert names[:2] == ["ACT", "WATCH"]
    assert sorted(names) == sorted(severity.name.upper() for severity in listed)
    assert section.is_detail


def test_a_loss_is_due_on_the_day_of_its_plan_and_not_at_once(tmp_path: Path) -> None:
    due = DAY + timedelta(days=14)
    with basis(tmp_path, [loss_finding("LOSS-CF-BUSY")]) as made:
        section = findings(made._replace(losses=[plan_of_loss(loss(due_date=due))]))
    [row] = texts(section.tables[0])
    assert short_day(due) in " ".join(row)
    assert "at once" not in row
