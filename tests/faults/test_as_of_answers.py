"""Answers about a past day stay the same when later days have arrived."""

import re
from collections.abc import Iterator
from itertools import product
from typing import Any, Final
from urllib.parse import urlencode

import pytest

from mq_capacity_page.web.context import current_context
from mqcap.domain.finding import Finding, Severity
from mqcap.reports.document import ReportKind
from mqcap.reports.make import make_report
from mqcap.rulebook.explain import explain
from mqcap.settings import load_settings
from mqcap.steps import runner
from mqcap.store.database import open_store
from mqcap.store.findings import read_findings
from tests.faults.site import DAY_BEFORE, LAST_DAY, Contents, Site, differences
from tests.plugins.web import TestClient, a_reader

pytestmark = [pytest.mark.spark, pytest.mark.end_to_end, pytest.mark.airflow]

TOLD: Final = {Severity.act, Severity.watch}
PLAIN: Final = ("", "resources", "whatif", "reports", "management", "data")
FACTS: Final = ("findings", "crossings", "feeds", "reliability")
WITHOUT_HEAD: Final = re.compile(r"<main.*</main>", re.DOTALL)
"""The head of a page offers the later days."""
ADDRESSES: Final = re.compile(r' href="[^"]*"|<input type="hidden"[^>]*>')
"""They name the day unless it is the newest."""


@pytest.fixture
def client() -> Iterator[TestClient]:
    with a_reader() as reader:
        yield reader


def addresses(findings: list[Finding]) -> list[str]:
    day = DAY_BEFORE.isoformat()
    alerting = [finding for finding in findings if finding.severity in TOLD]
    names: list[tuple[str, dict[str, Any]]] = [(name, {}) for name in PLAIN]
    names += [(f"api/{name}", {}) for name in FACTS]
    names += [("report", {"kind": kind, "format": "html"}) for kind in ReportKind]
    series = sorted({item.series_id for item in alerting if item.series_id})
    ways = ("series", "figure", "api/hours", "api/intervals")
    names += [(name, {"series": item}) for name, item in product(ways, series)]
    names += [("subject", {"name": item}) for item in sorted({item.subject for item in alerting})]
    about = ("finding", "explain", "change-pack", "api/finding")
    names += [
        (name, {"rule": item.rule_id, "subject": item.subject})
        for name, item in product(about, alerting)
    ]
    return [f"/{name}?{urlencode(given | {'day': day})}" for name, given in names]


def answers(site: Site, client: TestClient) -> Contents:
    """By question: what page, programs, reports and command line answer about the day before."""
    current_context.cache_clear()
    settings, engine = load_settings(), open_store(site.store_url)
    findings = read_findings(engine, DAY_BEFORE)
    result: Contents = {}
    for address in addresses(findings):
        answer = client.get(address)
        body = WITHOUT_HEAD.search(answer.text)
        shown = ADDRESSES.sub("", body.group()) if body else answer.text
        result[address] = (answer.status_code, shown)
    for kind in ReportKind:
        result[f"report {kind}"] = make_report(settings, engine, kind, DAY_BEFORE)
    for finding in findings:
        name = f"explain {finding.rule_id} {finding.subject}"
        result[name] = explain(engine, settings, finding.rule_id, finding.subject, DAY_BEFORE)
    current_context().engine.dispose()
    engine.dispose()
    return result


def test_days_to_come_change_no_answer_about_a_past_day(site: Site, client: TestClient) -> None:
    site.back_to("nothing")
    runner.score(load_settings(), DAY_BEFORE)
    then = answers(site, client)
    site.back_to("alert")
    runner.score(load_settings(), DAY_BEFORE)
    runner.score(load_settings(), LAST_DAY)
    now = answers(site, client)
    assert differences(now, then) == []
    assert len(then) > 60
    assert all(given[0] in {200, 404} for name, given in then.items() if name.startswith("/"))
