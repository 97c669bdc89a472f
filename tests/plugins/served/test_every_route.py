"""Every route and page of the application: asked anonymously, by each role, with hostile names."""

import html
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from urllib.parse import parse_qs

import pytest
from airflow.api_fastapi.app import init_plugins
from fastapi import FastAPI
from fastapi.routing import APIRoute
from starlette.routing import BaseRoute, Mount, Route

from mq_capacity_page.application import create_application
from mq_capacity_page.pages.data import dag_runs
from mq_capacity_page.plugin import MqCapacityPlugin
from mq_capacity_page.web.context import PageContext, current_context
from mq_capacity_page.web.rendering import inline_source
from mq_capacity_page.web.security import CONTENT_SECURITY_POLICY
from mqcap.store.annotations import annotations_of, read_scenarios
from mqcap.store.feeds import upsert_source_files
from mqcap.store.findings import replace_findings
from mqcap.store.outbox import save_delivery
from mqcap.store.problems import latest_acknowledgements
from mqcap.store.series import upsert_series
from mqcap.store.tickets import read_tickets, save_ticket
from tests.plugins import builder
from tests.plugins.mq_capacity_page.test_page_goldens import PAGES as GOLDEN_PAGES
from tests.plugins.web import Manager, TestClient, text_of

FILLED = {"name": "page.css"}
FORM = {
    "ticket": builder.ticket().dedupe_key, "words": "false alarm", "subject": "PLEX1/CSQ1",
    "name": "mine", "note": "a note", "first": "2026-01-31", "last": "2026-01-31",
}  # fmt: skip
QUERY = {
    "series": builder.LOG, "day": "2026-01-31", "name": "PLEX1", "subject": "PLEX1/CSQ1",
    "rule": "LOG-FILL-30MIN", "at": "2026-01-31", "kind": "daily", "dag_id": "mqcap_daily",
    "run_id": "r1", "delivery": "d1", "growth": "10", "resource": "PLEX1/CSQ1/active_log",
    "path": "PLEX1/CSQ1/active_log",
}  # fmt: skip


def routes_of(routes: Iterable[BaseRoute], prefix: str = "") -> Iterator[tuple[str, str]]:
    """Method and address of everything that is served, mounted applications included."""
    for route in routes:
        if isinstance(route, Mount):
            yield from routes_of(route.routes or [], f"{prefix}{route.path}")
            if not route.routes:
                yield "GET", f"{prefix}{route.path}/page.css"
        elif isinstance(route, Route | APIRoute):
            for method in sorted((route.methods or set()) - {"HEAD", "OPTIONS"}):
                yield method, f"{prefix}{route.path_format.format(**FILLED)}"
        else:
            raise TypeError(f"a kind of route that nobody asks: {route!r}")


SERVED = sorted(set(routes_of(create_application().routes)))


def test_no_route_is_overlooked() -> None:
    assert len(SERVED) > 35
    assert {method for method, _ in SERVED} == {"GET", "POST"}
    assert {address.split("/")[1] for _, address in SERVED} >= {"api", "static", "report", ""}


@pytest.fixture
def signed_in(person: TestClient, manager: Manager, monkeypatch: pytest.MonkeyPatch) -> TestClient:
    """A client with a login whose rights are those of ``manager``: at first none."""
    manager.rights = set()
    monkeypatch.setattr(dag_runs, "day_of_run", lambda *_: builder.DAY)
    return person


def asked(client: TestClient, method: str, address: str) -> int:
    if method == "GET":
        return int(client.get(address, params=QUERY).status_code)
    return int(client.request(method, address, data=FORM).status_code)


def left_behind() -> list[object]:
    """Everything that a form of the page can write."""
    engine = current_context().engine
    return [
        *latest_acknowledgements(engine, builder.DAY).values(),
        *annotations_of(engine, "PLEX1/CSQ1"),
        *read_scenarios(engine),
        *[
            ticket
            for ticket in read_tickets(engine)
            if ticket.dedupe_key != builder.ticket().dedupe_key
        ],
    ]


def test_a_login_without_rights_is_served_nothing(signed_in: TestClient) -> None:
    statuses = {(method, address): asked(signed_in, method, address) for method, address in SERVED}
    assert {key: code for key, code in statuses.items() if code != 403} == {}


def test_a_viewer_reads_everything_and_writes_nothing(
    signed_in: TestClient, manager: Manager
) -> None:
    manager.rights = {"GET"}
    before = left_behind()
    statuses = {(method, address): asked(signed_in, method, address) for method, address in SERVED}
    refused = {key for key, code in statuses.items() if code == 403}
    writes = {key for key in SERVED if key[0] != "GET"}
    assert refused == writes
    assert not [key for key, code in statuses.items() if code in {401, 405, 422} or code >= 500]
    assert left_behind() == before


