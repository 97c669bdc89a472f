from __future__ import annotations

import inspect
import re
from datetime import timedelta

import pytest
from pyspark.sql import SparkSession
from pyspark.testing import assertDataFrameEqual

from mqcap.domain.discovery import load_all
from mqcap.domain.metric import SubjectKind
from mqcap.domain.units import PAGE_BYTES
from mqcap.ingest.smf.layout import layouts
from spark_apps import metrics
from spark_apps.metrics import (
    buffer_pool,
    channels,
    chinit_storage,
    coupling_facility,
    log,
    page_set,
    structure,
)
from spark_apps.registry import all_metrics, datasets_read, families
from spark_apps.transforms.feeds import feed_intervals
from spark_apps.transforms.hourly import hourly
from spark_apps.transforms.keys import SECTION_KEYS
from tests.spark_apps.rows import HALF_HOUR, START, between, levels, sections

pytestmark = pytest.mark.spark

CHINIT = "PLEX1/CSQ1/CHINIT"
LATER = between(START + HALF_HOUR, START + 2 * HALF_HOUR)
HOUR = timedelta(hours=1)
HEADLINES = {
    "log_growth_mib_per_s",
    "cf_busy_pct",
    "chinit_31bit_used_pct",
    "chinit_64bit_used_pct",
    "buffer_pool_used_pct",
    "page_set_used_pct",
    "channels_current_count",
    "structure_entries_used_pct",
    "structure_elements_used_pct",
    "log_task_busy_pct",
    "zhyperlink_busy_pct",
    "chinit_dispatcher_busy_pct",
    "chinit_ssltask_busy_pct",
    "smds_used_pct",
    "private_queue_messages_per_s",
    "object_deletes_per_create",
    "chinit_adapters_used_count",
    "channel_batch_messages",
}


def test_every_metric_is_declared_once_and_knows_its_datasets() -> None:
    names = [metric.name for metric in all_metrics()]
    assert len(names) == len(set(names)) == 62
    assert {metric.name for metric in all_metrics() if metric.forecast} == HEADLINES
    assert set(datasets_read()) <= SECTION_KEYS.keys()
    assert {metric.subject_kind for metric in all_metrics()} == set(SubjectKind) - {
        SubjectKind.linux_host,
        SubjectKind.ztpf_system,
    }


def test_every_metric_declares_the_uncertain_fields_that_its_module_reads() -> None:
    certainty = {
        field.name: field.certainty for layout in layouts().values() for field in layout.fields
    }
    for module in load_all(metrics):
        names = {name.upper() for name in re.findall(r'"(r744\w+)"', inspect.getsource(module))}
        doubtful = {name for name in names if certainty.get(name) in {"B", "C"}}
        declared = {name for metric in module.METRICS for name in metric.uncertain}
        assert declared == doubtful, module.__name__


def test_without_sections_no_metric_has_a_row(spark: SparkSession) -> None:
    nothing = sections(spark)
    assert all(family.intervals(nothing).isEmpty() for family in families())


def test_each_feed_has_its_intervals_once_and_a_failed_gatherer_none(spark: SparkSession) -> None:
    read = sections(
        spark,
        section_qjst=[{"mq_level": "9.4.5"}, {"mq_level": "9.4.5", "record_hash": 2}],
        section_qcct=[{}],
        section_r744f=[
            {"r744fflg": 0x90},
            {"r744fflg": 0xB0, "smfid": "SYS2"},
            {"smfid": None},
            {"cf": None},
        ],
    )
    rows = feed_intervals(read).orderBy("kind", "smfid").collect()
    assert [(row.kind, row.subject, row.smfid, row.mq_level) for row in rows] == [
        ("channel_initiator", "PLEX1/CSQ1/CHINIT", "SYS1", None),
        ("coupling_facility", "PLEX1/CF01", "", None),
        ("coupling_facility", "PLEX1/CF01", "SYS1", None),
        ("statistics", "PLEX1/CSQ1", "SYS1", "9.4.5"),
    ]
    assert {row.hour_date for row in rows} == {START.date()}


