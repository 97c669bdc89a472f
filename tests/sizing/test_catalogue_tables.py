"""The printed examples of the catalogue that the vectors file leaves out."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from sizing.rulebook.registry import entries
from sizing.verify import Tolerance, Vector, compare
from tests.shared import shared_cases, shared_dir

ROUNDED = Tolerance(rel=5e-4, abs=5e-4)
LINE = re.compile(r"^### ([A-Z0-9-]+)$|^\| (.*=.*) \| (.*=.*) \| .* \| .* \|$", re.MULTILINE)
NAME = re.compile(r"\s*,?\s*([A-Za-z0-9_]+)=")
CUT_OFF = {"2.275556"}
"""Printed to six digits and so beyond the limit; the vectors have it in full."""


def assignments(text: str) -> dict[str, Any]:
    """``a=1, b="x"`` as a dictionary."""
    result: dict[str, Any] = {}
    position = 0
    while match := NAME.match(text, position):
        value, position = json.JSONDecoder().raw_decode(text, match.end())
        result[match[1]] = value
    return result


def examples() -> list[Vector]:
    folder = shared_dir()
    if folder is None:
        return []
    result = []
    rule = ""
    for heading, inputs, expected in LINE.findall(
        (folder / "reference" / "rules.md").read_text("utf-8")
    ):
        rule = heading or rule
        if not heading and not any(text in inputs for text in CUT_OFF):
            vector = Vector(
                rule=rule,
                inputs=assignments(inputs),
                expected=assignments(expected),
                tolerance=ROUNDED,
            )
            result.append(vector)
    return result


EXAMPLES = examples()


@pytest.mark.parametrize("rule", shared_cases(sorted({example.rule for example in EXAMPLES})))
def test_the_printed_examples_of_a_rule(rule: str) -> None:
    for example in EXAMPLES:
        if example.rule == rule:
            assert compare(entries()[rule].answer(example.inputs), example) == ""


def test_assignments_are_read_as_printed() -> None:
    assert assignments('a=1, b="x y", c=[[1, 2]], d=false') == {
        "a": 1,
        "b": "x y",
        "c": [[1, 2]],
        "d": False,
    }