def test_an_operator_is_refused_nothing(signed_in: TestClient, manager: Manager) -> None:
    manager.rights = {"GET", "PUT"}
    statuses = {(method, address): asked(signed_in, method, address) for method, address in SERVED}
    assert not [key for key, code in statuses.items() if code in {401, 403, 405} or code >= 500]
    assert len(left_behind()) > 0


def test_what_changes_something_is_refused_when_another_site_sends_it(
    signed_in: TestClient, manager: Manager
) -> None:
    manager.rights = {"GET", "PUT"}
    signed_in.headers["Sec-Fetch-Site"] = "cross-site"
    statuses = [asked(signed_in, method, address) for method, address in SERVED if method != "GET"]
    assert set(statuses) == {403}
    assert left_behind() == []


PAGES = [*GOLDEN_PAGES.values(), f"/series?series={builder.QUIET}", "/whatif", "/scenarios"]


@pytest.fixture(autouse=True)
def without_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Airflow knows no run: its database is not that of these tests."""
    monkeypatch.setattr(dag_runs, "last_runs", list)


def test_shifts_of_the_site_have_their_mean_beside_the_hours_of_the_week(
    traced: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = '[{"name": "whole day", "first_hour": 0, "last_hour": 23}]'
    monkeypatch.setenv("MQCAP_SITE__SHIFTS", whole)
    text = text_of(traced.get("/series", params={"series": builder.LOG}))
    assert "whole day" in text.partition("Hours of the week")[2]


@pytest.mark.parametrize(
    "address", ["/", "/resources", "/whatif", "/reports", "/management", "/data"]
)
def test_an_empty_store_says_what_to_do(client: TestClient, address: str) -> None:
    answer = client.get(address)
    assert answer.status_code == 200
    assert "daily DAG" in text_of(answer)


@pytest.mark.parametrize(
    ("address", "now"),
    [
        ("/plan?resource=PLEX1/CSQ1/active_log", "/resource?path=PLEX1%2FCSQ1%2Factive_log"),
        ("/subject?name=PLEX1/CSQ1", "/resources?name=PLEX1%2FCSQ1"),
        (
            "/explain?rule=LOG-FILL-30MIN&subject=PLEX1/CSQ1&day=2026-01-31",
            "/finding?rule=LOG-FILL-30MIN&subject=PLEX1%2FCSQ1&day=2026-01-31#explained",
        ),
        ("/losses?day=2026-01-31", "/?find=%2Floss&day=2026-01-31"),
        ("/tickets", "/reports"),
        ("/mail?day=2026-01-31", "/reports?day=2026-01-31"),
        ("/scorecard", "/reports"),
        ("/completeness", "/data"),
        ("/runs", "/data"),
        ("/series", "/resources"),
    ],
)
def test_an_address_of_an_earlier_release_leads_to_its_page_of_today(
    filled: TestClient, address: str, now: str
) -> None:
    moved = filled.get(address, follow_redirects=False)
    assert moved.status_code in {303, 308}
    assert f"/{moved.headers['location'].removeprefix('./')}" == now
    assert filled.get(address).status_code == 200


HOSTILE = "<script>alert('x')</script>&\"'"


@pytest.fixture
def served(store_of_a_day: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    """The page with its real login, mounted by Airflow's own function."""
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


def test_hostile_names_are_shown_as_text(context: PageContext, filled: TestClient) -> None:
    engine = context.engine
    subject = f"PLEX1/{HOSTILE}"
    hostile = builder.finding(
        subject=subject, title=HOSTILE, summary=HOSTILE, advice=HOSTILE, caveats=(HOSTILE,)
    )
    replace_findings(engine, builder.DAY, [hostile])
    upsert_series(engine, [builder.facts(f"log_growth_mib_per_s/{subject}")])
    save_ticket(engine, builder.ticket(title=HOSTILE, body=HOSTILE), "embedded")
    save_delivery(engine, builder.delivery(subject_line=HOSTILE, content=f"x {HOSTILE}"))
    upsert_source_files(engine, [builder.source_file(name=HOSTILE, problem=HOSTILE)])
    for address in ("/resources?find=x", "/reports", "/data"):
        text = filled.get(address).text
        assert "<script>" not in text
    assert "&lt;script&gt;" in filled.get("/data").text
    names = ("series", "name", "path", "site", "severity", "find")
    for address in ("/", "/series", "/resources", "/resource"):
        answer = filled.get(address, params={"day": "2026-01-31", **dict.fromkeys(names, HOSTILE)})
        assert "<script>" not in answer.text
        assert 'value="<' not in answer.text
