"""qm.ini and error logs of queue managers are read back by the product's own readers."""

from __future__ import annotations

import json
from datetime import UTC, datetime, time, timedelta
from pathlib import Path
from typing import Any

import pytest

from devtools.simulator.site.manager_texts import error_log, qm_ini
from devtools.simulator.site.site_spec import ExhaustionMessage, SiteEvent
from tests.devtools.simulator.site.builders import (
    LAST,
    container_spec,
    figures,
    qmgr_spec,
    rows_of,
    site_spec,
    span,
)

END_US = 2**62


def read(tmp_path: Path, text: str) -> dict[str, list[dict[str, Any]]]:
    path = tmp_path / "file"
    path.write_text(text, encoding="ascii")
    return rows_of(path)


@pytest.mark.parametrize("spec", [qmgr_spec(), container_spec()], ids=["Linux", "container"])
def test_qm_ini_has_the_limits_from_the_first_instant_of_the_history(
    spec: Any, tmp_path: Path
) -> None:
    made = figures(site_spec(qmgrs=(spec,)))
    rows = read(tmp_path, qm_ini(made))["qmgr_setting"]
    settings = {row["key"]: row["value"] for row in rows}
    assert settings["logprimaryfiles"] == "6"
    assert settings["logsecondaryfiles"] == "2"
    assert settings["maxchannels"] == "300"
    assert {(row["qmgr"], row["host"]) for row in rows} == {(spec.name, "ham-mq1")}
    assert {row["from_utc"] for row in rows} == {datetime(2026, 10, 16, 22, tzinfo=UTC)}


@pytest.mark.parametrize("spec", [qmgr_spec(), container_spec()], ids=["text", "container"])
def test_a_restart_is_in_the_error_log_with_the_use_of_both_file_systems(
    spec: Any, tmp_path: Path
) -> None:
    made = figures(site_spec(qmgrs=(spec,)))
    events = read(tmp_path, error_log(made, 0, END_US))["qmgr_event"]
    assert [event["message_id"] for event in events] == ["AMQ8004", "AMQ8003", "AMQ5782", "AMQ5782"]
    assert {event["qmgr"] for event in events} == {spec.name}
    ended = events[0]["event_utc"]
    assert ended == datetime(2026, 10, 25, 2, 10, 0, 501_000, tzinfo=UTC)
    assert events[1]["event_utc"] - ended == timedelta(minutes=50)
    data, log = (json.loads(event["inserts"]) for event in events[2:])
    assert data["ArithInsert1"] == "62.50"
    assert log["CommentInsert3"] == "32768"


def test_days_without_a_restart_leave_no_error_log() -> None:
    assert error_log(figures(period=span(last=LAST - timedelta(days=1))), 0, END_US) == ""


@pytest.mark.parametrize("spec", [qmgr_spec(), container_spec()], ids=["text", "container"])
@pytest.mark.parametrize("message", ExhaustionMessage)
def test_a_planted_event_is_in_the_log_of_its_time_in_order(
    spec: Any, message: ExhaustionMessage, tmp_path: Path
) -> None:
    event = SiteEvent(day_offset=0, at_local=time(3, 30), message=message)
    made = figures(site_spec(qmgrs=(spec.model_copy(update={"events": (event,)}),)))
    events = read(tmp_path, error_log(made, 0, END_US))["qmgr_event"]
    found = [each["message_id"] for each in events]
    assert found == ["AMQ8004", message.value[:-1], "AMQ8003", "AMQ5782", "AMQ5782"]
    at_us = made.events[0].time_us
    assert events[1]["event_utc"].minute == 30
    assert error_log(made, at_us, at_us + 1).count(message.value) == 1
    assert error_log(made, at_us + 1, at_us + 2) == ""
    assert message.value not in error_log(made, 0, at_us)
