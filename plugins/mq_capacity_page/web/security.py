"""What protects reader and store: content security policies, other headers, no NUL characters."""

from collections.abc import Awaitable, Callable
from typing import Final
from urllib.parse import unquote_to_bytes

from fastapi import Request, Response

from mq_capacity_page.web.rendering import ERROR_STYLE, inline_source, render_error

CONTENT_SECURITY_POLICY: Final = (
    f"default-src 'none'; script-src 'self'; style-src 'self' {inline_source(ERROR_STYLE)}; "
    "img-src 'self' data:; connect-src 'self'; frame-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'self'"
)
"""Policy without other servers and inline scripts; one inline style by its hash: that of the error
page. An email is shown in a frame of ours, our pages in one of Airflow's."""

SWAGGER_POLICY: Final = (
    "default-src 'none'; script-src 'unsafe-inline' https://cdn.jsdelivr.net; "
    "style-src 'unsafe-inline' https://cdn.jsdelivr.net; "
    "img-src data: https://fastapi.tiangolo.com; connect-src 'self'; base-uri 'none'; "
    "frame-ancestors 'self'"
)
"""For FastAPI's page of the REST API alone: what it loads, from where it loads it."""

SEALED_POLICY: Final = (
    "sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'self'"
)
"""For documents that bring their own styles (emails, HTML reports): they run nothing, fetch nothing
and send nothing. Inline styles are allowed here alone, in a sandbox without an origin."""


async def refuse_nul(
    request: Request, call_next: Callable[[Request], Awaitable[Response]]
) -> Response:
    """Answer 400 to a NUL character in path or query: PostgreSQL has no text with one."""
    query: bytes = request.scope["query_string"]
    if "\0" in request.scope["path"] or b"\0" in unquote_to_bytes(query):
        return render_error(400, "Request refused", "There is a NUL character in the address.", "")
    return await call_next(request)


async def add_security_headers(
    request: Request, call_next: Callable[[Request], Awaitable[Response]]
) -> Response:
    """Add the headers to every response, errors included; a route may set a stricter policy."""
    response = await call_next(request)
    response.headers.setdefault("Content-Security-Policy", CONTENT_SECURITY_POLICY)
    response.headers.setdefault("X-Content-Type-Options", "nosniff")
    response.headers.setdefault("Referrer-Policy", "same-origin")
    return response
