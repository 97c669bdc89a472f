"""The page as one FastAPI application: routes, response headers, error pages."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final

from fastapi import Depends, FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from mq_capacity_page.api.routes import router as api_router
from mq_capacity_page.pages.completeness.routes import router as completeness_router
from mq_capacity_page.pages.explain.routes import router as explain_router
from mq_capacity_page.pages.finding.routes import router as answer_router
from mq_capacity_page.pages.reports.routes import router as report_router
from mq_capacity_page.pages.routes import router
from mq_capacity_page.pages.runs.routes import router as run_router
from mq_capacity_page.pages.scorecard.routes import router as scorecard_router
from mq_capacity_page.pages.trace.routes import router as trace_router
from mq_capacity_page.pages.whatif.routes import router as whatif_router
from mq_capacity_page.pages.whatif.saved import router as saved_router
from mq_capacity_page.web.asset_routes import router as asset_router
from mq_capacity_page.web.assets import error_style, inline_source
from mq_capacity_page.web.preferences import chosen
from mq_capacity_page.web.preferences import router as choice_router
from mq_capacity_page.web.rendering import page
from mqcap.domain.errors import CapacityError, ServiceUnavailable

CONTENT_SECURITY_POLICY: Final = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        f"style-src 'self' {inline_source('')} {inline_source(error_style())}",
        "img-src 'self' data: blob:",
        "connect-src 'self'",
        "frame-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'self'",
    ]
)
"""Nothing from elsewhere, no inline script, and two inline styles by their hash: the empty one,
which Plotly adds and then fills rule by rule, and that of the page of an error. Plotly offers a
chart as a picture through ``blob:``. A mail stands in a frame of ours, our pages in Airflow's."""
RETRY_SECONDS: Final = 30
PAGES: Final = (
    router,
    answer_router,
    whatif_router,
    saved_router,
    explain_router,
    completeness_router,
    report_router,
    run_router,
    trace_router,
    scorecard_router,
)
"""Everything whose figures are shown as the reader has chosen."""


def create_application() -> FastAPI:
    """The application; it describes itself nowhere, since such routes would be public."""
    application = FastAPI(title="MQ capacity", docs_url=None, redoc_url=None, openapi_url=None)
    for pages in PAGES:
        application.include_router(pages, dependencies=[Depends(chosen)])
    application.include_router(choice_router)
    application.include_router(asset_router)
    application.include_router(api_router)
    application.middleware("http")(add_security_headers)
    application.add_exception_handler(ServiceUnavailable, _unavailable)
    application.add_exception_handler(CapacityError, _wrong)
    application.add_exception_handler(HTTPException, _refused)
    application.add_exception_handler(RequestValidationError, _misunderstood)
    return application


async def add_security_headers(
    request: Request, call_next: Callable[[Request], Awaitable[Response]]
) -> Response:
    """Headers on every answer, errors included; a route may set a stricter policy itself."""
    response = await call_next(request)
    response.headers.setdefault("Content-Security-Policy", CONTENT_SECURITY_POLICY)
    response.headers.setdefault("X-Content-Type-Options", "nosniff")
    response.headers.setdefault("Referrer-Policy", "same-origin")
    return response


def _unavailable(_request: Request, error: Exception) -> Response:
    response = _problem(503, "The store does not answer", str(error), "Try again in a moment.")
    response.headers["Retry-After"] = str(RETRY_SECONDS)
    return response


def _wrong(_request: Request, error: Exception) -> Response:
    return _problem(500, "The settings do not fit", str(error), "")


def _refused(_request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    detail = str(error.detail) if isinstance(error, HTTPException) else ""
    if status == 401:
        return _problem(status, "You are not signed in", detail, "Sign in to Airflow, then reload.")
    title = "There is nothing here" if status == 404 else "This was refused"
    return _problem(status, title, detail, "")


def _misunderstood(_request: Request, error: Exception) -> Response:
    problems = error.errors() if isinstance(error, RequestValidationError) else []
    detail = "; ".join(f"{item['loc'][-1]}: {item['msg']}" for item in problems)
    return _problem(422, "The address cannot be understood", detail, "")


def _problem(status: int, title: str, detail: str, hint: str) -> Response:
    return page("error.html", status=status, title=title, detail=detail, hint=hint)
