"""Coupling facilities are divided by structure."""

from __future__ import annotations

import pytest

from tests.spark_apps.attribution.parts import parts_of, values


@pytest.mark.thorough
def test_a_facility_is_divided_by_requests_and_their_service_time() -> None:
    structures = [
        {"r744snam": "QSG1APPL1", "r744ssrc": 900.0, "r744sarc": 100.0, "r744sstm": 9_000},
        {"r744snam": "QSG1APPL1", "smfid": "SYS2", "r744ssrc": 1_000.0, "r744sstm": 10_000},
        {"r744snam": "ISGLOCK", "r744ssrc": 4_000.0, "r744sarc": 0.0, "r744sstm": 16_000},
        {"r744snam": "ASYNC", "r744ssrc": 0.0, "r744sarc": 590.0, "r744sstm": 0},
    ]
    busy = [{"r744pnum": 0, "r744pbsy": 400_000, "r744pwai": 600_000, "r744ptyp": 0}]
    rows = parts_of(section_r744s=structures, section_r744p=busy, section_r744f=[{"r744fflg": 0}])
    # weights: 2000 x 10 us, 4000 x 4 us, 590 at the mean of the facility (35000 / 5900 us)
    assert values(rows, "cf_busy_pct") == {
        ("", "whole", ""): 40.0,
        ("structure", "structure", "QSG1APPL1"): round(40 * 20_000 / 39_500, 9),
        ("structure", "structure", "ISGLOCK"): round(40 * 16_000 / 39_500, 9),
        ("structure", "structure", "ASYNC"): round(40 * 3_500 / 39_500, 9),
    }
