"""Samples: gathered, and their keys."""

import math
from datetime import UTC, date, datetime

import numpy as np
import pyarrow as pa
import pytest

from mqcap.domain.datasets import ZOS_SAMPLE
from mqcap.domain.distributed.qmgr_figure import QmgrFigure, SampleReading
from mqcap.domain.sampled.figures import ZosFigure
from mqcap.domain.source import SourceSummary
from mqcap.ingest.samples import (
    FIRST_UTC,
    ROWS_PER_TABLE,
    GatheredSamples,
    QueueLimit,
    SampleKey,
    Samples,
    ZosKey,
    most_frequent,
    object_number,
)
from spark_apps.decode_file import POSSIBLE_BELOW, possible_rows

MIDNIGHT = int(datetime(2026, 7, 9, tzinfo=UTC).timestamp())
KEY = SampleKey("QM1", QmgrFigure.connection_count, SampleReading.gauge)


def made(*pairs: tuple[float, float], key: SampleKey = KEY, step: float | None = 60) -> Samples:
    samples = Samples("f" * 64)
    reported_us = np.array([time * 1_000_000 for time, _ in pairs]).astype(np.int64)
    samples.add(key, reported_us, step, np.array([value for _, value in pairs], float))
    return samples


def test_a_sample_has_its_time_its_step_and_whose_it_is() -> None:
    [(name, table)] = made((MIDNIGHT, 5), key=KEY._replace(host="mq1", object="A")).rest()
    assert name == "qmgr_sample"
    assert table.to_pylist() == [
        {
            "qmgr": "QM1",
            "host": "mq1",
            "object": "A",
            "figure": "connection_count",
            "reading": "gauge",
            "reported_utc": datetime(2026, 7, 9, tzinfo=UTC),
            "step_seconds": 60.0,
            "value": 5.0,
            "file_sha256": "f" * 64,
        }
    ]


@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf")])
def test_what_is_no_number_is_no_sample_and_nothing_to_report(value: float) -> None:
    samples = made((MIDNIGHT, value), (MIDNIGHT + 60, 1))
    assert samples.row_count == 1
    assert samples.problems("a.json") == []


@pytest.mark.parametrize(
    ("value", "count"), [(2.0**62, 1), (2.0**63, 0), (-(2.0**63), 0), (1e300, 0)]
)
def test_a_value_beyond_64_bits_is_left_out_and_reported(value: float, count: int) -> None:
    samples = made((MIDNIGHT, value))
    assert samples.row_count == count
    expected = [] if count else ["a.json: 1 sample of impossible size left out."]
    assert samples.problems("a.json") == expected


@pytest.mark.parametrize(("value", "count"), [(2.0**50 - 1, 1), (2.0**50, 0)])
@pytest.mark.parametrize("reading", [SampleReading.delta, SampleReading.scrape])
def test_an_amount_that_no_step_can_count_is_left_out(
    reading: SampleReading, value: float, count: int
) -> None:
    assert made((MIDNIGHT, value), key=KEY._replace(reading=reading)).row_count == count


@pytest.mark.parametrize(("seconds", "count"), [(-1, 0), (0, 1), (1, 1)])
def test_a_time_before_the_year_2000_is_left_out(seconds: int, count: int) -> None:
    samples = made((FIRST_UTC.timestamp() + seconds, 1))
    assert samples.row_count == count
    assert len(samples.problems("a.json")) == 1 - count


@pytest.mark.parametrize(
    ("reading", "step", "dates"),
    [
        (SampleReading.gauge, 60, [8]),
        (SampleReading.delta, 60, [8]),
        (SampleReading.scrape, 60, [8]),
        (SampleReading.counter, 60, [8, 9]),
        (SampleReading.gauge, None, [8]),
    ],
)
def test_the_dates_are_those_on_which_a_figure_of_midnight_may_count(
    reading: SampleReading, step: float | None, dates: list[int]
) -> None:
    samples = made((MIDNIGHT, 1), key=KEY._replace(reading=reading), step=step)
    assert samples.times.dates() == tuple(date(2026, 7, day) for day in dates)


