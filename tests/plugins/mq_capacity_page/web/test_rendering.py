"""Templates rendered from views, without a server."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from mq_capacity_page.pages.api_docs.view import ApiDocsView
from mq_capacity_page.pages.completeness.view import completeness_view
from mq_capacity_page.pages.data.view import files_view
from mq_capacity_page.pages.discovery import navigation
from mq_capacity_page.pages.finding.view import finding_view
from mq_capacity_page.pages.losses.view import losses_view
from mq_capacity_page.pages.mail.view import mail_view
from mq_capacity_page.pages.overview.view import FIRST_ROWS, overview_view
from mq_capacity_page.pages.plan.view import plan_view
from mq_capacity_page.pages.reports.view import ReportsView
from mq_capacity_page.pages.runs.view import RunsView
from mq_capacity_page.pages.scenarios.view import scenarios_view
from mq_capacity_page.pages.scorecard.view import scorecard_view
from mq_capacity_page.pages.series.list_view import series_list_view
from mq_capacity_page.pages.series.view import series_view
from mq_capacity_page.pages.subject.view import subject_view
from mq_capacity_page.pages.tickets.view import tickets_view
from mq_capacity_page.web.assets import TEMPLATES
from mq_capacity_page.web.context import PageContext
from mq_capacity_page.web.page_frame import ViewModel, page_frame
from mq_capacity_page.web.rendering import link, render, render_error, render_no_data
from mqcap.presentation.fleet import Filters
from mqcap.settings import load_settings
from mqcap.store.findings import replace_findings
from tests.plugins import builder

DAY = builder.DAY
VIEWS: dict[str, Callable[[PageContext], ViewModel | None]] = {
    "api_docs": lambda _context: ApiDocsView(paths=[]),
    "completeness": lambda context: completeness_view(context, DAY),
    "data": lambda context: files_view(context, False, 0),
    "finding": lambda context: finding_view(
        context, ("LOG-FILL-30MIN", "PLEX1/CSQ1"), DAY, can_edit=True
    ),
    "losses": lambda context: losses_view(context, DAY),
    "mail": lambda context: mail_view(context, DAY),
    "overview": lambda context: overview_view(context, DAY, Filters(), FIRST_ROWS),
    "plan": lambda context: plan_view(context, "PLEX1/CSQ1/active_log", DAY),
    "reports": lambda _context: ReportsView(),
    "runs": lambda _context: RunsView(runs=[], steps=[]),
    "scenarios": lambda context: scenarios_view(context, DAY, []),
    "scorecard": lambda context: scorecard_view(context, DAY, 90),
    "series": lambda context: series_view(context, builder.LOG, DAY),
    "series_list": lambda context: series_list_view(context, DAY, ""),
    "subject": lambda context: subject_view(context, "PLEX1", DAY),
    "tickets": lambda context: tickets_view(context, None),
}
"""By template: a view of the filled store."""


@pytest.mark.parametrize("name", VIEWS)
def test_a_page_is_rendered_from_its_view_with_one_heading(context: PageContext, name: str) -> None:
    view = VIEWS[name](context)
    assert view is not None
    response = render(f"{name}.html", page_frame(context, None, "overview"), view)
    text = bytes(response.body).decode()
    assert len(re.findall(r"<h1[ >]", text)) == 1
    assert re.findall(r'<nav aria-label="Pages">', text)
    assert response.headers["cache-control"] == "private, no-cache"


def test_every_other_template_belongs_to_pages_that_tests_of_their_own_render() -> None:
    templates = {path.stem for path in TEMPLATES.glob("*.html")}
    shared = {"base", "parts", "plan_parts", "empty", "error"}
    with_inputs_of_the_rulebook = {"explain", "trace", "whatif"}
    assert templates - set(VIEWS) == shared | with_inputs_of_the_rulebook


def test_the_bar_marks_the_current_page_and_keeps_an_earlier_day(context: PageContext) -> None:
    frame = page_frame(context, date(2026, 1, 30), "series")
    text = bytes(render_no_data(frame).body).decode()
    assert re.findall(r'aria-current="page">([^<]*)<', text) == ["Series"]
    for entry in navigation():
        dated = "?day=2026-01-30" if entry.keeps_day else ""
        assert f'href="{entry.path}{dated}"' in text


def test_a_store_without_days_says_what_to_do(empty_context: PageContext) -> None:
    text = bytes(render_no_data(page_frame(empty_context, None, "overview")).body).decode()
    assert "No day has been evaluated yet" in text
    assert "daily DAG" in text


SITES_ONLY = """
site: {name: Linux site, timezone: Europe/Berlin}
store: {url: "sqlite:///%s"}
estate:
  - site: EAST
    hosts: [{name: host1}]
    qmgrs: [{name: QM1}, {name: PAY/QM, class: test}]
