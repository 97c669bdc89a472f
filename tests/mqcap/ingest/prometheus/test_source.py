"""Answers of Prometheus as samples."""

import json
from pathlib import Path
from typing import Any

import pytest

from mqcap.domain.errors import InputError
from mqcap.ingest.registry import source_for
from tests.mqcap.ingest.prometheus.answers import PRIMARY, answer, series, written
from tests.mqcap.ingest.reading import rows_of


def keys(rows: list[dict[str, Any]], *names: str) -> list[tuple[Any, ...]]:
    return sorted({tuple(row[name] for name in names) for row in rows})


GAP = series()
GAP["values"][-1][0] += 600


@pytest.mark.parametrize(
    ("told", "step"),
    [
        ([GAP], 300.0),
        ([series("ibmmq_queue_depth", ["7"], queue="A"), series()], 300.0),
        ([series(values=["1", "2"], step=60)], 60.0),
        ([series(values=["1"])], None),
    ],
    ids=["most frequent distance", "few samples beside others", "two alone", "one alone"],
)
def test_the_step_is_that_of_the_series_or_of_the_others(
    tmp_path: Path, told: list[dict[str, Any]], step: float | None
) -> None:
    rows, _ = rows_of(written(tmp_path, answer(*told)))
    assert keys(rows, "step_seconds") == [(step,)]


def test_series_of_few_samples_do_not_pile_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mqcap.ingest.prometheus.source.SHORT_MAX", 2)
    short = [
        series("ibmmq_channel_status", ["3"], channel="C", connname="c", jobname=f"{number}")
        for number in range(5)
    ]
    rows, _ = rows_of(written(tmp_path, answer(series(), *short)))
    assert len([row for row in rows if row["figure"] == "channel_status"]) == 5
    assert keys(rows, "step_seconds") == [(300.0,)]


def channel(name: str, job: str) -> dict[str, Any]:
    return series(f"ibmmq_channel_{name}", channel="C", connname="c", jobname=job)


def depth(**labels: Any) -> dict[str, Any]:
    return series("ibmmq_queue_depth", **labels)


BACKLOG = "ibmmq_nha_backlog_bytes"
BACKLOG_OF_1 = {("nha_backlog_bytes", "inst-1")}


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        (
            [depth(queue="A", description=old, instance=f"{old}:9157", job=old) for old in "xy"],
            {("queue_depth_count", "A")},
        ),
        ([series(), depth(queue="AMQ.5F0A12")], {("log_primary_used_pct", "")}),
        ([series(), depth(queue="MQAI.REPLY.1")], {("log_primary_used_pct", "")}),
        (
            [channel("status", "1"), channel("status", "2")],
            {("channel_status", "C///c/1/"), ("channel_status", "C///c/2/")},
        ),
        ([channel("cur_inst", job) for job in "12"], {("channel_instance_count", "C")}),
        (
            [channel("attribute_max_inst", job) for job in "12"],
            {("channel_instance_max_count", "C")},
        ),
        ([series(BACKLOG, nha="inst-1", instance="h:9157")], BACKLOG_OF_1),
        ([series(BACKLOG, nhainstance="inst-1", instance="h:9157")], BACKLOG_OF_1),
        ([series(BACKLOG, exported_instance="inst-1", instance="h:9157")], BACKLOG_OF_1),
        ([series("ibmmq_pageset_pages_total", pageset="00", qmgr="CSQ1", platform="ZOS")],
         {("pages_total_count", "PS00")}),
    ],
)  # fmt: skip
def test_an_object_is_known_by_the_labels_of_mq(
    tmp_path: Path, told: list[dict[str, Any]], expected: set[tuple[str, str]]
) -> None:
    rows, _ = rows_of(written(tmp_path, answer(*told)))
    assert set(keys(rows, "figure", "object")) == expected


def test_two_counters_are_never_one(tmp_path: Path) -> None:
    name = "ibmmq_qmgr_mqput_mqput1_total"
    rows, _ = rows_of(written(tmp_path, answer(series(name, pod="a"), series(name, pod="b"))))
    assert len(keys(rows, "object")) == 2
    assert keys(rows, "figure", "reading") == [("put_count", "counter")]


def test_names_that_nobody_publishes_are_reported_and_published_ones_are_not(
    tmp_path: Path,
) -> None:
    document = answer(
        series(),
        series("node_load1"),
        series("ibmmq_qmgr_log_fullness"),
        series("ibmmq_qmgr_uptime"),
    )
    rows, summary = rows_of(written(tmp_path, document))
    assert keys(rows, "figure") == [("log_primary_used_pct",)]
    [problem] = summary.problems
    assert problem.endswith("are left out: ibmmq_qmgr_log_fullness, node_load1.")


@pytest.mark.parametrize("qmgr", ["", "A B", "q" * 49])
def test_a_series_without_the_name_of_a_queue_manager_is_reported(
    tmp_path: Path, qmgr: str
) -> None:
    rows, summary = rows_of(written(tmp_path, answer(series(), series(qmgr=qmgr))))
    assert len(rows) == 4
    assert summary.problems == (
        f"answer.json: series without a queue manager or their object left out: {PRIMARY}.",
    )