def test_a_scrape_reaches_back_by_the_longest_interval_of_scrapes() -> None:
    key = KEY._replace(reading=SampleReading.scrape)
    [before, day] = made((MIDNIGHT + 3_599, 1), key=key).times.dates()
    assert (before, day) == (date(2026, 7, 8), date(2026, 7, 9))
    assert made((MIDNIGHT + 3_600, 1), key=key).times.dates() == (date(2026, 7, 9),)


def test_a_table_is_handed_on_once_it_is_large_enough() -> None:
    assert list(made((MIDNIGHT, 1)).full()) == []
    many = Samples("f" * 64)
    reported_us = (MIDNIGHT + np.arange(ROWS_PER_TABLE)) * 1_000_000
    many.add(KEY, reported_us, 1, np.ones(ROWS_PER_TABLE))
    assert [table.num_rows for _, table in many.full()] == [ROWS_PER_TABLE]
    assert list(many.rest()) == []


@pytest.mark.parametrize(
    ("distances", "step"), [([], None), ([5], 5), ([5, 5, 3], 5), ([9, 3, 9, 3], 3)]
)
def test_the_most_frequent_distance_is_the_step(distances: list[int], step: int | None) -> None:
    assert most_frequent(np.array(distances, np.int64)) == step


EMPTY = SourceSummary(
    framing="json", content_bytes=9, decoded_bytes=9, skipped_bytes=0, quarantined_bytes=0,
    record_count=0, rows_by_dataset={}, problems=("more.",),
)  # fmt: skip


def test_the_summary_counts_rows_and_says_what_was_left_out() -> None:
    summary = made((MIDNIGHT, 1), (MIDNIGHT + 60, 1e300)).added_to(EMPTY, "a.json")
    assert (summary.rows_by_dataset, summary.record_count) == ({"qmgr_sample": 1}, 1)
    assert summary.problems == ("a.json: 1 sample of impossible size left out.", "more.")
    assert Samples("f" * 64).added_to(EMPTY, "a.json") == EMPTY


OF_ZOS = ZosKey("PLEX1", "SYS1", "CSQ1", "BP03", ZosFigure.buffer_pool_used_pct)


def samples_of_zos(*hours: int) -> Samples:
    samples = Samples("f" * 64, ZOS_SAMPLE)
    times = np.array([hour * 3_600 * 1_000_000 for hour in hours]) + 10**15
    samples.add(OF_ZOS, times, 300, np.ones(len(hours)))
    return samples


def test_a_file_may_have_samples_of_two_datasets() -> None:
    alone = made((MIDNIGHT, 1.0), (MIDNIGHT + 60, 2.0)).added_to(EMPTY, "a.json")
    both = samples_of_zos(0, 48).added_to(alone, "a.json")
    assert both.rows_by_dataset == {"qmgr_sample": 2, "zos_sample": 2}
    assert both.record_count == 4
    assert set(alone.hour_dates) < set(both.hour_dates)
    assert alone.first_interval_utc is not None
    assert both.last_interval_utc is not None
    assert alone.first_interval_utc >= (both.first_interval_utc or alone.first_interval_utc)


def test_temporary_queues_are_no_objects() -> None:
    key = KEY._replace(object="AMQ.5F1C")
    assert made((MIDNIGHT, 1.0), key=key).row_count == 1
    key = key._replace(figure=QmgrFigure.queue_depth_count)
    assert made((MIDNIGHT, 1.0), key=key).row_count == 0


@pytest.mark.parametrize(
    ("figure", "is_limited"),
    [(QmgrFigure.queue_depth_count, True), (QmgrFigure.channel_status, False)],
)
def test_queues_beyond_the_limit_are_left_out_and_reported(
    figure: QmgrFigure, is_limited: bool
) -> None:
    samples = Samples("f" * 64, _queues=QueueLimit(2))
    for name in ("A", "B", "C", "A"):
        key = KEY._replace(figure=figure, object=name)
        samples.add(key, np.array([MIDNIGHT * 1_000_000]), 60, np.array([1.0]))
    assert samples.row_count == (3 if is_limited else 4)
    assert ("C. Report only" in " ".join(samples.problems("a.json"))) is is_limited


