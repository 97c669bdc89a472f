"""Records of mq_json as samples."""

import json
from pathlib import Path
from typing import Any

import pytest

from mqcap.domain.errors import InputError
from tests.mqcap.ingest.reading import Rows, read_text

FIRST = 1_783_555_260
QMGR = {"objectType": "qmgr", "tags": {"qmgr": "QM1", "hostname": "mq.1"}}


def record(number: int, *points: dict[str, Any], seconds: float = 60) -> dict[str, Any]:
    """The record of a minute, with the connections of QM1 unless it has other points."""
    made = points or ({**QMGR, "metrics": {"connectionCount": 42 + number}},)
    return {"collectionTime": {"epoch": FIRST + seconds * number}, "points": list(made)}


def puts(count: int) -> dict[str, Any]:
    return {**QMGR, "metrics": {"intervalMqputMqput1TotalCount": count}}


def loaded(folder: Path, *records: Any) -> Rows:
    lines = (record if isinstance(record, str) else json.dumps(record) for record in records)
    return read_text(folder, "\n".join(lines), name="mq.json")


def test_gauges_have_the_step_of_the_records_of_their_queue_manager(tmp_path: Path) -> None:
    rows, _ = loaded(tmp_path, *map(record, (0, 1, 2, 5)))
    assert [(row["value"], row["step_seconds"]) for row in rows] == [
        (42, 60),
        (43, 60),
        (44, 60),
        (47, 60),
    ]
    assert {(row["figure"], row["host"]) for row in rows} == {("connection_count", "mq.1")}


@pytest.mark.parametrize(("seconds", "count"), [(89, 2), (90, 2), (91, 1)])
def test_an_amount_is_of_the_time_since_the_record_before(
    tmp_path: Path, seconds: float, count: int
) -> None:
    records = [record(0, puts(5)), record(1, puts(6)), record(2, puts(7)), record(3, puts(8))]
    records[3]["collectionTime"]["epoch"] = FIRST + 120 + seconds
    rows, _ = loaded(tmp_path, *records)
    assert [(row["value"], row["step_seconds"]) for row in rows[:2]] == [(6, 60), (7, 60)]
    assert len(rows) == 1 + count
    assert {row["reading"] for row in rows} == {"delta"}


def test_records_of_one_time_belong_together(tmp_path: Path) -> None:
    queue = {"objectType": "queue", "tags": {"qmgr": "QM1", "queue": "A"}}
    records = [
        part
        for number in range(3)
        for part in (
            record(number, puts(6)),
            record(number, {**queue, "metrics": {"depth": 7, "attributeMaxDepth": 9}}),
        )
    ]
    rows, _ = loaded(tmp_path, *records)
    assert sorted((row["figure"], row["object"], row["step_seconds"]) for row in rows) == [
        *[("put_count", "", 60.0)] * 2,
        *[("queue_depth_count", "A", 60.0)] * 3,
        *[("queue_depth_max_count", "A", 60.0)] * 3,
    ]


def test_an_older_point_is_known_by_its_tags(tmp_path: Path) -> None:
    old = {"tags": {"qmgr": "QM1", "queue": "A"}, "metrics": {"depth": 7}}
    [row], _ = loaded(tmp_path, record(0, old))
    assert (row["figure"], row["step_seconds"]) == ("queue_depth_count", None)


def test_records_without_figures_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="without any figure"):
        loaded(tmp_path, record(0, {**QMGR, "metrics": {"uptime": 1}}))


def of_queue(**tags: str) -> dict[str, Any]:
    return {"objectType": "queue", "tags": tags, "metrics": {"depth": 7}}


IMPOSSIBLE = "1 record left out: it is of an impossible time (first: line 2)."


@pytest.mark.parametrize(
    ("other", "problems"),
    [
        *[(record(1) | {"collectionTime": {"epoch": epoch}}, [IMPOSSIBLE])
          for epoch in (1e30, -1e30, 0, 1e11)],
        (record(1, of_queue(qmgr="QM1", queue="AMQ.5F")), []),
        (record(1, of_queue(qmgr="CSQ1", platform="ZOS", queue="A")), []),
        (record(1, of_queue(queue="A")), []),
        (record(1, {**QMGR, "metrics": {"connectionCount": True}}), []),
        (record(1, of_queue(qmgr="QM1")), ["1 figure left out: its point names no object."]),
        (
            record(1, {**QMGR, "metrics": {"logFullness": 1, "uptime": 2}}),
            ["names that mq_json does not publish left out: qmgr_log_fullness."],
        ),
    ],
)  # fmt: skip
def test_what_is_no_figure_leaves_the_others_and_is_told(
    tmp_path: Path, other: dict[str, Any], problems: list[str]
) -> None:
    rows, summary = loaded(tmp_path, record(0), other)
    assert [(row["figure"], row["value"]) for row in rows] == [("connection_count", 42)]
    assert summary.problems == tuple(f"mq.json: {problem}" for problem in problems)
