"""What every page has: its frame and files, who may see it, its policy, its parameters."""

import asyncio
import base64
import re
from collections.abc import Awaitable, Callable
from datetime import date, timedelta
from hashlib import sha256
from typing import Any

import pytest
from fastapi import FastAPI, HTTPException, Request, Response
from pydantic import TypeAdapter, ValidationError

from mq_capacity_page.pages.discovery import navigation
from mq_capacity_page.web import context as context_module
from mq_capacity_page.web.context import PageContext, current_context, page_frame
from mq_capacity_page.web.dependencies import MAX_BYTES, form_fields, is_same_site
from mq_capacity_page.web.rendering import (
    ERROR_STYLE,
    MEDIA_TYPES,
    STATIC,
    asset_link,
    link,
    render,
    render_error,
)
from mq_capacity_page.web.security import (
    CONTENT_SECURITY_POLICY,
    SEALED_POLICY,
    add_security_headers,
    refuse_nul,
)
from mqcap.domain.errors import ConfigurationError
from mqcap.presentation import display_units
from mqcap.store.findings import replace_findings
from tests.plugins import builder
from tests.plugins.web import Manager, Person, TestClient

POLICY = dict(f"{part} ".split(" ", 1) for part in CONTENT_SECURITY_POLICY.split("; "))
SEALED = dict(f"{part} ".split(" ", 1) for part in SEALED_POLICY.split("; "))


def headers_of(response: Response) -> dict[str, str]:
    async def following(_request: Request) -> Response:
        return response

    done = asyncio.run(add_security_headers(Request({"type": "http"}), following))
    return dict(done.headers)


def test_a_page_loads_only_from_its_own_server() -> None:
    assert POLICY["default-src"].strip() == "'none'"
    for name in ("script-src", "connect-src", "frame-src", "form-action"):
        assert POLICY[name].strip() == "'self'"
    assert "unsafe" not in CONTENT_SECURITY_POLICY


def test_one_inline_style_is_allowed_by_its_hash() -> None:
    digest = base64.b64encode(sha256(ERROR_STYLE.encode()).digest()).decode()
    assert POLICY["style-src"].split() == ["'self'", f"'sha256-{digest}'"]


def test_a_sealed_document_runs_nothing_fetches_nothing_and_sends_nothing() -> None:
    assert SEALED["sandbox"].strip() == ""
    assert SEALED["default-src"].strip() == "'none'"
    assert SEALED["form-action"].strip() == "'none'"
    assert "script-src" not in SEALED


def test_every_response_has_the_policy_unless_the_route_set_a_stricter_one() -> None:
    plain = headers_of(Response())
    assert plain["content-security-policy"] == CONTENT_SECURITY_POLICY
    assert plain["x-content-type-options"] == "nosniff"
    assert plain["referrer-policy"] == "same-origin"
    sealed = headers_of(Response(headers={"Content-Security-Policy": SEALED_POLICY}))
    assert sealed["content-security-policy"] == SEALED_POLICY


@pytest.mark.parametrize(
    ("path", "query", "status"),
    [
        ("/subject", b"name=PLEX1", 200),
        ("/subject", b"name=a%2500", 200),
        ("/subject", b"name=a%00b", 400),
        ("/subject", b"%00=a", 400),
        ("/static/a\0b", b"", 400),
    ],
)
def test_a_nul_character_in_path_or_query_is_refused(path: str, query: bytes, status: int) -> None:
    async def following(_request: Request) -> Response:
        return Response("served")

    asked = Request({"type": "http", "path": path, "query_string": query})
    assert asyncio.run(refuse_nul(asked, following)).status_code == status


@pytest.fixture
def auth(application: FastAPI) -> Any:
    """The module that asks Airflow."""
    from mq_capacity_page.web import dependencies as module  # noqa: PLC0415 - loads Airflow

    return module


@pytest.mark.parametrize(
    ("rights", "reads", "edits"),
    [(set(), False, False), ({"GET"}, True, False), ({"GET", "PUT"}, True, True)],
    ids=["none", "viewer", "operator"],
)
def test_the_rights_on_the_daily_dag_decide(
    auth: Any, manager: Manager, rights: set[str], reads: bool, edits: bool
) -> None:
    manager.rights = rights
    user = Person()
    for required, allowed, verb in (
        (auth.get_user, reads, "read"),
        (auth.get_operator, edits, "edit"),
    ):
        if allowed:
            assert required(user) is user
            continue
        with pytest.raises(HTTPException) as refused:
            required(user)
        assert refused.value.status_code == 403
        assert refused.value.detail == f"Your Airflow role may not {verb} the DAG mqcap_daily."
    assert auth.may_edit(user) is edits
    assert manager.asked == [("GET", "mqcap_daily"), ("PUT", "mqcap_daily"), ("PUT", "mqcap_daily")]


