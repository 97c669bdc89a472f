"""The page of a series, the list of all series, and the charts."""

from __future__ import annotations

import shutil
from datetime import date, timedelta
from pathlib import Path

import pytest

from mqcap.store.annotations import save_annotation
from mqcap.store.crossings import replace_crossings
from mqcap.store.feeds import replace_feed_days
from mqcap.store.observations import replace_observations
from tests.plugins import builder
from tests.plugins.mq_capacity_page.marked import note, upgraded
from tests.plugins.web import TestClient, rows_of, text_of

SERIES_LOG = f"/series?series={builder.LOG}"


def test_the_series_page_shows_the_rule_its_sum_and_its_source(filled: TestClient) -> None:
    text = text_of(filled.get(SERIES_LOG))
    for words in (
        "Log growth of CSQ1",
        "limit = 4050 MiB / 1800 s = 2.25 MiB/s",
        'MP16 (14), "Active logs"',
        "Every log switch takes a checkpoint.",
        "Plan of the resource 16 x CYL(5825) Define 16 active logs of CYL(5825)",
        "6.2 % on the hold-out",
        "59 days; 2 excluded as outliers",
        "nominal coverage 80 %; covered 83 % of the hold-out days",
    ):
        assert words in text


def test_the_series_page_says_why_there_is_no_forecast(filled: TestClient) -> None:
    text = text_of(filled.get(f"/series?series={builder.LOG_TEST}"))
    assert "No forecast: only 12 days were measured; 60 are needed" in text


def test_a_series_without_values_has_no_chart(filled: TestClient) -> None:
    answer = filled.get(f"/series?series={builder.QUIET}")
    assert "Not measured up to this day" in text_of(answer)
    assert "plotly" not in answer.text


def test_series_are_found_by_a_part_of_their_name(filled: TestClient) -> None:
    rows = rows_of(filled.get("/series?find=cf01"))
    assert len(rows) == 2
    assert all("CF01" in row for row in rows)
    assert len(rows_of(filled.get("/series?find=Log+growth"))) == 2
    assert "No matching series" in text_of(filled.get("/series?find=zzz"))


def test_the_hours_are_drawn_with_their_gap_and_lead_to_their_records(traced: TestClient) -> None:
    figure = traced.get(f"/figure?series={builder.LOG}&day={builder.DAY}&grain=hourly").json()
    peak = next(
        trace for trace in figure["data"] if trace["name"] == "Highest interval of the hour"
    )
    gap = peak["x"].index("2026-01-31T05:00:00")
    assert peak["y"][gap] is None
    assert peak["y"][gap + 1] == 7_200.0
    assert peak["customdata"][gap + 1] == "2026-01-31T05:00Z"
    labels = [annotation["text"] for annotation in figure["layout"]["annotations"]]
    assert labels == ["MB/hour; hours in Europe/Copenhagen"]


def test_each_interval_is_drawn_from_its_begin_to_its_end(traced: TestClient) -> None:
    figure = traced.get(f"/figure?series={builder.LOG}&day={builder.DAY}&grain=interval").json()
    every = next(trace for trace in figure["data"] if trace["name"] == "Each interval")
    place = every["x"].index("2026-01-31T04:30:00")
    assert every["x"][place : place + 5] == [
        "2026-01-31T04:30:00",  # end of the one before
        "2026-01-31T04:30:00",
        "2026-01-31T05:00:00",
        "2026-01-31T05:00:00",
        "2026-01-31T06:00:00",
    ]
    assert every["y"][place : place + 5] == [3_600.0, 7_200.0, 7_200.0, None, 3_600.0]
    assert every["customdata"][place + 1] == "2026-01-31T03:30Z"
    assert figure["layout"]["annotations"][0]["text"] == "MB/hour; intervals in Europe/Copenhagen"


def test_the_intervals_of_three_days_are_a_table_too(traced: TestClient) -> None:
    answer = traced.get(f"/series?series={builder.LOG}&grain=interval")
    assert "94 measured intervals" in text_of(answer)
    row = "2026-01-31 10:30 CET 2026-01-31 11:00 CET 30 7,200 MB/hour"
    assert row in rows_of(answer, "list")
    assert "at=2026-01-31T09%3A30Z" in answer.text


def test_the_hours_of_two_weeks_are_a_table_too(traced: TestClient) -> None:
    answer = traced.get(f"/series?series={builder.LOG}&grain=hourly")
    assert "47 measured hours" in text_of(answer)
    assert "at=2026-01-31T09%3A00Z" in answer.text


def test_a_series_without_hours_says_why(traced: TestClient) -> None:
    text = text_of(traced.get(f"/series?series={builder.CF}&grain=hourly"))
    assert "No hours of these days" in text


