"""Tables of reports and of the terminal: values of cells, order of rows."""

import io
from collections.abc import Iterable
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from sqlalchemy import Engine

from mqcap.cli.common import print_lines
from mqcap.domain.errors import InputError
from mqcap.domain.estate import Estate
from mqcap.domain.feed import FeedDay, FeedKind, FeedState
from mqcap.domain.finding import Finding, Severity
from mqcap.domain.numbers import ABSENT
from mqcap.domain.plan import PlanCost, PlanTier, total_cost
from mqcap.presentation.fleet import FleetLine
from mqcap.presentation.listing import Listing, terminal
from mqcap.queries.fleet import fleet_lines
from mqcap.reports.document import Table
from mqcap.reports.sections.findings import findings_table
from mqcap.reports.sections.plans import totals_by_month, totals_by_owner
from mqcap.reports.terminal_table import ROWS_MAX, data_lines, shown_lines, table
from mqcap.reports.terminal_table import findings_table as terminal_listing
from mqcap.settings import AlertSettings, Settings
from mqcap.store.crossings import replace_crossings
from mqcap.store.feeds import replace_feed_days
from mqcap.store.findings import replace_findings
from mqcap.store.plans import replace_losses, replace_plans
from tests.factories import DAY, crossing, differing_sources, feed_day, finding, forecast, ticket
from tests.mqcap.notifications.builders import breached
from tests.mqcap.reports.builders import texts
from tests.plan_factories import loss, loss_cell, loss_finding, plan, plan_rule
from tests.stores import new_store


def line(*, with_ticket: bool = False, **changed: Any) -> FleetLine:
    judged = finding(**({"breach": False} | changed))
    tickets = [ticket(external_ref="MQCAP-7")] if with_ticket else []
    dated = [crossing(judged, probability_90_days=0.37)]
    return fleet_lines([judged], dated, tickets, Estate(), AlertSettings())[0]


def test_a_finding_has_its_figures_its_change_and_its_ticket() -> None:
    [row] = texts(findings_table([line(with_ticket=True)]))
    assert row[0] == "▲ Act"
    assert row[3:6] == ["4,320 MB/hour", "2,001.6 MB/hour", "under -100 %"]
    assert row[-2:] == [line().advice, "MQCAP-7"]


def test_a_finding_has_the_change_of_the_plan_that_judges_it() -> None:
    judged = plan_rule("LOG-FILL-30MIN", "PLEX1/CSQ1")
    plans = [
        plan(label="CSQ2 active logs", rules=(plan_rule("LOG-FILL-30MIN", "PLEX1/CSQ2"),)),
        plan(rules=(judged,)),
    ]
    cell = findings_table([line()], plans=plans).rows[0][-2]
    assert (cell.text, cell.note) == ("16 x CYL(5825)", "CSQ1 active logs")
    kept = plan(rules=(judged,), changes=())
    without = findings_table([line()], plans=[kept]).rows[0][-2]
    assert without.text == "nothing to do"


def test_a_limit_has_its_dates_and_its_probability_and_none_without_a_crossing() -> None:
    without = line().model_copy(update={"crossing": None})
    row, other = texts(findings_table([line(), without]))
    assert row[8:12] == ["2 Apr 2026", "29 Apr 2026", "29 Jun 2026", "37 %"]
    assert other[8:12] == [ABSENT] * 4


def test_a_limit_without_a_forecast_says_so_in_place_of_its_growth() -> None:
    made = forecast(points=(), refusal="only 12 days were measured")
    for forecasts in ({}, {(made.series_id, made.statistic): made}):
        cell = findings_table([line()], forecasts).rows[0][6]
        assert (cell.text, cell.note) == (ABSENT, "no forecast")


def test_a_passed_due_date_is_at_once() -> None:
    late = line().model_copy(update={"due_date": DAY})
    soon = line().model_copy(update={"due_date": DAY + timedelta(days=1)})
    assert [row[12].text for row in findings_table([late, soon]).rows] == ["at once", "3 Mar 2026"]


