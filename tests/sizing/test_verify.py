from __future__ import annotations

from typing import Any

import pytest

from sizing.verify import Tolerance, Vector, compare, verify


def vector(**changed: Any) -> Vector:
    values: dict[str, Any] = {
        "rule": "BP-FREE-15",
        "inputs": {"qpstcbsl": 160, "qpstnbuf": 1_000},
        "expected": {"free_pct": 16, "breach": False},
    }
    return Vector(**(values | changed))


def test_each_vector_is_in_exactly_one_list() -> None:
    good, bad = vector(), vector(expected={"free_pct": 15})
    unknown = vector(rule="NO-SUCH-RULE")
    result = verify([good, bad, unknown])
    assert result.passed == (good,)
    assert [failure.vector for failure in result.failed] == [bad]
    assert result.without_implementation == (unknown,)


def test_a_difference_names_the_figure_and_both_values() -> None:
    [failure] = verify([vector(expected={"free_pct": 15, "breach": False})]).failed
    assert failure.difference == "free_pct: expected 15, got 16.0"


def test_inputs_that_no_form_takes_are_a_failure() -> None:
    [failure] = verify([vector(inputs={"pages": 1})]).failed
    assert "cannot be answered" in failure.difference


@pytest.mark.parametrize(
    ("figure", "expected", "tolerance", "differs"),
    [
        (16.0, 16, Tolerance(), False),
        (16.01, 16, Tolerance(), True),
        (16.01, 16, Tolerance(abs=0.02), False),
        (16.01, 16, Tolerance(rel=0.001), False),
        (True, True, Tolerance(), False),
        (1, True, Tolerance(), True),
        (True, 1, Tolerance(), True),
        ("a", "a", Tolerance(), False),
        (None, 3, Tolerance(), True),
    ],
)
def test_figures_are_equal_within_the_tolerance(
    figure: object, expected: object, tolerance: Tolerance, differs: bool
) -> None:
    made = vector(expected={"x": expected}, tolerance=tolerance)
    assert bool(compare({"x": figure}, made)) is differs


def test_a_figure_that_is_missing_differs() -> None:
    assert compare({}, vector(expected={"x": 1})) == "x: expected 1, got None"
