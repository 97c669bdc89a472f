from __future__ import annotations

from spark_apps.metrics import (
    coupling_facility,
)
from tests.spark_apps.rows import HALF_HOUR, START, between, levels, sections


def _processors(smfid: str, busy: int, wait: int, engines: int = 2) -> list[dict[str, object]]:
    return [
        {"smfid": smfid, "r744pnum": number, "r744pbsy": busy, "r744pwai": wait}
        for number in range(engines)
    ]


def test_a_facility_reported_by_five_members_is_as_busy_as_one_says() -> None:
    rows = [row for n in range(1, 6) for row in _processors(f"SYS{n}", 25, 75)]
    assert levels(coupling_facility.intervals(sections(section_r744p=rows))) == {
        ("cf_busy_pct", "PLEX1/CF01"): [25.0],
        ("cf_engine_count", "PLEX1/CF01"): [2.0],
    }


def test_the_member_with_hardware_statistics_is_believed() -> None:
    rows = coupling_facility.intervals(
        sections(
            section_r744f=[
                {"smfid": "SYS1", "r744fflg": 0x9C},
                {"smfid": "SYS2", "r744fflg": 0x98},
            ],
            section_r744p=[*_processors("SYS1", 99, 1), *_processors("SYS2", 40, 60)],
        )
    )
    assert levels(rows)["cf_busy_pct", "PLEX1/CF01"] == [40.0]


def test_a_facility_without_any_hardware_statistics_has_no_figure() -> None:
    rows = coupling_facility.intervals(
        sections(
            section_r744f=[{"r744fflg": 0x04}],
            section_r744p=_processors("SYS1", 0, 0),
        )
    )
    assert rows.collect().is_empty()


def test_the_longer_of_two_intervals_with_the_same_end_is_taken() -> None:
    short = between(START + HALF_HOUR / 2, START + HALF_HOUR)
    rows = [
        *[{**row, **short} for row in _processors("SYS1", 90, 10)],
        *_processors("SYS2", 50, 50),
    ]
    result = coupling_facility.intervals(sections(section_r744p=rows))
    assert levels(result)["cf_busy_pct", "PLEX1/CF01"] == [50.0]


def test_engines_and_dispatching_are_those_of_the_member_that_reports_busy() -> None:
    processor = {"r744pbsy": 600, "r744pwai": 400}
    rows = [
        {**processor, "r744pnum": 0, "r744ptyp": 0x80},
        {**processor, "r744pnum": 1, "r744ptyp": 0x00},
        {**processor, "r744pnum": 0, "smfid": "SYS2"},
    ]
    flags = [{"r744fflg": 0x90}, {"smfid": "SYS2", "r744fflg": 0x94}]
    by_subject = levels(
        coupling_facility.intervals(sections(section_r744p=rows, section_r744f=flags))
    )
    assert by_subject["cf_dedicated_engine_count", "PLEX1/CF01"] == [1.0]
    assert by_subject["cf_dyndisp_code", "PLEX1/CF01"] == [1.0]
    assert by_subject["cf_busy_pct", "PLEX1/CF01"] == [60.0]


def test_engine_figures_that_a_report_lacks_are_absent() -> None:
    rows = [{"r744pnum": 0, "r744pbsy": 600, "r744pwai": 400, "smfid": None}]
    flags = [{"smfid": None, "r744fflg": None}]
    by_subject = levels(
        coupling_facility.intervals(sections(section_r744p=rows, section_r744f=flags))
    )
    assert {metric for metric, _ in by_subject} == {"cf_busy_pct", "cf_engine_count"}


def test_facility_storage_is_taken_once() -> None:
    rows = [
        {"smfid": smfid, "r744gtsd": 4_096, "r744gtsf": 1_024} for smfid in ("SYS1", "SYS2", "SYS3")
    ]
    assert levels(coupling_facility.intervals(sections(section_r744g=rows))) == {
        ("cf_storage_used_pct", "PLEX1/CF01"): [75.0],
        ("cf_storage_total_mib", "PLEX1/CF01"): [16.0],
    }
