"""Nobody without a login sees anything, and nothing hostile reaches the reader's browser."""

import html
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs

import pytest
from airflow.api_fastapi.app import init_plugins
from fastapi import FastAPI

from mq_capacity_page.plugin import MqCapacityPlugin
from mq_capacity_page.web.assets import inline_source
from mq_capacity_page.web.security import CONTENT_SECURITY_POLICY
from mqcap.store.feeds import upsert_source_files
from mqcap.store.findings import replace_findings
from mqcap.store.outbox import save_delivery
from mqcap.store.series import upsert_series
from mqcap.store.tickets import save_ticket
from tests.plugins import builder
from tests.plugins.served.test_every_route import QUERY, SERVED
from tests.plugins.served.test_pages import PAGES, without_runs
from tests.plugins.web import TestClient

__all__ = ["without_runs"]

HOSTILE = "<script>alert('x')</script>&\"'"


@pytest.fixture
def served(
    site_folder: Path, filled_file: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[TestClient]:
    """The page with its real login, mounted by Airflow's own function."""
    shutil.copy(filled_file, site_folder / builder.STORE_FILE)
    apps = MqCapacityPlugin.fastapi_apps
    monkeypatch.setattr("airflow.plugins_manager.get_fastapi_plugins", lambda: (apps, []))
    server = FastAPI()
    init_plugins(server)
    with TestClient(server) as anonymous:
        yield anonymous


@pytest.mark.parametrize(("method", "address"), SERVED)
def test_a_reader_without_a_login_is_refused_by_every_route(
    served: TestClient, method: str, address: str
) -> None:
    own = {"Sec-Fetch-Site": "same-origin"}
    response = served.request(method, f"/capacity{address}", params=QUERY, headers=own)
    assert response.status_code == 401
    own_words = re.sub(r'href="/api/v2/auth/login[^"]*"', "", response.text)
    assert "PLEX1" not in own_words


def test_the_refusal_links_to_the_login_form_which_leads_back(served: TestClient) -> None:
    text = served.get("/capacity/data?about=2026-01-31").text
    assert "You are not signed in" in text
    [address] = re.findall(r'<a href="([^"]*)" target="_top">Sign in to Airflow</a>', text)
    path, _, query = html.unescape(address).partition("?")
    assert path == "/api/v2/auth/login"
    assert parse_qs(query) == {"next": ["/capacity/data?about=2026-01-31"]}


@pytest.mark.parametrize("address", ["/docs", "/redoc", "/openapi.json"])
def test_the_page_does_not_describe_itself_in_public(served: TestClient, address: str) -> None:
    assert served.get(f"/capacity{address}").status_code == 404


@pytest.mark.parametrize("address", [*PAGES, "/series?series=none"])
def test_a_page_has_its_policy_and_keeps_to_it(filled: TestClient, address: str) -> None:
    answer = filled.get(address)
    assert answer.headers["content-security-policy"] == CONTENT_SECURITY_POLICY
    assert answer.headers["x-content-type-options"] == "nosniff"
    text = answer.text
    assert re.findall(r"<[^>]*\sstyle\s*=", text) == []
    for style in re.findall(r"<style[^>]*>(.*?)</style>", text, re.DOTALL):
        assert inline_source(style) in CONTENT_SECURITY_POLICY
    assert re.findall(r"<script(?![^>]*\ssrc=)|\son[a-z]+\s*=", text) == []
    assert re.findall(r"(?:https?:)?//[a-z]", text) == []


@pytest.mark.parametrize("address", PAGES)
def test_links_are_relative_and_stay_in_the_frame(filled: TestClient, address: str) -> None:
    text = filled.get(address).text
    links = re.findall(r'(?:href|src|action|data-later|data-trace)="([^"]*)"', text)
    assert links
    assert [link for link in links if link.startswith("/") or ":" in link.split("?")[0]] == []
    assert "target=" not in text


def test_hostile_names_are_shown_as_text(site_folder: Path, filled: TestClient) -> None:
    engine = builder.empty_store(site_folder)
    subject = f"PLEX1/{HOSTILE}"
    hostile = builder.finding(
        subject=subject, title=HOSTILE, summary=HOSTILE, advice=HOSTILE, caveats=(HOSTILE,)
    )
    replace_findings(engine, builder.DAY, [hostile])
    upsert_series(engine, [builder.facts(f"log_growth_mib_per_s/{subject}")])
    save_ticket(engine, builder.ticket(title=HOSTILE, body=HOSTILE), "embedded")
    save_delivery(engine, builder.delivery(subject_line=HOSTILE, content=f"x {HOSTILE}"))
    upsert_source_files(engine, [builder.source_file(name=HOSTILE, problem=HOSTILE)])
    engine.dispose()
    for address in ("/resources?find=x", "/reports", "/data"):
        text = filled.get(address).text
        assert "<script>" not in text
    assert "&lt;script&gt;" in filled.get("/data").text
    for address in ("/series", "/resources", "/resource"):
        answer = filled.get(
            address,
            params={"series": HOSTILE, "name": HOSTILE, "path": HOSTILE, "day": "2026-01-31"},
        )
        assert "<script>" not in answer.text


def test_a_filter_value_cannot_leave_its_attribute(filled: TestClient) -> None:
    answer = filled.get("/", params={"site": HOSTILE, "severity": HOSTILE, "find": HOSTILE})
    assert answer.status_code == 200
    assert "<script>" not in answer.text
    assert 'value="<' not in answer.text
