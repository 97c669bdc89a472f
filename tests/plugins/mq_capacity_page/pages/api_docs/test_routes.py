"""The description of the REST API on the page."""

from __future__ import annotations

from tests.plugins.web import TestClient, rows_of, text_of


def test_every_path_of_the_description_is_on_the_page_with_its_parameters(
    filled: TestClient,
) -> None:
    answer = filled.get("/api")
    words, rows = text_of(answer), rows_of(answer)
    paths = filled.get("/api/openapi.json").json()["paths"]
    assert len(paths) > 10
    for path, operation in paths.items():
        assert path.removeprefix("/") in words
        for parameter in operation["get"].get("parameters", []):
            required = "yes" if parameter["required"] else "no"
            assert any(row.startswith(f"{parameter['name']} {required}") for row in rows), path


def test_the_page_is_there_before_any_day_has_been_evaluated(client: TestClient) -> None:
    assert "List the days on which rules were evaluated" in text_of(client.get("/api"))