def test_a_finding_is_due_on_the_day_of_the_plan_of_their_resource() -> None:
    due = DAY + timedelta(days=20)
    made = plan(due_date=due, rules=())
    other = plan(resource="PLEX1/CSQ2/active_log", due_date=due + timedelta(days=1), rules=())
    assert line().due_date != due
    assert findings_table([line()], plans=[other, made]).rows[0][12].text == "22 Mar 2026"


def test_a_limit_of_a_resource_without_a_plan_keeps_its_own_day() -> None:
    later = line().model_copy(update={"due_date": DAY + timedelta(days=1)})
    other = plan(resource="PLEX1/CSQ2/active_log", rules=())
    assert findings_table([later], plans=[other]).rows[0][12].text == "3 Mar 2026"


def lines_of(engine: Engine, feeds: Iterable[FeedDay]) -> list[str]:
    """The lines after the feeds of the day are stored."""
    replace_feed_days(engine, DAY, DAY, list(feeds))
    return data_lines(engine, DAY)


@pytest.mark.parametrize(
    ("received_seconds", "arrived"),
    [(0.0, "0 %"), (1.0, "0.01 %"), (75_600.0, "87.5 %"), (86_399.0, "99.99 %")],
)
def test_a_feed_has_its_share_and_its_remedy_and_no_all_clear(
    engine: Engine, received_seconds: float, arrived: str
) -> None:
    title = "Queue manager statistics (SMF 115)"
    assert lines_of(engine, [feed_day(received_seconds=received_seconds)]) == [
        "Missing records, 2 Mar 2026:",
        f"PLEX1/CSQ1, {title}: {arrived} arrived. Ask for the dump again.",
        "Checks that need these records are not in order until they arrive.",
    ]


def test_feeds_that_are_alike_share_a_line_with_the_range_of_what_arrived(engine: Engine) -> None:
    feeds = [
        feed_day(f"PLEX1/CSQ{number}", received_seconds=21_600.0 * number) for number in (1, 2, 3)
    ]
    [_, line, _] = lines_of(engine, feeds)
    assert line.startswith("PLEX1/CSQ1, PLEX1/CSQ2 and 1 more, ")
    assert ": 25 % to 75 % arrived. " in line


def test_a_member_is_named_behind_its_facility(engine: Engine) -> None:
    about = feed_day("PLEX1/CF01", kind=FeedKind.member, member="SYS2")
    assert lines_of(engine, [about])[1].startswith("PLEX1/CF01 from SYS2, ")


@pytest.mark.parametrize("feeds", [[], [feed_day(state=FeedState.complete, gaps=())]])
def test_without_an_incomplete_feed_there_are_no_lines(
    engine: Engine, feeds: list[FeedDay]
) -> None:
    assert lines_of(engine, feeds) == []


def test_sources_that_differ_have_arrived(engine: Engine) -> None:
    heading, line = lines_of(engine, [differing_sources()])
    assert heading == "Sources that differ, 2 Mar 2026:"
    assert "PLEX1/CSQ1, Two sources of one figure: they differ." in line


PARTS = {
    "cylinders": "Cylinders",
    "real_storage_mib": "Real storage, MiB",
    "above_bar_mib": "Virtual, MiB",
    "cf_storage_mib": "CF storage, MiB",
    "engines": "CF engines",
    "chinit_restarts": "Chinit restarts",
    "queue_manager_restarts": "Restarts",
    "ipls": "IPLs",
    "file_system_mib": "Disk, MiB",
    "work_hours": "Hours",
}
COSTS = st.builds(PlanCost, **{name: st.integers(0, 500_000) for name in PARTS})


def values(table: Table, heading: str) -> list[float]:
    """Return the figures below a heading, the rows of totals included."""
    result = [index for index, column in enumerate(table.columns) if column.heading == heading]
    figures = [row[index].value for row in table.rows for index in result]
    return [figure for figure in figures if isinstance(figure, float)]


