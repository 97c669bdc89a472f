from __future__ import annotations

from spark_apps.metrics import structures
from tests.spark_apps.rows import levels, sections


def test_service_times_of_members_are_weighed_by_their_requests() -> None:
    row = {"r744snam": "QSG1APPL1", "r744slel": 900, "r744sarc": 50.0}
    rows = [
        {**row, "smfid": "SYS1", "r744ssrc": 100.0, "r744sstm": 500},
        {**row, "smfid": "SYS2", "r744ssrc": 300.0, "r744sstm": 3_500},
    ]
    subject = "PLEX1/CF01/QSG1APPL1"
    assert levels(structures.structures(sections(section_r744s=rows))) == {
        ("structure_sync_us", subject): [10.0],
        ("structure_async_pct", subject): [20.0],
        ("structure_entries_count", subject): [900.0],
        ("structure_requests_per_s", subject): [500 / 1_800],
    }
