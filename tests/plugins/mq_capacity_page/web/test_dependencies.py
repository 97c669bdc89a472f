"""Parameters of pages: blank ones, days, and what every route of a page depends on."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import date
from typing import Any

import pytest
from fastapi import FastAPI, HTTPException, Request
from pydantic import TypeAdapter, ValidationError

from mq_capacity_page.web.dependencies import MAX_BYTES, form_fields, is_same_site
from mqcap.presentation import display_units
from tests.plugins.web import Manager, TestClient


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


@pytest.mark.parametrize("text", [" ", "tomorrow", "2026-02-30"])
def test_any_other_text_is_no_day(dependencies: Any, text: str) -> None:
    with pytest.raises(ValidationError):
        TypeAdapter(dependencies.OptionalDay).validate_python(text)


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("1899-12-31", False), ("1900-01-01", True), ("1900-01-02", True),
        ("2999-12-30", True), ("2999-12-31", True), ("3000-01-01", False),
    ],
)  # fmt: skip
def test_a_day_from_which_no_other_can_be_reckoned_is_refused(
    dependencies: Any, text: str, known: bool
) -> None:
    day = TypeAdapter(dependencies.OptionalDay)
    if known:
        assert str(day.validate_python(text)) == text
        return
    with pytest.raises(ValidationError, match="a day from 1900-01-01 to 2999-12-31 is expected"):
        day.validate_python(text)


@pytest.mark.parametrize("value", [0, False, "0", " "])
def test_only_empty_text_is_blank(dependencies: Any, value: object) -> None:
    assert dependencies.blank_is_none(value) == value
    assert dependencies.blank_is_none("") is None


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


def test_fields_are_stripped_and_empty_ones_left_out() -> None:
    assert fields(b"note=+two+words+&empty=&kind=a") == {"note": "two words", "kind": "a"}


def test_the_first_of_several_values_counts() -> None:
    assert fields(b"day=1&day=2") == {"day": "1"}


def test_characters_outside_ascii_and_invalid_bytes_are_read() -> None:
    assert fields("note=K\N{LATIN SMALL LETTER O WITH STROKE}benhavn".encode()) == {
        "note": "K\N{LATIN SMALL LETTER O WITH STROKE}benhavn"
    }
    assert "note" in fields(b"note=a\xff")


def test_a_form_of_another_site_is_refused_before_it_is_read() -> None:
    with pytest.raises(HTTPException) as refused:
        fields(b"x" * 2 * MAX_BYTES, {"sec-fetch-site": "cross-site"})
    assert refused.value.status_code == 403


@pytest.mark.parametrize(("size", "accepted"), [(MAX_BYTES, True), (MAX_BYTES + 1, False)])
def test_a_large_body_is_refused(size: int, accepted: bool) -> None:
    body = b"n=" + b"x" * (size - 2)
    if accepted:
        assert len(fields(body)["n"]) == size - 2
        return
    with pytest.raises(HTTPException) as refused:
        fields(body)
    assert refused.value.status_code == 413


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


@pytest.mark.parametrize("body", [b"note=a%00b", b"no%00te=a"])
def test_a_nul_character_is_refused(body: bytes) -> None:
    with pytest.raises(HTTPException) as refused:
        fields(body)
    assert refused.value.status_code == 400
