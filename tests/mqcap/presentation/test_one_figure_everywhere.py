"""Mail, ticket, page of the on-call staff, terminal and change pack have the same figures."""

import io
import re
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

import pytest

from mqcap.change_pack.pack import change_pack
from mqcap.domain.crossing import Crossing
from mqcap.domain.finding import Change, Severity
from mqcap.notifications.email_message import render
from mqcap.notifications.emails import page_message, paging_groups
from mqcap.presentation.listing import terminal
from mqcap.presentation.summary_rows import DayResults, plan_row
from mqcap.queries.fleet import fleet_on
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
    "PLEX1/CF01", rule_id="CF-CPU-60", title="CF processor busy", severity=Severity.watch,
    summary="PLEX1/CF01: 27.46 %, within the limit of 30 %.",
    breach=False, observed=27.4649, limit_value=30.0, unit="%", headroom_ratio=0.0845,
    series_id="cf_busy_pct/PLEX1/CF01", changes=(Change(action="Add a processor to the CF."),),
)  # fmt: skip
UNKNOWN = finding(
    "PLEX1/CSQ3", severity=Severity.unknown,
    summary="PLEX1/CSQ3: not checked, because log_size_mib is missing.",
    breach=None, observed=None, limit_value=None, headroom_ratio=None,
    changes=(), missing=("log_size_mib: set it in the estate",),
)  # fmt: skip
SUGGESTED = finding(
    "PLEX1/CSQ4/BP00", rule_id="BP-OVERSIZE-50", severity=Severity.suggestion,
    breach=False, observed=41.25, limit_value=50.0, unit="%", headroom_ratio=None,
    series_id="buffer_pool_used_pct/PLEX1/CSQ4/BP00",
)  # fmt: skip
FINE = finding(
    "PLEX1/CSQ5", severity=Severity.ok,
    breach=False, observed=0.1, headroom_ratio=0.820144, changes=(),
)  # fmt: skip
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


def test_all_lists_have_one_order(engine: Store) -> None:
    order = [line.finding.subject for line in fleet_on(Settings(), engine, DAY)]
    assert order == ["PLEX1/CSQ1", "PLEX1/CF01", "PLEX1/CSQ3", "PLEX1/CSQ4/BP00", "PLEX1/CSQ5"]
    notice = digest(results(reversed(FINDINGS), CROSSINGS), None, QUICK)
    assert [problem.finding.subject for problem in notice.problems] == order[:2]
    shown = command_line(engine)
    assert shown.index("CSQ1 active logs") < shown.index(SOON.subject)
