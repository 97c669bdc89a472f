"""Figures that a site measures itself."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from mqcap.domain.distributed.site_figure import KNOWN, PREFIX, PUBLISHED, UNITS, DeclaredFigure

POOL: dict[str, Any] = {"figure": "pool", "label": "Pool", "unit": "%"}


def test_every_known_figure_has_a_unit_and_no_name_of_a_declared_one() -> None:
    assert set(UNITS) == {*(figure.name for figure in KNOWN), *PUBLISHED}
    assert all(unit and not name.startswith(PREFIX) for name, unit in UNITS.items())


@pytest.mark.parametrize(
    ("changed", "is_valid"),
    [
        ({}, True),
        ({"figure": "a" * 48}, True),
        ({"figure": "a" * 49}, False),
        ({"figure": "Pool"}, False),
        ({"figure": "1st"}, False),
        ({"unit": ""}, False),
        ({"label": ""}, False),
        ({"step_seconds": 90_000}, True),
        ({"step_seconds": 90_001}, False),
        ({"step_seconds": 0}, False),
        ({"direction": "downward"}, True),
        ({"direction": "sideways"}, False),
    ],
)
def test_a_declaration_has_a_name_a_label_and_a_unit(
    changed: dict[str, Any], is_valid: bool
) -> None:
    if is_valid:
        assert DeclaredFigure.model_validate({**POOL, **changed}).metric.startswith(PREFIX)
        return
    with pytest.raises(ValidationError):
        DeclaredFigure.model_validate({**POOL, **changed})