ZOS: dict[str, Any] = {"qmgr": "CSQ1", "platform": "ZOS"}


def test_pools_and_page_sets_of_z_os_are_samples_of_their_own(tmp_path: Path) -> None:
    pool = series("ibmmq_bufferpool_buffers_free", bufferpool="3", location="BELOW", **ZOS)
    pages = series("ibmmq_pageset_pages_total", pageset="4", bufferpool="3", **ZOS)
    path = written(tmp_path, answer(series(), pool, pages))
    reading = source_for(path).read(path, "f" * 64)
    tables = {name: table.to_pylist() for name, table in reading.tables()}
    assert [len(rows) for rows in tables.values()] == [4, 8]
    rows = tables["zos_sample"]
    assert {(row["qmgr"], row["object"], row["figure"], row["step_seconds"]) for row in rows} == {
        ("CSQ1", "BP03", "buffers_free_count", 300.0),
        ("CSQ1", "PS04", "pages_total_count", 300.0),
    }
    assert {(row["sysplex"], row["smfid"]) for row in rows} == {("", "")}
    summary = reading.summary()
    assert summary.rows_by_dataset == {"qmgr_sample": 4, "zos_sample": 8}
    assert (summary.record_count, summary.problems) == (12, ())


@pytest.mark.parametrize(
    "labels",
    [
        {"bufferpool": "x"},
        {"bufferpool": "100"},
        {"pageset": "3"},
        {"bufferpool": "3", "qmgr": "PAY.QM"},
    ],
)
def test_series_of_z_os_without_their_names_are_reported(
    tmp_path: Path, labels: dict[str, Any]
) -> None:
    pool = series("ibmmq_bufferpool_buffers_free", **{**ZOS, **labels})
    other = series("ibmmq_queue_depth", queue="A", **ZOS)
    foreign = series("bufferpool_buffers_free", bufferpool="3", **ZOS)
    rows, summary = rows_of(written(tmp_path, answer(series(), pool, other, foreign)))
    assert keys(rows, "qmgr") == [("QM1",)]
    [problem] = summary.problems
    assert "series of queue managers on z/OS that are not read" in problem
    assert problem.endswith(
        "bufferpool_buffers_free, ibmmq_bufferpool_buffers_free, ibmmq_queue_depth."
    )


@pytest.mark.parametrize("results", [[], [series("ibmmq_qmgr_uptime")], [series(values=["NaN"])]])
def test_an_answer_without_any_sample_is_an_error(tmp_path: Path, results: list[Any]) -> None:
    with pytest.raises(InputError, match="without any sample"):
        rows_of(written(tmp_path, answer(*results)))


def test_the_bytes_are_those_of_series_that_are_used_and_of_all_else(tmp_path: Path) -> None:
    used, other = series(), series("ibmmq_qmgr_uptime")
    path = written(tmp_path, answer(used, other))
    _, summary = rows_of(path)
    assert summary.decoded_bytes == len(json.dumps(used, separators=(",", ":")))
    assert summary.content_bytes == path.stat().st_size
    assert summary.record_count == 4


def test_warnings_of_prometheus_are_reported(tmp_path: Path) -> None:
    _, summary = rows_of(written(tmp_path, answer(series(), warnings=["results may be partial"])))
    assert summary.problems == ("answer.json: results may be partial",)


WRITTEN = "ibmmq_qmgr_log_physical_written_bytes"


@pytest.mark.parametrize("is_first", [True, False])
def test_amounts_under_labels_that_change_to_and_fro_have_the_step_of_all(
    tmp_path: Path, is_first: bool
) -> None:
    parts = [
        series(WRITTEN, values="1234", step=600, description="a"),
        series(WRITTEN, values="1234", step=600, description="b"),
    ]
    for pair in parts[1]["values"]:
        pair[0] += 300
    gauges = [series(), series("ibmmq_qmgr_connection_count")]
    rows, _ = rows_of(written(tmp_path, answer(*(parts + gauges if is_first else gauges + parts))))
    assert keys(rows, "figure", "step_seconds") == [
        ("connection_count", 300.0),
        ("log_primary_used_pct", 300.0),
        ("log_written_bytes", 300.0),
    ]
    assert sum(row["figure"] == "log_written_bytes" for row in rows) == 8


def test_amounts_of_a_larger_step_than_others_keep_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mqcap.ingest.prometheus.source.AMOUNTS_MAX", 4)
    coarse = [series(WRITTEN, step=600), series(WRITTEN, step=900, qmgr="QM2")]
    rows, _ = rows_of(written(tmp_path, answer(series(), *coarse)))
    assert keys(rows, "qmgr", "step_seconds") == [("QM1", 300.0), ("QM1", 600.0), ("QM2", 900.0)]
