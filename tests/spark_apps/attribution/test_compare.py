"""Two sources of one figure are compared over the hours that both have."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from mqcap.domain.datasets import SOURCE_PAIR
from spark_apps.attribution.by_date import attribution
from spark_apps.transforms.site_midnights import SiteDays
from tests.spark_apps.attribution.parts import dates_of, wholes_of
from tests.spark_apps.rows import START, between, sections

HOUR = timedelta(hours=1)


def test_pairs_are_sums_over_common_hours() -> None:
    later = between(START + HOUR, START + 2 * HOUR)
    rows: dict[str, Any] = {
        "section_qjst": [{"qjstbffl": 25_600}, {"qjstbffl": 999, **later}],
        "section_wtas": [{"wtasjwb": 52_428_800}, {"wtasjwb": 26_214_400}],
        "section_qqst": [{"qqstqnam": "A", "qqstppb": 10_485_760, "qqstp1b": 10_485_760}],
        "section_qcct": [{"qcctstus": 100}, {"qcctstus": 200, **later}],
        "console_event": [{"used_31bit_mib": 110.0}, {"used_31bit_mib": 130.0}],
        "section_r744s": [
            {"r744snam": "QSG1APPL1", "r744ssrc": 900.0, "r744sarc": 100.0},
            {"r744snam": "QSG1APPL1", "r744ssrc": 500.0, "r744sarc": 0.0, "smfid": "SYS2"},
            {"r744snam": "QSG2DUP", "r744ssrc": 5.0},
            {"r744snam": "QSG3DUP", "r744ssrc": 5.0},
        ],
        "section_qest": [
            {"qeststr": "APPL1", "qestcsec": 700, "qestcmec": 50},
            {"qeststr": "APPL1", "qestcsec": 200, "qestcmec": 0, "qmgr": "CSQ3"},
            {"qeststr": "DUP", "qestcsec": 1, "qestcmec": 0},
        ],
    }
    made = sections(None, None, None, **rows)
    whole = wholes_of(made, SiteDays())
    found = attribution(made, dates_of(rows), whole, SiteDays(), 20)["source_pair"]
    assert found.columns == list(SOURCE_PAIR.columns)
    assert {
        (row["pair"], row["subject"]): (row["first"], row["second"], row["covered_seconds"])
        for row in found.iter_rows(named=True)
    } == {
        ("log_tasks", "PLEX1/CSQ1"): (100.0, 75.0, 3_600.0),
        ("log_queues", "PLEX1/CSQ1"): (100.0, 20.0, 3_600.0),
        ("structure_requests", "PLEX1/CF01/QSG1APPL1"): (1_000.0, 950.0, 3_600.0),
        ("chinit_storage", "PLEX1/CSQ1/CHINIT"): (360_000.0, 432_000.0, 3_600.0),
    }
