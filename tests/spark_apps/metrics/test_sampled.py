"""Samples on z/OS: series of their own, and SMF decides where it has the hour."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

import pytest

from spark_apps.metrics import sampled
from tests.spark_apps.rows import START, between, levels, sections

POOL = {"object": "BP03", "figure": "buffer_pool_used_pct"}
PAGE_SET = {"object": "PS04", "figure": "page_set_used_pct"}
OF_POOL = ("odp_buffer_pool_used_pct", "PLEX1/CSQ1/BP03")
OF_PAGE_SET = ("odp_page_set_used_pct", "PLEX1/CSQ1/PS04")
HOUR = timedelta(hours=1)
LARGEST = (
    *("messages_put_per_s", "private_queue_messages_per_s", "shared_queue_depth_count"),
    *("smds_used_pct", "smds_buffers_used_pct"),
)
OF_LARGEST = [{"figure": name, "value": value} for name in LARGEST for value in (11.0, 12.0, 3.0)]
"""Of several queues or data sets at one time."""


def sample(figure: dict[str, str], value: float, at: datetime = START) -> dict[str, Any]:
    return {**figure, "value": value, "reported_utc": at}


def found(rows: Sequence[Any], **smf: Any) -> dict[tuple[str, str], list[float]]:
    return levels(sampled.queue_managers(sections(zos_sample=rows, **smf)))


@pytest.mark.parametrize(
    ("section", "names"),
    [
        ("section_qmst", {"messages_put_per_s"}),
        ("section_qqst", {"private_queue_messages_per_s", "shared_queue_depth_count"}),
        ("section_qesd", {"smds_used_pct", "smds_buffers_used_pct"}),
    ],
)
def test_smf_of_the_queue_manager_decides_where_it_has_the_hour(
    section: str, names: set[str]
) -> None:
    made = found(OF_LARGEST, **{section: [between(START - HOUR, START)]})
    assert {name.removeprefix("odp_") for name, _ in made} == {*LARGEST} - names


@pytest.mark.parametrize(
    ("total", "free", "level"), [(100.0, 100.0, 0.0), (100.0, 0.0, 100.0), (80.0, 60.0, 25.0)]
)
def test_two_counts_of_one_time_give_a_share(total: float, free: float, level: float) -> None:
    rows = [
        {"object": name, "figure": f"{figure}_count", "value": value}
        for name, figure, value in (
            ("BP03", "buffers_total", total),
            ("BP03", "buffers_free", free),
            ("PS04", "pages_total", total),
            ("PS04", "pages_unused", free),
        )
    ]
    assert found(rows) == {OF_POOL: [level], OF_PAGE_SET: [level]}


def test_counts_that_are_apart_or_impossible_give_no_share() -> None:
    pool = {"object": "BP03", "figure": "buffers_total_count", "value": 100.0}
    free = {**pool, "figure": "buffers_free_count"}
    later = {**free, "value": 50.0, "reported_utc": START + HOUR}
    elsewhere = {**free, "value": 50.0, "file_sha256": "b"}
    assert found([pool, later, elsewhere]) == {}
    assert found([pool, {**free, "value": 101.0}]) == {}
    assert found([{**pool, "value": 0.0}, {**free, "value": 0.0}]) == {}


def test_a_sample_that_two_files_have_counts_once() -> None:
    twice = [{**sample(POOL, 5.0), "file_sha256": name} for name in ("a", "b")]
    assert found(twice) == {OF_POOL: [5.0]}


def test_samples_are_left_out_in_hours_that_smf_has_of_that_resource() -> None:
    rows = [
        sample(figure, float(number), START + number * HOUR / 2)
        for figure in (POOL, PAGE_SET)
        for number in range(1, 5)
    ]
    measured = [{"qpstpool": 3, **between(START, START + HOUR / 2)}]
    made = found(rows, section_qpst=measured)
    assert made == {OF_POOL: [3.0, 4.0], OF_PAGE_SET: [1.0, 2.0, 3.0, 4.0]}


def test_smf_of_another_pool_or_queue_manager_decides_nothing() -> None:
    span = between(START - HOUR, START + HOUR)
    others = [{"qpstpool": 4, **span}, {"qpstpool": 3, "qmgr": "CSQ2", **span}]
    assert found([sample(POOL, 5.0)], section_qpst=others) == {OF_POOL: [5.0]}


def test_page_sets_and_channels_of_smf_decide_for_theirs() -> None:
    channels = {"object": "", "figure": "channels_used_pct"}
    span = between(START - HOUR, START)
    made = found(
        [sample(PAGE_SET, 6.0), sample(channels, 8.0), sample(POOL, 5.0)],
        section_qis1=[{"qis1psno": 4, **span}],
        section_qcct=[span],
    )
    assert made == {OF_POOL: [5.0]}


SUBJECT = "PLEX1/QSG1/QSG1APPL1"
ENTRIES = ("odp_structure_entries_used_pct", SUBJECT)
STORAGE = ("odp_structure_storage_used_pct", SUBJECT)


def share(figure: str, value: float, name: str = "QSG1APPL1", **changed: Any) -> dict[str, Any]:
    made = {"qmgr": "", "object": name, "figure": f"structure_{figure}_used_pct", "value": value}
    return made | changed


def found_structures(rows: Sequence[Any], **smf: Any) -> dict[tuple[str, str], list[float]]:
    return levels(sampled.structures(sections(zos_sample=rows, **smf)))


def test_entries_and_storage_are_series_of_the_structure_in_its_group() -> None:
    both = found_structures([share("entries", 64.0), share("storage", 71.0)])
    assert both == {ENTRIES: [64.0], STORAGE: [71.0]}


@pytest.mark.parametrize(
    ("name", "subject"),
    [("QS@@APPL1", "PLEX1/QS/QS@@APPL1"), ("QSG1CSQ_ADMIN", "PLEX1/QSG1/QSG1CSQ_ADMIN")],
)
def test_a_short_name_of_a_group_is_padded_in_that_of_its_structures(
    name: str, subject: str
) -> None:
    assert [each for _, each in found_structures([share("entries", 64.0, name)])] == [subject]


def test_members_that_sample_at_one_time_count_once_with_the_highest() -> None:
    members = [share("entries", 64.0), share("entries", 65.0, smfid="SYS2")]
    assert found_structures(members) == {ENTRIES: [65.0]}
    twice = [share("entries", 64.0, file_sha256=name) for name in ("a", "b")]
    assert found_structures(twice) == {ENTRIES: [64.0]}


@pytest.mark.parametrize(
    ("name", "left"),
    [("QSG1APPL1", {}), ("QSG1APPL2", {ENTRIES: [64.0]}), ("QSG2APPL1", {ENTRIES: [64.0]})],
)
def test_smf_of_the_structure_decides_in_whichever_facility_it_is(
    name: str, left: dict[tuple[str, str], list[float]]
) -> None:
    measured = [{"cf": "CF07", "r744snam": name, **between(START - HOUR, START)}]
    assert found_structures([share("entries", 64.0)], section_r744s=measured) == left


def test_structures_are_no_samples_of_a_queue_manager() -> None:
    assert found([share("entries", 64.0)]) == {}