def test_a_part_of_the_cost_that_no_plan_has_gets_no_column() -> None:
    headings = [column.heading for column in totals_by_owner([plan()]).columns]
    assert headings == ["Owner", "Plans", "Cylinders", "Hours"]


def test_dasd_until_old_logs_are_deleted_has_a_column_where_logs_are_replaced() -> None:
    replacing = plan(cost=PlanCost(cylinders=100, replaced_cylinders=20))
    adding = plan(cost=PlanCost(cylinders=30))
    assert values(totals_by_owner([replacing, adding]), "Peak cylinders") == [150.0]
    assert values(totals_by_owner([adding]), "Peak cylinders") == []


@pytest.mark.thorough
@given(
    st.lists(
        st.tuples(
            COSTS, st.none() | COSTS, st.integers(0, 400), st.sampled_from(["", "A", "B"]),
            st.booleans(),
        ),
        min_size=1,
    )
)  # fmt: skip
def test_the_totals_are_the_sums_of_the_plans_of_production_with_their_tiers_and_of_all(
    made: list[tuple[PlanCost, PlanCost | None, int, str, bool]],
) -> None:
    plans = [
        plan(
            cost=cost, due_date=DAY + timedelta(days=ahead), owner=owner, is_production=own,
            tiers=() if more is None else (PlanTier(cost=more, buys=()),),
        )
        for cost, more, ahead, owner, own in made
    ]  # fmt: skip
    every = total_cost(item.base.cost for item in plans)
    own = [item for item in plans if item.about.is_production]
    production = total_cost(item.base.cost for item in own)
    most = total_cost(item.with_recommended.cost for item in own)
    for name, heading in PARTS.items():
        tiers = (each.cost for item in plans for each in (item.base, item.with_recommended))
        if not any(getattr(cost, name) for cost in tiers):
            continue
        assert sum(values(totals_by_owner(plans), heading)) == getattr(every, name)
        months = {item.due_date.replace(day=1) for item in plans}
        found = values(totals_by_month(plans), heading)
        groups, sums = found[: len(months)], found[len(months) :]
        assert sum(groups) == getattr(every, name)
        assert sums[:2] == [getattr(production, name), getattr(most, name)]
        assert sums[2:] == ([getattr(every, name)] if len(own) < len(plans) else [])


def test_months_follow_each_other_across_years() -> None:
    late, early = plan(due_date=date(2027, 1, 5)), plan(due_date=date(2026, 12, 5))
    table = totals_by_month([late, early])
    assert [row[0].text for row in table.rows[:2]] == ["December 2026", "January 2027"]


def made(engine: Engine, findings: Iterable[Finding]) -> Listing:
    replace_findings(engine, DAY, list(findings))
    return table(Settings(), engine, DAY)


def test_a_resource_is_one_line_with_its_plan(engine: Engine) -> None:
    replace_plans(engine, DAY, [plan(rules=(plan_rule("LOG-FILL-30MIN"),))])
    others = [finding("PLEX1/CSQ2"), finding("PLEX1/CSQ2", rule_id="LOG-RUNWAY-12H")]
    shown = made(engine, [finding(), *others])
    assert shown.rows == (
        (
            "Act",
            "CSQ1 active logs",
            "4,320 of 2,002 MB/hour",
            "16 x CYL(5825)",
            "16 Mar 2026",
            "Payments MQ team",
        ),
        ("Act", "CSQ2 active logs", "4,320 of 2,002 MB/hour", "CYL(3073)", "now", ""),
    )
    assert shown.title.startswith("My site, 2 Mar 2026: 2 over ")


def test_checks_are_counted_below_the_table(engine: Engine) -> None:
    fine = [finding(f"PLEX1/CSQ{n}", severity=Severity.ok, breach=False) for n in range(3)]
    waiting = finding("PLEX1/CSQ9", severity=Severity.unknown, breach=None)
    assert made(engine, [*fine, waiting]).caption == (
        "3 checks in order, 1 not made (mqcap findings --severity unknown)."
    )


