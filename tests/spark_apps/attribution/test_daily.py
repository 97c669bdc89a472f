"""Parts of a day: the largest by name, the others as one; none without the metric."""

from __future__ import annotations

import pytest

from tests.spark_apps.attribution.parts import parts_of, put, values


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
