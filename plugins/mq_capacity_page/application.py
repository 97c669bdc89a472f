"""The page as one FastAPI application: routes, response headers, errors as pages or as JSON."""

from collections.abc import Callable
from typing import Final
from urllib.parse import urlencode

from fastapi import FastAPI, Request, Response
from fastapi.exception_handlers import http_exception_handler, request_validation_exception_handler
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from mq_capacity_page.api.routes import router as api_router
from mq_capacity_page.pages.discovery import page_routers
from mq_capacity_page.web.further_routes import router as further_router
from mq_capacity_page.web.rendering import render_error
from mq_capacity_page.web.security import add_security_headers, refuse_nul
from mqcap.domain.errors import CapacityError, InputError, ServiceUnavailable

RETRY_SECONDS: Final = 30
TITLES: Final = {401: "You are not signed in", 404: "Not found"}


def create_application() -> FastAPI:
    """Return the application, without FastAPI's own descriptions: those routes would be public."""
    application = FastAPI(title="MQ capacity", docs_url=None, redoc_url=None, openapi_url=None)
    for router in (*page_routers(), further_router, api_router):
        application.include_router(router)
    application.middleware("http")(refuse_nul)
    application.middleware("http")(add_security_headers)
    application.add_exception_handler(ServiceUnavailable, _unavailable)
    application.add_exception_handler(InputError, _failed("Stored data cannot be read"))
    application.add_exception_handler(CapacityError, _failed("The settings are invalid"))
    application.add_exception_handler(HTTPException, _refused)
    application.add_exception_handler(RequestValidationError, _invalid_request)
    return application


def _unavailable(_request: Request, error: Exception) -> Response:
    response = render_error(503, "The store does not answer", str(error), "Try again in a moment.")
    response.headers["Retry-After"] = str(RETRY_SECONDS)
    return response


def _failed(title: str) -> Callable[[Request, Exception], Response]:
    """Return what answers an error with a page under this title."""
    return lambda _request, error: render_error(500, title, str(error), "")


async def _refused(request: Request, error: Exception) -> Response:
    if _is_of_rest_api(request) and isinstance(error, HTTPException):
        return await http_exception_handler(request, error)
    status = error.status_code if isinstance(error, HTTPException) else 500
    detail = str(error.detail) if isinstance(error, HTTPException) else ""
    title = TITLES.get(status, "Request refused")
    sign_in = _sign_in_address(request) if status in {401, 403} else ""
    return render_error(status, title, detail, "", sign_in)


def _is_of_rest_api(request: Request) -> bool:
    """Return whether programs ask: they get errors as its OpenAPI document has them."""
    path: str = request.scope["path"]
    root = str(request.scope.get("root_path", ""))
    return path.removeprefix(root).startswith(f"{api_router.prefix}/")


def _sign_in_address(request: Request) -> str:
    """Return Airflow's address that shows its login form and then leads back.

    The page is mounted below Airflow's own root. A form that was refused leads to the start page.
    """
    root = str(request.scope.get("root_path", ""))
    back = request.url.path + (f"?{request.url.query}" if request.url.query else "")
    query = urlencode({"next": back if request.method == "GET" else f"{root}/"})
    return f"{root.rpartition('/')[0]}/api/v2/auth/login?{query}"


async def _invalid_request(request: Request, error: Exception) -> Response:
    if _is_of_rest_api(request) and isinstance(error, RequestValidationError):
        return await request_validation_exception_handler(request, error)
    problems = error.errors() if isinstance(error, RequestValidationError) else []
    detail = "; ".join(f"{item['loc'][-1]}: {item['msg']}" for item in problems)
    return render_error(422, "Invalid parameter in the address", detail, "")
