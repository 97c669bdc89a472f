from __future__ import annotations

from spark_apps.metrics import channel_initiators
from tests.spark_apps.rows import levels, sections

CHINIT = "PLEX1/CSQ1/CHINIT"


def test_channels_come_with_their_limits() -> None:
    rows = [{"qcctnocc": 462, "qcctmxcc": 9_999, "qcctnoac": 419, "qcctmxac": 4_000}]
    assert levels(channel_initiators.channels(sections(section_qcct=rows))) == {
        ("channels_current_count", CHINIT): [462.0],
        ("channels_current_limit_count", CHINIT): [9_999.0],
        ("channels_active_count", CHINIT): [419.0],
        ("channels_active_limit_count", CHINIT): [4_000.0],
    }
