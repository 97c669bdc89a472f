"""The metrics that have parts, as means of days."""

from __future__ import annotations

from typing import Any

from mqcap.presentation.attribution_text import HOW
from spark_apps.attribution.wholes import ATTRIBUTED
from spark_apps.registry import all_metrics
from spark_apps.transforms.site_midnights import SiteDays
from tests.spark_apps.attribution.parts import wholes_of
from tests.spark_apps.rows import HALF_HOUR, START, between, records, sections


def test_values_are_means_over_the_measured_time_and_bases_what_parts_are_parts_of() -> None:
    later = between(START + HALF_HOUR, START + 3 * HALF_HOUR)
    rows: dict[str, Any] = {
        "section_qmst": [
            {"qmstput": 1_800, "qmstput1": 0},
            {"qmstput": 9_000, "qmstput1": 0, **later},
        ],
        "section_qpst": [
            {"qpstpool": 0, "qpstnbuf": 100, "qpstcbsl": 40},
            {"qpstpool": 0, "qpstnbuf": 100, "qpstcbsl": 70, **later},
        ],
        "section_qcct": [{"qcctnocc": 10}, {"qcctnocc": 40, **later}],
    }
    found: dict[tuple[str, str], Any] = {
        (row.metric, row.subject): (row.value, row.covered_seconds, row.base)
        for row in records(wholes_of(sections(**rows), SiteDays()).lazy())
    }
    assert found == {
        ("messages_put_per_s", "PLEX1/CSQ1"): (2.0, 5_400.0, 10_800),
        ("buffer_pool_used_pct", "PLEX1/CSQ1/BP00"): (40.0, 5_400.0, None),
        ("channels_current_count", "PLEX1/CSQ1/CHINIT"): (30.0, 5_400.0, 30 * 5_400_000_000),
    }


def test_every_attributed_metric_is_declared_and_named_once() -> None:
    names = [*ATTRIBUTED]
    assert len(names) == len(set(names)) == 14
    assert set(names) <= {metric.name for metric in all_metrics()}
    assert set(names) == set(HOW)
