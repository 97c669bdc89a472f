"""Parts of a day: the largest by name, the others as one; none without the metric."""

from __future__ import annotations

from typing import Any

import pytest

from spark_apps.attribution.by_date import MODULES, columns_read
from spark_apps.attribution.tables import SiteDays, days_of
from spark_apps.read import row_schema
from tests.spark_apps.attribution.parts import parts_of, put, values
from tests.spark_apps.manifests import DAY
from tests.spark_apps.rows import sections


@pytest.mark.thorough
def test_the_largest_parts_keep_their_names_and_the_others_are_one() -> None:
    queues = [put("B", 10), put("A", 10), put("C", 30), put("D", 1), put("E", 2)]
    many = parts_of(2, section_qqst=queues, section_qmst=[{"qmstput": 90, "qmstput1": 10}])
    assert values(many, "messages_put_per_s") == {
        ("", "whole", ""): round(100 / 1_800, 9),
        ("queue", "queue", "C"): round(30 / 1_800, 9),
        ("queue", "queue", "A"): round(10 / 1_800, 9),
        ("queue", "other", "others"): round(13 / 1_800, 9),
    }


@pytest.mark.thorough
def test_parts_of_a_metric_that_was_not_measured_have_no_rows() -> None:
    rows = parts_of(section_qqst=[put("A", 9)])
    assert {row.metric for row in rows} == {"private_queue_messages_per_s"}  # it has no whole


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__.rsplit(".")[-1])
def test_rows_that_a_module_does_not_count_make_no_parts(module: Any) -> None:
    """So that a day without rows of its ``COUNTED`` needs none of its arithmetic."""
    identity = {"record_hash": 7, "wtidccn": "APP", "r744snam": "QSG@APPL1"}
    columns = {name: row_schema(name).names() for name in module.READS}
    described: dict[str, Any] = {
        name: [{key: value for key, value in identity.items() if key in columns[name]}]
        for name in {*module.READS} - {*module.COUNTED}
    }
    [rows] = days_of(sections(**described), [DAY], columns_read())
    assert rows.has(*described) or not described
    assert not rows.has(*module.COUNTED)
    assert module.parts(rows, SiteDays()).num_rows == 0
