from __future__ import annotations

from spark_apps.metrics import structures
from tests.spark_apps.rows import levels, sections


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
    assert levels(structures.structures(sections(section_r744s=rows))) == {
        ("structure_entries_used_pct", subject): [60.0],
        ("structure_elements_used_pct", subject): [45.0],
        ("structure_requests_per_s", subject): [4.0],
        ("structure_size_mib", subject): [100.0],
        ("structure_async_pct", subject): [100 * 1_200 / 7_200],
        ("structure_entries_count", subject): [50_000.0],
    }


def test_a_lock_structure_without_elements_has_no_share_of_them() -> None:
    rows = [{"r744snam": "ISGLOCK", "r744slel": 100, "r744slem": 10, "r744smae": 0, "r744scue": 0}]
    by_subject = levels(structures.structures(sections(section_r744s=rows)))
    assert {metric for metric, _ in by_subject} == {
        "structure_entries_used_pct",
        "structure_entries_count",
    }
