from __future__ import annotations

from spark_apps.metrics import structures
from tests.spark_apps.rows import levels, sections

CSQ1 = "PLEX1/CSQ1"


def test_the_worst_shared_message_data_set_speaks_for_all() -> None:
    rows = [
        {
            "qesdstr": "APPL1",
            "qesdsmbd": 100,
            "qesdsmmu": 80,
            "qesdbfto": 20,
            "qesdbfmf": 0,
            "qesdbfgb": 50,
            "qesdbfwp": 1,
        },
        {"qesdstr": "APPL2", "qesdsmbd": 100, "qesdsmmu": 10, "qesdbfto": 20, "qesdbfmf": 15}
        | {"qesdbfgb": 0, "qesdbfwp": 0},
    ]
    assert levels(structures.shared_data_sets(sections(section_qesd=rows))) == {
        ("smds_used_pct", CSQ1): [80.0],
        ("smds_buffers_used_pct", CSQ1): [100.0],
        ("smds_buffer_waits_pct", CSQ1): [2.0],
        ("smds_buffers_count", CSQ1): [20.0],
    }
