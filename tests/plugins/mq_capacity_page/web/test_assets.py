"""Assets of pages, the frame and how pages are rendered."""

import re
from datetime import date, timedelta
from hashlib import sha256

import pytest

from mq_capacity_page.pages.discovery import navigation
from mq_capacity_page.web.context import PageContext, page_frame
from mq_capacity_page.web.rendering import (
    ERROR_STYLE,
    MEDIA_TYPES,
    STATIC,
    asset_link,
    link,
    render,
    render_error,
)
from mqcap.store.findings import replace_findings
from tests.plugins import builder
from tests.plugins.web import TestClient

EARLIER = builder.DAY - timedelta(days=3)


def test_every_file_of_the_folder_is_served() -> None:
    assert {path.name for path in STATIC.iterdir()} == set(MEDIA_TYPES)


def test_the_error_style_is_text_without_addresses() -> None:
    assert "color-scheme" in ERROR_STYLE
    assert "url(" not in ERROR_STYLE


@pytest.mark.parametrize("name", MEDIA_TYPES)
def test_every_file_is_served_under_its_hash_with_its_type_and_names_no_other_server(
    filled: TestClient, name: str
) -> None:
    answer = filled.get(asset_link(name))
    assert answer.status_code == 200
    assert asset_link(name).endswith(f"?v={sha256(answer.content).hexdigest()[:12]}")
    assert answer.headers["cache-control"].startswith("private, max-age=31536000")
    assert answer.headers["content-type"].startswith(MEDIA_TYPES[name].partition(";")[0])
    assert "://" not in answer.text.replace("http://www.w3.org/2000/svg", "")


def test_files_are_served_while_the_store_does_not_answer(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MQCAP_STORE__URL", "postgresql://nobody@127.0.0.1:1/none")
    assert client.get("/static/page.css").status_code == 200


def test_without_a_day_the_latest_evaluated_one_is_shown(context: PageContext) -> None:
    frame = page_frame(context, None, "overview")
    assert (frame.day, frame.latest) == (builder.DAY, builder.DAY)
    assert (frame.earlier, frame.later) == (None, None)
    assert frame.site_name == "Test site"


def test_neighbours_are_the_nearest_days_with_findings(context: PageContext) -> None:
    earlier = [builder.finding(site_date=EARLIER)]
    replace_findings(context.engine, EARLIER, earlier)
    assert page_frame(context, builder.DAY, "series").earlier == EARLIER
    assert page_frame(context, EARLIER, "series").later == builder.DAY
    between = page_frame(context, EARLIER + timedelta(days=1), "series")
    assert (between.earlier, between.later) == (EARLIER, builder.DAY)


def test_an_empty_store_has_no_day_unless_one_is_asked_for(empty_context: PageContext) -> None:
    assert page_frame(empty_context, None, "overview").day is None
    asked = page_frame(empty_context, builder.DAY, "overview")
    assert (asked.day, asked.latest) == (builder.DAY, None)


def test_there_are_five_places_and_the_bar_marks_the_present_one(context: PageContext) -> None:
    frame = page_frame(context, date(2026, 1, 30), "resources")
    text = bytes(render("empty.html", frame).body).decode()
    assert [entry.label for entry in navigation()] == [
        "Board",
        "Resources",
        "What-if",
        "Reports",
        "Data",
    ]
    assert re.findall(r'aria-current="page">([^<]*)<', text) == ["Resources"]
    assert all(f'href="{entry.path}?day=2026-01-30"' in text for entry in navigation())


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
