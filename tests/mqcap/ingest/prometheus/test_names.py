"""Names of Prometheus and their meaning."""

from __future__ import annotations

import pytest

from mqcap.domain.distributed.qmgr_figure import QmgrFigure, SampleReading
from mqcap.ingest.prometheus.names import MEANINGS, known_names


def test_every_name_with_a_meaning_is_published() -> None:
    assert MEANINGS.keys() <= known_names()


@pytest.mark.parametrize(
    ("name", "reading"),
    [
        ("qmgr_log_physical_written_bytes", SampleReading.scrape),
        ("qmgr_log_physical_written_bytes_total", SampleReading.counter),
        ("qmgr_interval_mqput_mqput1_total_count", SampleReading.scrape),
        ("qmgr_mqput_mqput1_total", SampleReading.counter),
        ("queue_depth", SampleReading.gauge),
    ],
)
def test_the_same_figure_is_a_delta_of_one_producer_and_a_counter_of_the_other(
    name: str, reading: SampleReading
) -> None:
    assert MEANINGS[name].reading is reading


def test_a_name_of_bytes_may_be_a_percentage() -> None:
    meaning = MEANINGS["qmgr_log_file_system_free_space_bytes"]
    assert meaning == MEANINGS["qmgr_log_file_system_free_space_percentage"]
    assert meaning.figure is QmgrFigure.log_fs_free_pct


def test_lock_contention_is_that_of_a_queue() -> None:
    meaning = MEANINGS["queue_lock_contention_percentage"]
    assert meaning.figure is QmgrFigure.queue_lock_contention_pct
    assert meaning.object_labels == ("queue",)


def test_the_use_of_allocated_extents_is_no_figure() -> None:
    assert "qmgr_log_in_use_bytes" not in MEANINGS
    assert "qmgr_log_in_use_bytes" in known_names()


@pytest.mark.parametrize(
    "name",
    [
        "qmgr_concurrent_connections_high_water_mark",  # since the start: it never falls
        "queue_oldest_message_age",  # 0 also where monitoring is off
        "queue_qtime_short",
        "nha_log_file_system_free_space_bytes",  # of the replica
    ],
)
def test_marks_since_the_start_and_ages_that_may_be_unknown_are_no_figures(name: str) -> None:
    assert name in known_names()
    assert name not in MEANINGS
