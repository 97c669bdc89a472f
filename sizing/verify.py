"""Check the rulebook against worked examples, those of MP16 among them."""

import math
from collections.abc import Iterable
from typing import Any, NamedTuple

from pydantic import BaseModel

from mqcap.domain.errors import ConfigurationError
from sizing.rulebook.registry import entries


class Tolerance(BaseModel, frozen=True, extra="forbid"):
    """Allowed difference of a result: relative, absolute, or none."""

    rel: float = 0.0
    abs: float = 0.0


class Vector(BaseModel, frozen=True, extra="ignore"):
    """A worked example: inputs and expected results."""

    rule: str
    inputs: dict[str, Any]
    expected: dict[str, Any]
    tolerance: Tolerance = Tolerance()
    source: str = ""


class Failure(NamedTuple):
    """A vector with another result, and the difference."""

    vector: Vector
    difference: str


class Verification(NamedTuple):
    """The three lists; every vector is in exactly one of them."""

    passed: tuple[Vector, ...]
    failed: tuple[Failure, ...]
    without_implementation: tuple[Vector, ...]


def verify(vectors: Iterable[Vector]) -> Verification:
    """Run each vector through the entry of its id."""
    registered = entries()
    passed: list[Vector] = []
    failed: list[Failure] = []
    absent: list[Vector] = []
    for vector in vectors:
        if vector.rule not in registered:
            absent.append(vector)
            continue
        try:
            difference = compare(registered[vector.rule].answer(vector.inputs), vector)
        except ConfigurationError as error:
            difference = str(error)
        if difference:
            failed.append(Failure(vector, difference))
        else:
            passed.append(vector)
    return Verification(tuple(passed), tuple(failed), tuple(absent))


def compare(answer: dict[str, Any], vector: Vector) -> str:
    """Return the differences in words; empty when every expected figure was computed."""
    differences = [
        f"{name}: expected {expected!r}, got {answer.get(name)!r}"
        for name, expected in vector.expected.items()
        if not _equal(answer.get(name), expected, vector.tolerance)
    ]
    return "; ".join(differences)


def _equal(actual: Any, expected: Any, tolerance: Tolerance) -> bool:
    if isinstance(actual, bool) or isinstance(expected, bool):
        return actual is expected
    if isinstance(actual, int | float) and isinstance(expected, int | float):
        return math.isclose(actual, expected, rel_tol=tolerance.rel, abs_tol=tolerance.abs)
    return bool(actual == expected)