def test_log_growth_is_counted_in_bytes_and_shown_in_mib_per_second(spark: SparkSession) -> None:
    found = log.intervals(sections(spark, section_qjst=[{"qjstbffl": 460_800, "qjstwtb": 90}]))
    expected = spark.createDataFrame(
        [
            ("log_growth_mib_per_s", "PLEX1/CSQ1", 1.0, 460_800 * PAGE_BYTES),
            ("log_buffer_wait_count", "PLEX1/CSQ1", 180.0, 90),
        ],
        "metric string, subject string, level double, amount bigint",
    )
    assertDataFrameEqual(found.select("metric", "subject", "level", "amount"), expected)


def test_a_buffer_pool_is_as_full_as_it_was_at_its_worst(spark: SparkSession) -> None:
    rows = [
        {"qpstpool": 0, "qpstnbuf": 20_000, "qpstcbsl": 5_000},
        {"qpstpool": 31, "qpstnbuf": 1_000, "qpstcbsl": 900},
        {"qpstpool": 3, "qpstnbuf": 0, "qpstcbsl": 0},
    ]
    assert levels(buffer_pool.intervals(sections(spark, section_qpst=rows))) == {
        ("buffer_pool_used_pct", "PLEX1/CSQ1/BP00"): [75.0],
        ("buffer_pool_used_pct", "PLEX1/CSQ1/BP31"): [10.0],
    }


def test_a_page_set_shows_share_and_pages(spark: SparkSession) -> None:
    rows = [
        {"qis1psno": 4, "qis1topg": 1_000, "qis1unpg": 250},
        {"qis1psno": 5, "qis1topg": 0, "qis1unpg": 0},
    ]
    assert levels(page_set.intervals(sections(spark, section_qis1=rows))) == {
        ("page_set_used_pct", "PLEX1/CSQ1/PS04"): [75.0],
        ("page_set_used_pages", "PLEX1/CSQ1/PS04"): [750.0],
    }


def test_channels_come_with_their_limits(spark: SparkSession) -> None:
    rows = [{"qcctnocc": 462, "qcctmxcc": 9_999, "qcctnoac": 419, "qcctmxac": 4_000}]
    assert levels(channels.intervals(sections(spark, section_qcct=rows))) == {
        ("channels_current_count", CHINIT): [462.0],
        ("channels_current_limit_count", CHINIT): [9_999.0],
        ("channels_active_count", CHINIT): [419.0],
        ("channels_active_limit_count", CHINIT): [4_000.0],
    }


def _processors(smfid: str, busy: int, wait: int, engines: int = 2) -> list[dict[str, object]]:
    return [
        {"smfid": smfid, "r744pnum": number, "r744pbsy": busy, "r744pwai": wait}
        for number in range(engines)
    ]


def test_a_facility_reported_by_five_members_is_as_busy_as_one_says(spark: SparkSession) -> None:
    rows = [row for n in range(1, 6) for row in _processors(f"SYS{n}", 25, 75)]
    assert levels(coupling_facility.intervals(sections(spark, section_r744p=rows))) == {
        ("cf_busy_pct", "PLEX1/CF01"): [25.0],
        ("cf_engine_count", "PLEX1/CF01"): [2.0],
    }


def test_the_member_with_hardware_statistics_is_believed(spark: SparkSession) -> None:
    found = coupling_facility.intervals(
        sections(
            spark,
            section_r744f=[
                {"smfid": "SYS1", "r744fflg": 0x9C},
                {"smfid": "SYS2", "r744fflg": 0x98},
            ],
            section_r744p=[*_processors("SYS1", 99, 1), *_processors("SYS2", 40, 60)],
        )
    )
    assert levels(found)["cf_busy_pct", "PLEX1/CF01"] == [40.0]


def test_a_facility_without_any_hardware_statistics_has_no_figure(spark: SparkSession) -> None:
    found = coupling_facility.intervals(
        sections(
            spark,
            section_r744f=[{"r744fflg": 0x04}],
            section_r744p=_processors("SYS1", 0, 0),
        )
    )
    assert found.isEmpty()


def test_the_longer_of_two_intervals_with_the_same_end_is_taken(spark: SparkSession) -> None:
    short = between(START + HALF_HOUR / 2, START + HALF_HOUR)
    rows = [
        *[{**row, **short} for row in _processors("SYS1", 90, 10)],
        *_processors("SYS2", 50, 50),
    ]
    found = coupling_facility.intervals(sections(spark, section_r744p=rows))
    assert levels(found)["cf_busy_pct", "PLEX1/CF01"] == [50.0]


