"""Templates rendered from views, without a server."""

from __future__ import annotations

import re
from datetime import date

import pytest

from mq_capacity_page.pages.discovery import navigation
from mq_capacity_page.web.context import PageContext
from mq_capacity_page.web.page_frame import page_frame
from mq_capacity_page.web.rendering import link, render_error, render_no_data


def test_there_are_five_places_and_the_bar_marks_the_present_one(context: PageContext) -> None:
    frame = page_frame(context, date(2026, 1, 30), "resources")
    text = bytes(render_no_data(frame).body).decode()
    assert [entry.label for entry in navigation()] == [
        "Board",
        "Resources",
        "What-if",
        "Reports",
        "Data",
    ]
    assert re.findall(r'aria-current="page">([^<]*)<', text) == ["Resources"]
    assert all(f'href="{entry.path}?day=2026-01-30"' in text for entry in navigation())


def test_a_store_without_days_says_what_to_do(empty_context: PageContext) -> None:
    text = bytes(render_no_data(page_frame(empty_context, None, "board")).body).decode()
    assert "No day has been evaluated yet" in text
    assert "daily DAG" in text


def test_an_error_page_escapes_what_it_shows() -> None:
    response = render_error(404, "Not found", "<script>alert(1)</script>", "")
    text = bytes(response.body).decode()
    assert response.status_code == 404
    assert "<script>alert" not in text
    assert "&lt;script&gt;" in text


@pytest.mark.parametrize(
    ("parameters", "address"),
    [
        ({}, "series"),
        ({"day": None, "find": ""}, "series"),
        ({"day": date(2026, 1, 31)}, "series?day=2026-01-31"),
        ({"series": "a b/c&d", "start": 0}, "series?series=a+b%2Fc%26d&start=0"),
    ],
    ids=["none", "blank", "day", "quoted"],
)
def test_a_link_leaves_out_parameters_without_a_value(
    parameters: dict[str, object], address: str
) -> None:
    assert link("series", **parameters) == address
