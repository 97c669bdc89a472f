from __future__ import annotations

from spark_apps.metrics import buffer_pools
from tests.spark_apps.rows import levels, sections


def test_a_page_set_shows_share_and_pages() -> None:
    rows = [
        {"qis1psno": 4, "qis1topg": 1_000, "qis1unpg": 250},
        {"qis1psno": 5, "qis1topg": 0, "qis1unpg": 0},
    ]
    assert levels(buffer_pools.page_sets(sections(section_qis1=rows))) == {
        ("page_set_used_pct", "PLEX1/CSQ1/PS04"): [75.0],
        ("page_set_used_pages", "PLEX1/CSQ1/PS04"): [750.0],
    }
