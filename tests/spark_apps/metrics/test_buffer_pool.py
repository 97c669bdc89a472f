from __future__ import annotations

from spark_apps.metrics import buffer_pools
from tests.spark_apps.rows import levels, sections


def test_a_buffer_pool_is_as_full_as_it_was_at_its_worst() -> None:
    rows = [
        {"qpstpool": 0, "qpstnbuf": 20_000, "qpstcbsl": 5_000},
        {"qpstpool": 31, "qpstnbuf": 1_000, "qpstcbsl": 900},
        {"qpstpool": 3, "qpstnbuf": 0, "qpstcbsl": 0},
    ]
    found = levels(buffer_pools.pools(sections(section_qpst=rows)))
    assert {
        s: level for (metric, s), level in found.items() if metric == "buffer_pool_used_pct"
    } == {
        "PLEX1/CSQ1/BP00": [75.0],
        "PLEX1/CSQ1/BP31": [10.0],
    }
