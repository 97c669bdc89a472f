"""Days of intervals."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import pytest

from tests.spark_apps.attribution.parts import parts_of, put
from tests.spark_apps.rows import HALF_HOUR, between

LATE = datetime(2025, 3, 10, 23, 30, tzinfo=UTC)


@pytest.mark.thorough
def test_a_part_belongs_to_the_site_date_and_the_utc_date_on_which_its_interval_begins() -> None:
    times: list[dict[str, Any]] = [
        between(LATE, LATE + HALF_HOUR),
        between(LATE + HALF_HOUR, LATE + 2 * HALF_HOUR),
    ]
    queues = [put("A", 9, **time) for time in times]
    logs = [{"qmstput": 9, "qmstput1": 0, **time} for time in times]
    rows = parts_of(zone="Europe/Copenhagen", section_qqst=queues, section_qmst=logs)
    days = {
        (row.site_date, row.hour_date, row.covered_seconds)
        for row in rows
        if row.metric == "messages_put_per_s"
    }
    assert days == {
        (date(2025, 3, 11), date(2025, 3, 10), 1_800.0),
        (date(2025, 3, 11), date(2025, 3, 11), 1_800.0),
    }
