"""The page as one FastAPI application: routes, response headers, errors as pages or as JSON.

Beside the addresses of pages it has those of scripts and styles, and what earlier releases had:
emails and tickets hold them, and each leads to its page of today.
"""

from collections.abc import Callable
from functools import partial
from typing import Final
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, FastAPI, HTTPException, Request, Response
from fastapi.exception_handlers import http_exception_handler, request_validation_exception_handler
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, RedirectResponse
from starlette.exceptions import HTTPException as StarletteHTTPException

from mq_capacity_page.api.routes import router as api_router
from mq_capacity_page.pages.discovery import page_routers
from mq_capacity_page.web.dependencies import OptionalDay, get_user
from mq_capacity_page.web.rendering import MEDIA_TYPES, STATIC, link, render_error
from mq_capacity_page.web.security import add_security_headers, refuse_nul
from mqcap.domain.errors import CapacityError, InputError, ServiceUnavailable

RETRY_SECONDS: Final = 30
TITLES: Final = {401: "You are not signed in", 404: "Not found"}


def create_application() -> FastAPI:
    """Return the application, without FastAPI's own descriptions: those routes would be public."""
    application = FastAPI(title="MQ capacity", docs_url=None, redoc_url=None, openapi_url=None)
    for router in (*page_routers(), further_routes, api_router):
        application.include_router(router)
    application.middleware("http")(refuse_nul)
    application.middleware("http")(add_security_headers)
    application.add_exception_handler(ServiceUnavailable, _unavailable)
    application.add_exception_handler(InputError, _failed("Stored data cannot be read"))
    application.add_exception_handler(CapacityError, _failed("The settings are invalid"))
    application.exception_handler(StarletteHTTPException)(_refused)
    application.exception_handler(RequestValidationError)(_invalid_request)
    return application


def _unavailable(_request: Request, error: Exception) -> Response:
    response = render_error(503, "The store does not answer", str(error), "Try again in a moment.")
    response.headers["Retry-After"] = str(RETRY_SECONDS)
    return response


def _failed(title: str) -> Callable[[Request, Exception], Response]:
    """Return what answers an error with a page under this title."""
    return lambda _request, error: render_error(500, title, str(error), "")


async def _refused(request: Request, error: StarletteHTTPException) -> Response:
    if _is_of_rest_api(request):
        return await http_exception_handler(request, error)
    title = TITLES.get(error.status_code, "Request refused")
    sign_in = _sign_in_address(request) if error.status_code in {401, 403} else ""
    return render_error(error.status_code, title, str(error.detail), "", sign_in)


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


async def _invalid_request(request: Request, error: RequestValidationError) -> Response:
    if _is_of_rest_api(request):
        return await request_validation_exception_handler(request, error)
    detail = "; ".join(f"{item['loc'][-1]}: {item['msg']}" for item in error.errors())
    return render_error(422, "Invalid parameter in the address", detail, "")


YEAR_SECONDS: Final = 31_536_000

further_routes = APIRouter(dependencies=[Depends(get_user)])


@further_routes.get("/static/{name}")
def static(name: str) -> FileResponse:
    """Return a script, style or icon; its address holds its hash, so it never goes stale."""
    if name not in MEDIA_TYPES:
        raise HTTPException(404, f"Unknown file {name!r}.")
    headers = {"Cache-Control": f"private, max-age={YEAR_SECONDS}, immutable"}
    return FileResponse(STATIC / name, media_type=MEDIA_TYPES[name], headers=headers)


moved = partial(further_routes.get, response_class=RedirectResponse, status_code=308)


@moved("/plan")
def plan(resource: str, day: OptionalDay = None) -> str:
    """Lead to the resource."""
    return link("resource", path=resource, day=day)


@moved("/subject")
def subject(name: str, day: OptionalDay = None) -> str:
    """Lead to what is on and below a subject."""
    return link("resources", name=name, day=day)


@moved("/explain")
def explain(rule: str, subject: str, day: OptionalDay = None) -> str:
    """Lead to the finding, which explains itself."""
    return f"{link('finding', rule=rule, subject=subject, day=day)}#explained"


@moved("/losses")
def losses(day: OptionalDay = None) -> str:
    """Lead to the rows of losses on the board."""
    return link("./", find="/loss", day=day)


@moved("/tickets")
@moved("/mail")
@moved("/scorecard")
def reports(day: OptionalDay = None) -> str:
    """Lead to the reports, which have emails, tickets and the accuracy of forecasts."""
    return link("reports", day=day)


@moved("/completeness")
@moved("/runs")
def data(day: OptionalDay = None) -> str:
    """Lead to the data of the day."""
    return link("data", day=day)
