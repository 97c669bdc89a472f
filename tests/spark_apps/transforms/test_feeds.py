from __future__ import annotations

from spark_apps.transforms.feeds import feed_intervals
from tests.spark_apps.rows import START, records, sections

CHINIT = "PLEX1/CSQ1/CHINIT"


def test_each_feed_has_its_intervals_once_and_a_failed_gatherer_none() -> None:
    read = sections(
        section_qjst=[{"mq_level": "9.4.5"}, {"mq_level": "9.4.5", "record_hash": 2}],
        section_qcct=[{}],
        section_r744f=[
            {"r744fflg": 0x90},
            {"r744fflg": 0xB0, "smfid": "SYS2"},
            {"smfid": None},
            {"cf": None},
        ],
    )
    rows = records(feed_intervals(read), "kind", "smfid")
    assert [(row.kind, row.subject, row.smfid, row.mq_level) for row in rows] == [
        ("channel_initiator", "PLEX1/CSQ1/CHINIT", "SYS1", None),
        ("coupling_facility", "PLEX1/CF01", "", None),
        ("coupling_facility", "PLEX1/CF01", "SYS1", None),
        ("statistics", "PLEX1/CSQ1", "SYS1", "9.4.5"),
    ]
    assert {row.hour_date for row in rows} == {START.date()}