@pytest.mark.parametrize(("user", "name"), [(Person(), "anna"), ("reader", ""), (None, "")])
def test_a_user_has_the_name_that_airflow_shows(auth: Any, user: object, name: str) -> None:
    assert auth.user_name(user) == name


@pytest.mark.parametrize(
    ("subject", "zone"),
    [
        ("PLEX1/CSQ1", "Europe/Copenhagen"),
        ("PLEX2", "America/New_York"),
        ("PLEX9/CSQ9", "Europe/Copenhagen"),
    ],
    ids=["sysplex", "sysplex-itself", "site"],
)
def test_days_are_counted_in_the_zone_of_the_sysplex_else_of_the_site(
    context: PageContext, subject: str, zone: str
) -> None:
    assert context.timezone_of(subject) == zone


def test_a_failure_is_not_cached(context: PageContext, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(context_module, "_freeze_loaded_objects", lambda: None)
    with monkeypatch.context() as broken:
        broken.setenv("MQCAP_STORE__URL", "nonsense")
        with pytest.raises(ConfigurationError):
            current_context()
    opened = current_context()
    assert opened is current_context()


@pytest.fixture
def dependencies(application: FastAPI) -> Any:
    """The module; it imports Airflow's login."""
    from mq_capacity_page.web import dependencies as module  # noqa: PLC0415 - loads Airflow

    return module


@pytest.mark.parametrize(
    ("text", "day"), [("", None), (None, None), ("2026-01-31", date(2026, 1, 31))]
)
def test_a_day_that_is_not_filled_in_is_absent(
    dependencies: Any, text: str | None, day: date | None
) -> None:
    assert TypeAdapter(dependencies.OptionalDay).validate_python(text) == day


@pytest.mark.parametrize("text", ["1900-01-01", "1900-01-02", "2999-12-30", "2999-12-31"])
def test_a_day_of_the_calendar_is_taken(dependencies: Any, text: str) -> None:
    assert str(TypeAdapter(dependencies.OptionalDay).validate_python(text)) == text


@pytest.mark.parametrize(
    ("text", "words"),
    [
        *((text, "valid date") for text in (" ", "tomorrow", "2026-02-30")),
        *((text, "a day from 1900-01-01 to 2999-12-31") for text in ("1899-12-31", "3000-01-01")),
    ],
)
def test_any_other_text_and_a_day_from_which_no_other_can_be_reckoned_is_refused(
    dependencies: Any, text: str, words: str
) -> None:
    with pytest.raises(ValidationError, match=words):
        TypeAdapter(dependencies.OptionalDay).validate_python(text)


def test_a_new_page_needs_a_reader_and_is_in_the_zone_of_the_site(
    dependencies: Any,
    application: FastAPI,
    person: TestClient,
    manager: Manager,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(application.router, "routes", list(application.router.routes))
    router = dependencies.page_router()
    router.add_api_route("/extra", lambda: display_units.current().zone)
    application.include_router(router)
    assert person.get("/extra").json() == "Europe/Copenhagen"
    manager.rights = set()
    assert person.get("/extra").status_code == 403


OWN = {"sec-fetch-site": "same-origin"}


def request(body: bytes, headers: dict[str, str], step: int = 1_000) -> Request:
    chunks = [body[start : start + step] for start in range(0, len(body), step)] or [b""]
    messages = [
        {"type": "http.request", "body": chunk, "more_body": number < len(chunks) - 1}
        for number, chunk in enumerate(chunks)
    ]

    async def receive() -> dict[str, Any]:
        return messages.pop(0)

    receiver: Callable[[], Awaitable[dict[str, Any]]] = receive
    raw = [(name.encode(), value.encode()) for name, value in headers.items()]
    return Request({"type": "http", "method": "POST", "headers": raw}, receiver)


def fields(body: bytes, headers: dict[str, str] | None = None) -> dict[str, str]:
    return asyncio.run(form_fields(request(body, OWN if headers is None else headers)))


@pytest.mark.parametrize(
    ("body", "read"),
    [
        (b"note=+two+words+&empty=&kind=a", {"note": "two words", "kind": "a"}),
        (b"day=1&day=2", {"day": "1"}),
        ("note=K\N{LATIN SMALL LETTER O WITH STROKE}b".encode(), {"note": "K\xf8b"}),
        (b"note=a\xff", {"note": "a\N{REPLACEMENT CHARACTER}"}),
    ],
    ids=["blank", "first-of-two", "beyond-ascii", "invalid"],
)
def test_fields_are_stripped_and_empty_ones_left_out(body: bytes, read: dict[str, str]) -> None:
    assert fields(body) == read


def test_a_form_of_the_most_bytes_is_read() -> None:
    assert len(fields(b"n=" + b"x" * (MAX_BYTES - 2))["n"]) == MAX_BYTES - 2


@pytest.mark.parametrize(
    ("body", "site", "status"),
    [
        (b"x" * 2 * MAX_BYTES, "cross-site", 403),
        (b"n=" + b"x" * (MAX_BYTES - 1), "same-origin", 413),
        (b"note=a%00b", "same-origin", 400),
        (b"no%00te=a", "same-origin", 400),
    ],
    ids=["another-site", "too-large", "nul", "nul-in-name"],
)
def test_a_form_of_another_site_a_larger_one_and_one_with_a_nul_is_refused(
    body: bytes, site: str, status: int
) -> None:
    with pytest.raises(HTTPException) as refused:
        fields(body, {"sec-fetch-site": site})
    assert refused.value.status_code == status


@pytest.mark.parametrize(
    ("headers", "accepted"),
    [
        ({"sec-fetch-site": "same-origin", "origin": "https://evil.example"}, True),
        ({"sec-fetch-site": "cross-site", "authorization": "Bearer abc"}, False),
        ({"origin": "https://airflow.example:8080", "host": "airflow.example:8080"}, True),
        ({"origin": "https://airflow.example:8081", "host": "airflow.example:8080"}, False),
        ({"sec-fetch-site": "none"}, True),
        ({"sec-fetch-site": "same-site"}, False),
        ({"origin": "null", "host": "airflow.example"}, False),
        ({"authorization": "bearer abc"}, True),
        ({"cookie": "_token=abc"}, False),
        ({"authorization": "Basic abc"}, False),
        ({}, False),
    ],
    ids=[
        "fetch-site-first", "token-does-not-help", "port", "other-port", "typed", "sibling", "null",
        "token", "cookie", "basic", "none",
    ],
)  # fmt: skip
def test_the_origin_of_a_form_decides(headers: dict[str, str], accepted: bool) -> None:
    assert is_same_site(headers) is accepted


EARLIER = builder.DAY - timedelta(days=3)


def test_every_file_of_the_folder_is_served() -> None:
    assert {path.name for path in STATIC.iterdir()} == set(MEDIA_TYPES)


@pytest.mark.parametrize("name", MEDIA_TYPES)
def test_every_file_is_served_under_its_hash_with_its_type_and_names_no_other_server(
    filled: TestClient, name: str
) -> None:
    answer = filled.get(asset_link(name))
    assert answer.status_code == 200
    assert asset_link(name).endswith(f"?v={sha256(answer.content).hexdigest()[:12]}")
    assert answer.headers["cache-control"].startswith("private, max-age=31536000")
    assert answer.headers["content-type"].startswith(MEDIA_TYPES[name].partition(";")[0])
    assert "://" not in answer.text.replace("http://www.w3.org/2000/svg", "")


def test_files_are_served_while_the_store_does_not_answer(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MQCAP_STORE__URL", "postgresql://nobody@127.0.0.1:1/none")
    assert client.get("/static/page.css").status_code == 200


def test_without_a_day_the_latest_evaluated_one_is_shown(context: PageContext) -> None:
    frame = page_frame(context, None, "overview")
    assert (frame.day, frame.latest) == (builder.DAY, builder.DAY)
    assert (frame.earlier, frame.later) == (None, None)
    assert frame.site_name == "Test site"


def test_neighbours_are_the_nearest_days_with_findings(context: PageContext) -> None:
    earlier = [builder.finding(site_date=EARLIER)]
    replace_findings(context.engine, EARLIER, earlier)
    assert page_frame(context, builder.DAY, "series").earlier == EARLIER
    assert page_frame(context, EARLIER, "series").later == builder.DAY
    between = page_frame(context, EARLIER + timedelta(days=1), "series")
    assert (between.earlier, between.later) == (EARLIER, builder.DAY)


def test_an_empty_store_has_no_day_unless_one_is_asked_for(empty_context: PageContext) -> None:
    assert page_frame(empty_context, None, "overview").day is None
    asked = page_frame(empty_context, builder.DAY, "overview")
    assert (asked.day, asked.latest) == (builder.DAY, None)


def test_there_are_five_places_and_the_bar_marks_the_present_one(context: PageContext) -> None:
    frame = page_frame(context, date(2026, 1, 30), "resources")
    text = bytes(render("empty.html", frame).body).decode()
    assert [entry.label for entry in navigation()] == [
        "Board",
        "Resources",
        "What-if",
        "Reports",
        "Data",
    ]
    assert re.findall(r'aria-current="page">([^<]*)<', text) == ["Resources"]
    assert all(f'href="{entry.path}?day=2026-01-30"' in text for entry in navigation())


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
