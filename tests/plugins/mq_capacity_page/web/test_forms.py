"""Fields of a form, and who may submit one."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from fastapi import HTTPException, Request

from mq_capacity_page.web.dependencies import MAX_BYTES, form_fields, is_same_site

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
