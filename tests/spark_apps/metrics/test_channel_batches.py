from __future__ import annotations

from spark_apps.metrics import channel_initiators
from tests.spark_apps.rows import levels, sections

CSQ1 = "PLEX1/CSQ1"
CHINIT = f"{CSQ1}/CHINIT"


def test_a_batch_is_as_large_as_all_channels_make_it() -> None:
    rows = [
        {"qcstchnm": "A", "qcstnmsg": 90, "qcstbatc": 10},
        {"qcstchnm": "B", "qcstnmsg": 30, "qcstbatc": 20},
        {"qcstchnm": "C", "qcstnmsg": 0, "qcstbatc": 0},
    ]
    assert levels(channel_initiators.channel_batches(sections(section_qcst=rows))) == {
        ("channel_batch_messages", CHINIT): [4.0]
    }
