"""From a point of a chart to the hours of its day and to the records behind one of them."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from tests.plugins.served.web import TestClient, rows_of, text_of  # isort: skip - chooses Airflow's home

from mqcap.domain.finding import InputValue
from mqcap.domain.input_source import MeasuredDaySource
from mqcap.domain.metric import Statistic, split_series_id
from mqcap.store.findings import replace_findings
from tests.plugins import builder, lake

TRACE = f"/trace?series={builder.LOG}"


@pytest.fixture
def traced(site_folder: Path, filled: TestClient, monkeypatch: pytest.MonkeyPatch) -> TestClient:
    """A reader of a site whose lake holds the hours and records of two days."""
    monkeypatch.setenv("MQCAP_LAKE", str(lake.fill(site_folder)))
    lake.know_files(site_folder)
    return filled


def test_a_day_leads_to_its_busiest_hour_and_that_to_file_byte_and_field(
    traced: TestClient,
) -> None:
    answer = traced.get(f"{TRACE}&at={builder.DAY}")
    text = text_of(answer)
    assert "Records of the hour 09:00 to 10:00 UTC" in text
    assert "The busiest hour of the day." in text
    first, again = rows_of(answer, "records")
    place = lake.OFFSET_BYTES + 34
    assert f"SYS1.D260131.smf received 2026-01-31 · aaaaaaaaaaaa byte {place:,}" in first
    assert "115.1 QJST 1 SYS1 2026-01-31 09:00 UTC 2026-01-31 10:00 UTC QJSTBFFL 1,034" in first
    assert "AGAIN.D260131.smf" in again
    assert "duplicate record; counted once" in again


def test_the_hours_of_a_site_day_are_listed_and_the_missing_one_is_named(
    traced: TestClient,
) -> None:
    answer = traced.get(f"{TRACE}&at={builder.DAY}")
    assert len(rows_of(answer, "hours")) == 23
    assert "2026-01-30 23:00 UTC 7,200 MB/hour 5,400 MB/hour 60 2" in rows_of(answer, "hours")[0]
    assert "Not measured: 2026-01-31 04:00 UTC." in text_of(answer)


def test_an_hour_has_its_own_address(traced: TestClient) -> None:
    text = text_of(traced.get(f"{TRACE}&at=2026-01-30T23:00Z"))
    assert "Sat 31 Jan 2026 records" in text
    assert "Records of the hour 23:00 to 00:00 UTC" in text


def test_figures_of_the_day_say_how_they_are_made(traced: TestClient) -> None:
    text = text_of(traced.get(f"{TRACE}&at={builder.DAY}"))
    assert "Daily peak 9,000 MB/hour 2.5 MiB/s the highest interval of the day" in text
    assert "of 24 hours measured, weighted by covered time" in text


def test_a_day_whose_hours_are_gone_says_so(traced: TestClient) -> None:
    text = text_of(traced.get(f"{TRACE}&at=2026-01-05"))
    assert "No hours of this day" in text
    assert "Daily peak" in text


def test_records_that_are_gone_are_not_made_up(site_folder: Path, traced: TestClient) -> None:
    for path in (site_folder / "lake" / "section_qjst").rglob("*.parquet"):
        path.unlink()
    text = text_of(traced.get(f"{TRACE}&at={builder.DAY}"))
    assert "The lake no longer holds the records of this hour" in text


@pytest.mark.parametrize("at", ["x", "2026-13-01", "2026-01-31T09:00", ""])
def test_an_address_that_is_no_day_and_no_hour_is_refused(traced: TestClient, at: str) -> None:
    assert traced.get(f"{TRACE}&at={at}").status_code == 422


def test_the_hours_are_drawn_with_their_gap_and_lead_to_their_records(traced: TestClient) -> None:
    figure = traced.get(f"/figure?series={builder.LOG}&day={builder.DAY}&grain=hourly").json()
    peak = next(one for one in figure["data"] if one["name"] == "Highest interval of the hour")
    gap = peak["x"].index("2026-01-31T04:00:00")
    assert peak["y"][gap] is None
    assert peak["y"][gap + 1] == 7_200.0
    assert peak["customdata"][gap + 1] == "2026-01-31T05:00Z"
    labels = [annotation["text"] for annotation in figure["layout"]["annotations"]]
    assert labels == ["MB/hour; hours in UTC"]


def test_each_interval_is_drawn_from_its_begin_to_its_end(traced: TestClient) -> None:
    figure = traced.get(f"/figure?series={builder.LOG}&day={builder.DAY}&grain=interval").json()
    every = next(one for one in figure["data"] if one["name"] == "Each interval")
    place = every["x"].index("2026-01-31T03:30:00")
    assert every["x"][place : place + 5] == [
        "2026-01-31T03:30:00",  # end of the one before
        "2026-01-31T03:30:00",
        "2026-01-31T04:00:00",
        "2026-01-31T04:00:00",
        "2026-01-31T05:00:00",
    ]
    assert every["y"][place : place + 5] == [3_600.0, 7_200.0, 7_200.0, None, 3_600.0]
    assert every["customdata"][place + 1] == "2026-01-31T03:30Z"
    assert figure["layout"]["annotations"][0]["text"] == "MB/hour; intervals in UTC"


def test_the_intervals_of_three_days_are_a_table_too(traced: TestClient) -> None:
    answer = traced.get(f"/series?series={builder.LOG}&grain=interval")
    assert "94 measured intervals" in text_of(answer)
    row = "2026-01-31 09:30 UTC 2026-01-31 10:00 UTC 30 7,200 MB/hour"
    assert row in rows_of(answer, "list")
    assert "at=2026-01-31T09%3A30Z" in answer.text


def test_an_interval_leads_to_the_records_of_its_hour(traced: TestClient) -> None:
    text = text_of(traced.get(f"{TRACE}&at=2026-01-31T09:30Z"))
    assert "Records of the hour 09:00 to 10:00 UTC" in text


def test_the_hours_of_two_weeks_are_a_table_too(traced: TestClient) -> None:
    answer = traced.get(f"/series?series={builder.LOG}&grain=hourly")
    assert "47 measured hours" in text_of(answer)
    assert "at=2026-01-31T09%3A00Z" in answer.text


def test_a_series_without_hours_says_why(traced: TestClient) -> None:
    text = text_of(traced.get(f"/series?series={builder.CF}&grain=hourly"))
    assert "No hours of these days" in text


def test_programs_get_hours_and_intervals(traced: TestClient) -> None:
    hours = traced.get(f"/api/hours?series={builder.LOG}").json()
    assert (hours["total"], hours["items"][0]["peak"]) == (47, 2.0)
    found = traced.get(f"/api/intervals?series={builder.LOG}&limit=2").json()
    assert (found["total"], found["next"]) == (94, 2)
    assert [one["level"] for one in found["items"]] == [1.0, 2.0]
    table = traced.get(f"/api/intervals?series={builder.LOG}&form=csv").text
    assert table.splitlines()[0] == "start_utc,end_utc,level,unit"
    assert traced.get("/api/hours?series=none").status_code == 404


def test_a_measured_input_of_a_finding_leads_to_the_records_of_its_day(
    site_folder: Path, filled: TestClient
) -> None:
    metric, subject = split_series_id(builder.LOG)
    origin = MeasuredDaySource(
        metric=metric, subject=subject, statistic=Statistic.peak, site_date=date(2026, 1, 31)
    )
    measured = InputValue(name="peak_mib_per_s", value=2.5, unit="MiB/s", origin=origin)
    engine = builder.empty_store(site_folder)
    replace_findings(engine, builder.DAY, [builder.finding(inputs=(measured,))])
    engine.dispose()
    answer = filled.get("/finding?rule=LOG-FILL-30MIN&subject=PLEX1/CSQ1")
    address = "trace?series=log_growth_mib_per_s%2FPLEX1%2FCSQ1&amp;at=2026-01-31"
    assert f'href="{address}"' in answer.text
    assert f"{builder.LOG}, peak of 2026-01-31" in text_of(answer)