def test_of_a_large_estate_the_first_resources_are_listed(engine: Engine) -> None:
    shown = made(engine, [finding(f"PLEX1/Q{n:03}") for n in range(ROWS_MAX + 5)])
    assert len(shown.rows) == ROWS_MAX
    assert "and 5 more: mqcap plan" in shown.caption


@pytest.mark.parametrize(("sysplex", "explained"), [("UNKNOWN", True), ("PLEX1", False)])
def test_records_of_an_unknown_sysplex_are_explained(
    engine: Engine, sysplex: str, explained: bool
) -> None:
    caption = made(engine, [finding(f"{sysplex}/CSQ1")]).caption
    assert ("list the SMF ids of its systems under estate, smfids" in caption) is explained


@pytest.mark.parametrize(
    ("width", "end"),
    [(118, "A team with a v\N{HORIZONTAL ELLIPSIS}"), (40, "A team with a very long name")],
)
def test_names_are_cut_where_rows_then_fit_and_no_figure_or_operand_is(
    engine: Engine, width: int, end: str
) -> None:
    long = {"owner": "A team with a very long name", "label": "CSQ1 logs with a long, long name"}
    replace_plans(engine, DAY, [plan(due_rule="", **long)])
    console = Console(file=io.StringIO(), width=width)
    console.print(made(engine, []), crop=False)
    assert isinstance(console.file, io.StringIO)
    [line] = [line for line in console.file.getvalue().splitlines() if "CSQ1" in line]
    assert {"16 x CYL(5825)", "16 Mar 2026"} == {
        each for each in ("16 x CYL(5825)", "16 Mar 2026") if each in line
    }
    assert line.endswith(end)


def test_findings_are_listed_with_their_colours(engine: Engine) -> None:
    replace_findings(engine, DAY, [finding()])
    listing = terminal_listing(shown_lines(Settings(), engine, DAY), "All")
    [row] = listing.rows
    assert row[:3] == ("act", "PLEX1/CSQ1", "LOG-FILL-30MIN")
    assert listing.styles[row[0]] == "red"


def test_a_loss_is_one_line_of_findings_and_one_row(engine: Engine) -> None:
    cells = (loss_cell(), loss_cell(fails_before=True))
    replace_losses(engine, DAY, [loss(due_date=DAY, cells=cells)])
    shown = made(engine, [loss_finding(name) for name in ("LOSS-CF-BUSY", "LOSS-CF-STORAGE")])
    assert [row[1] for row in shown.rows] == ["Loss of CF02"]
    [line] = shown_lines(Settings(), engine, DAY)
    assert line.rule_words == "LOSS-CF-BUSY; 2 limits passed, 1 of them over already"


HOSTILE = "PLEX1/[/red]\x1b[2J:bomb:<script>"
SHOWN = "PLEX1/[/red]?[2J:bomb:<script>"


def test_a_table_shows_hostile_names_as_they_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    engine = new_store(tmp_path / "store.db")
    shown = finding(HOSTILE, title=HOSTILE, summary=HOSTILE, advice=HOSTILE, changes=())
    replace_findings(engine, DAY, [shown])
    replace_crossings(engine, DAY, [breached(shown)])
    replace_feed_days(engine, DAY, DAY, [feed_day(HOSTILE, summary=HOSTILE, remedy=HOSTILE)])
    console = terminal()
    console.file, console.width = io.StringIO(), 400
    console.print(table(Settings(), engine, DAY))
    print_lines("\n".join(data_lines(engine, DAY)))
    engine.dispose()
    text = console.file.getvalue()
    printed = capsys.readouterr().out
    assert SHOWN in printed
    assert "\x1b" not in printed
    assert "\x1b" not in text


def test_an_error_repeats_no_command_of_a_terminal() -> None:
    error = InputError("odd", file=f"{HOSTILE}.smf", found=HOSTILE)
    file = HOSTILE.replace("\x1b", "\\x1b")
    assert str(error) == f"{file}.smf: odd; found {SHOWN}."