def test_engines_and_dispatching_are_those_of_the_member_that_tells_busy(
    spark: SparkSession,
) -> None:
    processor = {"r744pbsy": 600, "r744pwai": 400}
    rows = [
        {**processor, "r744pnum": 0, "r744ptyp": 0x80},
        {**processor, "r744pnum": 1, "r744ptyp": 0x00},
        {**processor, "r744pnum": 0, "smfid": "SYS2"},
    ]
    flags = [{"r744fflg": 0x90}, {"smfid": "SYS2", "r744fflg": 0x94}]
    found = levels(
        coupling_facility.intervals(sections(spark, section_r744p=rows, section_r744f=flags))
    )
    assert found["cf_dedicated_engine_count", "PLEX1/CF01"] == [1.0]
    assert found["cf_dyndisp_code", "PLEX1/CF01"] == [1.0]
    assert found["cf_busy_pct", "PLEX1/CF01"] == [60.0]


def test_what_a_report_does_not_tell_of_engines_is_not_told(spark: SparkSession) -> None:
    rows = [{"r744pnum": 0, "r744pbsy": 600, "r744pwai": 400, "smfid": None}]
    flags = [{"smfid": None, "r744fflg": None}]
    found = levels(
        coupling_facility.intervals(sections(spark, section_r744p=rows, section_r744f=flags))
    )
    assert {metric for metric, _ in found} == {"cf_busy_pct", "cf_engine_count"}


def test_the_role_of_each_copy_of_a_duplexed_structure(spark: SparkSession) -> None:
    rows = [
        {"r744snam": "SHARED", "r744sflg": 0x98},
        {"r744snam": "SHARED", "cf": "CF02", "r744sflg": 0x94},
        {"r744snam": "PLAIN", "r744sflg": 0x80},
        {"r744snam": "UNTOLD", "r744sflg": 0x90},
    ]
    found = levels(structure.intervals(sections(spark, section_r744s=rows)))
    roles = {s: v for (metric, s), v in found.items() if metric == "structure_duplex_role"}
    assert roles == {
        "PLEX1/CF01/SHARED": [1.0],
        "PLEX1/CF02/SHARED": [2.0],
        "PLEX1/CF01/PLAIN": [0.0],
        "PLEX1/CF01/UNTOLD": [3.0],
    }


def test_facility_storage_is_taken_once(spark: SparkSession) -> None:
    rows = [
        {"smfid": smfid, "r744gtsd": 4_000, "r744gtsf": 1_000} for smfid in ("SYS1", "SYS2", "SYS3")
    ]
    found = hourly(coupling_facility.intervals(sections(spark, section_r744g=rows))).collect()
    assert [(row.value, row.covered_seconds, row.interval_count) for row in found] == [
        (75.0, 1_800.0, 1)
    ]


def test_structure_requests_add_up_over_members_and_entries_do_not(spark: SparkSession) -> None:
    row = {
        "r744snam": "QSG1APPL1",
        "r744slel": 50_000,
        "r744slem": 30_000,
        "r744smae": 200_000,
        "r744scue": 90_000,
        "r744ssiz": 25_600,
        "r744sarc": 600.0,
        "r744ssrc": 3_000.0,
    }
    rows = [{**row, "smfid": "SYS1"}, {**row, "smfid": "SYS2"}]
    subject = "PLEX1/CF01/QSG1APPL1"
    assert levels(structure.intervals(sections(spark, section_r744s=rows))) == {
        ("structure_entries_used_pct", subject): [60.0],
        ("structure_elements_used_pct", subject): [45.0],
        ("structure_requests_per_s", subject): [4.0],
        ("structure_size_mib", subject): [100.0],
    }


def test_a_lock_structure_without_elements_has_no_share_of_them(spark: SparkSession) -> None:
    rows = [{"r744snam": "ISGLOCK", "r744slel": 100, "r744slem": 10, "r744smae": 0, "r744scue": 0}]
    found = levels(structure.intervals(sections(spark, section_r744s=rows)))
    assert list(found) == [("structure_entries_used_pct", "PLEX1/CF01/ISGLOCK")]


