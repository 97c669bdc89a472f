"""Limits that step, notes, stops and restarts in a chart and in words beside it."""

from __future__ import annotations

import shutil
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.plugins.served.web import TestClient, text_of  # isort: skip - chooses Airflow's home first

from mqcap.domain.feed import FeedDay, VersionChange
from mqcap.store.annotations import save_annotation
from mqcap.store.crossings import replace_crossings
from mqcap.store.feeds import replace_feed_days
from mqcap.store.models import Annotation
from mqcap.store.observations import replace_observations
from tests.plugins import builder

DAY = builder.DAY
PLANNED = (
    "qmgrs: [{name: CSQ1, active_log_size_mib: 4050, planned: [{from: 2026-02-20, "
    "active_log_size_mib: 2025, note: CHG7}]}]"
)


def note(**changed: Any) -> Annotation:
    values: dict[str, Any] = {
        "subject": "PLEX1",
        "first_date": date(2026, 1, 20),
        "last_date": date(2026, 1, 21),
        "note": "Batch ran twice",
        "who": "anna",
        "noted_at_utc": datetime(2026, 1, 22, tzinfo=UTC),
    }
    return Annotation(**values | changed)


def stopped() -> FeedDay:
    return next(day for day in builder.feed_days() if day.state == "stopped")


def upgraded(day: date = DAY) -> FeedDay:
    change = VersionChange(
        at_utc=datetime(day.year, day.month, day.day, 2, 17, tzinfo=UTC),
        before="9.3.5",
        after="9.4.5",
    )
    feed = next(one for one in builder.feed_days() if one.kind == "statistics")
    return feed.model_copy(
        update={"subject": "PLEX1/CSQ1", "site_date": day, "level_changes": (change,)}
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
    [limit] = [one for one in figure["data"] if one["name"].startswith("Limit")]
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
    [left] = [one for one in figure["data"] if one["name"] == "Excluded from the forecast"]
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
    [change] = [one for one in figure["data"] if one["name"] == "Changes in the estate file"]
    assert (change["x"], change["text"]) == (["2026-01-12"], ["12 Jan 2026: MQ 9.4"])
    assert "Mon 12 Jan 2026: MQ 9.4" in text_of(client.get(f"/series?series={builder.LOG}"))
