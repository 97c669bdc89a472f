"""Who may see a page, and what it forbids to browsers."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI, HTTPException, Request, Response

from mq_capacity_page.web import context as context_module
from mq_capacity_page.web.assets import error_style, inline_source
from mq_capacity_page.web.context import PageContext, current_context
from mq_capacity_page.web.security import (
    CONTENT_SECURITY_POLICY,
    SEALED_POLICY,
    add_security_headers,
    refuse_nul,
)
from mqcap.domain.errors import ConfigurationError
from tests.plugins.web import Manager, Person

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
    allowed = POLICY["style-src"].split()
    assert allowed == ["'self'", inline_source(error_style())]


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
    from mq_capacity_page.web import auth as module  # noqa: PLC0415 - loads Airflow

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


def test_the_settings_are_read_once_for_all_requests(
    context: PageContext, site_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(context_module, "_freeze_loaded_objects", lambda: None)
    opened = current_context()
    (site_folder / "platform.yaml").write_text("sitte: {}\n", encoding="utf-8")
    assert current_context().settings is opened.settings
