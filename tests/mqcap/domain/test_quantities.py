"""Ranges of numbers: the value of each end, and the first one outside."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from mqcap.domain import quantities

INSIDE: list[tuple[Any, Any]] = [
    (quantities.Amount, 0.0),
    (quantities.Positive, 1e-9),
    (quantities.Count, 0),
    (quantities.PositiveCount, 1),
    (quantities.Percent, 0.0),
    (quantities.Percent, 100.0),
    (quantities.UsedPercent, 100.1),
    (quantities.Share, 0.0),
    (quantities.Share, 1.0),
    (quantities.Rba, "0"),
    (quantities.Rba, "00000003A0000000"),
    (quantities.Rba, "ff"),
]
OUTSIDE: list[tuple[Any, Any]] = [
    (quantities.Amount, -1e-9),
    (quantities.Positive, 0.0),
    (quantities.Count, -1),
    (quantities.Count, 1.5),
    (quantities.PositiveCount, 0),
    (quantities.Percent, -0.1),
    (quantities.Percent, 100.1),
    (quantities.UsedPercent, -0.1),
    (quantities.Share, -0.001),
    (quantities.Share, 1.001),
    (quantities.Rba, ""),
    (quantities.Rba, "0x1F"),
    (quantities.Rba, "1G"),
    (quantities.Rba, "0" * 17),
]


@pytest.mark.parametrize(("quantity", "value"), INSIDE)
def test_an_end_of_the_range_belongs_to_it(quantity: Any, value: object) -> None:
    assert TypeAdapter(quantity).validate_python(value) == value


@pytest.mark.parametrize(("quantity", "value"), OUTSIDE)
def test_what_is_outside_of_the_range_is_refused(quantity: Any, value: object) -> None:
    with pytest.raises(ValidationError):
        TypeAdapter(quantity).validate_python(value)