DAY = builder.DAY

PLANNED = (
    "qmgrs: [{name: CSQ1, active_log_size_mib: 4050, planned: [{from: 2026-02-20, "
    "active_log_size_mib: 2025, note: CHG7}]}]"
)


def test_the_page_and_the_interface_say_which_level_came_when(
    site_folder: Path, filled: TestClient
) -> None:
    engine = builder.empty_store(site_folder)
    replace_feed_days(engine, DAY, DAY, [upgraded()])
    engine.dispose()
    text = text_of(filled.get(f"/series?series={builder.LOG}"))
    assert "CSQ1: MQ 9.3.5 → 9.4.5 in the records since" in text
    assert "MQ 9.3.5 → 9.4.5 from" in text_of(filled.get(f"/completeness?day={DAY}"))
    [feed] = filled.get(f"/api/feeds?day={DAY}").json()["items"]
    assert feed["level_changes"] == [
        {"at_utc": f"{DAY}T02:17:00Z", "before": "9.3.5", "after": "9.4.5"}
    ]


def test_the_page_says_what_the_chart_marks(site_folder: Path, filled: TestClient) -> None:
    engine = builder.empty_store(site_folder)
    save_annotation(engine, note())
    save_annotation(engine, note(subject="PLEX2", note="of another sysplex"))
    save_annotation(engine, note(first_date=DAY + timedelta(days=1), note="not known yet"))
    engine.dispose()
    text = text_of(filled.get(f"/series?series={builder.LOG}"))
    assert "Batch ran twice" in text
    assert "of another sysplex" not in text
    assert "not known yet" not in text


def test_the_page_states_probabilities_by_their_date(site_folder: Path, filled: TestClient) -> None:
    engine = builder.empty_store(site_folder)
    crossing = builder.dated()[1].model_copy(update={"probability_30_days": 0.25})
    replace_crossings(engine, DAY, [crossing])
    engine.dispose()
    text = text_of(filled.get(f"/series?series={builder.CF}"))
    assert "by 2 Mar 2026 CF-BUSY-1 25 %" in text


def test_a_planned_change_of_the_estate_steps_the_limit(
    site_folder: Path, filled_file: Path, client: TestClient
) -> None:
    file = site_folder / "platform.yaml"
    estate = file.read_text(encoding="utf-8").replace("qmgrs: [{name: CSQ1}]", PLANNED)
    file.write_text(estate, encoding="utf-8")
    shutil.copy(filled_file, site_folder / builder.STORE_FILE)
    figure = client.get(f"/figure?series={builder.LOG}&day={DAY}").json()
    [limit] = [trace for trace in figure["data"] if trace["name"].startswith("Limit")]
    assert limit["x"][1:3] == ["2026-02-20", "2026-02-20"]
    assert limit["y"][0] == limit["y"][1] == 8100.0
    assert limit["y"][2] == pytest.approx(8100.0 / 2)


def test_days_left_out_and_new_levels_are_marked_with_their_reason(
    site_folder: Path, filled: TestClient
) -> None:
    engine = builder.empty_store(site_folder)
    rows = builder.history(builder.LOG)
    outage = [
        row.model_copy(update={"peak": 0.0}) if row.site_date == date(2026, 1, 15) else row
        for row in rows
    ]
    replace_observations(engine, {row.site_date for row in rows}, outage, {})
    engine.dispose()
    figure = filled.get(f"/figure?series={builder.LOG}&day={DAY}").json()
    [left] = [trace for trace in figure["data"] if trace["name"] == "Excluded from the forecast"]
    assert left["x"] == ["2026-01-15"]
    text = text_of(filled.get(f"/series?series={builder.LOG}"))
    assert "Thu 15 Jan 2026 , 0 MB/hour : excluded: not above zero" in text


def test_a_release_from_the_estate_is_marked(
    site_folder: Path, filled_file: Path, client: TestClient
) -> None:
    file = site_folder / "platform.yaml"
    announced = "known_changes: [{day: 2026-01-12, what: MQ 9.4}]\n    qmgrs: [{name: CSQ1}]"
    text = file.read_text(encoding="utf-8").replace("qmgrs: [{name: CSQ1}]", announced)
    file.write_text(text, encoding="utf-8")
    shutil.copy(filled_file, site_folder / builder.STORE_FILE)
    figure = client.get(f"/figure?series={builder.LOG}&day={DAY}").json()
    [change] = [trace for trace in figure["data"] if trace["name"] == "Changes in the estate file"]
    assert (change["x"], change["text"]) == (["2026-01-12"], ["12 Jan 2026: MQ 9.4"])
    assert "Mon 12 Jan 2026: MQ 9.4" in text_of(client.get(f"/series?series={builder.LOG}"))
