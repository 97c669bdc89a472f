"""Coupling-facility structures: use, service, backups and shared queues."""

from typing import Any

from spark_apps.metrics import coupling_facility, structures
from tests.spark_apps.rows import HALF_HOUR, START, between, figures, levels, sections

CSQ1 = "PLEX1/CSQ1"
APPL1 = "PLEX1/CF01/QSG1APPL1"


def test_the_role_of_each_copy_of_a_duplexed_structure() -> None:
    rows = [
        {"r744snam": "SHARED", "r744sflg": 0x98},
        {"r744snam": "SHARED", "cf": "CF02", "r744sflg": 0x94},
        {"r744snam": "PLAIN", "r744sflg": 0x80},
        {"r744snam": "UNSTATED", "r744sflg": 0x90},
    ]
    by_subject = levels(structures.structures(sections(section_r744s=rows)))
    roles = {s: v for (metric, s), v in by_subject.items() if metric == "structure_duplex_role"}
    assert roles == {
        "PLEX1/CF01/SHARED": [1.0],
        "PLEX1/CF02/SHARED": [2.0],
        "PLEX1/CF01/PLAIN": [0.0],
        "PLEX1/CF01/UNSTATED": [3.0],
    }


def test_structure_requests_add_up_over_members_and_entries_do_not() -> None:
    row = {"r744slel": 50_000, "r744slem": 30_000, "r744smae": 200_000, "r744scue": 90_000}
    row |= {"r744ssiz": 25_600, "r744sarc": 600, "r744ssrc": 3_000}
    rows = [{**row, "r744snam": "QSG1APPL1", "smfid": smfid} for smfid in ("SYS1", "SYS2")]
    assert figures(structures.structures, APPL1, section_r744s=rows) == {
        "structure_entries_used_pct": 60.0,
        "structure_elements_used_pct": 45.0,
        "structure_requests_per_s": 4.0,
        "structure_size_mib": 100.0,
        "structure_async_pct": 100 * 1_200 / 7_200,
        "structure_entries_count": 50_000.0,
    }


def test_a_lock_structure_without_elements_has_no_share_of_them() -> None:
    rows = [{"r744snam": "ISGLOCK", "r744slel": 100, "r744slem": 10, "r744smae": 0, "r744scue": 0}]
    found = figures(structures.structures, "PLEX1/CF01/ISGLOCK", section_r744s=rows)
    assert found.keys() == {"structure_entries_used_pct", "structure_entries_count"}


def test_a_backup_reports_its_size_at_its_end() -> None:
    events = [{"message_id": "CSQE121I", "amount": 34.0}, {"message_id": "CSQE121I"}]
    assert figures(structures.backups, CSQ1, console_event=events) == {"cf_backup_mib": 34.0}


def test_the_worst_shared_message_data_set_speaks_for_all() -> None:
    both = {"qesdsmbd": 100, "qesdbfto": 20}
    one = {"qesdstr": "APPL1", "qesdsmmu": 80, "qesdbfmf": 0, "qesdbfgb": 50, "qesdbfwp": 1}
    other = {"qesdstr": "APPL2", "qesdsmmu": 10, "qesdbfmf": 15, "qesdbfgb": 0, "qesdbfwp": 0}
    rows = [both | one, both | other]
    assert figures(structures.shared_data_sets, CSQ1, section_qesd=rows) == {
        "smds_used_pct": 80.0,
        "smds_buffers_used_pct": 100.0,
        "smds_buffer_waits_pct": 2.0,
        "smds_buffers_count": 20.0,
    }


def test_requests_of_all_structures_are_counted_together() -> None:
    slots = [
        {"qeststr": "APPL1", "qestcsec": 60, "qestcmec": 20, "qestrsec": 4, "qestrmec": 0},
        {"qeststr": "APPL2", "qestcsec": 10, "qestcmec": 10, "qestrsec": 0, "qestrmec": 1},
    ]
    assert figures(
        structures.shared_requests,
        CSQ1,
        section_qest=slots,
        section_qmst=[{"qmstget": 10}],
        section_qist=[{"qistdcre": 4, "qistddel": 8}],
    ) == {
        "cf_redrive_pct": 5.0,
        "cf_list_calls_per_get": 3.0,
        "cf_list_redrives_per_get": 0.1,
        "object_deletes_per_create": 2.0,
    }


