"""Parts of a day: by date, by queue and by channel, and what is compared."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import polars as pl
import pytest

from mqcap.domain.datasets import METRIC_PART, SOURCE_PAIR
from mqcap.presentation.attribution_text import HOW
from spark_apps.attribution.by_date import attribution
from spark_apps.attribution.wholes import ATTRIBUTED
from spark_apps.metrics.accounting import OF_QUEUE, OF_TASK
from spark_apps.registry import all_metrics
from spark_apps.transforms.site_midnights import SiteDays
from tests.spark_apps.attribution.parts import dates_of, parts_of, put, values, wholes_of
from tests.spark_apps.manifests import DAY, NEXT
from tests.spark_apps.rows import HALF_HOUR, START, between, records, sections

LATE = datetime(2025, 3, 10, 23, 30, tzinfo=UTC)
LATER: dict[str, Any] = between(START.replace(day=11), START.replace(day=11, hour=14))
ROWS: dict[str, Any] = {
    "section_qqst": [put("A", 18), put("A", 7, **LATER)],
    "section_qmst": [{"qmstput": 18, "qmstput1": 0}, {"qmstput": 7, "qmstput1": 0, **LATER}],
    "section_qjst": [{"qjstbffl": 256}, {"qjstbffl": 256, **LATER}],
}
HOUR = timedelta(hours=1)
IDLE = dict.fromkeys((*OF_TASK, *OF_QUEUE), 0.0)


@pytest.mark.thorough
def test_a_part_belongs_to_the_site_date_and_the_utc_date_on_which_its_interval_begins() -> None:
    starts = (LATE, LATE + HALF_HOUR)
    times: list[dict[str, Any]] = [between(start, start + HALF_HOUR) for start in starts]
    queues = [put("A", 9, **time) for time in times]
    logs = [{"qmstput": 9, "qmstput1": 0, **time} for time in times]
    rows = parts_of(zone="Europe/Copenhagen", section_qqst=queues, section_qmst=logs)
    days = {
        (row.site_date, row.hour_date, row.covered_seconds)
        for row in rows
        if row.metric == "messages_put_per_s"
    }
    assert days == {
        (date(2025, 3, 11), date(2025, 3, 10), 1_800.0),
        (date(2025, 3, 11), date(2025, 3, 11), 1_800.0),
    }


def dates_found(*dates: date) -> tuple[set[date], set[date]]:
    """The dates of parts and of pairs of sources."""
    made = sections(**ROWS)
    found = attribution(made, dates, wholes_of(made, SiteDays()), SiteDays(), 20)
    assert found["metric_part"].columns == list(METRIC_PART.columns)
    assert found["source_pair"].columns == list(SOURCE_PAIR.columns)
    parts, pairs = ({*rows.get_column("hour_date")} for rows in found.values())
    return parts, pairs


@pytest.mark.thorough
def test_only_the_dates_that_were_asked_for_have_rows() -> None:
    assert dates_found(DAY) == ({DAY}, {DAY})
    assert dates_found(DAY, NEXT) == ({DAY, NEXT}, {DAY, NEXT})
    assert dates_found(date(2025, 3, 12)) == (set(), set())


@pytest.mark.thorough
def test_without_its_whole_a_metric_has_no_parts_on_that_date() -> None:
    made = sections(**ROWS)
    wholes = wholes_of(made, SiteDays()).filter(pl.col("hour_date") == NEXT)
    parts = attribution(made, [DAY, NEXT], wholes, SiteDays(), 20)["metric_part"]
    found = parts.filter(metric="messages_put_per_s").get_column("hour_date")
    assert {*found} == {NEXT}


def test_pairs_are_sums_over_common_hours() -> None:
    later = between(START + HOUR, START + 2 * HOUR)
    rows: dict[str, Any] = {
        "section_qjst": [{"qjstbffl": 25_600}, {"qjstbffl": 999, **later}],
        "section_wtas": [{"wtasjwb": 52_428_800}, {"wtasjwb": 26_214_400}],
        "section_qqst": [{"qqstqnam": "A", "qqstppb": 10_485_760, "qqstp1b": 10_485_760}],
        "section_qcct": [{"qcctstus": 100}, {"qcctstus": 200, **later}],
        "console_event": [{"used_31bit_mib": 110.0}, {"used_31bit_mib": 130.0}],
        "section_r744s": [
            {"r744snam": "QSG1APPL1", "r744ssrc": 900.0, "r744sarc": 100.0},
            {"r744snam": "QSG1APPL1", "r744ssrc": 500.0, "r744sarc": 0.0, "smfid": "SYS2"},
            {"r744snam": "QSG2DUP", "r744ssrc": 5.0},
            {"r744snam": "QSG3DUP", "r744ssrc": 5.0},
        ],
        "section_qest": [
            {"qeststr": "APPL1", "qestcsec": 700, "qestcmec": 50},
            {"qeststr": "APPL1", "qestcsec": 200, "qestcmec": 0, "qmgr": "CSQ3"},
            {"qeststr": "DUP", "qestcsec": 1, "qestcmec": 0},
        ],
    }
    made = sections(**rows)
    found = attribution(made, dates_of(rows), wholes_of(made, SiteDays()), SiteDays(), 20)
    assert {
        (row["pair"], row["subject"]): (row["first"], row["second"], row["covered_seconds"])
        for row in found["source_pair"].iter_rows(named=True)
    } == {
        ("log_tasks", "PLEX1/CSQ1"): (100.0, 75.0, 3_600.0),
        ("log_queues", "PLEX1/CSQ1"): (100.0, 20.0, 3_600.0),
        ("structure_requests", "PLEX1/CF01/QSG1APPL1"): (1_000.0, 950.0, 3_600.0),
        ("chinit_storage", "PLEX1/CSQ1/CHINIT"): (360_000.0, 432_000.0, 3_600.0),
    }


@pytest.mark.thorough
def test_the_largest_parts_keep_their_names_and_the_others_are_one() -> None:
    queues = [put("B", 10), put("A", 10), put("C", 30), put("D", 1), put("E", 2)]
    many = parts_of(2, section_qqst=queues, section_qmst=[{"qmstput": 90, "qmstput1": 10}])
    assert values(many, "messages_put_per_s") == {
        name: round(messages / 1_800, 9)
        for name, messages in (("whole", 100), ("C", 30), ("A", 10), ("other others", 13))
    }


@pytest.mark.thorough
def test_parts_of_a_metric_that_was_not_measured_have_no_rows() -> None:
    rows = parts_of(section_qqst=[put("A", 9)])
    assert {row.metric for row in rows} == {"private_queue_messages_per_s"}  # it has no whole


def test_values_are_means_over_the_measured_time_and_bases_what_parts_are_parts_of() -> None:
    later = between(START + HALF_HOUR, START + 3 * HALF_HOUR)
    rows: dict[str, Any] = {
        "section_qmst": [
            {"qmstput": 1_800, "qmstput1": 0},
            {"qmstput": 9_000, "qmstput1": 0, **later},
        ],
        "section_qpst": [
            {"qpstpool": 0, "qpstnbuf": 100, "qpstcbsl": 40},
            {"qpstpool": 0, "qpstnbuf": 100, "qpstcbsl": 70, **later},
        ],
        "section_qcct": [{"qcctnocc": 10}, {"qcctnocc": 40, **later}],
    }
    found: dict[tuple[str, str], Any] = {
        (row.metric, row.subject): (row.value, row.covered_seconds, row.base)
        for row in records(wholes_of(sections(**rows), SiteDays()).lazy())
    }
    assert found == {
        ("messages_put_per_s", "PLEX1/CSQ1"): (2.0, 5_400.0, 10_800),
        ("buffer_pool_used_pct", "PLEX1/CSQ1/BP00"): (40.0, 5_400.0, None),
        ("channels_current_count", "PLEX1/CSQ1/CHINIT"): (30.0, 5_400.0, 30 * 5_400_000_000),
    }


def test_every_attributed_metric_is_declared_and_named_once() -> None:
    names = [*ATTRIBUTED]
    assert len(names) == len(set(names)) == 14
    assert set(names) <= {metric.name for metric in all_metrics()}
    assert set(names) == set(HOW)


@pytest.mark.thorough
def test_tasks_are_parts_by_application_user_channel_and_connection() -> None:
    tasks = [
        {"record_hash": 1, "wtidccn": "PAYJOB", "wtidopid": "PAY", "wtidchl": "", "wtidchlc": ""},
        {"record_hash": 2, "wtidccn": "CSQ1CHIN", "wtidopid": "CHI", "wtidchl": "A.TO.B",
         "wtidchlc": "10.0.0.1"},
    ]  # fmt: skip
    figures = [
        {"record_hash": 1, "wtaswqct": 1, "wtasjwb": 471_859_200, **IDLE, "wtasotct": 18_000_000.0},
        {"record_hash": 2, "wtaswqct": 0, "wtasjwb": 943_718_400, **IDLE, "wtascmct": 9_000_000.0},
    ]
    counts = {"putn": 90, "put1n": 0, **IDLE, "putct": 9_000_000.0}
    rows = parts_of(
        section_wtid=tasks,
        section_wtas=figures,
        section_wqst=[{"record_hash": 1, "basename": "PAY.IN", **counts}],
        section_qjst=[{"qjstbffl": 460_800}],
    )
    for breakdown, parts in {
        "application": {"PAYJOB": 0.25, "CSQ1CHIN": 0.5},
        "user": {"PAY": 0.25, "CHI": 0.5},
        "channel": {"other no channel": 0.25, "A.TO.B": 0.5},
        "connection": {"other no connection": 0.25, "10.0.0.1": 0.5},
    }.items():
        assert values(rows, "log_growth_mib_per_s", breakdown) == {"whole": 1.0, **parts}
    cpu = values(rows, "call_cpu_pct", "application")  # 36 s in the hour that the tasks touch
    assert cpu == {"whole": 1.0, "PAYJOB": 0.75, "CSQ1CHIN": 0.25}
    assert values(rows, "call_cpu_pct") == {"whole": 1.0, "PAY.IN": 0.25}
