"""The page of the REST API, from an OpenAPI document."""

from __future__ import annotations

from typing import Any

from devtools.docs.site import rest_api_page

DOCUMENT: dict[str, Any] = {
    "paths": {
        "/api/days": {
            "get": {
                "description": "List\n the days.",
                "parameters": [
                    {
                        "name": "limit",
                        "schema": {"type": "integer", "default": 100},
                        "description": "At most a|b.",
                    },
                    {"name": "series", "required": True, "schema": {"type": "string"}},
                ],
                "responses": {
                    "200": {
                        "description": "Successful Response",
                        "content": {"application/json": {"schema": {"$ref": "#/x/EvaluatedDays"}}},
                    },
                    "401": {"description": "Not signed in"},
                },
            }
        }
    },
    "components": {
        "schemas": {
            "EvaluatedDays": {
                "description": "The days.\n\nMore.",
                "properties": {
                    "days": {"type": "array", "items": {"type": "string", "format": "date"}},
                    "note": {
                        "anyOf": [{"type": "string"}, {"type": "null"}],
                        "description": "Why.",
                    },
                },
            },
            "Severity": {"enum": ["ok", "act"]},
        }
    },
}


def test_a_path_has_its_parameters_and_answers() -> None:
    lines = rest_api_page(DOCUMENT).splitlines()
    assert "## GET /api/days" in lines
    assert "List the days." in lines
    assert "| `limit` | integer | `100` | At most a\\|b. |" in lines
    assert "| `series` | text | required |  |" in lines
    assert "| 200 | Successful Response, [EvaluatedDays](#evaluateddays) |" in lines
    assert "| 401 | Not signed in |" in lines


def test_an_object_has_its_fields_and_an_enumeration_its_values() -> None:
    lines = rest_api_page(DOCUMENT).splitlines()
    assert "The days." in lines
    assert "| `days` | list of date |  |" in lines
    assert "| `note` | text or none | Why. |" in lines
    assert "Values: `ok`, `act`." in lines