def test_service_times_of_members_are_weighed_by_their_requests() -> None:
    row = {"r744snam": "QSG1APPL1", "r744slel": 900, "r744sarc": 50.0}
    rows = [
        {**row, "smfid": "SYS1", "r744ssrc": 100.0, "r744sstm": 500},
        {**row, "smfid": "SYS2", "r744ssrc": 300.0, "r744sstm": 3_500},
    ]
    assert figures(structures.structures, APPL1, section_r744s=rows) == {
        "structure_sync_us": 10.0,
        "structure_async_pct": 20.0,
        "structure_entries_count": 900.0,
        "structure_requests_per_s": 500 / 1_800,
    }


def facility(**rows: Any) -> dict[str, Any]:
    return figures(coupling_facility.intervals, "PLEX1/CF01", **rows)


def _processors(smfid: str, busy: int, wait: int, engines: int = 2) -> list[dict[str, object]]:
    return [
        {"smfid": smfid, "r744pnum": number, "r744pbsy": busy, "r744pwai": wait}
        for number in range(engines)
    ]


def test_a_facility_reported_by_five_members_is_as_busy_as_one_says() -> None:
    rows = [row for n in range(1, 6) for row in _processors(f"SYS{n}", 25, 75)]
    assert facility(section_r744p=rows) == {"cf_busy_pct": 25.0, "cf_engine_count": 2.0}


def test_the_member_with_hardware_statistics_is_believed() -> None:
    flags = [{"smfid": "SYS1", "r744fflg": 0x9C}, {"smfid": "SYS2", "r744fflg": 0x98}]
    rows = [*_processors("SYS1", 99, 1), *_processors("SYS2", 40, 60)]
    assert facility(section_r744f=flags, section_r744p=rows)["cf_busy_pct"] == 40.0


def test_a_facility_without_any_hardware_statistics_has_no_figure() -> None:
    rows = _processors("SYS1", 0, 0)
    assert facility(section_r744f=[{"r744fflg": 0x04}], section_r744p=rows) == {}


def test_the_longer_of_two_intervals_with_the_same_end_is_taken() -> None:
    short = between(START + HALF_HOUR / 2, START + HALF_HOUR)
    rows = [{**row, **short} for row in _processors("SYS1", 90, 10)]
    assert facility(section_r744p=[*rows, *_processors("SYS2", 50, 50)])["cf_busy_pct"] == 50.0


def test_engines_and_dispatching_are_those_of_the_member_that_reports_busy() -> None:
    processor = {"r744pbsy": 600, "r744pwai": 400}
    rows = [
        {**processor, "r744pnum": 0, "r744ptyp": 0x80},
        {**processor, "r744pnum": 1, "r744ptyp": 0x00},
        {**processor, "r744pnum": 0, "smfid": "SYS2"},
    ]
    flags = [{"r744fflg": 0x90}, {"smfid": "SYS2", "r744fflg": 0x94}]
    assert facility(section_r744p=rows, section_r744f=flags) == {
        "cf_busy_pct": 60.0,
        "cf_engine_count": 2.0,
        "cf_dedicated_engine_count": 1.0,
        "cf_dyndisp_code": 1.0,
    }


def test_engine_figures_that_a_report_lacks_are_absent() -> None:
    rows = [{"r744pnum": 0, "r744pbsy": 600, "r744pwai": 400, "smfid": None}]
    found = facility(section_r744p=rows, section_r744f=[{"smfid": None, "r744fflg": None}])
    assert found.keys() == {"cf_busy_pct", "cf_engine_count"}


def test_facility_storage_is_taken_once() -> None:
    rows = [
        {"smfid": smfid, "r744gtsd": 4_096, "r744gtsf": 1_024} for smfid in ("SYS1", "SYS2", "SYS3")
    ]
    expected = {"cf_storage_used_pct": 75.0, "cf_storage_total_mib": 16.0}
    assert facility(section_r744g=rows) == expected
