"""Backups of page sets: MP16, "Achieving specific recovery targets"."""

from __future__ import annotations

from typing import Any

import pytest
from pytest import approx

from sizing.calculators import backup as registered
from tests.sizing.builders import refusal

backup: Any = registered  # a registered function has the return type of all

CYLINDER_BYTES = 737_280
GIB = 2**30


def test_no_restart_fits_where_reaction_and_restore_take_all_the_time() -> None:
    text = refusal("REC-BUDGET", target_total_min=10, react_and_restore_min=10.5)
    assert "no time is left for restart" in text
    assert "10.5 min for reaction and restore" in text


@pytest.mark.parametrize(("method", "seconds"), [("DFDSS older", 15), ("REPRO older", 26)])
def test_the_older_rates_are_1600_cylinders_by_the_printed_seconds(
    method: str, seconds: int
) -> None:
    rate = 1_600 * CYLINDER_BYTES / GIB / seconds * 60
    assert backup.RESTORE_GB_PER_MIN[method] == approx(rate, abs=0.005)
