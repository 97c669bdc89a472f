"""How high a chart reaches."""

from __future__ import annotations

from typing import Any

import pytest

from mq_capacity_page.charts.value_range import FAR_LIMIT_RATIO, label_far_limits, top_of


def trace(name: str, *values: float | None) -> dict[str, Any]:
    return {"name": name, "y": list(values)}


def test_a_near_limit_is_in_the_picture_and_a_far_one_is_not() -> None:
    drawn = [trace("Daily peak", 10.0, None), trace("Limit 25"), trace("Limit 90", 90.0, 90.0)]
    drawn[1]["y"] = [25.0, 25.0]
    assert top_of(drawn) == pytest.approx(27.0)
    assert [limit["name"] for limit in label_far_limits(drawn)] == [
        "Daily peak",
        "Limit 25",
        "Limit 90, above the chart",
    ]


def test_beside_a_lower_limit_a_high_one_does_not_press_the_picture_flat() -> None:
    drawn = [trace("Daily peak", 10.0), trace("Limit 12", 12.0), trace("Limit 25", 25.0)]
    assert top_of(drawn) == pytest.approx(12 * 1.08)
    assert label_far_limits(drawn)[2]["name"] == "Limit 25, above the chart"


def test_a_limit_that_steps_into_the_picture_is_no_far_one() -> None:
    drawn = [trace("Daily peak", 10.0), trace("Limit", 90.0, 5.0)]
    assert label_far_limits(drawn)[1]["name"] == "Limit"


@pytest.mark.parametrize("values", [[], [None], [0.0]])
def test_without_values_the_limits_set_the_height(values: list[float | None]) -> None:
    assert top_of([trace("Daily peak", *values)]) == 1.0
    assert top_of([trace("Daily peak", *values), trace("Limit", 50.0)]) == pytest.approx(54.0)
    assert FAR_LIMIT_RATIO > 1
