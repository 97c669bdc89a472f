"""Buffer pools and page sets, from their sections."""

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


CSQ1 = "PLEX1/CSQ1"


def test_pool_counters_are_rates_and_shares() -> None:
    row = {
        "qpstpool": 3,
        "qpstnbuf": 1_050,
        "qpstsos": 1,
        "qpststla": 421,
        "qpstdmc": 2,
        "qpststl": 842,
        "qpstdwt": 11,
        "qpstrio": 3_600,
        "qpstwio": 1_800,
        "qpsttpw": 900,
    }
    pool = f"{CSQ1}/BP03"
    assert levels(buffer_pools.pools(sections(section_qpst=[row]))) == {
        ("buffer_pool_buffers_count", pool): [1_050.0],
        ("buffer_pool_short_count", pool): [848.0],
        ("buffer_pool_deferred_count", pool): [22.0],
        ("buffer_pool_io_per_s", pool): [3.0],
        ("buffer_pool_read_per_s", pool): [2.0],
        ("buffer_pool_written_per_s", pool): [0.5],
        ("buffer_pool_contention_pct", pool): [50.0],
    }
