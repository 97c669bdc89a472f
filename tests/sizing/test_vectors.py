from __future__ import annotations

import json
from pathlib import Path

from sizing.rulebook.registry import entries
from sizing.verify import Tolerance, Vector, compare, verify
from tests.many_values import for_each

VECTORS = [
    Vector.model_validate(item)
    for item in json.loads(Path(__file__).with_name("vectors.json").read_text("utf-8"))
]
IMPLEMENTED = [vector for vector in VECTORS if vector.rule in entries()]


def _name(vector: Vector) -> str:
    return f"{vector.rule}-{'-'.join(str(value) for value in vector.inputs.values())}"[:80]


@for_each("vector", IMPLEMENTED, ids=_name)
def test_the_reports_own_examples(vector: Vector) -> None:
    assert compare(entries()[vector.rule].answer(vector.inputs), vector) == ""


def test_verify_sorts_every_vector_into_one_of_three_lists() -> None:
    wrong = Vector(
        rule="CF-BUSY-N", inputs={"engines": 2, "busy_pct": 60}, expected={"breach": True}
    )
    unasked = Vector(rule="CF-BUSY-N", inputs={"colour": 1}, expected={"breach": True})
    foreign = Vector(rule="NO-SUCH-RULE", inputs={}, expected={"x": 1})
    result = verify([VECTORS[0], wrong, unasked, foreign])
    assert result.passed == (VECTORS[0],)
    assert [failure.vector for failure in result.failed] == [wrong, unasked]
    assert "expected True, got False" in result.failed[0].difference
    assert "busy_pct engines" in result.failed[1].difference
    assert result.without_implementation == (foreign,)


def test_a_figure_is_compared_within_its_own_tolerance() -> None:
    vector = Vector(
        rule="X", inputs={}, expected={"a": 100.0, "b": "x"}, tolerance=Tolerance(abs=0.5)
    )
    assert compare({"a": 100.4, "b": "x"}, vector) == ""
    assert compare({"a": 100.6, "b": "x"}, vector).startswith("a: ")
    assert compare({"a": 100.0}, vector).startswith("b: ")
    assert compare({"a": True, "b": "x"}, vector).startswith("a: ")
