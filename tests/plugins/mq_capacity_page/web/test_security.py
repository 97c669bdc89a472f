"""Headers that protect the reader."""

from __future__ import annotations

import asyncio

import pytest
from fastapi import Request, Response

from mq_capacity_page.web.assets import error_style, inline_source
from mq_capacity_page.web.security import (
    CONTENT_SECURITY_POLICY,
    SEALED_POLICY,
    add_security_headers,
    refuse_nul,
)

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
