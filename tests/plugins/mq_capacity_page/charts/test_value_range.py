"""Value range of a chart."""

from __future__ import annotations

from typing import Any

import pytest

from mq_capacity_page.charts.value_range import (
    FAR_LIMIT_RATIO,
    TraceRole,
    has_role,
    label_far_limits,
    top_of,
    with_role,
)


def trace(name: str, *values: float | None) -> dict[str, Any]:
    return {"name": name, "y": list(values)}


def limit(name: str, *values: float) -> dict[str, Any]:
    return with_role(trace(name, *values), TraceRole.limit)


def test_a_near_limit_is_in_the_picture_and_a_far_one_is_not() -> None:
    drawn = [trace("Daily peak", 10.0, None), limit("Limit 25"), limit("Limit 90", 90.0, 90.0)]
    drawn[1]["y"] = [25.0, 25.0]
    assert top_of(drawn) == pytest.approx(27.0)
    assert [limit["name"] for limit in label_far_limits(drawn)] == [
        "Daily peak",
        "Limit 25",
        "Limit 90, above the chart",
    ]


def test_beside_a_lower_limit_a_high_one_does_not_press_the_picture_flat() -> None:
    drawn = [trace("Daily peak", 10.0), limit("Limit 12", 12.0), limit("Limit 25", 25.0)]
    assert top_of(drawn) == pytest.approx(12 * 1.08)
    assert label_far_limits(drawn)[2]["name"] == "Limit 25, above the chart"


def test_a_limit_that_steps_into_the_picture_is_no_far_one() -> None:
    drawn = [trace("Daily peak", 10.0), limit("Limit", 90.0, 5.0)]
    assert label_far_limits(drawn)[1]["name"] == "Limit"


@pytest.mark.parametrize("values", [[], [None], [0.0]])
def test_without_values_the_limits_set_the_height(values: list[float | None]) -> None:
    assert top_of([trace("Daily peak", *values)]) == 1.0
    assert top_of([trace("Daily peak", *values), limit("Limit", 50.0)]) == pytest.approx(54.0)
    assert FAR_LIMIT_RATIO > 1


def test_a_trace_is_a_limit_by_its_role_and_not_by_its_name() -> None:
    named = trace("Limit 90", 90.0)
    assert top_of([trace("Daily peak", 10.0), named]) == pytest.approx(90 * 1.08)
    assert not has_role(named, TraceRole.limit)
    renamed = limit("Largest", 90.0)
    assert top_of([trace("Daily peak", 10.0), renamed]) == pytest.approx(10 * 1.08)
    assert has_role(renamed, TraceRole.limit)
    assert not has_role(renamed, TraceRole.forecast)
