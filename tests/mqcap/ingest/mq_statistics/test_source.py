"""Files of statistics messages as samples."""

import json
from pathlib import Path
from typing import Any

import pytest

from mqcap.domain.errors import InputError
from tests.mqcap.ingest.mq_statistics.test_messages import PRINTED, loaded, printed


@pytest.mark.parametrize("indent", [None, 2])
def test_events_are_read_in_both_layouts(tmp_path: Path, indent: int | None) -> None:
    events = [printed(), printed(kind=166)]
    text = "\n".join(json.dumps(event, indent=indent) for event in events)
    [row], summary = loaded(tmp_path, text)
    assert (row["figure"], row["value"], row["step_seconds"]) == ("connection_count", 43, 1_800)
    assert row["reported_utc"].isoformat() == "2026-07-09T00:30:00+00:00"
    assert summary.problems == ()


@pytest.mark.parametrize(
    "queues", [None, 1, [None], "A", [{"queueName": None, "queueMaxDepth": 7, "puts": None}]]
)
def test_a_message_of_queues_that_are_none_leaves_the_others(tmp_path: Path, queues: Any) -> None:
    events = [printed(kind=165, queueStatisticsData=queues), printed()]
    [row], summary = loaded(tmp_path, "\n".join(map(json.dumps, events)))
    assert (row["figure"], row["object"]) == ("connection_count", "")
    assert any(word in "; ".join(summary.problems) for word in ("no list of queues", "puts is no"))


def test_text_is_in_the_zone_of_the_site(tmp_path: Path) -> None:
    rows, summary = loaded(tmp_path, PRINTED)
    assert {row["reported_utc"].isoformat() for row in rows} == {"2026-07-09T05:30:00+00:00"}
    assert sorted(row["figure"] for row in rows) == [
        "connection_count",
        "put_count",
        "queue_depth_count",
        "queue_depth_count",
        "queue_put_count",
    ]
    assert summary.content_bytes == len(PRINTED)


def test_a_message_whose_offset_is_unknown_is_left_out_and_reported(tmp_path: Path) -> None:
    events = [printed(), printed(1_783_557_000 + 420)]
    rows, summary = loaded(tmp_path, "\n".join(map(json.dumps, events)))
    assert len(rows) == 1
    assert summary.problems[0].startswith("statistics: 1 message left out: the end of the interval")


@pytest.mark.parametrize("epoch", [1e30, -1e30, 1e17])
def test_a_message_of_an_impossible_time_leaves_the_others(tmp_path: Path, epoch: float) -> None:
    text = json.dumps(printed() | {"eventCreation": {"epoch": epoch}}) + json.dumps(printed())
    rows, summary = loaded(tmp_path, text)
    assert len(rows) == 1
    [problem] = summary.problems
    assert problem.endswith(
        "1 message left out: it was created at an impossible time (first: line 1)."
    )


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (PRINTED.replace("QM1", "QM2"), "no site of the settings lists QM2"),
        (PRINTED.replace("QM1", "Q M"), "names no queue manager"),
        (PRINTED.replace("00.30.00", "noon"), "its end is no local date and time"),
        (PRINTED.replace("00.00.00", "00.00.00Z"), "its start is no local date and time"),
        (json.dumps(printed(kind=166)), "statistics messages without any figure"),
    ],
)
def test_messages_without_figures_are_an_error(tmp_path: Path, text: str, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        loaded(tmp_path, text)


def test_a_printed_message_that_cannot_be_read_leaves_the_others(tmp_path: Path) -> None:
    rows, summary = loaded(tmp_path, PRINTED.replace("00.00.00", "noon", 1) + PRINTED)
    assert sum(row["figure"] == "connection_count" for row in rows) == 1
    [problem] = summary.problems
    assert problem.endswith(": 1 message left out: its start is no local date and time.")


def test_text_by_kind_has_an_hour_that_comes_twice_for_each_kind(tmp_path: Path) -> None:
    def at(begin: str, end: str) -> str:
        of_day = PRINTED.replace("2026-07-09", "2026-11-01").partition("\n3 Records")[0] + "\n"
        return of_day.replace("00.30.00", end).replace("00.00.00", begin)

    both = [at("01.00.00", "01.30.00"), at("01.30.00", "01.00.00"), at("01.00.00", "01.30.00")]
    kinds = [text.split("MonitoringType: QueueStatistics") for text in both]
    text = "".join(mqi for mqi, _ in kinds)
    text += "".join("MonitoringType: QueueStatistics" + queue for _, queue in kinds)
    rows, _ = loaded(tmp_path, text)
    for figure in ("connection_count", "queue_put_count"):
        of_figure = [row for row in rows if row["figure"] == figure]
        assert [row["reported_utc"].strftime("%H:%M") for row in of_figure] == [
            "06:30",
            "07:00",
            "07:30",
        ]
