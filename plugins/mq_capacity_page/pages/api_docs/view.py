"""The description of the REST API for people."""

from __future__ import annotations

from typing import Any

from mq_capacity_page.web.page_frame import ViewModel


class ApiParameter(ViewModel):
    """Parameter of a path."""

    name: str
    required: bool
    meaning: str


class ApiPath(ViewModel):
    """Path of the REST API."""

    path: str
    description: str
    parameters: list[ApiParameter]


class ApiDocsView(ViewModel):
    """Every path of the REST API."""

    paths: list[ApiPath]


def api_docs_view(description: dict[str, Any]) -> ApiDocsView:
    """Return the paths of an OpenAPI description, in its order."""
    return ApiDocsView(
        paths=[
            _path(path.removeprefix("/"), operation["get"])
            for path, operation in description["paths"].items()
        ]
    )


def _path(path: str, operation: dict[str, Any]) -> ApiPath:
    parameters = [
        ApiParameter(
            name=parameter["name"],
            required=bool(parameter.get("required")),
            meaning=parameter.get("description") or parameter["schema"].get("title", ""),
        )
        for parameter in operation.get("parameters", [])
    ]
    return ApiPath(path=path, description=operation["description"], parameters=parameters)
