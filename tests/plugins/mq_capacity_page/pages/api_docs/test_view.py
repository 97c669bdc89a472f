"""The description of the REST API for people."""

from __future__ import annotations

from typing import Any

from mq_capacity_page.pages.api_docs.view import api_docs_view


def operation(**changed: Any) -> dict[str, Any]:
    return {"get": {"description": "Every day.", **changed}}


def test_a_path_is_relative_to_the_page_and_has_its_description() -> None:
    [path] = api_docs_view({"paths": {"/api/days": operation()}}).paths
    assert (path.path, path.description, path.parameters) == ("api/days", "Every day.", [])


def test_a_parameter_without_a_description_is_explained_by_its_title() -> None:
    parameters = [
        {"name": "day", "description": "Site day.", "schema": {"title": "Day"}},
        {"name": "series", "required": True, "schema": {"title": "Series"}},
        {"name": "x", "schema": {}},
    ]
    [path] = api_docs_view({"paths": {"/api/x": operation(parameters=parameters)}}).paths
    assert [(each.name, each.required, each.meaning) for each in path.parameters] == [
        ("day", False, "Site day."),
        ("series", True, "Series"),
        ("x", False, ""),
    ]