MESSAGE = {"used_31bit_mib": 400.0, "free_31bit_mib": 1_200.0}


def test_the_console_tells_31_bit_storage_with_its_denominator(spark: SparkSession) -> None:
    found = chinit_storage.intervals(
        sections(spark, {"PLEX1/CSQ1": 1_000.0}, console_event=[MESSAGE], section_qcct=[
            {"qcctstus": 999},
        ])
    )  # fmt: skip
    assert levels(found) == {
        ("chinit_31bit_used_mib", CHINIT): [400.0],
        ("chinit_31bit_available_mib", CHINIT): [1_200.0],
        ("chinit_31bit_used_pct", CHINIT): [25.0],
    }


def test_without_messages_the_records_tell_31_bit_use_and_the_settings_the_limit(
    spark: SparkSession,
) -> None:
    rows = [{"qcctstus": 400}]
    limited = sections(spark, {"PLEX1/CSQ1": 1_600.0}, section_qcct=rows)
    assert levels(chinit_storage.intervals(limited)) == {
        ("chinit_31bit_used_mib", CHINIT): [400.0],
        ("chinit_31bit_available_mib", CHINIT): [1_200.0],
        ("chinit_31bit_used_pct", CHINIT): [25.0],
    }
    unlimited = sections(spark, section_qcct=rows)
    assert levels(chinit_storage.intervals(unlimited)) == {
        ("chinit_31bit_used_mib", CHINIT): [400.0]
    }


def test_records_fill_the_hours_that_no_message_touches(spark: SparkSession) -> None:
    found = chinit_storage.intervals(
        sections(
            spark,
            console_event=[MESSAGE],
            section_qcct=[{"qcctstus": 7, **between(START, START + 3 * HOUR)}],
        )
    )
    assert levels(found)["chinit_31bit_used_mib", CHINIT] == [400.0, 7.0, 7.0]


@pytest.mark.parametrize(("gap", "covered_seconds"), [(0.5, 1_800), (2.0, 7_200), (2.5, 3_600)])
def test_a_message_holds_until_the_next_but_not_over_a_long_gap(
    spark: SparkSession, gap: float, covered_seconds: int
) -> None:
    events = [
        {**MESSAGE, "event_utc": START},
        {**MESSAGE, "event_utc": START + gap * HOUR, "used_31bit_mib": 1.0},
    ]
    found = chinit_storage.intervals(sections(spark, console_event=events))
    first = found.where("metric = 'chinit_31bit_used_mib' and level = 400").collect()[0]
    length = first.interval_end_utc - first.interval_start_utc
    assert length.total_seconds() == covered_seconds


def test_64_bit_storage_comes_from_the_records(spark: SparkSession) -> None:
    rows = [{"qcctstab": 512, "qcctslim": 2_048}]
    events = [{"used_64bit_mib": 1.0, "free_64bit_mib": 1.0}]
    found = chinit_storage.intervals(sections(spark, section_qcct=rows, console_event=events))
    whole = {key: values[:1] for key, values in levels(found).items()}
    assert whole == {
        ("chinit_64bit_used_mib", CHINIT): [512.0],
        ("chinit_64bit_available_mib", CHINIT): [1_536.0],
        ("chinit_64bit_used_pct", CHINIT): [25.0],
    }


def test_no_memory_limit_means_no_share(spark: SparkSession) -> None:
    rows = [{"qcctstab": 512, "qcctslim": 17_592_186_040_320}]
    found = chinit_storage.intervals(sections(spark, section_qcct=rows))
    assert levels(found) == {("chinit_64bit_used_mib", CHINIT): [512.0]}


def test_a_record_too_old_for_64_bit_figures_leaves_them_to_the_console(
    spark: SparkSession,
) -> None:
    events = [{"used_64bit_mib": 256.0, "free_64bit_mib": 768.0}]
    found = chinit_storage.intervals(
        sections(spark, section_qcct=[{"qcctstus": 3}], console_event=events)
    )
    assert levels(found)["chinit_64bit_used_pct", CHINIT] == [25.0]
