"""Parameters of pages: blank ones, days, and what every route of a page depends on."""

from datetime import date
from typing import Any

import pytest
from fastapi import FastAPI
from pydantic import TypeAdapter, ValidationError

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
