from __future__ import annotations

from spark_apps.metrics import structures
from tests.spark_apps.rows import levels, sections

CSQ1 = "PLEX1/CSQ1"


def test_requests_of_all_structures_are_counted_together() -> None:
    slots = [
        {"qeststr": "APPL1", "qestcsec": 60, "qestcmec": 20, "qestrsec": 4, "qestrmec": 0},
        {"qeststr": "APPL2", "qestcsec": 10, "qestcmec": 10, "qestrsec": 0, "qestrmec": 1},
    ]
    rows = structures.shared_requests(
        sections(
            section_qest=slots,
            section_qmst=[{"qmstget": 10}],
            section_qist=[{"qistdcre": 4, "qistddel": 8}],
        )
    )
    assert levels(rows) == {
        ("cf_redrive_pct", CSQ1): [5.0],
        ("cf_list_calls_per_get", CSQ1): [3.0],
        ("cf_list_redrives_per_get", CSQ1): [0.1],
        ("object_deletes_per_create", CSQ1): [2.0],
    }