@pytest.mark.parametrize(
    ("figure", "value", "is_taken"),
    [
        (QmgrFigure.connection_count, -1, False),
        (QmgrFigure.connection_count, 0, True),
        (QmgrFigure.log_extents_grown_count, -1, True),
        (QmgrFigure.qmgr_fs_free_pct, 100, True),
        (QmgrFigure.qmgr_fs_free_pct, 100.01, False),
        (QmgrFigure.log_fs_free_pct, 6e9, False),
        (QmgrFigure.log_primary_used_pct, 166.7, True),
    ],
)
def test_figures_below_zero_and_free_shares_above_all_are_left_out_and_told(
    figure: QmgrFigure, value: float, is_taken: bool
) -> None:
    samples = made((MIDNIGHT, value), key=KEY._replace(figure=figure))
    assert samples.row_count == is_taken
    assert samples.problems("x") == (
        [] if is_taken else ["x: 1 sample of impossible size left out."]
    )


def test_gathered_samples_come_by_figure_in_order_of_time() -> None:
    gathered: GatheredSamples[SampleKey] = GatheredSamples()
    other = KEY._replace(object="B")
    for key, time, value in ((KEY, 3, 30.0), (other, 1, 10.0), (KEY, 2, 20.0)):
        gathered.add(key, time, value, seconds=value / 10)
    first, second = gathered.figures()
    assert (first.key, list(first.reported_us), list(first.values)) == (KEY, [2, 3], [20, 30])
    assert list(first.seconds) == [2, 3]
    assert (second.key, list(second.values)) == (other, [10])


def test_a_figure_that_is_not_admitted_takes_no_memory() -> None:
    asked: list[str] = []

    def admits(key: SampleKey) -> bool:
        asked.append(key.object)
        return key.object != "B"

    gathered = GatheredSamples(admits)
    for name in "ABAB":
        gathered.add(KEY._replace(object=name), 1, 1.0)
    assert [figure.key.object for figure in gathered.figures()] == ["A"]
    assert asked == ["A", "B", "B"]


@pytest.mark.parametrize(
    ("text", "number"),
    [("0", 0), ("03", 3), ("99", 99), ("100", None), ("", None), ("-1", None), ("3.0", None)],
)
def test_pools_and_page_sets_have_numbers_up_to_99(text: str, number: int | None) -> None:
    assert object_number(text) == number


@pytest.mark.parametrize("value", [math.inf, -math.inf, math.nan, 7e75, POSSIBLE_BELOW])
def test_a_row_with_a_figure_that_cannot_be_is_left_out_and_named(value: float) -> None:
    table = pa.table({"name": ["A", "B", "C"], "step_seconds": [60.0, value, None]})
    kept, sentences = possible_rows(table)
    assert kept["name"].to_pylist() == ["A", "C"]
    assert sentences == [f"1 rows left out: step_seconds is {value:g}, which no system has."]


def limit_of(most: int, *queues: str) -> QueueLimit:
    limit = QueueLimit(most)
    for queue in queues:
        limit.admits("QM1", queue)
    return limit


@pytest.mark.parametrize(("count", "is_taken"), [(2, True), (3, False), (4, False)])
def test_so_many_queues_of_a_queue_manager_are_taken_and_known_ones_stay(
    count: int, is_taken: bool
) -> None:
    limit = limit_of(3, *[f"Q{number}" for number in range(count)])
    assert limit.admits("QM1", "NEW") is is_taken
    assert limit.admits("QM1", "Q0")
    assert limit.admits("QM2", "NEW")


def test_what_is_left_out_is_counted_and_named() -> None:
    assert list(limit_of(2, "A", "B", "A").problems("a.json")) == []
    [sentence] = limit_of(2, "A", "B", "C", "C").problems("a.json")
    assert sentence == (
        "a.json: queue manager QM1 has more than 2 queues here; 1 queue beyond the first of them "
        "left out: C. Report only queues that are to be watched (docs/distributed.md)."
    )
    [sentence] = limit_of(7, *[f"Q{number:02d}" for number in range(13)]).problems("a.json")
    assert "; 6 queues beyond" in sentence
    assert "Q07, Q08, Q09, Q10, Q11 and others." in sentence
    [sentence] = limit_of(3, *[f"Q{number}" for number in range(100)]).problems("a.json")
    assert "; at least 3 queues beyond" in sentence  # no memory is taken for more names
