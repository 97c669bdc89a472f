"""Metrics of the platform: the text of a filled store, its page and its board."""

import json
import re
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import Engine

from mqcap.reports.platform_metrics import PLATFORM_METRICS, exposition
from mqcap.store.feeds import upsert_source_files
from mqcap.store.outbox import save_delivery
from mqcap.store.step_runs import save_step_run
from tests.factories import DAY, NOON, delivery, source_file, step_run

DOCS = Path("docs")
BOARD = json.loads((DOCS / "monitoring" / "grafana.json").read_text(encoding="utf-8"))

EXPECTED = (
    'mqcap_info{version="1\\"\\\\"} 1',
    'mqcap_step_runs{step="land"} 1',
    f'mqcap_step_last_end_timestamp_seconds{{step="land"}} {int(NOON.timestamp())}',
    'mqcap_step_last_seconds{step="alert"} 90.5',
    'mqcap_step_last_count{step="land",what="landed"} 2',
    "mqcap_files 2",
    "mqcap_files_with_problem 1",
    "mqcap_file_records 5",
    'mqcap_file_bytes{what="delivered"} 150',
    'mqcap_file_bytes{what="quarantined"} 2',
    'mqcap_deliveries{channel="mail",stage="pending"} 2',
    'mqcap_deliveries{channel="mail",stage="sent"} 1',
    'mqcap_deliveries_failing{channel="mail"} 1',
    "# TYPE mqcap_files gauge",
    "# HELP mqcap_files Files delivered.",
)


@pytest.fixture
def lines(engine: Engine) -> list[str]:
    """The text of a store with two files, a run of two steps, and three deliveries."""
    counts = {"landed": 2, "waiting": ["a"], "rest": True}
    save_step_run(engine, step_run(step="land", counts=counts, versions={"mqcap": "0.0.9"}))
    ended = NOON + timedelta(seconds=90.5)
    save_step_run(engine, step_run(step="alert", ended_at_utc=ended, versions={"mqcap": '1"\\'}))
    decoded = {"record_count": 5, "decoded_bytes": 90, "skipped_bytes": 8, "quarantined_bytes": 2}
    broken = source_file(sha256="b" * 64, bytes_count=100, problem="cut", **decoded)
    upsert_source_files(engine, [source_file(bytes_count=50), broken])
    refused = {"stage": "pending", "error": "refused"}
    for number, changed in enumerate(({"stage": "sent"}, refused, {"stage": "pending"})):
        save_delivery(engine, delivery(delivery_id=f"{number}" * 64, **changed))
    return exposition(engine).splitlines()


def test_what_the_store_knows_is_in_the_text(lines: list[str]) -> None:
    assert [line for line in EXPECTED if line not in lines] == []


def test_counts_that_are_no_numbers_and_metrics_without_values_are_absent(lines: list[str]) -> None:
    counted = [line for line in lines if line.startswith("mqcap_step_last_count")]
    assert counted == [
        'mqcap_step_last_count{step="land",what="landed"} 2',
        'mqcap_step_last_count{step="alert",what="problems"} 1',
    ]
    assert not any("mqcap_forecasts" in line or "mqcap_tickets" in line for line in lines)


def test_a_step_of_another_day_and_the_first_of_a_run_have_no_time(engine: Engine) -> None:
    save_step_run(engine, step_run(step="verify", site_date=DAY - timedelta(days=1)))
    save_step_run(engine, step_run(step="land", ended_at_utc=NOON + timedelta(hours=1)))
    save_step_run(engine, step_run(step="size", ended_at_utc=NOON + timedelta(hours=2)))
    timed = [line for line in exposition(engine).splitlines() if "_last_seconds{" in line]
    assert timed == ['mqcap_step_last_seconds{step="size"} 3600']


def test_an_empty_store_has_no_step_and_no_file(engine: Engine) -> None:
    values = [line for line in exposition(engine).splitlines() if line[0] != "#"]
    assert "mqcap_files 0" in values
    assert [line for line in values if not line.startswith("mqcap_file")] == []


def test_each_metric_that_the_board_asks_for_exists_with_its_labels() -> None:
    targets = [target for panel in BOARD["panels"] for target in panel["targets"]]
    asked = {name for target in targets for name in re.findall(r"mqcap_\w+", target["expr"])}
    assert asked == set(PLATFORM_METRICS)
    for target in targets:
        names = re.findall(r"mqcap_\w+", target["expr"])
        labels = {label for name in names for label in PLATFORM_METRICS[name][1]}
        grouped = ",".join(re.findall(r"by \(([^)]*)\)", target["expr"]))
        used = re.findall(r"(\w+)=~?\"", target["expr"])
        used += re.findall(r"\{\{(\w+)\}\}", target["legendFormat"])
        used += re.findall(r"\w+", grouped)
        assert set(used) <= labels, target["expr"]


def test_panels_do_not_overlap() -> None:
    cells = [
        (x, y)
        for place in (panel["gridPos"] for panel in BOARD["panels"])
        for x in range(place["x"], place["x"] + place["w"])
        for y in range(place["y"], place["y"] + place["h"])
    ]
    assert len(cells) == len(set(cells))
    assert max(x for x, _ in cells) < 24


def test_the_page_lists_every_metric_as_it_is_printed() -> None:
    page = (DOCS / "running.md").read_text(encoding="utf-8")
    rows = [line for line in page.splitlines() if line.startswith("| `mqcap_")]
    assert rows == [
        f"| `{name}` | {', '.join(f'`{label}`' for label in labels)} | {what} |"
        for name, (what, labels) in PLATFORM_METRICS.items()
    ]
    assert set(re.findall(r"mqcap_\w+(?=[{)])", page)) <= set(PLATFORM_METRICS)
