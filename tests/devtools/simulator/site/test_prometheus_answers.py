"""Answers of Prometheus are read back with the figures that were simulated."""

from __future__ import annotations

import json
from typing import Any

import pytest

from devtools.simulator.site.prometheus_answers import prometheus_answer
from devtools.simulator.site.site_figures import FigureSlice, SiteFigures, site_figures
from mqcap.domain.distributed.qmgr_figure import QmgrFigure, SampleReading
from tests.devtools.simulator.site.builders import rows_of, site_spec, span


@pytest.fixture(scope="module")
def both() -> tuple[SiteFigures, ...]:
    return site_figures(site_spec(), span())


@pytest.fixture(scope="module")
def rows(
    both: tuple[SiteFigures, ...], tmp_path_factory: pytest.TempPathFactory
) -> list[dict[str, Any]]:
    path = tmp_path_factory.mktemp("answer") / "answer.json"
    path.write_bytes(prometheus_answer(FigureSlice(one, 0, len(one.grid)) for one in both))
    return rows_of(path)["qmgr_sample"]


def of(rows: list[dict[str, Any]], qmgr: str, figure: QmgrFigure) -> list[float]:
    found = [row for row in rows if (row["qmgr"], row["figure"]) == (qmgr, figure)]
    return [row["value"] for row in sorted(found, key=lambda row: row["reported_utc"])]


def test_gauges_are_those_of_the_queue_manager_to_their_decimals(
    both: tuple[SiteFigures, ...], rows: list[dict[str, Any]]
) -> None:
    made = both[0]
    for figure, values in (
        (QmgrFigure.log_primary_used_pct, made.log_primary_pct),
        (QmgrFigure.connection_count, made.connections),
        (QmgrFigure.qmgr_fs_free_pct, 100 - made.data_fs_pct),
        (QmgrFigure.log_write_latency_us, made.log_write_latency_us),
        (QmgrFigure.queue_depth_count, made.depths["APP/IN"]),
        (QmgrFigure.host_cpu_system_pct, made.host_system_pct),
    ):
        assert of(rows, "PAY.QM", figure) == pytest.approx(values[made.is_up], abs=0.51)
    assert set(of(rows, "PAY.QM", QmgrFigure.queue_depth_max_count)) == {1_000}
    size = of(rows, "PAY.QM", QmgrFigure.log_fs_size_bytes)
    used = of(rows, "PAY.QM", QmgrFigure.log_fs_used_bytes)
    assert used[0] / size[0] == pytest.approx(0.5)


def test_amounts_of_mq_prometheus_are_those_since_the_last_scrape(
    both: tuple[SiteFigures, ...], rows: list[dict[str, Any]]
) -> None:
    made = both[0]
    assert of(rows, "PAY.QM", QmgrFigure.put_count) == made.puts[made.is_up].tolist()
    written = of(rows, "PAY.QM", QmgrFigure.log_written_bytes)
    assert written == made.log_bytes[made.is_up].tolist()
    to_queue = made.queue_puts["APP/IN"][made.is_up]
    assert of(rows, "PAY.QM", QmgrFigure.queue_put_count) == to_queue.tolist()
    put_bytes = to_queue * made.spec.message_bytes
    assert of(rows, "PAY.QM", QmgrFigure.queue_put_bytes) == put_bytes.tolist()
    readings = {row["reading"] for row in rows if row["figure"] == QmgrFigure.put_bytes}
    assert readings == {SampleReading.scrape, SampleReading.counter}


def test_counters_of_a_container_rise_and_begin_again_at_a_restart(
    both: tuple[SiteFigures, ...], rows: list[dict[str, Any]]
) -> None:
    made = both[1]
    counted = of(rows, "qm_web", QmgrFigure.put_count)
    falls = [place for place in range(1, len(counted)) if counted[place] < counted[place - 1]]
    before = int((made.seconds * 1_000_000 < made.restarts[0].ended_us).sum())
    assert falls == [before]
    up = made.puts[made.is_up]
    assert counted[before - 1] == up[:before].sum()
    assert counted[-1] == up[before:].sum()


def test_a_container_tells_no_host_no_connections_and_no_queues(rows: list[dict[str, Any]]) -> None:
    own = [row for row in rows if row["qmgr"] == "qm_web"]
    assert {row["host"] for row in own} == {""}
    assert {row["figure"] for row in own} == {
        QmgrFigure.log_primary_used_pct,
        QmgrFigure.log_fs_free_pct,
        QmgrFigure.qmgr_fs_free_pct,
        QmgrFigure.log_written_bytes,
        QmgrFigure.log_write_latency_us,
        QmgrFigure.put_count,
        QmgrFigure.put_bytes,
    }


def test_the_label_hostname_has_full_stops_and_values_are_text(
    both: tuple[SiteFigures, ...],
) -> None:
    answer = json.loads(prometheus_answer([FigureSlice(both[0], 0, 2)]))
    [first, *_] = answer["data"]["result"]
    assert first["metric"]["hostname"] == "ham.mq1"
    assert [type(part) for part in first["values"][0]] == [int, str]
    assert answer["data"]["resultType"] == "matrix"


def test_a_slice_without_a_scrape_that_answered_has_no_series(
    both: tuple[SiteFigures, ...],
) -> None:
    low = int((~both[0].is_up).argmax())
    answer = json.loads(prometheus_answer([FigureSlice(both[0], low, low + 2)]))
    assert answer["data"]["result"] == []
