"""Every route of the page, whatever it serves: asked anonymously and by users of each role.

The routes are those of the application itself, so that a new one is asked too.
"""

from collections.abc import Iterable, Iterator

import pytest
from fastapi.routing import APIRoute
from starlette.routing import BaseRoute, Mount, Route

from mq_capacity_page.application import create_application
from mq_capacity_page.pages.data import dag_runs
from mq_capacity_page.web.context import current_context
from mqcap.store.annotations import annotations_of, read_scenarios
from mqcap.store.problems import latest_acknowledgements
from mqcap.store.tickets import read_tickets
from tests.plugins import builder
from tests.plugins.web import Manager, TestClient

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
    monkeypatch.setattr(dag_runs, "last_runs", list)
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
