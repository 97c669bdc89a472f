"""The metrics behind the rules about tasks, counters, queues, data sets and recovery."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

import pytest
from pyspark.sql import SparkSession

from spark_apps.metrics import (
    channel_batches,
    chinit_tasks,
    console_counts,
    log_io,
    pool_counters,
    queues,
    recovery,
    shared_data_sets,
    shared_requests,
    structure_service,
)
from tests.spark_apps.rows import START, levels, sections

pytestmark = pytest.mark.spark

CSQ1 = "PLEX1/CSQ1"
CHINIT = f"{CSQ1}/CHINIT"
HALF_HOUR_US = 1_800e6


def test_the_log_writer_is_busy_when_it_is_not_idle(spark: SparkSession) -> None:
    row = {"qjstslptu": 0.75 * HALF_HOUR_US, "qjstllcp": 3}
    assert levels(log_io.intervals(sections(spark, section_qjst=[row]))) == {
        ("log_task_busy_pct", CSQ1): [25.0],
        ("log_checkpoints_per_h", CSQ1): [6.0],
    }


def test_a_record_without_idle_time_tells_no_task_busy(spark: SparkSession) -> None:
    found = levels(log_io.intervals(sections(spark, section_qjst=[{"qjstslptu": 0.0}])))
    assert ("log_task_busy_pct", CSQ1) not in found


def test_zhyperlink_writes_show_their_time_and_how_many_stayed_synchronous(
    spark: SparkSession,
) -> None:
    row = {
        "qjsthlsciw": 800,
        "qjsthlmciw": 200,
        "qjsthlscis": 790,
        "qjsthlmcis": 190,
        "qjsthlsciwttot": int(0.3 * HALF_HOUR_US),
        "qjsthlmciwttot": int(0.1 * HALF_HOUR_US),
    }
    assert levels(log_io.intervals(sections(spark, section_qjst=[row]))) == {
        ("zhyperlink_busy_pct", CSQ1): [40.0],
        ("zhyperlink_sync_pct", CSQ1): [98.0],
    }


def test_pool_counters_are_rates_and_shares(spark: SparkSession) -> None:
    row = {
        "qpstpool": 3,
        "qpstnbuf": 1_050,
        "qpstsos": 1,
        "qpststla": 421,
        "qpstdmc": 2,
        "qpststl": 842,
        "qpstdwt": 11,
        "qpstrio": 3_600,
        "qpstwio": 1_800,
        "qpsttpw": 900,
    }
    pool = f"{CSQ1}/BP03"
    assert levels(pool_counters.intervals(sections(spark, section_qpst=[row]))) == {
        ("buffer_pool_buffers_count", pool): [1_050.0],
        ("buffer_pool_short_count", pool): [848.0],
        ("buffer_pool_deferred_count", pool): [22.0],
        ("buffer_pool_io_per_s", pool): [3.0],
        ("buffer_pool_read_per_s", pool): [2.0],
        ("buffer_pool_written_per_s", pool): [0.5],
        ("buffer_pool_contention_pct", pool): [50.0],
    }


def test_the_busiest_task_speaks_and_idle_adapters_are_not_used(spark: SparkSession) -> None:
    tasks = [
        {"section_index": 0, "qctreqn": 9, "qcteltm": 60.0, "qctwttm": 40.0},
        {"section_index": 1, "qctreqn": 0, "qcteltm": 0.0, "qctwttm": 100.0},
    ]
    found = chinit_tasks.intervals(
        sections(spark, section_qctdsp=tasks, section_qctadp=tasks, section_qctssl=tasks[:1])
    )
    assert levels(found) == {
        ("chinit_dispatchers_count", CHINIT): [2.0],
        ("chinit_dispatcher_busy_pct", CHINIT): [60.0],
        ("chinit_adapters_count", CHINIT): [2.0],
        ("chinit_adapters_used_count", CHINIT): [1.0],
        ("chinit_ssltasks_count", CHINIT): [1.0],
        ("chinit_ssltask_busy_pct", CHINIT): [60.0],
    }


def test_a_batch_is_as_large_as_all_channels_make_it(spark: SparkSession) -> None:
    rows = [
        {"qcstchnm": "A", "qcstnmsg": 90, "qcstbatc": 10},
        {"qcstchnm": "B", "qcstnmsg": 30, "qcstbatc": 20},
        {"qcstchnm": "C", "qcstnmsg": 0, "qcstbatc": 0},
    ]
    assert levels(channel_batches.intervals(sections(spark, section_qcst=rows))) == {
        ("channel_batch_messages", CHINIT): [4.0]
    }


def test_requests_of_all_structures_are_counted_together(spark: SparkSession) -> None:
    slots = [
        {"qeststr": "APPL1", "qestcsec": 60, "qestcmec": 20, "qestrsec": 4, "qestrmec": 0},
        {"qeststr": "APPL2", "qestcsec": 10, "qestcmec": 10, "qestrsec": 0, "qestrmec": 1},
    ]
    found = shared_requests.intervals(
        sections(
            spark,
            section_qest=slots,
            section_qmst=[{"qmstget": 10}],
            section_qist=[{"qistdcre": 4, "qistddel": 8}],
        )
    )
    assert levels(found) == {
        ("cf_redrive_pct", CSQ1): [5.0],
        ("cf_list_calls_per_get", CSQ1): [3.0],
        ("object_deletes_per_create", CSQ1): [2.0],
    }


def test_the_worst_shared_message_data_set_speaks_for_all(spark: SparkSession) -> None:
    rows = [
        {
            "qesdstr": "APPL1",
            "qesdsmbd": 100,
            "qesdsmmu": 80,
            "qesdbfto": 20,
            "qesdbfmf": 0,
            "qesdbfgb": 50,
            "qesdbfwp": 1,
        },
        {"qesdstr": "APPL2", "qesdsmbd": 100, "qesdsmmu": 10, "qesdbfto": 20, "qesdbfmf": 15},
    ]
    assert levels(shared_data_sets.intervals(sections(spark, section_qesd=rows))) == {
        ("smds_used_pct", CSQ1): [80.0],
        ("smds_buffers_used_pct", CSQ1): [100.0],
        ("smds_buffer_waits_pct", CSQ1): [2.0],
        ("smds_buffers_count", CSQ1): [20.0],
    }


def test_the_busiest_private_queue_speaks_and_shared_ones_tell_empty_gets(
    spark: SparkSession,
) -> None:
    rows = [
        {"qqstqnam": "A", "qqstcfst": " ", "qqstputs": 1_800, "qqstput1": 1_800, "qqstputb": 7_200},
        {"qqstqnam": "B", "qqstputs": 10, "qqstputb": 9_999},
        {"qqstqnam": "S", "qqstcfst": "APPL1", "qqstputs": 99_999, "qqstgets": 10, "qqstnmag": 25},
    ]
    assert levels(queues.intervals(sections(spark, section_qqst=rows))) == {
        ("private_queue_messages_per_s", CSQ1): [2.0],
        ("private_queue_message_bytes", CSQ1): [2.0],
        ("shared_empty_gets_per_get", CSQ1): [2.5],
    }


def test_service_times_of_members_are_weighed_by_their_requests(spark: SparkSession) -> None:
    row = {"r744snam": "QSG1APPL1", "r744slel": 900, "r744sarc": 50.0}
    rows = [
        {**row, "smfid": "SYS1", "r744ssrc": 100.0, "r744sstm": 500},
        {**row, "smfid": "SYS2", "r744ssrc": 300.0, "r744sstm": 3_500},
    ]
    subject = "PLEX1/CF01/QSG1APPL1"
    assert levels(structure_service.intervals(sections(spark, section_r744s=rows))) == {
        ("structure_sync_us", subject): [10.0],
        ("structure_async_pct", subject): [20.0],
        ("structure_entries_count", subject): [900.0],
    }


def test_the_end_of_a_recovery_is_foreseen_as_in_the_report(spark: SparkSession) -> None:
    places = [(0, "3E022000"), (120, "2E39A11D"), (240, "1E686466"), (1_000, "0EAB6000")]
    told = [
        {
            "message_id": "CSQR032I",
            "event_utc": START - timedelta(seconds=1),
            "start_rba": Decimal(int("3E022000", 16)),
            "end_rba": Decimal(int("08561B58", 16)),
        },
        *(
            {
                "message_id": "CSQR033I",
                "event_utc": START + timedelta(seconds=after),
                "start_rba": Decimal(int(place, 16)),
            }
            for after, place in places
        ),
    ]
    found = levels(recovery.intervals(sections(spark, console_event=told)))
    [(key, remaining)] = found.items()
    assert key == ("recovery_remaining_s", CSQ1)
    assert remaining == pytest.approx([288.069, 167.447], abs=0.001)


def test_messages_are_counted_in_the_hours_that_have_them(spark: SparkSession) -> None:
    told = [
        {"message_id": text, "event_utc": START + timedelta(minutes=after)}
        for text, after in (("CSQW133E", 1), ("CSQW133E", 2), ("CSQJ160I", 3), ("CSQW133E", 61))
    ]
    found = levels(console_counts.intervals(sections(spark, console_event=told)))
    assert {key: sorted(counted) for key, counted in found.items()} == {
        ("trace_lost_count", CSQ1): [1.0, 2.0],
        ("long_unit_of_work_count", CSQ1): [1.0],
    }
