"""Attribution of the dates that are asked for, and the columns that it needs."""

from __future__ import annotations

from datetime import date
from typing import Any

import polars as pl
import pytest

from mqcap.domain.datasets import METRIC_PART, SOURCE_PAIR
from spark_apps.attribution.by_date import attribution
from spark_apps.transforms.site_midnights import SiteDays
from tests.spark_apps.attribution.parts import put, wholes_of
from tests.spark_apps.manifests import DAY, NEXT
from tests.spark_apps.rows import START, between, sections

LATER: dict[str, Any] = between(START.replace(day=11), START.replace(day=11, hour=14))
ROWS: dict[str, Any] = {
    "section_qqst": [put("A", 18), put("A", 7, **LATER)],
    "section_qmst": [{"qmstput": 18, "qmstput1": 0}, {"qmstput": 7, "qmstput1": 0, **LATER}],
    "section_qjst": [{"qjstbffl": 256}, {"qjstbffl": 256, **LATER}],
}


def dates_found(*dates: date) -> tuple[set[date], set[date]]:
    """The dates of parts and of pairs of sources."""
    made = sections(**ROWS)
    found = attribution(made, dates, wholes_of(made, SiteDays()), SiteDays(), 20)
    assert found["metric_part"].columns == list(METRIC_PART.columns)
    assert found["source_pair"].columns == list(SOURCE_PAIR.columns)
    parts, pairs = ({*rows.get_column("hour_date")} for rows in found.values())
    return parts, pairs


@pytest.mark.thorough
def test_only_the_dates_that_were_asked_for_have_rows() -> None:
    assert dates_found(DAY) == ({DAY}, {DAY})
    assert dates_found(DAY, NEXT) == ({DAY, NEXT}, {DAY, NEXT})
    assert dates_found(date(2025, 3, 12)) == (set(), set())


@pytest.mark.thorough
def test_without_its_whole_a_metric_has_no_parts_on_that_date() -> None:
    made = sections(**ROWS)
    wholes = wholes_of(made, SiteDays()).filter(pl.col("hour_date") == NEXT)
    parts = attribution(made, [DAY, NEXT], wholes, SiteDays(), 20)["metric_part"]
    found = parts.filter(metric="messages_put_per_s").get_column("hour_date")
    assert {*found} == {NEXT}
