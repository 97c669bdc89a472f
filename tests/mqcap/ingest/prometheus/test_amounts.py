"""Amounts since a scrape, of one collector, of several, and of those that are not reset."""

from pathlib import Path
from typing import Any

import pytest

from tests.mqcap.ingest.prometheus.answers import FIRST, answer, series, written
from tests.mqcap.ingest.prometheus.test_source import keys
from tests.mqcap.ingest.reading import rows_of

PUTS = "ibmmq_qmgr_interval_mqput_mqput1_total_count"
Row = dict[str, Any]


def told(
    values: list[float], first: int = 0, step: int = 60, name: str = PUTS, **labels: str
) -> dict[str, Any]:
    made = series(name, [str(value) for value in values], step, **labels)
    for pair in made["values"]:
        pair[0] += first
    return made


def rates(rows: list[Row]) -> set[float]:
    """Puts a second, of which each sample tells."""
    return {row["value"] / row["step_seconds"] for row in rows}


def uneven(count: int) -> list[float]:
    return [6000.0 + 60 * (number % 7) for number in range(count)]


@pytest.mark.parametrize("readers", [2, 3])
def test_what_several_read_at_one_address_belongs_to_the_time_since_any_of_them(
    tmp_path: Path, readers: int
) -> None:
    offset = 60 // readers
    pair = [
        told(
            [100.0 * offset] * 40,
            offset * number,
            instance="h:9157",
            prometheus_replica=f"{number}",
        )
        for number in range(readers)
    ]
    rows, summary = rows_of(written(tmp_path, answer(*pair)))
    assert (rates(rows), len(rows), summary.problems) == ({100.0}, 40 * readers, ())


def test_a_reader_that_begins_later_takes_its_part_from_then_on(tmp_path: Path) -> None:
    first = told([6000.0] * 20 + [3000.0] * 20, instance="h:9157", replica="a")
    second = told([3000.0] * 20, 19 * 60 + 30, instance="h:9157", replica="b")
    rows, _ = rows_of(written(tmp_path, answer(first, second)))
    assert rates(rows) == {100.0}


def test_on_the_grid_of_an_answer_what_two_read_at_one_address_is_added(tmp_path: Path) -> None:
    pair = [told([3000.0] * 40, instance="h:9157", replica=name) for name in "ab"]
    rows, _ = rows_of(written(tmp_path, answer(*pair)))
    assert (rates(rows), keys(rows, "reading")) == ({100.0}, [("scrape",)])


def test_collectors_at_two_addresses_are_left_out_for_the_time_of_both_and_gauges_stay(
    tmp_path: Path,
) -> None:
    both = [told(uneven(20), instance="a"), told(uneven(40), 600, instance="b")]
    rows, summary = rows_of(written(tmp_path, answer(series(), *both)))
    times = [
        row["reported_utc"].timestamp() - FIRST for row in rows if row["figure"] == "put_count"
    ]
    assert sorted(times)[:11] == [*range(0, 600, 60), 1200]
    assert len([row for row in rows if row["reading"] == "gauge"]) == 4
    [problem] = summary.problems
    assert "collectors at several addresses (label instance) report QM1" in problem


def test_an_address_that_changes_is_one_collector(tmp_path: Path) -> None:
    rows, summary = rows_of(
        written(
            tmp_path, answer(told(uneven(20), instance="a"), told(uneven(20), 1200, instance="b"))
        )
    )
    assert (len(rows), keys(rows, "reading"), summary.problems) == (40, [("scrape",)], ())


@pytest.mark.parametrize(
    ("rises", "restarts", "reading"),
    [(3, 0, "scrape"), (12, 0, "counter"), (12, 1, "counter"), (12, 2, "counter")],
)
def test_amounts_that_are_not_reset_are_a_counter(
    tmp_path: Path, rises: int, restarts: int, reading: str
) -> None:
    run = [6000.0 * number for number in range(1, rises + 2)]
    quiet = told([5.0] * 12, name="ibmmq_queue_mqput_mqput1_count", queue="APP.IN")
    rows, _ = rows_of(written(tmp_path, answer(told(run * (restarts + 1)), quiet)))
    assert {row["reading"] for row in rows} == {reading}
    assert [row["object"] for row in rows if row["figure"] == "queue_put_count"] == ["APP.IN"] * 12


def test_amounts_that_may_not_be_reset_are_left_out_and_gauges_stay(tmp_path: Path) -> None:
    slow = told([float(number // 20) for number in range(100, 200)])
    gauge = told([5.0] * 100, name="ibmmq_queue_depth", queue="APP.IN")
    rows, summary = rows_of(written(tmp_path, answer(slow, gauge)))
    assert keys(rows, "figure") == [("queue_depth_count",)]
    assert "amounts of QM1 only rise" in "; ".join(summary.problems)


def test_one_figure_that_goes_up_and_down_shows_that_amounts_are_reset(tmp_path: Path) -> None:
    rising = told([6000.0 * number for number in range(1, 30)])
    other = told(uneven(30), name="ibmmq_qmgr_log_physical_written_bytes")
    rows, _ = rows_of(written(tmp_path, answer(rising, other)))
    assert keys(rows, "reading") == [("scrape",)]


HALVES = ("ibmmq_qmgr_mqput_message_count", "ibmmq_qmgr_mqput1_message_count")


def test_puts_of_statistics_messages_are_mqput_and_mqput1_together(tmp_path: Path) -> None:
    both = [told([600.0 - 100 * number] * 5, name=name) for number, name in enumerate(HALVES)]
    rows, summary = rows_of(written(tmp_path, answer(*both)))
    assert {(row["figure"], row["value"]) for row in rows} == {("put_count", 1100.0)}
    rows, summary = rows_of(written(tmp_path, answer(series(), both[0])))
    assert keys(rows, "reading") == [("gauge",)]
    assert summary.problems[0].endswith(f"MQPUT and MQPUT1 are asked for together: {HALVES[0]}.")