"""
MAINFRAME = re.compile(
    r"coupling|sysplex|\bCFs?\b|SMF|QSG|sharing group|CSQ|CF01|dumps?\b", re.IGNORECASE
)


@pytest.fixture
def sites_only(empty_context: PageContext) -> PageContext:
    """Return a site with queue managers on Linux only, with one evaluated day."""
    said = {"summary": "93 % of the primary log files.", "changes": (), "caveats": ()}
    made = [
        builder.finding(rule_id=rule, subject=subject, series_id=None, inputs=(), **said)
        for rule, subject in (
            ("DST-LOG-PRIMARY", "EAST/QM1"),
            ("DST-QM-FS", "EAST/QM1"),
            ("DST-CHANNELS", "EAST/QM1"),
            ("DST-DEPTH", "EAST/QM1/APP.IN"),
            ("LNX-CPU", "EAST/host1"),
            ("DST-LOG-END", "EAST/PAY%2FQM"),
        )
    ]
    replace_findings(empty_context.engine, DAY, made)
    folder = Path(os.environ["MQCAP_SETTINGS_FILE"]).parent
    text = SITES_ONLY % (folder / builder.STORE_FILE)
    (folder / "platform.yaml").write_text(text, encoding="utf-8")
    return empty_context._replace(settings=load_settings())


@pytest.mark.parametrize(
    "name", ["overview", "subject", "series_list", "completeness", "data", "tickets", "scorecard"]
)
def test_who_has_queue_managers_on_linux_only_reads_nothing_of_sysplexes(
    sites_only: PageContext, name: str
) -> None:
    view = subject_view(sites_only, "EAST", DAY) if name == "subject" else VIEWS[name](sites_only)
    response = render(f"{name}.html", page_frame(sites_only, None, "overview"), view)
    text = re.sub(r"<svg.*?</svg>|<[^>]*>", " ", bytes(response.body).decode(), flags=re.DOTALL)
    assert MAINFRAME.findall(text) == []
    assert "losses" not in bytes(response.body).decode()


def test_losses_of_sites_alone_name_no_coupling_facility(sites_only: PageContext) -> None:
    frame = page_frame(sites_only, None, "losses")
    body = bytes(render("losses.html", frame, losses_view(sites_only, DAY)).body).decode()
    text = re.sub(r"<[^>]*>", " ", body)
    assert MAINFRAME.findall(text) == []
    assert "Queue managers of a site share no queues" in text


def test_kinds_of_distributed_queue_managers_have_columns_of_their_own(
    sites_only: PageContext,
) -> None:
    view = VIEWS["overview"](sites_only)
    frame = page_frame(sites_only, None, "overview")
    text = bytes(render("overview.html", frame, view).body).decode()
    headings = re.findall(r'<th scope="col"[^>]*>([^<]*)</th>', text.split("</thead>")[0])
    assert headings == [
        "Queue manager or host", "Log files", "File system", "MaxChannels", "Queue", "Host",
        "Findings",
    ]  # fmt: skip
    assert "EAST/PAY" not in text
    assert "Time zone of each site: EAST in UTC." in " ".join(text.split())


def test_an_error_page_escapes_what_it_shows() -> None:
    response = render_error(404, "Not found", "<script>alert(1)</script>", "")
    text = bytes(response.body).decode()
    assert response.status_code == 404
    assert "<script>alert" not in text
    assert "&lt;script&gt;" in text


@pytest.mark.parametrize(
    ("parameters", "address"),
    [
        ({}, "series"),
        ({"day": None, "find": ""}, "series"),
        ({"day": date(2026, 1, 31)}, "series?day=2026-01-31"),
        ({"series": "a b/c&d", "start": 0}, "series?series=a+b%2Fc%26d&start=0"),
    ],
    ids=["none", "blank", "day", "quoted"],
)
def test_a_link_leaves_out_parameters_without_a_value(
    parameters: dict[str, object], address: str
) -> None:
    assert link("series", **parameters) == address
