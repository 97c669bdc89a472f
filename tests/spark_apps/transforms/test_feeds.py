from __future__ import annotations

from mqcap.ingest.mqsmfcsv.rows import LOWEST_PRINTED_HASH
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


def test_an_interval_has_the_offset_of_its_record_and_none_that_the_settings_gave_to_print() -> (
    None
):
    printed = {"utc_offset_minutes": -300, "record_hash": LOWEST_PRINTED_HASH}
    read = sections(
        section_qjst=[{"utc_offset_minutes": 60}, printed, {"qmgr": "CSQ2"}],
        section_qcct=[printed],
    )
    rows = records(feed_intervals(read), "kind", "subject")
    assert [(row.subject, row.utc_offset_minutes) for row in rows] == [
        ("PLEX1/CSQ1/CHINIT", None), ("PLEX1/CSQ1", 60), ("PLEX1/CSQ2", None),
    ]  # fmt: skip
