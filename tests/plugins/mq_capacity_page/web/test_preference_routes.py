"""Units and clock as a reader has chosen them, and reports that do not follow the choice."""

from __future__ import annotations

import pytest

from mq_capacity_page.web.preferences import COOKIE
from tests.plugins import builder
from tests.plugins.web import OWN, TestClient, text_of

SERIES = f"/series?series={builder.LOG}"


def choose(client: TestClient, **fields: str) -> int:
    answer = client.post("/shown", data=fields, headers=OWN, follow_redirects=False)
    return int(answer.status_code)


def test_growth_is_shown_in_mb_per_hour_and_times_in_local_time_at_first(
    filled: TestClient,
) -> None:
    text = text_of(filled.get(SERIES))
    assert "Compared peak of the day, MB/hour" in text
    assert "2026-01-31 10:00 CET" in text


@pytest.mark.parametrize(
    ("rate", "limit", "unit"),
    [
        ("mib_per_s", "2.25 MiB/s", "MiB/s"),
        ("cylinders_per_hour", "11,520 cylinders/hour", "cylinders/hour"),
    ],
)
def test_a_chosen_unit_is_used_in_text_and_chart(
    filled: TestClient, rate: str, limit: str, unit: str
) -> None:
    assert choose(filled, rate=rate, clock="utc") == 303
    answer = filled.get(SERIES)
    assert f"Compared peak of the day, {unit}" in text_of(answer)
    assert f"Limit {limit}" in text_of(answer)
    assert f'<text class="unit" x="-44" y="-14">{unit}</text>' in answer.text


def test_times_are_shown_in_utc_on_demand(filled: TestClient) -> None:
    choose(filled, rate="mb_per_hour", clock="utc")
    assert "2026-01-31 09:00 UTC" in text_of(filled.get(SERIES))


def test_a_report_is_the_same_whatever_its_reader_has_chosen(filled: TestClient) -> None:
    address = f"/report?kind=daily&day={builder.DAY}"
    before = filled.get(address).content
    choose(filled, rate="mib_per_s", clock="utc")
    assert filled.get(address).content == before


@pytest.mark.parametrize(
    ("back", "address"),
    [
        ("series?series=x", "series?series=x"),
        ("", "./"),
        ("?rows=3", "./?rows=3"),
        ("https://elsewhere.example/", "./"),
        ("//elsewhere.example", "./"),
        ("javascript:alert(1)", "./"),
        ("series\\..", "./"),
    ],
)
def test_one_goes_back_to_a_page_of_ours_and_nowhere_else(
    filled: TestClient, back: str, address: str
) -> None:
    answer = filled.post("/shown", data={"back": back}, headers=OWN, follow_redirects=False)
    assert answer.headers["location"] == address


def test_the_cookie_is_out_of_reach_of_scripts_and_of_other_sites(filled: TestClient) -> None:
    fields = {"rate": "mib_per_s", "clock": "utc"}
    answer = filled.post("/shown", data=fields, headers=OWN, follow_redirects=False)
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith(f"{COOKIE}=mib_per_s.utc;")
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie


def test_another_site_cannot_choose_for_the_reader(filled: TestClient) -> None:
    answer = filled.post("/shown", data={}, headers={"Sec-Fetch-Site": "cross-site"})
    assert answer.status_code == 403


def test_the_form_returns_the_reader_to_the_page_that_holds_it(filled: TestClient) -> None:
    text = filled.get(f"{SERIES}&day=2026-01-31").text
    back = f'name="back" value="series?series={builder.LOG}&amp;day=2026-01-31"'
    assert back in text
