from __future__ import annotations

from mqcap.domain.units import PAGE_BYTES
from spark_apps.metrics import logs
from tests.spark_apps.rows import records, sections


def test_log_growth_is_counted_in_bytes_and_shown_in_mib_per_second() -> None:
    rows = logs.growth(sections(section_qjst=[{"qjstbffl": 460_800}]))
    assert [(row.metric, row.subject, row.level, row.amount) for row in records(rows)] == [
        ("log_growth_mib_per_s", "PLEX1/CSQ1", 1.0, 460_800 * PAGE_BYTES),
    ]
