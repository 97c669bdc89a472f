"""A finding of each severity reads the same in every channel.

Page, mail, ticket, report as HTML and XLSX, table of the command line, REST API and change pack
print the same figures in the same words.
"""

import html
import io
import re
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

import pytest

from mq_capacity_page.web import rendering
from mqcap.change_pack.pack import change_pack
from mqcap.domain.crossing import Crossing
from mqcap.domain.finding import Change, Severity
from mqcap.notifications.email_message import render
from mqcap.notifications.emails import page_message, paging_groups
from mqcap.presentation.fleet import FleetLine
from mqcap.presentation.listing import terminal
from mqcap.presentation.summary_rows import DayResults, plan_row
from mqcap.queries.fleet import fleet_on
from mqcap.reports.document import Report, ReportKind, Section
from mqcap.reports.sections.findings import findings_table
from mqcap.reports.terminal_table import table
from mqcap.settings import AlertSettings, Settings
from mqcap.store.crossings import replace_crossings
from mqcap.store.database import Store
from mqcap.store.findings import replace_findings
from mqcap.store.plans import replace_plans
from tests.factories import DAY, crossing, finding
from tests.mqcap.notifications.builders import (
    MESSAGE_CONTEXT,
    QUICK,
    breached,
    digest,
    log_plan,
    results,
    ticket_from,
)
from tests.plan_factories import plan
from tests.stores import new_store

OVER = finding("PLEX1/CSQ1", observed=2.6137, limit_value=2.25, headroom_ratio=-0.16164)
SOON = finding(
    "PLEX1/CF01",
    rule_id="CF-CPU-60",
    title="CF processor busy",
    summary="PLEX1/CF01: 27.46 %, within the limit of 30 %.",
    severity=Severity.watch,
    breach=False,
    observed=27.4649,
    limit_value=30.0,
    unit="%",
    headroom_ratio=0.0845,
    series_id="cf_busy_pct/PLEX1/CF01",
    changes=(Change(action="Add a processor to the CF."),),
)
UNKNOWN = finding(
    "PLEX1/CSQ3",
    severity=Severity.unknown,
    breach=None,
    observed=None,
    limit_value=None,
    headroom_ratio=None,
    changes=(),
    missing=("log_size_mib: set it in the estate",),
    summary="PLEX1/CSQ3: not checked, because log_size_mib is missing.",
)
SUGGESTED = finding(
    "PLEX1/CSQ4/BP00",
    rule_id="BP-OVERSIZE-50",
    severity=Severity.suggestion,
    breach=False,
    observed=41.25,
    limit_value=50.0,
    unit="%",
    headroom_ratio=None,
    series_id="buffer_pool_used_pct/PLEX1/CSQ4/BP00",
)
FINE = finding(
    "PLEX1/CSQ5",
    severity=Severity.ok,
    breach=False,
    observed=0.1,
    headroom_ratio=0.820144,
    changes=(),
)
FINDINGS = (OVER, SOON, UNKNOWN, SUGGESTED, FINE)
DATED = crossing(
    SOON,
    earliest_date=DAY + timedelta(days=10),
    expected_date=DAY + timedelta(days=20),
    latest_date=DAY + timedelta(days=90),
    probability_90_days=0.514,
)
CROSSINGS: tuple[Crossing, ...] = (breached(OVER, date(2026, 1, 30)), DATED)


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Store]:
    store = new_store(tmp_path / "store.db")
    replace_findings(store, DAY, FINDINGS)
    replace_crossings(store, DAY, CROSSINGS)
    yield store
    store.dispose()


@pytest.fixture
def lines(engine: Store) -> list[FleetLine]:
    return fleet_on(Settings(), engine, DAY)


def plain(markup: str) -> str:
    """Return the text of HTML or XML with single blanks."""
    markup = re.sub(r"<span class=\"nowrap\">(.*?)</span>", r"\1", markup)
    text = html.unescape(re.sub(r"<[^>]*>", " ", markup)).replace("\N{NO-BREAK SPACE}", " ")
    return re.sub(r"\s+", " ", text)


def page(line: FleetLine) -> str:
    template = rendering._environment().get_template("parts.html")
    return plain(str(template.module.rule_rows([line], DAY)))  # type: ignore[attr-defined]


def report(lines: list[FleetLine]) -> Report:
    section = Section(heading="All", tables=(findings_table(lines),))
    return Report(
        kind=ReportKind.daily,
        title="All findings",
        site="Test",
        day=DAY,
        lead=(),
        sections=(section,),
        foot=(),
    )


def mail_of(today: DayResults) -> str:
    message = render(digest(today, None, QUICK), MESSAGE_CONTEXT)
    part = message.get_body(("plain",))
    assert part is not None
    return str(part.get_content())


def command_line(engine: Store) -> str:
    console = terminal()
    console.file, console.width = io.StringIO(), 400
    console.print(table(Settings(), engine, DAY))
    return re.sub(r"\s+", " ", console.file.getvalue())


def test_a_row_reads_the_same_in_mail_ticket_page_of_the_on_call_staff_and_terminal(
    engine: Store,
) -> None:
    replace_plans(engine, DAY, [log_plan()])
    today = results(FINDINGS, CROSSINGS, plans=[log_plan()])
    [group] = paging_groups(digest(today, None, QUICK))
    ticket = ticket_from(group.problems, plan=log_plan())
    channels = {
        "mail": mail_of(today),
        "ticket": f"{ticket.title} {ticket.body}",
        "page": str(page_message(group, AlertSettings()).get_content()),
        "terminal": command_line(engine),
    }
    row = group.row
    for name, text in channels.items():
        for words in (row.title, row.now_of_limit, row.change, row.due, row.owner):
            assert words in text, name


def test_the_change_pack_has_the_change_and_the_day_of_the_row(engine: Store) -> None:
    replace_plans(engine, DAY, [plan()])
    pack = re.sub(r"\s+(//\*)?\s*", " ", change_pack(engine, Settings().complete_estate(), DAY))
    row = plan_row(plan(), FINDINGS)
    assert f"{row.due}, {row.owner}: {row.title}: {row.change}" in pack


def test_all_lists_have_one_order(engine: Store, lines: list[FleetLine]) -> None:
    order = [line.finding.subject for line in lines]
    assert order == ["PLEX1/CSQ1", "PLEX1/CF01", "PLEX1/CSQ3", "PLEX1/CSQ4/BP00", "PLEX1/CSQ5"]
    notice = digest(results(reversed(FINDINGS), CROSSINGS), None, QUICK)
    assert [problem.finding.subject for problem in notice.problems] == order[:2]
    shown = command_line(engine)
    assert shown.index("CSQ1 active logs") < shown.index(SOON.subject)
